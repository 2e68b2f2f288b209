// SPDX-License-Identifier: MIT
/* Reads the page frames of all zones in large blocks, on several CPUs. */
#include "base/cpus.h"
#include "base/memory.h"
#include "base/number.h"
#include "frames.h"
#include <fcntl.h>
#include <linux/kernel-page-flags.h>
#include <pthread.h>
#include <rssck/source.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	AT_ONCE = 64 * 1024, /* frames in a block; only a gigantic folio is larger */
	GAP = 16,     /* a run of fewer unwanted frames is read, because a call costs as much */
	BEYOND = 512, /* frames to read at once from a folio that continues in the next block */
	READERS = 8,
};

#define FLAG(bit) (1ULL << (bit))

enum { KPF_RESERVED = 32 };

/* A thread and its buffers. */
struct member {
	struct frames_threads *threads;
	uint64_t *words[3]; /* owned; written to in advance, so that reading causes no page fault */
	struct machine_values sums;
	struct frames_run run;
	uint64_t head_group; /* the cgroup of the current folio's head; 0: none */
	bool counted, charged;
	pthread_t thread;
};

/* of[0] is the thread of the caller. */
struct frames_threads {
	struct frames_reader *reader;
	struct member of[READERS];
	size_t nr, busy;
	unsigned task;
	bool ends;
	pthread_mutex_t lock;
	pthread_cond_t begins, done;
	/* The current task: */
	struct zones *zones;
	const struct frames_run *how;
	size_t zone; /* index of the zone of the next block */
	uint64_t at; /* the first frame of the next block; 0: the beginning of the zone */
	int error;
};

static void charge(struct frames_reader *f, uint64_t inode, int64_t pages)
{
	for (size_t i = 0; i < FRAMES_GROUPS; i++) {
		struct frames_group *g = &f->of[(inode + i) % FRAMES_GROUPS];

		if (g->inode && g->inode != inode)
			continue;
		g->inode = inode;
		g->pages += pages;
		return;
	}
}

static bool is_wanted(const struct frames_reader *f, uint64_t inode)
{
	return !f->only || bsearch(&inode, f->only, f->nr_only, sizeof(inode), number_order);
}

/* A frame with none of these flags counts as a frame without a flag. */
#define SHOWS                                                                                   \
	(FLAG(KPF_NOPAGE) | FLAG(KPF_BUDDY) | FLAG(KPF_LRU) | FLAG(KPF_SLAB) | FLAG(KPF_ANON) | \
	 FLAG(KPF_PGTABLE) | FLAG(KPF_HUGE) | FLAG(KPF_RESERVED))

/* Selects the frames to look up in a second file. */
struct wanted {
	uint64_t any, none; /* wanted frames have a flag of `any` (unless 0) and none of `none` */
};

static bool wants(const struct wanted *w, uint64_t flags)
{
	return (!w->any || flags & w->any) && !(flags & w->none);
}

/*
 * Reads the words of the wanted frames among `n` frames. The words of the other frames become 0,
 * unless a read covers them as a gap (GAP). Sets *some if a frame is wanted.
 */
static int read_runs(int fd, uint64_t pfn, const uint64_t *flags, size_t n, const struct wanted *w,
		     uint64_t *words, bool *some)
{
	for (size_t i = 0, end; i < n; i = end) {
		size_t last = i;
		ssize_t got;

		if (!wants(w, flags[i])) {
			words[i] = 0;
			end = i + 1;
			continue;
		}
		for (end = i + 1; end < n && end - last <= GAP; end++)
			last = wants(w, flags[end]) ? end : last;
		end = last + 1;
		got = kpage_range(fd, pfn + i, words + i, end - i);
		if (got < 0)
			return (int)got;
		memset(words + i + got, 0, (end - i - (size_t)got) * sizeof(*words));
		*some = true;
	}
	return 0;
}

