// SPDX-License-Identifier: MIT
/*
 * Prints the table of a demo: the numbers of each file, and of each program that reads it, at one
 * moment.
 */
#include "base/number.h"
#include "base/print/style.h"
#include "base/print/words.h"
#include "demo.h"
#include <rssck/tool.h>
#include <stdlib.h>
#include <string.h>

enum { VIRT, RES, SHR, SWAP, NUMBERS, NR_ROWS = 7, MANY = 8 };

/* The rows: a file or a program, and its names for VIRT, RES, SHR and SWAP. */
static const struct row {
	const char *who;
	const char *tool; /* NULL: the row is about a file */
	struct {
		enum metric_id id, plus;
	} of[NUMBERS];
	const char *column[NUMBERS];
} rows[NR_ROWS] = {
	{ "page tables",
	  NULL,
	  { { METRIC_SMAPS_SIZE, METRIC_NONE },
	    { METRIC_SMAPS_RSS, METRIC_NONE },
	    { METRIC_PAGEMAP_FILE, METRIC_PAGEMAP_SHMEM },
	    { METRIC_PAGEMAP_SWAP, METRIC_NONE } },
	  { NULL } },
	{ "/proc/PID/stat",
	  NULL,
	  { { METRIC_STAT_VSIZE, METRIC_NONE },
	    { METRIC_STAT_RSS, METRIC_NONE },
	    { METRIC_NONE, METRIC_NONE },
	    { METRIC_NONE, METRIC_NONE } },
	  { NULL } },
	{ "/proc/PID/statm",
	  NULL,
	  { { METRIC_STATM_SIZE, METRIC_NONE },
	    { METRIC_STATM_RESIDENT, METRIC_NONE },
	    { METRIC_STATM_SHARED, METRIC_NONE },
	    { METRIC_NONE, METRIC_NONE } },
	  { NULL } },
	{ "/proc/PID/status",
	  NULL,
	  { { METRIC_STATUS_VMSIZE, METRIC_NONE },
	    { METRIC_STATUS_VMRSS, METRIC_NONE },
	    { METRIC_STATUS_RSSFILE, METRIC_STATUS_RSSSHMEM },
	    { METRIC_STATUS_VMSWAP, METRIC_NONE } },
	  { NULL } },
	{ "top  VIRT RES SHR SWAP", "top", { { 0 } }, { "VIRT", "RES", "SHR", "SWAP" } },
	{ "ps  vsz rss", "ps", { { 0 } }, { "vsz", "rss", NULL, NULL } },
	{ "pmap -x  Kbytes RSS", "pmap -x", { { 0 } }, { "Kbytes", "RSS", NULL, NULL } },
};

/* The numbers of one row for one process. */
struct said {
	char text[NUMBERS][TOOL_TEXT_MAX + 8];
	int64_t resident_kb; /* -1: there is no number */
	char why[160];       /* why a program could not be run */
};

static int64_t kb_of(const struct snapshot *s, enum metric_id id, enum metric_id plus, long page)
{
	int64_t pages = snapshot_pages(s, id, page), more = 0;

	if (plus != METRIC_NONE)
		more = snapshot_pages(s, plus, page);
	return pages < 0 || more < 0 ? -1 : (pages + more) * page / 1024;
}

static void read_file(const struct row *row, const struct snapshot *s, long page, struct said *said)
{
	for (int i = 0; i < NUMBERS; i++) {
		int64_t kb = row->of[i].id == METRIC_NONE
				     ? -1
				     : kb_of(s, row->of[i].id, row->of[i].plus, page);

		if (kb >= 0)
			number_words(kb, said->text[i], sizeof(said->text[i]));
		if (i == RES)
			said->resident_kb = kb;
	}
}

/* A text like "16.0t" is kept unchanged. */
static void read_program(const struct row *row, pid_t pid, struct said *said)
{
	struct tool_values v;

	if (tool_read(tool_by_name(row->tool), pid, &v, said->why, sizeof(said->why)) < 0)
		return;
	for (int i = 0; i < NUMBERS; i++) {
		const struct tool_value *one = row->column[i] ? tool_value(&v, row->column[i])
							      : NULL;
		const char *end;
		int64_t kb;
		bool whole;

		if (!one)
			continue;
		end = one->text;
		whole = number_signed(&end, end + strlen(end), &kb) == NUMBER_OK && !*end;
		if (!whole)
			snprintf(said->text[i], sizeof(said->text[i]), "%s", one->text);
		else
			number_words(kb, said->text[i], sizeof(said->text[i]));
		if (i == RES && whole)
			said->resident_kb = kb;
	}
}

static void row_read(const struct row *row, const struct snapshot *s, pid_t pid, long page,
		     struct said *said)
{
	*said = (struct said) { .resident_kb = -1 };
	if (row->tool)
		read_program(row, pid, said);
	else
		read_file(row, s, page, said);
}

/*
 * Colours the difference green if the number is exact, yellow if it is off by at most the largest
 * bound of all counters, red if it is beyond that bound.
 */
static void put_off(const struct trial *t, const struct moment *m, int64_t off_kb, int width,
		    bool colour, FILE *out)
{
	int64_t bound = 0;
	char words[32];

	for (const enum metric_id *id = modelled; *id != METRIC_NONE; id++) {
		int64_t one = model_bound(t->models, *id, m->threads);

		bound = one > bound ? one : bound;
	}
	bound *= t->host->page_size / 1024;
	style_begin(off_kb == 0              ? STYLE_GOOD
		    : llabs(off_kb) <= bound ? STYLE_NOTED
					     : STYLE_BAD,
		    out, colour);
	fprintf(out, "%*s", width, off_kb ? difference_words(off_kb, words, sizeof(words)) : "0");
	style_end(out, colour);
}

