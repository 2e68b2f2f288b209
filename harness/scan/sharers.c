// SPDX-License-Identifier: MIT
/*
 * Counts by how many page tables the pages of a process are mapped.
 *
 * kpagecount is asked only for pages that pagemap does not call exclusive
 * (mapped once), and of the page frames of many mappings together: in order,
 * neighbours in one system call.
 */
#include "sharers.h"
#include <errno.h>
#include <fcntl.h>
#include <rssck/source.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BATCH = 64 * 1024 };

const char *const sharers_titles[SHARERS_COUNT] = {
	[SHARERS_NONE] = "by none", [SHARERS_1] = "by 1",       [SHARERS_2] = "by 2",
	[SHARERS_4] = "by 3-4",     [SHARERS_8] = "by 5-8",     [SHARERS_16] = "by 9-16",
	[SHARERS_64] = "by 17-64",  [SHARERS_MANY] = "by more",
};

unsigned sharers_column(uint64_t mapcount)
{
	static const uint64_t most[] = { 0, 1, 2, 4, 8, 16, 64 };
	unsigned column = 0;

	while (column < SHARERS_MANY && mapcount > most[column])
		column++;
	return column;
}

struct collector {
	const struct host *h;
	struct sharers *of;
	uint64_t *pfns, *counts;
	uint32_t *owners; /* of each page frame: the file */
	size_t n;
	uint32_t owner; /* of what comes next */
};

static int ask(struct collector *c)
{
	int error = kpage_words(c->h->kpagecount, c->pfns, c->n, 0, c->counts);

	if (error)
		return error;
	for (size_t i = 0; i < c->n; i++) {
		struct sharers *s = &c->of[c->owners[i]];

		s->pages[sharers_column(c->counts[i])]++;
		if (c->counts[i])
			s->share += 1.0 / (double)c->counts[i];
	}
	c->n = 0;
	return 0;
}

static int collect(uint64_t start, const uint64_t *words, size_t n, void *arg)
{
	struct collector *c = arg;
	int64_t once = 0;

	(void)start;
	for (size_t i = 0; i < n; i++) {
		if (!(words[i] & PAGEMAP_PRESENT))
			continue;
		/* Mapped once, here: nobody needs to be asked. */
		if (words[i] & PAGEMAP_EXCLUSIVE) {
			once++;
			continue;
		}
		c->pfns[c->n] = PAGEMAP_PFN(words[i]);
		c->owners[c->n] = c->owner;
		if (++c->n == BATCH) {
			int error = ask(c);

			if (error)
				return error;
		}
	}
	c->of[c->owner].pages[SHARERS_1] += once;
	c->of[c->owner].share += (double)once;
	return 0;
}

/* What smaps, where it was read, says is empty or hugetlb. */
static bool is_left_out(const struct mapping *m)
{
	return mapping_has_flag(m, "ht") || (m->smaps_have && !mapping_smaps(m, METRIC_SMAPS_RSS));
}

static int collect_all(struct collector *c, const struct snapshot *s, const struct files *f, int fd)
{
	int error = 0;

	for (size_t i = 0; i < s->nr_maps && !error; i++) {
		const struct mapping *m = &s->maps[i];

		if (is_left_out(m))
			continue;
		c->owner = (uint32_t)f->of_map[i];
		error = pagemap_blocks(fd, c->h, m, collect, c);
	}
	return error ? error : ask(c);
}

static int count(struct sharers *of, const struct snapshot *s, const struct files *f,
		 const struct host *h, int fd)
{
	struct collector c = { .h = h, .of = of };
	int error = -ENOMEM;

	c.pfns = malloc(BATCH * sizeof(*c.pfns));
	c.counts = malloc(BATCH * sizeof(*c.counts));
	c.owners = malloc(BATCH * sizeof(*c.owners));
	if (c.pfns && c.counts && c.owners)
		error = collect_all(&c, s, f, fd);
	free(c.pfns);
	free(c.counts);
	free(c.owners);
	return error;
}

int sharers_count(struct sharers *of, const struct snapshot *s, const struct files *f,
		  const struct host *h, char *why, size_t size)
{
	char path[32];
	int fd, error;

	if (!h->sees_pfns || h->kpagecount < 0) {
		snprintf(why, size,
			 "who maps a page is in /proc/kpagecount, by page frame number: only root "
			 "(CAP_SYS_ADMIN) sees these");
		return -1;
	}
	snprintf(path, sizeof(path), "/proc/%d/pagemap", s->pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		snprintf(why, size, "%s: %s", path, strerror(errno));
		return -1;
	}
	memset(of, 0, f->nr * sizeof(*of));
	error = count(of, s, f, h, fd);
	close(fd);
	if (!error)
		return 0;
	snprintf(why, size, "%s or /proc/kpagecount: %s", path, strerror(-error));
	return -1;
}

struct sharers sharers_sum(const struct sharers *of, size_t nr)
{
	struct sharers sum = { .share = 0 };

	for (size_t i = 0; i < nr; i++) {
		for (int c = 0; c < SHARERS_COUNT; c++)
			sum.pages[c] += of[i].pages[c];
		sum.share += of[i].share;
	}
	return sum;
}

int64_t sharers_mapped(const struct sharers *s)
{
	int64_t mapped = 0;

	for (int c = SHARERS_1; c < SHARERS_COUNT; c++)
		mapped += s->pages[c];
	return mapped;
}
