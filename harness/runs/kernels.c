// SPDX-License-Identifier: MIT
/* Sorts runs, names them, and finds the runs that agree. */
#include "kernels.h"
#include "compare/compare.h"
#include "release.h"
#include <stdlib.h>
#include <string.h>

static int by_release(const void *a, const void *b)
{
	const struct results *x = a, *y = b;
	int releases = release_compare(x->kernel_release, y->kernel_release);

	return releases ? releases : (int)x->cpus - (int)y->cpus;
}

void kernels_sort(struct results *runs, size_t nr)
{
	if (nr)
		qsort(runs, nr, sizeof(*runs), by_release);
}

/*
 * Makes a kernel's name. The name is the complete release if the short one is ambiguous, or if the
 * runs have several architectures. Runs of the same release are distinguished by their number of
 * CPUs.
 */
const char *kernel_name(const struct kernels *k, size_t i, char *buf, size_t size)
{
	const struct results *r = &k->of[i];
	char name[96], other[96];
	bool same_name = false, same_release = false;

	release_short(r->kernel_release, name, sizeof(name));
	for (size_t n = 0; n < k->nr; n++) {
		if (n == i)
			continue;
		same_name |= !strcmp(name,
				     release_short(k->of[n].kernel_release, other, sizeof(other)));
		same_name |= strcmp(r->machine, k->of[n].machine) != 0;
		same_release |= !strcmp(r->kernel_release, k->of[n].kernel_release);
	}
	if (same_release)
		snprintf(buf, size, "%s, %u CPUs", r->kernel_release, r->cpus);
	else
		snprintf(buf, size, "%s", same_name ? r->kernel_release : name);
	return buf;
}

/* Returns true if both are of one branch, as 6.12.15 and 6.12.43 are. */
static bool same_branch(const struct results *a, const struct results *b)
{
	unsigned of[4] = { 0, 1, 2, 3 };

	return sscanf(a->kernel_release, "%u.%u", &of[0], &of[1]) == 2 &&
	       sscanf(b->kernel_release, "%u.%u", &of[2], &of[3]) == 2 && of[0] == of[2] &&
	       of[1] == of[3];
}

/*
 * If the value changed within a branch, the next branches were released before that: the kernels
 * of the branch are named one by one, and "and later" begins after it.
 */
static void stretch_words(const struct kernels *k, size_t first, size_t end, FILE *out)
{
	char from[128], to[128];

	if (end - first == k->nr) {
		fputs("all", out);
		return;
	}
	while (first > 0 && end - first > 1 && same_branch(&k->of[first - 1], &k->of[first])) {
		kernel_name(k, first, from, sizeof(from));
		fprintf(out, "%s, ", from);
		first++;
	}
	kernel_name(k, first, from, sizeof(from));
	kernel_name(k, end - 1, to, sizeof(to));
	if (end - first == 1)
		fprintf(out, "%s", from);
	else if (end == k->nr)
		fprintf(out, "%s and later", from);
	else if (end - first == 2)
		fprintf(out, "%s, %s", from, to);
	else
		fprintf(out, "%s to %s", from, to);
}

const char *kernels_words(const struct kernels *k, const bool *set, char *buf, size_t size)
{
	FILE *out = fmemopen(buf, size, "w");
	size_t members = 0;

	buf[0] = '\0';
	if (!out)
		return buf;
	for (size_t i = 0, end; i < k->nr; i = end) {
		for (end = i; end < k->nr && set[end] == set[i]; end++)
			;
		if (!set[i])
			continue;
		fputs(members ? ", " : "", out);
		stretch_words(k, i, end, out);
		members += end - i;
	}
	if (!members)
		fputs("none", out);
	fclose(out);
	buf[size - 1] = '\0';
	return buf;
}

static size_t first_with_same_value(const struct kernels *k, cell_fn *cell, const void *row,
				    size_t i, const unsigned *values)
{
	char buf[CELL_SIZE], other[CELL_SIZE];
	const char *said = cell(&k->of[i], row, buf, sizeof(buf));

	for (size_t n = 0; n < i; n++)
		if (values[n] && same_but_for_cpus(cell(&k->of[n], row, other, sizeof(other)),
						   k->of[n].cpus, said, k->of[i].cpus))
			return n;
	return i;
}

unsigned row_values(const struct kernels *k, cell_fn *cell, const void *row, unsigned *values)
{
	char buf[CELL_SIZE];
	unsigned nr = 0;

	for (size_t i = 0; i < k->nr; i++) {
		values[i] = 0;
		if (!cell(&k->of[i], row, buf, sizeof(buf)))
			continue;

		size_t first = first_with_same_value(k, cell, row, i, values);

		values[i] = first < i ? values[first] : ++nr;
	}
	return nr;
}

bool row_differs(const struct kernels *k, cell_fn *cell, const void *row)
{
	char first[CELL_SIZE], buf[CELL_SIZE];
	const struct results *of_first = NULL;

	for (size_t i = 0; i < k->nr; i++) {
		const char *value = cell(&k->of[i], row, buf, sizeof(buf));

		if (!value)
			continue;
		if (!of_first) {
			of_first = &k->of[i];
			snprintf(first, sizeof(first), "%s", value);
		} else if (!same_but_for_cpus(first, of_first->cpus, value, k->of[i].cpus)) {
			return true;
		}
	}
	return false;
}

const struct result *result_of(const struct results *r, const char *id)
{
	for (size_t i = 0; i < r->nr; i++)
		if (!strcmp(r->of[i].id, id))
			return &r->of[i];
	return NULL;
}

bool case_ran(const struct kernels *k, const char *id)
{
	for (size_t i = 0; i < k->nr; i++) {
		const struct result *r = result_of(&k->of[i], id);

		if (r && (r->verdict == VERDICT_PASS || r->verdict == VERDICT_FAIL))
			return true;
	}
	return false;
}

const char *case_why_not(const struct kernels *k, const char *id)
{
	for (size_t i = k->nr; i-- > 0;) {
		const struct result *r = result_of(&k->of[i], id);

		if (r)
			return r->reason;
	}
	return "no run has this case (the runs may be older than it)";
}