static void put_row(const struct trial *t, const struct moment *m, const struct row *row,
		    const struct said *said, int64_t precise_kb, bool colour, FILE *out)
{
	fprintf(out, "  %-22s", row->who);
	for (int i = 0; i < NUMBERS; i++)
		fprintf(out, i == VIRT ? "%14s" : "%10s", said->text[i][0] ? said->text[i] : "-");
	if (row != rows && said->resident_kb >= 0 && precise_kb >= 0) {
		fputs("  ", out);
		put_off(t, m, said->resident_kb - precise_kb, 9, colour, out);
	}
	putc('\n', out);
}

static void put_moved(const struct trial *t, const struct moment *m, FILE *out)
{
	static const char *const names[NUMBERS] = { "VIRT", "RES", "SHR", "SWAP" };
	const struct snapshot *before = m > t->moments ? m[-1].of[0] : NULL;
	const char *separator = "  Changes, according to the page tables: ";
	char words[32];

	for (int i = 0; before && i < NUMBERS; i++) {
		int64_t was = kb_of(before, rows[0].of[i].id, rows[0].of[i].plus,
				    t->host->page_size);
		int64_t is = kb_of(m->of[0], rows[0].of[i].id, rows[0].of[i].plus,
				   t->host->page_size);

		if (was < 0 || is < 0 || was == is)
			continue;
		fprintf(out, "%s%s %s kB", separator, names[i],
			difference_words(is - was, words, sizeof(words)));
		separator = ", ";
	}
	if (separator[0] == ',')
		fputs(".\n", out);
}

static void table_of_one(const struct trial *t, const struct moment *m, const pid_t *pid,
			 bool colour, FILE *out)
{
	int64_t precise = -1;
	char threads[32] = "";

	put_moved(t, m, out);
	if (m->threads > 1)
		snprintf(threads, sizeof(threads), ", %u threads", m->threads);
	fprintf(out, "\n  process %d%s\n", (int)pid[0], threads);
	fprintf(out, "  %-22s%14s%10s%10s%10s%11s\n", "in kB", "VIRT", "RES", "SHR", "SWAP",
		"RES off by");
	for (int i = 0; i < NR_ROWS; i++) {
		struct said said;

		row_read(&rows[i], m->of[0], pid[0], t->host->page_size, &said);
		if (i == 0)
			precise = said.resident_kb;
		if (said.why[0])
			fprintf(out, "  %s\n", said.why);
		else
			put_row(t, m, &rows[i], &said, precise, colour, out);
	}
}

struct sums {
	int64_t of[NR_ROWS];
	int64_t pss;
};

static void put_process(const struct trial *t, const struct moment *m, unsigned process, pid_t pid,
			bool with_programs, struct sums *sums, FILE *out)
{
	int64_t pss = snapshot_value(m->of[process], METRIC_SMAPS_PSS);
	char name[24], number[32];

	if (process)
		snprintf(name, sizeof(name), "%u", process);
	fprintf(out, "  %-6s%7d", process ? name : "leader", (int)pid);
	for (int i = 0; i < NR_ROWS; i++) {
		struct said said = { .resident_kb = -1 };

		if (!rows[i].tool || with_programs)
			row_read(&rows[i], m->of[process], pid, t->host->page_size, &said);
		fprintf(out, "%8s", said.text[RES][0] ? said.text[RES] : "-");
		sums->of[i] += said.resident_kb > 0 ? said.resident_kb : 0;
	}
	fprintf(out, "%8s\n", pss < 0 ? "-" : number_words(pss, number, sizeof(number)));
	sums->pss += pss > 0 ? pss : 0;
}

static void put_sums(const struct sums *sums, unsigned nr, FILE *out)
{
	char number[32];

	fprintf(out, "  %-13s", "sum");
	for (int i = 0; i < NR_ROWS; i++)
		fprintf(out, "%8s",
			rows[i].tool && nr > MANY
				? "-"
				: number_words(sums->of[i], number, sizeof(number)));
	fprintf(out, "%8s\n", number_words(sums->pss, number, sizeof(number)));
}

static void table_of_many(const struct trial *t, const struct moment *m, const pid_t *pid,
			  unsigned nr, FILE *out)
{
	struct sums sums = { .pss = 0 };
	unsigned shown = 0;

	fprintf(out, "\n  %-13s%8s%8s%8s%8s%8s%8s%8s%8s\n", "RES", "page", "", "", "", "top", "ps",
		"pmap -x", "smaps");
	fprintf(out, "  %-13s%8s%8s%8s%8s%8s%8s%8s%8s\n", "in kB", "tables", "stat", "statm",
		"status", "RES", "rss", "RSS", "Pss");
	for (unsigned i = 0; i < WORKLOAD_PROCESSES; i++)
		if (pid[i] && m->of[i])
			put_process(t, m, i, pid[i], shown++ < MANY, &sums, out);
	put_sums(&sums, nr, out);
	if (nr > MANY)
		fprintf(out, "  top, ps and pmap were run only on the first %d processes\n", MANY);
}

void demo_table(const struct trial *t, const pid_t *pid, bool colour, FILE *out)
{
	const struct moment *m = &t->moments[t->nr_moments - 1];
	unsigned nr = 0;

	for (unsigned i = 0; i < WORKLOAD_PROCESSES; i++)
		nr += pid[i] && m->of[i];
	if (nr > 1)
		table_of_many(t, m, pid, nr, out);
	else if (m->of[0])
		table_of_one(t, m, pid, colour, out);
}