static int read_words(struct member *m, uint64_t pfn, size_t n)
{
	static const struct wanted mapped = { .any = FLAG(KPF_MMAP) },
				   used = { .none = FLAG(KPF_NOPAGE) | FLAG(KPF_BUDDY) },
				   plain = { .none = SHOWS };
	const struct frames_reader *f = m->threads->reader;
	ssize_t got = kpage_range(f->flags, pfn, m->words[0], n);
	int error;

	if (got < 0)
		return (int)got;
	for (size_t i = (size_t)got; i < n; i++)
		m->words[0][i] = FLAG(KPF_NOPAGE);
	m->counted = m->charged = false;
	error = read_runs(f->counts, pfn, m->words[0], n, &mapped, m->words[1], &m->counted);
	if (!error && f->groups >= 0 && (f->only || !f->grouped))
		error = read_runs(f->groups, pfn, m->words[0], n, f->only ? &used : &plain,
				  m->words[2], &m->charged);
	return error;
}

static bool is_mapped(const struct member *m, size_t i)
{
	return m->counted && m->words[1][i];
}

static uint64_t group_of(const struct member *m, size_t i)
{
	return m->charged ? m->words[2][i] : 0;
}

/*
 * Returns the number of frames, from `i` on, with the same flags and cgroup, all mapped or all
 * unmapped.
 */
static size_t alike(const struct member *m, size_t i, size_t n)
{
	uint64_t flags = m->words[0][i], group = group_of(m, i);
	bool mapped = is_mapped(m, i);
	size_t end = i + 1;

	if (flags & FLAG(KPF_COMPOUND_HEAD))
		return 1;
	while (end < n && m->words[0][end] == flags && is_mapped(m, end) == mapped &&
	       group_of(m, end) == group)
		end++;
	return end - i;
}

static void count(struct member *m, size_t i, size_t n)
{
	struct frames_reader *f = m->threads->reader;
	uint64_t flags = m->words[0][i], group = group_of(m, i);

	/* Some kernels (6.1) report the cgroup only for the head of a folio. */
	if (!(flags & FLAG(KPF_COMPOUND_TAIL)))
		m->head_group = group;
	else if (!group)
		group = m->head_group;
	if (group && !(flags & SHOWS)) {
		pthread_mutex_lock(&m->threads->lock);
		charge(f, group, (int64_t)n);
		pthread_mutex_unlock(&m->threads->lock);
	}
	if (is_wanted(f, group))
		frames_count(&m->sums, &m->run, flags, is_mapped(m, i), (int64_t)n);
}

static bool is_tail(const struct member *m, size_t i)
{
	return m->words[0][i] & FLAG(KPF_COMPOUND_TAIL);
}

/* Reads the rest of a folio that continues after its block. */
static int read_beyond(struct member *m, uint64_t pfn, uint64_t end)
{
	for (; pfn < end && m->run.length; pfn += BEYOND) {
		size_t n = end - pfn < BEYOND ? end - pfn : BEYOND;
		int error = read_words(m, pfn, n);

		if (error)
			return error;
		for (size_t i = 0; i < n; i++) {
			if (!is_tail(m, i))
				return 0;
			count(m, i, 1);
		}
	}
	return 0;
}

/*
 * Reads one block. Skips the tail of a folio that began in the block before, because read_beyond()
 * counts it with its block.
 */
static int read_block(struct member *m, uint64_t pfn, uint64_t end, bool first, uint64_t zone_end)
{
	size_t n = end - pfn, i = 0;
	int error = read_words(m, pfn, n);

	if (error)
		return error;
	m->run = *m->threads->how;
	m->head_group = 0;
	frames_begin(&m->sums, &m->run);
	while (!first && i < n && is_tail(m, i))
		i++;
	for (size_t alike_n; i < n; i += alike_n) {
		alike_n = alike(m, i, n);
		count(m, i, alike_n);
	}
	error = read_beyond(m, end, zone_end);
	frames_end(&m->sums, &m->run);
	return error;
}

