// SPDX-License-Identifier: MIT
/*
 * Counts by how many page tables the pages of a process are mapped.
 *
 * kpagecount is asked only for pages that pagemap does not call exclusive
 * (mapped once), and of the page frames of many mappings together: in order,
 * neighbours in one system call.
 */
#include "sharers.h"
#include "base/crew.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <rssck/source.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BATCH = 64 * 1024 };

/* The work is handed out in parts of that size; what is sparse is not cut: see pagemap_blocks(). */
static const uint64_t part_size = 256ULL << 20, part_most = 16ULL << 30;

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
	bool keeps;     /* the frames that are shared */
	struct shared_frames shared;
};

static int keep(struct shared_frames *s, struct shared_frame frame)
{
	if (s->nr == s->room) {
		size_t room = s->room ? 2 * s->room : 1024;
		struct shared_frame *more = realloc(s->of, room * sizeof(*more));

		if (!more)
			return -ENOMEM;
		s->of = more;
		s->room = room;
	}
	s->of[s->nr++] = frame;
	return 0;
}

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
		if (c->keeps && c->counts[i] > 1 && !error)
			error = keep(&c->shared, (struct shared_frame) { c->pfns[i], c->counts[i],
									 c->owners[i] });
	}
	c->n = 0;
	return error;
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

bool sharers_leave_out(const struct mapping *m)
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
	size_t nr, room;
	atomic_size_t next;
	pthread_mutex_t lock; /* of what follows */
	struct sharers *of;
	struct shared_frames *shared; /* or NULL */
	int error;
};

static int add_part(struct work *w, const struct part *p)
{
	if (w->nr == w->room) {
		size_t room = w->room ? 2 * w->room : 256;
		struct part *more = realloc(w->parts, room * sizeof(*more));

		if (!more)
			return -ENOMEM;
		w->parts = more;
		w->room = room;
	}
	w->parts[w->nr++] = *p;
	return 0;
}

/* The last address of all may be the end of a mapping ([vsyscall]), so nothing is added to it. */
static int add_mapping(struct work *w, const struct mapping *m, uint32_t owner)
{
	uint64_t step = m->end - m->start > part_most ? m->end - m->start : part_size;
	uint64_t end;
	int error = 0;

	for (uint64_t at = m->start; at < m->end && !error; at = end) {
		end = m->end - at < step ? m->end : at + step;
		error = add_part(w, &(struct part) { m, at, end, owner });
	}
	return error;
}

static int collect_parts(struct work *w, struct collector *c)
{
	size_t i;
	int error = 0;

	while (!error && (i = atomic_fetch_add(&w->next, 1)) < w->nr) {
		const struct part *p = &w->parts[i];
		struct mapping m = *p->m;

		m.start = p->start;
		m.end = p->end;
		c->owner = p->owner;
		error = pagemap_blocks(w->fd, w->h, &m, PAGEMAP_READ_ALL, collect, c);
	}
	return error ? error : ask(c);
}

/* What one thread has counted joins the rest. */
static void hand_in(struct work *w, const struct collector *c, int error)
{
	pthread_mutex_lock(&w->lock);
	w->error = w->error ? w->error : error;
	for (size_t i = 0; !error && i < w->f->nr; i++) {
		for (int column = 0; column < SHARERS_COUNT; column++)
			w->of[i].pages[column] += c->of[i].pages[column];
		w->of[i].share += c->of[i].share;
	}
	for (size_t i = 0; !w->error && i < c->shared.nr; i++)
		w->error = keep(w->shared, c->shared.of[i]);
	pthread_mutex_unlock(&w->lock);
}

static void *count_some(void *arg)
{
	struct work *w = arg;
	struct collector c = { .h = w->h, .keeps = w->shared };
	int error = -ENOMEM;

	c.of = calloc(w->f->nr + 1, sizeof(*c.of));
	c.pfns = malloc(BATCH * sizeof(*c.pfns));
	c.counts = malloc(BATCH * sizeof(*c.counts));
	c.owners = malloc(BATCH * sizeof(*c.owners));
	if (c.of && c.pfns && c.counts && c.owners)
		error = collect_parts(w, &c);
	hand_in(w, &c, error);
	free(c.of);
	free(c.pfns);
	free(c.counts);
	free(c.owners);
	free(c.shared.of);
	return NULL;
}

static int count(struct sharers *of, const struct snapshot *s, const struct files *f,
		 const struct host *h, int fd, struct shared_frames *shared)
{
	struct work w = { .h = h, .f = f, .fd = fd, .of = of, .shared = shared };
	uint64_t bytes = 0;

	pthread_mutex_init(&w.lock, NULL);
	for (size_t i = 0; i < s->nr_maps && !w.error; i++) {
		if (sharers_leave_out(&s->maps[i]))
			continue;
		bytes += s->maps[i].end - s->maps[i].start;
		w.error = add_mapping(&w, &s->maps[i], (uint32_t)f->of_map[i]);
	}
	if (!w.error)
		crew_run(count_some, &w, bytes / part_size + 1);
	free(w.parts);
	pthread_mutex_destroy(&w.lock);
	return w.error;
}

int sharers_count(struct sharers *of, const struct snapshot *s, const struct files *f,
		  const struct host *h, struct shared_frames *shared, char *why, size_t size)
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
	error = count(of, s, f, h, fd, shared);
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
