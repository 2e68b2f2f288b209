// SPDX-License-Identifier: MIT
/* Collects page frames and mapcounts, to count unique pages. */
#include "base/memory.h"
#include "base/number.h"
#include "walkable.h"
#include <fcntl.h>
#include <rssck/pages.h>
#include <rssck/source.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void add(struct snapshot *s, const struct page *p)
{
	s->pages = memory_one_more(s->pages, s->nr_pages, sizeof(*p), "the pages of a process");
	s->pages[s->nr_pages++] = *p;
}

struct collection {
	struct snapshot *s;
	uint64_t page_size;
};

static int collect(uint64_t start, const uint64_t *words, size_t n, void *arg)
{
	struct collection *c = arg;

	for (size_t i = 0; i < n; i++)
		if (words[i] & PAGEMAP_PRESENT && PAGEMAP_PFN(words[i]))
			add(c->s,
			    &(struct page) { start + i * c->page_size, PAGEMAP_PFN(words[i]), -1 });
	return 0;
}

/* Reads the mapcounts. A mapcount that cannot be read remains -1. */
static void read_mapcounts(struct snapshot *s, int kpagecount)
{
	enum { AT_ONCE = 16 * 1024 };
	static uint64_t pfns[AT_ONCE], counts[AT_ONCE];

	for (size_t at = 0, n; at < s->nr_pages; at += n) {
		n = s->nr_pages - at < AT_ONCE ? s->nr_pages - at : AT_ONCE;
		for (size_t i = 0; i < n; i++)
			pfns[i] = s->pages[at + i].pfn;
		if (kpage_words(kpagecount, pfns, n, UINT64_MAX, counts))
			return;
		for (size_t i = 0; i < n; i++)
			s->pages[at + i].mapcount = (int64_t)counts[i];
	}
}

int pages_collect(struct snapshot *s, const struct host *h)
{
	char path[64];
	struct collection c = { .s = s, .page_size = (uint64_t)h->page_size };
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/pagemap", (int)s->pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	free(s->pages);
	s->pages = NULL;
	s->nr_pages = 0;
	/*
	 * A mapping with Rss 0 has no pages except zero pages, which belong to no process, and
	 * hugetlb pages.
	 */
	for (size_t i = 0; i < s->nr_maps; i++)
		if (mapping_smaps(&s->maps[i], METRIC_SMAPS_RSS))
			pagemap_blocks(fd, h, &s->maps[i], MAPPING_LARGE, collect, &c);
	close(fd);
	read_mapcounts(s, h->kpagecount);
	return 0;
}

int64_t pages_unique(const struct snapshot *const *s, size_t nr, uint64_t start, uint64_t end)
{
	size_t n = 0, most = 1;
	uint64_t *pfns;

	for (size_t i = 0; i < nr; i++)
		most += s[i]->nr_pages;
	pfns = malloc(most * sizeof(*pfns));
	if (!pfns)
		memory_gone("the pages of a process");
	for (size_t i = 0; i < nr; i++)
		for (size_t k = 0; k < s[i]->nr_pages; k++)
			if (s[i]->pages[k].address >= start && s[i]->pages[k].address < end)
				pfns[n++] = s[i]->pages[k].pfn;
	n = number_unique(pfns, n);
	free(pfns);
	return (int64_t)n;
}