static void add_up(const struct machine_values *from, struct machine_values *to)
{
	for (int n = 1; n < MACHINE_NUMBERS; n++)
		if (machine_row(n)->source == MACHINE_FRAMES)
			to->of[n] += from->of[n];
}

/* Finds the next frames of the zone, at most AT_ONCE. Returns false if none is left. */
static bool next_of_zone(const struct frames_threads *c, uint64_t *pfn, uint64_t *end)
{
	const struct zone_blocks *b = &c->reader->blocks;
	const struct zone *z = &c->zones->of[c->zone];
	uint64_t limit = zone_end(z);

	*pfn = c->at ? c->at : z->start_pfn;
	while (*pfn < limit && !zones_has(c->zones, b, c->zone, *pfn))
		*pfn = zones_next(b, *pfn);
	if (*pfn >= limit)
		return false;
	*end = (*pfn / AT_ONCE + 1) * AT_ONCE;
	if (*end > limit)
		*end = limit;
	for (uint64_t at = zones_next(b, *pfn); at < *end; at = zones_next(b, at))
		if (!zones_has(c->zones, b, c->zone, at))
			*end = at;
	return true;
}

/*
 * Returns the zone of the next block, or NULL if no block is left or a read failed. The caller must
 * hold the lock.
 */
static struct zone *next_block(struct frames_threads *c, uint64_t *pfn, uint64_t *end)
{
	for (; c->zone < c->zones->nr && !c->error; c->zone++, c->at = 0)
		if (next_of_zone(c, pfn, end)) {
			c->at = *end;
			return &c->zones->of[c->zone];
		}
	return NULL;
}

static void take_blocks(struct member *m)
{
	struct frames_threads *c = m->threads;
	struct zone *z;
	uint64_t pfn, end;

	pthread_mutex_lock(&c->lock);
	while ((z = next_block(c, &pfn, &end))) {
		int error;

		pthread_mutex_unlock(&c->lock);
		error = read_block(m, pfn, end, pfn == z->start_pfn, zone_end(z));
		pthread_mutex_lock(&c->lock);
		c->error = c->error ? c->error : error;
		if (!error)
			add_up(&m->sums, &z->values);
	}
	pthread_mutex_unlock(&c->lock);
}

static void *wait_for_tasks(void *arg)
{
	struct member *m = arg;
	struct frames_threads *c = m->threads;
	unsigned met = 0;

	pthread_mutex_lock(&c->lock);
	while (!c->ends) {
		if (met == c->task) {
			pthread_cond_wait(&c->begins, &c->lock);
			continue;
		}
		met = c->task;
		pthread_mutex_unlock(&c->lock);
		take_blocks(m);
		pthread_mutex_lock(&c->lock);
		if (--c->busy == 0)
			pthread_cond_signal(&c->done);
	}
	pthread_mutex_unlock(&c->lock);
	return NULL;
}

static void member_make(struct frames_threads *c, struct member *m)
{
	m->threads = c;
	for (int i = 0; i < 3; i++) {
		m->words[i] = malloc(AT_ONCE * sizeof(uint64_t));
		if (!m->words[i])
			memory_gone("page frames");
		memset(m->words[i], 1, AT_ONCE * sizeof(uint64_t));
	}
}

static void member_free(struct member *m)
{
	for (int i = 0; i < 3; i++)
		free(m->words[i]);
}

/*
 * Starts one thread for each CPU, up to READERS; the caller's thread is one of them. If
 * pthread_create() fails, fewer threads read.
 */
static struct frames_threads *threads_start(struct frames_reader *f)
{
	struct frames_threads *c = calloc(1, sizeof(*c));
	struct cpu_mask ours;
	unsigned cpus = cpus_now(&ours) ? 1 : cpus_count(&ours);

