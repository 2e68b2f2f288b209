// SPDX-License-Identifier: MIT
/*
 * Finds with whom pages are shared. The page frames of the process that are
 * mapped more than once are kept in a hash table; then the page tables of every
 * other process are read, and each of its frames is looked up.
 */
#include "partners.h"
#include "base/crew.h"
#include "scan/process/list.h"
#include "sharers.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <rssck/source.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BATCH = 64 * 1024, PROCESSES_PER_THREAD = 16 };

struct frames {
	uint64_t *pfns, *counts;
	size_t nr, room;
};

/* Of each frame the number of mappings; open addressing, at most half full. */
struct table {
	uint64_t *keys; /* the frame + 1; 0: free */
	uint64_t *counts;
	size_t mask;
};

static size_t place_of(const struct table *t, uint64_t pfn)
{
	size_t at = (size_t)(pfn * 0x9e3779b97f4a7c15ULL >> 20) & t->mask;

	while (t->keys[at] && t->keys[at] != pfn + 1)
		at = (at + 1) & t->mask;
	return at;
}

static int keep(uint64_t start, const uint64_t *words, size_t n, void *arg)
{
	struct frames *f = arg;

	(void)start;
	for (size_t i = 0; i < n; i++) {
		if (!(words[i] & PAGEMAP_PRESENT) || words[i] & PAGEMAP_EXCLUSIVE)
			continue;
		if (f->nr == f->room) {
			size_t room = f->room ? 2 * f->room : BATCH;
			uint64_t *more = realloc(f->pfns, room * sizeof(*more));

			if (!more)
				return -ENOMEM;
			f->pfns = more;
			f->room = room;
		}
		f->pfns[f->nr++] = PAGEMAP_PFN(words[i]);
	}
	return 0;
}

