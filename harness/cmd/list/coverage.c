// SPDX-License-Identifier: MIT
/* rssck list --coverage: prints the cases that check each metric. */
#include "cmd/line/command.h"
#include "lines.h"
#include "machine/numbers.h"
#include <rssck/metric.h>
#include <string.h>
#include <unistd.h>

enum { SHOWN = 3 };

static size_t count_cases(const struct selection *s, enum metric_id id, long page_size)
{
	size_t nr = 0;

	for (size_t i = 0; i < s->nr; i++)
		nr += case_moves(s->of[i]->c, id, page_size);
	return nr;
}

static void print_ids(const struct selection *s, enum metric_id id, long page_size, bool all,
		      FILE *out)
{
	size_t nr = count_cases(s, id, page_size), shown = 0;
	/* Instead of "and 1 more", the last case is named: its name takes no more room. */
	size_t most = all || nr == SHOWN + 1 ? nr : SHOWN;
	char name[64];

	for (size_t i = 0; i < s->nr && shown < most; i++) {
		if (!case_moves(s->of[i]->c, id, page_size))
			continue;
		fprintf(out, "%s%s", shown++ ? ", " : "  ", case_id(s->of[i], name, sizeof(name)));
	}
	if (nr > shown)
		fprintf(out, " and %zu more", nr - shown);
}

static void print_row(const struct selection *s, enum metric_id id, long page_size, bool all,
		      FILE *out)
{
	const struct metric *m = metric(id);
	size_t nr = count_cases(s, id, page_size);

	if (m->constant) {
		fprintf(out, "%-28s %5s  constant: every case checks that it does not change\n",
			m->name, "-");
		return;
	}
	fprintf(out, "%-28s %5zu", m->name, nr);
	if (nr)
		print_ids(s, id, page_size, all, out);
	else
		fputs("  no case checks how it changes", out);
	putc('\n', out);
}

/* True if no earlier case has a fact with this name. Several cases may find the same fact. */
static bool is_first_of_its_name(const struct selection *s, size_t at, const struct fact_known *f)
{
	for (size_t i = 0; i <= at; i++)
		for (const struct fact_known *k = s->of[i]->c->facts; k && k->name && k != f; k++)
			if (!strcmp(k->name, f->name))
				return false;
	return true;
}

static size_t count_facts(const struct selection *s)
{
	size_t nr = 0;

	for (size_t i = 0; i < s->nr; i++)
		for (const struct fact_known *f = s->of[i]->c->facts; f && f->name; f++)
			nr += is_first_of_its_name(s, i, f);
	return nr;
}

static void print_machine(FILE *out)
{
	size_t judged = 0, others = 0;

	for (int n = 1; n < MACHINE_NUMBERS; n++) {
		judged += machine_is_judged(n);
		others += machine_row(n)->why_not != NULL;
	}
	fprintf(out,
		"\nrssck machine compares %zu lines of meminfo and vmstat with page frames or other files.\n"
		"It cannot compare these %zu:\n\n",
		judged, others);
	for (int n = 1; n < MACHINE_NUMBERS; n++)
		if (machine_row(n)->why_not)
			fprintf(out, "%-36s %s\n", machine_row(n)->name, machine_row(n)->why_not);
}

int coverage_print(const struct selection *s, bool all, FILE *out)
{
	long page_size = sysconf(_SC_PAGESIZE);
	size_t uncovered = 0, constant = 0;

	fprintf(out, "%-28s %5s  %s\n", "metric", "cases",
		"that fail if it does not change as expected");
	for (int id = 0; id < METRIC_COUNT; id++) {
		print_row(s, id, page_size, all, out);
		constant += metric(id)->constant;
		uncovered += !metric(id)->constant && !count_cases(s, id, page_size);
	}
	fprintf(out,
		"\n%d metrics: %zu changed by a case, %zu constant, %zu uncovered. %zu cases, %zu distinct facts.\n",
		METRIC_COUNT, (size_t)METRIC_COUNT - constant - uncovered, constant, uncovered,
		s->nr, count_facts(s));
	print_machine(out);
	uncovered += lines_print(all, out);
	return uncovered ? EXIT_FAILS : EXIT_HOLDS;
}
