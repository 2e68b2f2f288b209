// SPDX-License-Identifier: MIT
/*
 * Tools: programs that print columns about a process. rssck runs them and reads their output.
 * <rssck/column.h> describes a column.
 */
#ifndef RSSCK_TOOL_H
#define RSSCK_TOOL_H

#include <rssck/column.h>
#include <rssck/snapshot.h>

enum { TOOL_VALUES_MAX = 64, TOOL_TEXT_MAX = 24 };

/* The value of one column, as the tool prints it: "104416", "16.0t", "0.4". */
struct tool_value {
	const struct column *column;
	char text[TOOL_TEXT_MAX];
};

struct tool_values {
	struct tool_value of[TOOL_VALUES_MAX];
	size_t nr;
};

/* The layout of a tool's output. */
enum tool_layout {
	LAYOUT_HEADER, /* a header with the columns' names, one of which is the PID */
	LAYOUT_ORDER,  /* the row of the process; its columns are in the requested order */
	LAYOUT_TOTAL,  /* pmap: a header, and a last line of sums without the first columns */
	LAYOUT_PAIRS,  /* "name number" on each line */
	LAYOUT_JSON,   /* "\"name\": number," on each line */
	LAYOUT_INLINE, /* "name: 12K  name: 34K" or "name 12K" in the last line */
};

struct tool {
	const char *name;    /* as in columns.def: "pmap -x" */
	const char *package; /* the package that contains it */
	enum tool_layout layout;
	const char *order;    /* for LAYOUT_ORDER: "pid,rss,vsz"; rssck ignores a column "-" */
	const char *row;      /* the first word of the row, which `order` also lists, or NULL */
	bool terminal;        /* needs a terminal, and quits when "q" is typed */
	const char *settings; /* the content of its settings file in $HOME, or NULL */
	const char *settings_name;
	const char *const *argv; /* "@PID@" stands for the process; ends with NULL */
	const char *absent; /* what the interpreter prints if the tool is not installed, or NULL */
};

/*
 * tool_by_name() returns the tool with this name, or NULL. tools_all() returns all tools, and sets
 * *nr to their number.
 */
const struct tool *tool_by_name(const char *name);
const struct tool *tools_all(size_t *nr);

/*
 * Returns true if the tool is installed, and is not busybox under another name. Otherwise `why`
 * names what is missing, and its package.
 */
bool tool_is_here(const struct tool *t, char *why, size_t size);

/*
 * For a tool that has failed on another process: returns true if it works on rssck's own process;
 * then only the other process was the reason. Otherwise the tool lacks something (a module, a
 * library, a newer version), which `why` names.
 */
bool tool_can_run(const struct tool *t, char *why, size_t size);

/*
 * Runs the tool on a process, and reads its output into *v. The tool runs in the C locale, without
 * the user's settings, for at most 20 seconds, and leaves nothing behind. Returns 0, or -1 with a
 * sentence in `why`.
 */
int tool_read(const struct tool *t, pid_t pid, struct tool_values *v, char *why, size_t size);

/* Like tool_read(), from recorded output. */
int tool_parse(const struct tool *t, pid_t pid, const char *text, struct tool_values *v, char *why,
	       size_t size);

/* Returns the value of a column, or NULL if the tool did not print it. */
const struct tool_value *tool_value(const struct tool_values *v, const char *column);

/*
 * What a tool's numbers are compared with: the metrics as rssck reads them, and other numbers from
 * which columns are computed.
 */
struct tool_facts {
	struct values values;
	int64_t text_bytes;   /* stat: end_code - start_code */
	int64_t gate_kb;      /* size of [vsyscall], which pmap adds and no metric includes */
	int64_t mem_total_kb; /* meminfo: MemTotal */
	long page_size;
};

/*
 * Fills in all but `values` and `page_size`, which the caller sets. Returns 0, or -1 with a
 * sentence in `why`.
 */
int tool_facts_read(struct tool_facts *f, pid_t pid, const struct snapshot *s, char *why,
		    size_t size);

/*
 * Writes the text that the tool should print in a column. Returns false if that is unknown: the
 * kernel does not print the metric, the column is a rate, htop shortens the number (from 100,000 kB
 * on), or f->mem_total_kb or f->page_size is not set.
 */
bool tool_expect(const struct column *c, const struct tool_facts *f, char text[TOOL_TEXT_MAX]);

#endif
