// SPDX-License-Identifier: MIT
/*
 * --repeat: runs the cases several times, and reports verdicts and facts that differ between runs.
 */
#include "check.h"
#include <stdlib.h>
#include <string.h>

static const struct fact *find_fact(const struct result *r, const char *name)
{
	for (size_t i = 0; i < r->nr_facts; i++)
		if (!strcmp(r->facts[i].name, name))
			return &r->facts[i];
	return NULL;
}

static size_t differ(FILE *out, unsigned run, const char *id, const char *what, const char *first,
		     const char *again)
{
	fprintf(out, "run %u differs from run 1: %s: %s was %s and is now %s\n", run, id, what,
		first, again);
	return 1;
}

static size_t case_compare(const struct result *first, const struct result *again, unsigned run,
			   FILE *out)
{
	size_t n = 0;

	if (first->verdict != again->verdict) {
		n += differ(out, run, again->id, "verdict", verdict_name(first->verdict),
			    verdict_name(again->verdict));
		for (const struct result *r = first; r; r = r == first ? again : NULL)
			if (r->reason[0])
				fprintf(out, "    %s: %s\n", verdict_name(r->verdict), r->reason);
	}
	for (size_t i = 0; i < first->nr_facts; i++) {
		const struct fact *f = &first->facts[i], *g = find_fact(again, f->name);

		if (!g || strcmp(f->value, g->value))
			n += differ(out, run, again->id, f->name, f->value,
				    g ? g->value : "absent");
	}
	for (size_t i = 0; i < again->nr_facts; i++)
		if (!find_fact(first, again->facts[i].name))
			n += differ(out, run, again->id, again->facts[i].name, "absent",
				    again->facts[i].value);
	return n;
}

size_t repeat_compare(const struct results *first, const struct results *again, unsigned run,
		      FILE *out)
{
	char before[24], now[24];
	size_t n = 0;

	for (size_t i = 0; i < first->nr && i < again->nr; i++)
		n += case_compare(&first->of[i], &again->of[i], run, out);
	if (first->nr != again->nr) {
		snprintf(before, sizeof(before), "%zu", first->nr);
		snprintf(now, sizeof(now), "%zu", again->nr);
		n += differ(out, run, "the run", "number of cases", before, now);
	}
	return n;
}

static void histories_print(const struct results *r, unsigned run, FILE *out)
{
	for (size_t i = 0; i < r->nr; i++) {
		if (!result_retried(&r->of[i]) && !r->of[i].nr_remarks)
			continue;
		fprintf(out, "run %u: %s\n", run, r->of[i].id);
		report_history(&r->of[i], "    ", out);
	}
}

static void retries_add(unsigned *retries, const struct results *r)
{
	for (size_t i = 0; retries && i < r->nr; i++)
		retries[i] += result_retried(&r->of[i]);
}

void retries_print(const unsigned *retries, const struct results *r, FILE *out)
{
	size_t sum = 0;

	for (size_t i = 0; i < r->nr; i++)
		sum += retries[i];
	fprintf(out, "%zu verdict%s needed a second try", sum, sum == 1 ? "" : "s");
	for (size_t i = 0, shown = 0; i < r->nr; i++)
		if (retries[i])
			fprintf(out, "%s%s %u", shown++ ? ", " : ": ", r->of[i].id, retries[i]);
	putc('\n', out);
}

static size_t run_again(struct check *c, unsigned run, unsigned *retries, FILE *out)
{
	const struct selection *s = c->selection;
	struct results again;
	size_t n;

	if (run_begin(&again, c->engine, s->nr)) {
		fprintf(out, "run %u: out of memory\n", run);
		return 1;
	}
	for (size_t i = 0; i < s->nr; i++) {
		ticker_show(&c->ticker, "run %u of %u: %zu of %zu, %s", run, c->options->repeat,
			    i + 1, s->nr, c->results.of[i].id);
		journal_begin(&c->journal, c->results.of[i].id, run);
		run_case(c->engine, s->of[i], &again);
		journal_done(&c->journal, c->results.of[i].id, run);
	}
	run_end(c->engine, &again);
	ticker_clear(&c->ticker);
	n = repeat_compare(&c->results, &again, run, out);
	histories_print(&again, run, out);
	retries_add(retries, &again);
	results_free(&again);
	fflush(out);
	return n;
}

void repeat_runs(struct check *c, FILE *out)
{
	unsigned *retries;

	if (c->options->repeat < 2)
		return;
	retries = calloc(c->results.nr + 1, sizeof(*retries));
	retries_add(retries, &c->results);
	for (unsigned run = 2; run <= c->options->repeat; run++) {
		size_t n = run_again(c, run, retries, out);

		c->differences += n;
		journal_differs(&c->journal, n, run);
	}
	journal_end(&c->journal, &c->results);
	fprintf(out, "%u runs of %zu cases: %zu difference%s in verdicts and facts\n",
		c->options->repeat, c->selection->nr, c->differences,
		c->differences == 1 ? "" : "s");
	if (retries)
		retries_print(retries, &c->results, out);
	free(retries);
}
