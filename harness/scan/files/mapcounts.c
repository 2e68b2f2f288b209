// SPDX-License-Identifier: MIT
/*
 * Counts how many page tables map each page of a process.
 *
 * kpagecount is read only for pages that pagemap does not report as exclusive (mapped once). The
 * frame numbers of many mappings are sorted, so that one system call reads neighbouring frames.
 */
#include "mapcounts.h"
#include "base/memory.h"
#include "base/parallel.h"
#include <errno.h>
#include <fcntl.h>
#include <rssck/source.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BATCH = 64 * 1024 };

/*
 * Threads get parts of this size. A mapping larger than part_most is not divided: pagemap_blocks()
 * skips its empty parts if the kernel has PAGEMAP_SCAN.
 */
static const uint64_t part_size = 256ULL << 20, part_most = 16ULL << 30;

const char *const mapcounts_titles[MAPCOUNT_COUNT] = {
	[MAPCOUNT_NONE] = "by none", [MAPCOUNT_1] = "by 1",       [MAPCOUNT_2] = "by 2",
	[MAPCOUNT_4] = "by 3-4",     [MAPCOUNT_8] = "by 5-8",     [MAPCOUNT_16] = "by 9-16",
	[MAPCOUNT_64] = "by 17-64",  [MAPCOUNT_MANY] = "by more",
};

unsigned mapcount_column(uint64_t mapcount)
{
	static const uint64_t most[] = { 0, 1, 2, 4, 8, 16, 64 };
	unsigned column = 0;

	while (column < MAPCOUNT_MANY && mapcount > most[column])
		column++;
	return column;
}

struct collector {
	const struct host *h;
	struct mapcounts *of;
	uint64_t *pfns, *counts;
	uint32_t *owners; /* index of the file for each page frame */
	size_t n;
	uint32_t owner; /* index of the file for the next pages */
	bool keeps;     /* keep a list of the shared frames */
	struct shared_frames shared;
};

static void keep(struct shared_frames *s, struct shared_frame frame)
{
	s->of = memory_one_more(s->of, s->nr, sizeof(frame), "shared page frames");
	s->of[s->nr++] = frame;
}

static int read_counts(struct collector *c)
{
	int error = kpage_words(c->h->kpagecount, c->pfns, c->n, 0, c->counts);

	if (error)
		return error;
	for (size_t i = 0; i < c->n; i++) {
		struct mapcounts *s = &c->of[c->owners[i]];

		s->pages[mapcount_column(c->counts[i])]++;
		if (c->counts[i])
			s->share += 1.0 / (double)c->counts[i];
		if (c->keeps && c->counts[i] > 1)
			keep(&c->shared,
			     (struct shared_frame) { c->pfns[i], c->counts[i], c->owners[i] });
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
		/* An exclusive page is mapped once, so its count is known. */
		if (words[i] & PAGEMAP_EXCLUSIVE) {
			once++;
			continue;
		}
		c->pfns[c->n] = PAGEMAP_PFN(words[i]);
		c->owners[c->n] = c->owner;
		if (++c->n == BATCH) {
			int error = read_counts(c);

			if (error)
				return error;
		}
	}
	c->of[c->owner].pages[MAPCOUNT_1] += once;
	c->of[c->owner].share += (double)once;
	return 0;
}

bool mapcounts_leave_out(const struct mapping *m)
{
	return mapping_has_flag(m, "ht") || (m->smaps_have && !mapping_smaps(m, METRIC_SMAPS_RSS));
}

struct part {
	const struct mapping *m;
	uint64_t start, end;
	uint32_t owner;
};

struct work {
	const struct host *h;
	const struct files *f;
	int fd;
	struct part *parts;
	size_t nr;
	struct mapcounts *of;
	struct shared_frames *shared; /* may be NULL */
	int error;                    /* the first error of any thread */
};

/*
 * Divides a mapping into parts. Addresses must not overflow, because a mapping may end at the last
 * possible address ([vsyscall]).
 */
static void add_mapping(struct work *w, const struct mapping *m, uint32_t owner)
{
	uint64_t step = m->end - m->start > part_most ? m->end - m->start : part_size;
	uint64_t end;

	for (uint64_t at = m->start; at < m->end; at = end) {
		end = m->end - at < step ? m->end : at + step;
		w->parts = memory_one_more(w->parts, w->nr, sizeof(*w->parts), "mappings");
		w->parts[w->nr++] = (struct part) { m, at, end, owner };
	}
}

