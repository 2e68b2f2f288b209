// SPDX-License-Identifier: MIT
/* Counts anonymous pages in pagemap, and their mappings in kpagecount. */
#include "anon.h"
#include "base/number.h"
#include <errno.h>
#include <fcntl.h>
#include <rssck/source.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { BATCH = 64 * 1024 };

static int add_words(uint64_t start, const uint64_t *words, size_t n, void *arg)
{
	struct anon *a = arg;
	bool sees = a->h->sees_pfns && a->h->kpagecount >= 0;

	(void)start;
	for (size_t i = 0; i < n; i++) {
		if (!(words[i] & PAGEMAP_PRESENT) || words[i] & PAGEMAP_FILE)
			continue;
		if (words[i] & PAGEMAP_EXCLUSIVE) {
			a->alone++;
			if (sees && a->keeps)
				frame_list_add(&a->own, PAGEMAP_PFN(words[i]));
			continue;
		}
		a->shared++;
		if (sees)
			frame_list_add(&a->frames, PAGEMAP_PFN(words[i]));
	}
	return 0;
}

static bool may_hold_anon(const struct mapping *m)
{
	return !mapping_has_flag(m, "ht") &&
	       (!m->smaps_have || mapping_smaps(m, METRIC_SMAPS_ANONYMOUS));
}

int anon_add(struct anon *a, const struct snapshot *s, const struct mapping *only)
{
	char path[32];
	int fd, error = 0;

	snprintf(path, sizeof(path), "/proc/%d/pagemap", s->pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	for (size_t i = 0; i < s->nr_maps && !error; i++)
		if ((!only || only == &s->maps[i]) && may_hold_anon(&s->maps[i]))
			error = pagemap_blocks(fd, a->h, &s->maps[i], PAGEMAP_READ_ALL, add_words,
					       a);
	close(fd);
	return error;
}

/* Counts the page frames of the sorted list whose mappings are all in the list. */
static int64_t count_complete(struct anon *a, const uint64_t *pfns, const size_t *times, size_t n,
			      uint64_t *counts)
{
	int64_t complete = 0;
	int error = kpage_words(a->h->kpagecount, pfns, n, 0, counts);

	for (size_t i = 0; i < n && !error; i++) {
		bool alone = counts[i] == times[i];

		complete += alone;
		if (a->keeps)
			frame_list_add(alone ? &a->own : &a->others, pfns[i]);
	}
	return error ? error : complete;
}

static int64_t complete(struct anon *a)
{
	uint64_t *pfns = calloc(BATCH, sizeof(*pfns)), *counts = calloc(BATCH, sizeof(*counts));
	size_t *times = calloc(BATCH, sizeof(*times)), n = 0;
	const struct frame_list *l = &a->frames;
	int64_t sum = pfns && counts && times ? 0 : -ENOMEM, some;

	if (l->nr)
		qsort(l->pfns, l->nr, sizeof(*l->pfns), number_order);
	for (size_t i = 0, end; sum >= 0 && i < l->nr; i = end) {
		for (end = i; end < l->nr && l->pfns[end] == l->pfns[i];)
			end++;
		pfns[n] = l->pfns[i];
		times[n++] = end - i;
		if (n < BATCH && end < l->nr)
			continue;
		some = count_complete(a, pfns, times, n, counts);
		sum = some < 0 ? some : sum + some;
		n = 0;
	}
	free(pfns);
	free(counts);
	free(times);
	return sum;
}

int64_t anon_pages_alone(struct anon *a, int64_t *maybe)
{
	int64_t more;

	*maybe = 0;
	if (!a->frames.nr) {
		*maybe = a->shared;
		return a->alone;
	}
	more = complete(a);
	return more < 0 ? more : a->alone + more;
}

void anon_free(struct anon *a)
{
	frame_list_free(&a->frames);
	frame_list_free(&a->own);
	frame_list_free(&a->others);
}