/* Call found() for the entries of all mappings but those that RSS leaves out. */
static int walk(const struct snapshot *s, const struct host *h,
		int (*found)(uint64_t start, const uint64_t *words, size_t n, void *arg), void *arg)
{
	char path[32];
	int fd, error = 0;

	snprintf(path, sizeof(path), "/proc/%d/pagemap", s->pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	for (size_t i = 0; i < s->nr_maps && !error; i++)
		if (!sharers_leave_out(&s->maps[i]))
			error = pagemap_blocks(fd, h, &s->maps[i], PAGEMAP_READ_ALL, found, arg);
	close(fd);
	return error;
}

static int count_frames(struct frames *f, const struct host *h)
{
	f->counts = calloc(f->nr + 1, sizeof(*f->counts));
	if (!f->counts)
		return -ENOMEM;
	for (size_t at = 0, n; at < f->nr; at += n) {
		int error;

		n = f->nr - at < BATCH ? f->nr - at : BATCH;
		error = kpage_words(h->kpagecount, f->pfns + at, n, 0, f->counts + at);
		if (error)
			return error;
	}
	return 0;
}

/* The zero page is mapped by nobody, says kpagecount. Returns how many pages are shared, or -1. */
static int64_t fill(struct table *t, const struct frames *f)
{
	size_t room = 1024;
	int64_t shared = 0;

	while (room < 2 * f->nr)
		room *= 2;
	t->mask = room - 1;
	t->keys = calloc(room, sizeof(*t->keys));
	t->counts = calloc(room, sizeof(*t->counts));
	if (!t->keys || !t->counts)
		return -1;
	for (size_t i = 0; i < f->nr; i++) {
		size_t at;

		if (f->counts[i] < 2)
			continue;
		at = place_of(t, f->pfns[i]);
		t->keys[at] = f->pfns[i] + 1;
		t->counts[at] = f->counts[i];
		shared++;
	}
	return shared;
}

struct work {
	const struct host *h;
	const struct table *table;
	const pid_t *pids;
	size_t nr;
	pid_t own;
	atomic_size_t next;
	pthread_mutex_t lock; /* of what follows */
	struct partners *p;
	int error;
};

/* One thread's: a page of ours that somebody maps twice is counted once. */
struct match {
	const struct table *table;
	uint32_t *stamps, stamp;
	struct partner partner;
};

static int match(uint64_t start, const uint64_t *words, size_t n, void *arg)
{
	struct match *m = arg;

	(void)start;
	for (size_t i = 0; i < n; i++) {
		size_t at;

		if (!(words[i] & PAGEMAP_PRESENT) || words[i] & PAGEMAP_EXCLUSIVE)
			continue;
		at = place_of(m->table, PAGEMAP_PFN(words[i]));
		if (!m->table->keys[at] || m->stamps[at] == m->stamp)
			continue;
		m->stamps[at] = m->stamp;
		m->partner.pages++;
		m->partner.alone += m->table->counts[at] == 2;
	}
	return 0;
}

/* 0, or a negative errno. Who is gone meanwhile shares nothing. */
static int compare(const struct work *w, struct match *m, pid_t pid, struct text *t)
{
	struct snapshot s = { .pid = pid };
	struct source_error e;
	int error = text_read(t, pid, "maps");

	m->stamp++;
	m->partner = (struct partner) { .pages = 0 };
	if (error)
		return error == -ESRCH || error == -ENOENT ? 0 : error;
	if (maps_read(t->data, t->len, &s, &e) == 0 && s.nr_maps)
		error = walk(&s, w->h, match, m);
	snapshot_free(&s);
	if (m->partner.pages && fellow_read(&m->partner.who, pid))
		m->partner.pages = 0;
	return error == -ESRCH || error == -ENOENT ? 0 : error;
}

static void hand_in(struct work *w, const struct partner *one, int error)
{
	pthread_mutex_lock(&w->lock);
	if (error == -EACCES || error == -EPERM)
		w->p->unseen++;
	else if (error)
		w->error = error;
	if (one->pages)
		w->p->of[w->p->nr++] = *one;
	pthread_mutex_unlock(&w->lock);
}

static void *compare_some(void *arg)
{
	struct work *w = arg;
	struct match m = { .table = w->table };
	struct text t = { .data = NULL };
	size_t i;

	m.stamps = calloc(w->table->mask + 1, sizeof(*m.stamps));
	if (!m.stamps)
		hand_in(w, &m.partner, -ENOMEM);
	while (m.stamps && (i = atomic_fetch_add(&w->next, 1)) < w->nr) {
		int error;

		if (w->pids[i] == w->own)
			continue;
		error = compare(w, &m, w->pids[i], &t);
		hand_in(w, &m.partner, error);
	}
	free(m.stamps);
	text_free(&t);
	return NULL;
}

static int by_pages(const void *a, const void *b)
{
	const struct partner *x = a, *y = b;

	if (x->pages != y->pages)
		return x->pages > y->pages ? -1 : 1;
	return x->who.pid - y->who.pid;
}

static int find(struct partners *p, const struct snapshot *s, const struct host *h,
		const struct table *table)
{
	struct work w = { .h = h, .table = table, .p = p, .own = s->pid };
	pid_t *pids;
	int error = processes_list(&pids, &w.nr);

	if (error)
		return error;
	w.pids = pids;
	p->of = calloc(w.nr + 1, sizeof(*p->of));
	if (p->of) {
		pthread_mutex_init(&w.lock, NULL);
		crew_run(compare_some, &w, w.nr / PROCESSES_PER_THREAD);
		pthread_mutex_destroy(&w.lock);
	}
	free(pids);
	if (p->nr)
		qsort(p->of, p->nr, sizeof(*p->of), by_pages);
	return p->of ? w.error : -ENOMEM;
}

int partners_find(struct partners *p, const struct snapshot *s, const struct host *h, char *why,
		  size_t size)
{
	struct frames f = { .nr = 0 };
	struct table t = { .keys = NULL };
	int error;

	*p = (struct partners) { .nr = 0 };
	if (!h->sees_pfns || h->kpagecount < 0) {
		snprintf(why, size,
			 "with whom a page is shared is told by its page frame number: "
			 "only root (CAP_SYS_ADMIN) sees these");
		return -1;
	}
	error = walk(s, h, keep, &f);
	if (!error)
		error = count_frames(&f, h);
	if (!error) {
		p->shared = fill(&t, &f);
		error = p->shared < 0 ? -ENOMEM : p->shared ? find(p, s, h, &t) : 0;
	}
	free(f.pfns);
	free(f.counts);
	free(t.keys);
	free(t.counts);
	if (!error)
		return 0;
	snprintf(why, size, "the page tables of all processes: %s", strerror(-error));
	partners_free(p);
	return -1;
}

void partners_free(struct partners *p)
{
	free(p->of);
	*p = (struct partners) { .nr = 0 };
}
