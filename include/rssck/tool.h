// SPDX-License-Identifier: MIT
/*
 * The tools: the real programs that print columns about a process, run and
 * read. What a column is, and what shape it has, is <rssck/column.h>'s.
 */
#ifndef RSSCK_TOOL_H
#define RSSCK_TOOL_H

#include <rssck/column.h>
#include <rssck/snapshot.h>

enum { TOOL_VALUES_MAX = 64, TOOL_TEXT_MAX = 24 };

/* What stood in one column, as the tool formatted it: "104416", "16.0t", "0.4". */
struct tool_value {
	const struct column *column;
	char text[TOOL_TEXT_MAX];
};

struct tool_values {
	struct tool_value of[TOOL_VALUES_MAX];
	size_t nr;
};

/* How what the tool prints is laid out. */
enum tool_layout {
	LAYOUT_HEADER, /* names above the columns, a row that begins with the process's number in
			  one */
	LAYOUT_ORDER,  /* the row of that process, the columns in the order in which they were asked
			  for */
	LAYOUT_TOTAL,  /* pmap: names above the columns, a last line of sums without the first
			  columns */
	LAYOUT_PAIRS,  /* "name number" a line */
	LAYOUT_JSON,   /* "\"name\": number," a line */
	LAYOUT_INLINE, /* "name: 12K  name: 34K" in the last line */
};

struct tool {
	const char *name;    /* as in the table of columns: "pmap -x" */
	const char *package; /* where to get it */
	enum tool_layout layout;
	const char *order;    /* LAYOUT_ORDER: "pid,rss,vsz"; "-" for what is no column of ours */
	const char *row;      /* what the row begins with, before the order counts; or NULL */
	bool terminal;        /* it draws on a terminal, and "q" ends it */
	const char *settings; /* the content of a file in its $HOME, or NULL */
	const char *settings_name;
	const char *const *argv; /* "@PID@" stands for the process; ends with NULL */
	const char *absent;      /* what its program prints where it is not installed, or NULL */
};

/* The tool of that name, or NULL; all of them: [0, *nr). */
const struct tool *tool_by_name(const char *name);
const struct tool *tools_all(size_t *nr);

/*
 * Whether it is installed here, and no busybox under another's name. Where it
 * is not, `why` names what is missing and its package.
 */
bool tool_is_here(const struct tool *t, char *why, size_t size);

/*
 * Whether it can be used here at all: it is run on this very process. For who
 * could not read another one with it: a tool that can look at no process lacks
 * something (a module, a library, an option that it is too old for), which
 * `why` names; one that can has failed with that process only.
 */
bool tool_can_run(const struct tool *t, char *why, size_t size);

/*
 * Run the tool on a process and read what it prints into *v. It runs with the
 * C locale, without the person's settings, for at most some seconds; nothing
 * of it is left behind. Returns 0, or -1 with a sentence in `why`.
 */
int tool_read(const struct tool *t, pid_t pid, struct tool_values *v, char *why, size_t size);

/* The same from what it printed. */
int tool_parse(const struct tool *t, pid_t pid, const char *text, struct tool_values *v, char *why,
	       size_t size);

/* The value of a column, or NULL where the tool did not print it. */
const struct tool_value *tool_value(const struct tool_values *v, const char *column);

/*
 * What a tool's number is held against: our own reading of the same files, with
 * what else goes into a column.
 */
struct tool_facts {
	struct values values;
	int64_t text_bytes;   /* stat: end_code - start_code */
	int64_t gate_kb;      /* the size of [vsyscall], which pmap adds and no account counts */
	int64_t mem_total_kb; /* meminfo: MemTotal */
	long page_size;
};

/* Fill in what is no metric; values are the caller's. Returns 0, or -1 with a sentence in `why`. */
int tool_facts_read(struct tool_facts *f, pid_t pid, const struct snapshot *s, char *why,
		    size_t size);

/*
 * What the tool should print in a column, formatted as it does, into `text`.
 * False where that cannot be said: the kernel does not print the metric, or
 * the column is a rate.
 */
bool tool_expect(const struct column *c, const struct tool_facts *f, char text[TOOL_TEXT_MAX]);

#endif
