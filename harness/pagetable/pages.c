// SPDX-License-Identifier: MIT
/*
 * Page frames and mapcounts, for counting unique pages.
 */
#include <fcntl.h>
#include <rssck/pages.h>
#include <rssck/source.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void add(struct snapshot *s, size_t *room, const struct page *p)
{
	if (s->nr_pages == *room) {
		*room = *room ? 2 * *room : 1024;
		s->pages = realloc(s->pages, *room * sizeof(*s->pages));
		if (!s->pages)
			abort();
	}
	s->pages[s->nr_pages++] = *p;
}

static void collect_mapping(struct snapshot *s, const struct host *h, int fd, size_t *room,
			    const struct mapping *m)
{
	enum { AT_ONCE = 512 };
	uint64_t words[AT_ONCE], step = AT_ONCE * (uint64_t)h->page_size;

	for (uint64_t at = m->start; at < m->end; at += step) {
		uint64_t end = at + step < m->end ? at + step : m->end;
		int64_t n = pagemap_entries(fd, h->page_size, at, end, words);

		for (int64_t i = 0; i < n; i++) {
			struct page p = { at + (uint64_t)(i * h->page_size), PAGEMAP_PFN(words[i]),
					  -1 };
			uint64_t mapcount;

			if (!(words[i] & PAGEMAP_PRESENT) || !p.pfn)
				continue;
			if (kpage_word(h->kpagecount, p.pfn, &mapcount) == 0)
				p.mapcount = (int64_t)mapcount;
			add(s, room, &p);
		}
	}
}

int pages_collect(struct snapshot *s, const struct host *h)
{
	char path[64];
	size_t room = 0;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/pagemap", (int)s->pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	free(s->pages);
	s->pages = NULL;
	s->nr_pages = 0;
	/* What smaps says is empty holds no page of anybody's: the zero page is nobody's. */
	for (size_t i = 0; i < s->nr_maps; i++)
		if (mapping_smaps(&s->maps[i], METRIC_SMAPS_RSS))
			collect_mapping(s, h, fd, &room, &s->maps[i]);
	close(fd);
	return 0;
}

static int by_pfn(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

int64_t pages_unique(const struct snapshot *const *s, size_t nr, uint64_t start, uint64_t end)
{
	size_t n = 0, most = 1;
	int64_t unique = 0;
	uint64_t *pfns;

	for (size_t i = 0; i < nr; i++)
		most += s[i]->nr_pages;
	pfns = malloc(most * sizeof(*pfns));
	if (!pfns)
		abort();
	for (size_t i = 0; i < nr; i++)
		for (size_t k = 0; k < s[i]->nr_pages; k++)
			if (s[i]->pages[k].address >= start && s[i]->pages[k].address < end)
				pfns[n++] = s[i]->pages[k].pfn;
	qsort(pfns, n, sizeof(*pfns), by_pfn);
	for (size_t i = 0; i < n; i++)
		unique += i == 0 || pfns[i] != pfns[i - 1];
	free(pfns);
	return unique;
}