static int collector_open(struct collector *c, const struct work *w)
{
	c->h = w->h;
	c->keeps = w->shared;
	c->of = calloc(w->f->nr + 1, sizeof(*c->of));
	c->pfns = malloc(BATCH * sizeof(*c->pfns));
	c->counts = malloc(BATCH * sizeof(*c->counts));
	c->owners = malloc(BATCH * sizeof(*c->owners));
	return c->of && c->pfns && c->counts && c->owners ? 0 : -ENOMEM;
}

static int collect_part(size_t i, void *own, void *arg)
{
	const struct work *w = arg;
	struct collector *c = own;
	struct mapping m = *w->parts[i].m;

	if (!c->h && collector_open(c, w))
		return -ENOMEM;
	m.start = w->parts[i].start;
	m.end = w->parts[i].end;
	c->owner = w->parts[i].owner;
	return pagemap_blocks(w->fd, w->h, &m, PAGEMAP_READ_ALL, collect, c);
}

/* Adds the counts of one thread to the total. */
static void collector_end(void *own, void *arg)
{
	struct collector *c = own;
	struct work *w = arg;

	if (!w->error && c->n)
		w->error = read_counts(c);
	for (size_t i = 0; !w->error && c->of && i < w->f->nr; i++) {
		for (int column = 0; column < MAPCOUNT_COUNT; column++)
			w->of[i].pages[column] += c->of[i].pages[column];
		w->of[i].share += c->of[i].share;
	}
	for (size_t i = 0; !w->error && i < c->shared.nr; i++)
		keep(w->shared, c->shared.of[i]);
	free(c->of);
	free(c->pfns);
	free(c->counts);
	free(c->owners);
	free(c->shared.of);
}

static int count(struct mapcounts *of, const struct snapshot *s, const struct files *f,
		 const struct host *h, int fd, struct shared_frames *shared)
{
	struct work w = { .h = h, .f = f, .fd = fd, .of = of, .shared = shared };
	struct parallel p = { .own = sizeof(struct collector),
			      .item = collect_part,
			      .end = collector_end,
			      .arg = &w };
	uint64_t bytes = 0;
	int error;

	for (size_t i = 0; i < s->nr_maps; i++) {
		if (mapcounts_leave_out(&s->maps[i]))
			continue;
		bytes += s->maps[i].end - s->maps[i].start;
		add_mapping(&w, &s->maps[i], (uint32_t)f->of_map[i]);
	}
	p.nr = w.nr;
	/* Start about one thread for each part_size bytes. */
	p.per_thread = w.nr / (bytes / part_size + 1) + 1;
	error = parallel_run(&p);
	free(w.parts);
	return error ? error : w.error;
}

int mapcounts_read(struct mapcounts *of, const struct snapshot *s, const struct files *f,
		   const struct host *h, struct shared_frames *shared, char *why, size_t size)
{
	char path[32];
	int fd, error;

	if (!h->sees_pfns || h->kpagecount < 0) {
		snprintf(why, size,
			 "the mapcounts of pages are in /proc/kpagecount, by page frame number, "
			 "which only root (CAP_SYS_ADMIN) can see");
		return -1;
	}
	snprintf(path, sizeof(path), "/proc/%d/pagemap", s->pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		snprintf(why, size, "%s: %s", path, strerror(errno));
		return -1;
	}
	memset(of, 0, f->nr * sizeof(*of));
	error = count(of, s, f, h, fd, shared);
	close(fd);
	if (!error)
		return 0;
	snprintf(why, size, "%s or /proc/kpagecount: %s", path, strerror(-error));
	return -1;
}

struct mapcounts mapcounts_sum(const struct mapcounts *of, size_t nr)
{
	struct mapcounts sum = { .share = 0 };

	for (size_t i = 0; i < nr; i++) {
		for (int c = 0; c < MAPCOUNT_COUNT; c++)
			sum.pages[c] += of[i].pages[c];
		sum.share += of[i].share;
	}
	return sum;
}

int64_t mapcounts_mapped(const struct mapcounts *s)
{
	int64_t mapped = 0;

	for (int c = MAPCOUNT_1; c < MAPCOUNT_COUNT; c++)
		mapped += s->pages[c];
	return mapped;
}
