// SPDX-License-Identifier: MIT
/* The sentences of a demo. */
#include "base/print/prose.h"
#include "base/print/words.h"
#include "demo.h"
#include <string.h>

enum { WIDTH = 78 };

void demo_prose(const char *text, unsigned indent, FILE *out)
{
	struct prose p = prose_to(out);

	/* Uses the width of the tables, or of the terminal if it is narrower. */
	prose_text(&(struct prose) { .out = out, .width = p.width < WIDTH ? p.width : WIDTH },
		   indent, "%s", text);
}

static const char *const accounts[ACCOUNT_COUNT] = {
	[ACCOUNT_ANON] = "anonymous",
	[ACCOUNT_FILE] = "of files",
	[ACCOUNT_SHMEM] = "of shmem",
	[ACCOUNT_ZERO] = "that map the zero page",
	[ACCOUNT_SWAP] = "on swap",
	[ACCOUNT_SHMEM_SWAP] = "of shmem on swap",
	[ACCOUNT_HUGETLB] = "of hugetlb",
	[ACCOUNT_SPECIAL] = "without a struct page",
	[ACCOUNT_PRIVATE_WRITABLE] = "of private writable address space",
	[ACCOUNT_STACK] = "of address space for the stack",
	[ACCOUNT_EXEC] = "of executable address space",
	[ACCOUNT_OTHER] = "of shared or read-only address space",
	[ACCOUNT_LOCKED_VM] = "of locked address space",
};

/* Writes "+256 pages anonymous, -256 of files" into buf; "" if the sums are 0. */
static void sums_words(struct postings p, unsigned process, char *buf, size_t size)
{
	int64_t sum[ACCOUNT_COUNT] = { 0 };

	buf[0] = '\0';
	for (size_t i = 0; i < p.nr; i++)
		if (p.list[i].process == process)
			sum[p.list[i].account] += p.list[i].pages;
	for (int a = 0; a < ACCOUNT_COUNT; a++) {
		size_t used = strlen(buf);
		char number[32];

		if (sum[a])
			snprintf(buf + used, size - used, "%s%s%s %s", used ? ", " : "",
				 difference_words(sum[a], number, sizeof(number)),
				 used                          ? ""
				 : sum[a] == 1 || sum[a] == -1 ? " page"
							       : " pages",
				 accounts[a]);
	}
}

/*
 * Describes pages that the process keeps, and that a different number of processes map now. The
 * postings remove pages that `before` processes mapped and add the same pages mapped by `after`
 * processes. Returns false if anything else changed.
 */
static bool reshared_words(const struct moment *m, unsigned process, char *buf, size_t size)
{
	unsigned before = 0, after = 0;
	int64_t pages = 0;
	char number[32];

	for (size_t i = 0; i < m->nr_expected; i++) {
		const struct posting *p = &m->expected[i];
		unsigned sharers = p->sharers ? p->sharers : 1;
		unsigned *of = p->pages < 0 ? &before : &after;

		if (p->process != process || !p->pages)
			continue;
		if (*of && *of != sharers)
			return false;
		*of = sharers;
		pages += p->pages > 0 ? p->pages : 0;
	}
	if (!before || !after || before == after)
		return false;
	number_words(pages, number, sizeof(number));
	if (after == 1)
		snprintf(
			buf, size,
			"%s page%s that %u processes mapped %s now mapped only by this process: RES stays, "
			"and Pss counts %s completely",
			number, pages == 1 ? "" : "s", before, pages == 1 ? "is" : "are",
			pages == 1 ? "it" : "each");
	else
		snprintf(buf, size,
			 "%s of its pages %s now mapped by %u processes instead of %u: RES stays, "
			 "and Pss counts 1/%u of each",
			 number, pages == 1 ? "is" : "are", after, before, after);
	return true;
}

/* The expected changes of a process's numbers; "" for a child without postings. */
static void expected_words(const struct moment *m, unsigned process, char *buf, size_t size)
{
	bool posted = false, shared = false;

	for (size_t i = 0; i < m->nr_expected; i++) {
		posted |= m->expected[i].process == process;
		shared |= m->expected[i].process == process && m->expected[i].sharers > 1;
	}
	sums_words(moment_postings(m), process, buf, size);
	if (buf[0])
		return;
	if (m->step->flags & STEP_REPLACES && !process)
		snprintf(buf, size, "another program with other numbers");
	else if (shared && !reshared_words(m, process, buf, size))
		snprintf(buf, size,
			 "the same pages, mapped by a different number of processes: RES stays, "
			 "Pss changes");
	else if (shared)
		return;
	else if (posted)
		snprintf(buf, size, "the same pages, with other dirty, clean or locked states");
	else if (m->step->flags & STEP_ANY_PAGES && !process)
		snprintf(buf, size,
			 "a number of pages that the kernel chooses; all numbers must "
			 "agree");
	else if (!process)
		snprintf(buf, size, "nothing moves");
}

static const char *settling(const struct trial *t, const struct moment *m)
{
	bool lags = false;

	for (const enum metric_id *id = modelled; *id != METRIC_NONE; id++)
		lags |= t->models->of[*id].kind != MODEL_EXACT &&
			t->models->of[*id].kind != MODEL_ABSENT;
	if (!lags)
		return "";
	return m->settled ? " Lagging counters were then settled."
			  : " Lagging counters were not settled.";
}

static const char *words_of_no_step(const struct trial *t, const struct moment *m)
{
	return m == t->moments ? "Before the first step: the program has touched everything that "
				 "it needs, and waits."
			       : "Everything that the steps mapped is unmapped: every number "
				 "should have its initial value again.";
}

/*
 * Returns the last of the consecutive children, from `first` on, whose expected changes have the
 * same words. They share a sentence.
 */
static unsigned last_alike(const struct moment *m, const bool *alive, unsigned first,
			   const char *words)
{
	char others[512];

	while (first + 1 < WORKLOAD_PROCESSES && alive[first + 1]) {
		expected_words(m, first + 1, others, sizeof(others));
		if (strcmp(others, words))
			break;
		first++;
	}
	return first;
}

void demo_expected(const struct trial *t, const struct moment *m, const bool *alive, FILE *out)
{
	char words[512], text[1024];

	if (!m->step) {
		snprintf(text, sizeof(text), "%s%s", words_of_no_step(t, m), settling(t, m));
		demo_prose(text, 2, out);
		return;
	}
	expected_words(m, 0, words, sizeof(words));
	snprintf(text, sizeof(text), "Expected: %s.", words);
	for (unsigned i = 1, last; i < WORKLOAD_PROCESSES; i = last + 1) {
		size_t used = strlen(text);

		last = i;
		expected_words(m, i, words, sizeof(words));
		if (!alive[i] || !words[0])
			continue;
		last = last_alike(m, alive, i, words);
		if (last > i)
			snprintf(text + used, sizeof(text) - used, " Children %u to %u: %s.", i,
				 last, words);
		else
			snprintf(text + used, sizeof(text) - used, " Child %u: %s.", i, words);
	}
	snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s", settling(t, m));
	demo_prose(text, 2, out);
}