	if (!c)
		memory_gone("page frames");
	c->reader = f;
	pthread_mutex_init(&c->lock, NULL);
	pthread_cond_init(&c->begins, NULL);
	pthread_cond_init(&c->done, NULL);
	member_make(c, &c->of[c->nr++]);
	while (c->nr < cpus && c->nr < READERS) {
		struct member *m = &c->of[c->nr];

		member_make(c, m);
		if (pthread_create(&m->thread, NULL, wait_for_tasks, m)) {
			member_free(m);
			break;
		}
		c->nr++;
	}
	return c;
}

static void threads_end(struct frames_threads *c)
{
	pthread_mutex_lock(&c->lock);
	c->ends = true;
	pthread_cond_broadcast(&c->begins);
	pthread_mutex_unlock(&c->lock);
	for (size_t i = 0; i < c->nr; i++) {
		if (i)
			pthread_join(c->of[i].thread, NULL);
		member_free(&c->of[i]);
	}
	pthread_cond_destroy(&c->begins);
	pthread_cond_destroy(&c->done);
	pthread_mutex_destroy(&c->lock);
	free(c);
}

static int threads_read(struct frames_threads *c, struct zones *z, const struct frames_run *how)
{
	pthread_mutex_lock(&c->lock);
	c->zones = z;
	c->how = how;
	c->zone = 0;
	c->at = 0;
	c->error = 0;
	c->busy = c->nr - 1;
	c->task++;
	pthread_cond_broadcast(&c->begins);
	pthread_mutex_unlock(&c->lock);
	take_blocks(&c->of[0]);
	pthread_mutex_lock(&c->lock);
	while (c->busy)
		pthread_cond_wait(&c->done, &c->lock);
	pthread_mutex_unlock(&c->lock);
	return c->error;
}

int frames_open(struct frames_reader *f, const struct host *h, bool groups, char *why, size_t size)
{
	*f = (struct frames_reader) { .flags = h->kpageflags,
				      .counts = h->kpagecount,
				      .groups = -1 };
	if (f->flags < 0 || f->counts < 0 || !h->sees_pfns) {
		snprintf(why, size, "Page frames can%s",
			 h->kpage_covered
				 ? "not be seen: a container covers /proc/kpageflags or kpagecount"
				 : " be seen only by root (CAP_SYS_ADMIN), in /proc/kpageflags "
				   "and kpagecount");
		return -1;
	}
	if (groups)
		f->groups = open("/proc/kpagecgroup", O_RDONLY | O_CLOEXEC);
	f->of = calloc(FRAMES_GROUPS, sizeof(*f->of));
	if (!f->of)
		memory_gone("page frames by cgroup");
	memset(f->of, 0, FRAMES_GROUPS * sizeof(*f->of));
	f->threads = threads_start(f);
	return 0;
}

void frames_close(struct frames_reader *f)
{
	threads_end(f->threads);
	free(f->of);
	if (f->groups >= 0)
		close(f->groups);
}

int frames_read(struct frames_reader *f, struct zones *z, const struct frames_run *how,
		struct machine_values *v)
{
	struct frames_run run = *how;
	int error;

	zones_divide(z, how->page_kb, &f->blocks);
	if (!f->grouped)
		memset(f->of, 0, FRAMES_GROUPS * sizeof(*f->of));
	for (size_t i = 0; i < z->nr; i++)
		frames_begin(&z->of[i].values, &run);
	error = threads_read(f->threads, z, how);
	frames_begin(v, &run);
	for (size_t i = 0; i < z->nr; i++)
		add_up(&z->of[i].values, v);
	f->grouped = true;
	return error;
}

struct frames_group frames_largest_group(const struct frames_reader *f)
{
	struct frames_group most = { .inode = 0 };

	for (size_t i = 0; i < FRAMES_GROUPS; i++)
		if (f->of[i].pages > most.pages)
			most = f->of[i];
	return most;
}
