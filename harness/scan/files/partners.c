// SPDX-License-Identifier: MIT
/*
 * Finds with whom pages are shared. The page frames of the process that are
 * mapped more than once are kept in a hash table; then the page tables of every
 * other process are read, where it maps the same files, and each frame is looked up.
 */
#include "partners.h"
#include "base/crew.h"
#include "scan/process/list.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <rssck/source.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PROCESSES_PER_THREAD = 16 };

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

/* One that we map twice is one page of ours. */
static int fill(struct table *t, const struct shared_frames *shared, int64_t *pages)
{
	size_t room = 1024;

	while (room < 2 * shared->nr)
		room *= 2;
	t->mask = room - 1;
	t->keys = calloc(room, sizeof(*t->keys));
	t->counts = calloc(room, sizeof(*t->counts));
	if (!t->keys || !t->counts)
		return -ENOMEM;
	for (size_t i = 0; i < shared->nr; i++) {
		size_t at = place_of(t, shared->of[i].pfn);

		*pages += !t->keys[at];
		t->keys[at] = shared->of[i].pfn + 1;
		t->counts[at] = shared->of[i].mapcount;
	}
	return 0;
}

/* A file of ours in which something is shared; inode 0: what has no file. */
struct origin {
	uint64_t inode;
	unsigned dev_major, dev_minor;
	bool vdso; /* the kernel's own: every process has it, and it is in no other mapping */
};

struct origins {
	struct origin *of;
	size_t nr;
	bool any; /* KSM merges pages of whatever mappings */
};

static bool is_vdso(const struct mapping *m)
{
	return !strncmp(m->name, "[v", 2);
}

static bool has_origin(const struct origins *o, const struct mapping *m)
{
	for (size_t i = 0; i < o->nr; i++)
		if (o->of[i].inode == m->inode && o->of[i].dev_major == m->dev_major &&
		    o->of[i].dev_minor == m->dev_minor && o->of[i].vdso == is_vdso(m))
			return true;
	return o->any;
}

static bool ksm_merges(void)
{
	struct text t = { .data = NULL };
	bool merges = !text_read(&t, 0, "/sys/kernel/mm/ksm/pages_shared") && t.data[0] != '0';

	text_free(&t);
	return merges;
}

/* A page of a file, or what fork has left of it, is found in mappings of that file alone. */
static int find_origins(struct origins *o, const struct snapshot *s, const struct files *f,
			const struct shared_frames *shared)
{
	bool *has = calloc(f->nr + 1, sizeof(*has));

	*o = (struct origins) { .of = calloc(s->nr_maps + 1, sizeof(*o->of)), .any = ksm_merges() };
	for (size_t i = 0; has && i < shared->nr; i++)
		has[shared->of[i].file] = true;
	for (size_t i = 0; has && o->of && i < s->nr_maps; i++) {
		const struct mapping *m = &s->maps[i];

		if (has[f->of_map[i]] && !(o->nr && has_origin(o, m)))
			o->of[o->nr++] = (struct origin) { m->inode, m->dev_major, m->dev_minor,
							   is_vdso(m) };
	}

	bool found = has && o->of;

	free(has);
	return found ? 0 : -ENOMEM;
}

struct work {
	const struct host *h;
	const struct table *table;
	const struct origins *origins;
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

/* Call match() for the entries of the mappings in which a page of ours can be. */
static int walk(const struct work *w, const struct snapshot *s, struct match *m)
{
	char path[32];
	int fd = -1, error = 0;

	snprintf(path, sizeof(path), "/proc/%d/pagemap", s->pid);
	for (size_t i = 0; i < s->nr_maps && !error; i++) {
		if (sharers_leave_out(&s->maps[i]) || !has_origin(w->origins, &s->maps[i]))
			continue;
		if (fd < 0)
			fd = open(path, O_RDONLY | O_CLOEXEC);
		error = fd < 0 ? -errno
			       : pagemap_blocks(fd, w->h, &s->maps[i], PAGEMAP_READ_ALL, match, m);
	}
	if (fd >= 0)
		close(fd);
	return error;
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
		error = walk(w, &s, m);
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

static int find(struct work *w)
{
	pid_t *pids;
	int error = processes_list(&pids, &w->nr);

	if (error)
		return error;
	w->pids = pids;
	w->p->of = calloc(w->nr + 1, sizeof(*w->p->of));
	if (w->p->of) {
		pthread_mutex_init(&w->lock, NULL);
		crew_run(compare_some, w, w->nr / PROCESSES_PER_THREAD);
		pthread_mutex_destroy(&w->lock);
	}
	free(pids);
	if (w->p->nr)
		qsort(w->p->of, w->p->nr, sizeof(*w->p->of), by_pages);
	return w->p->of ? w->error : -ENOMEM;
}

int partners_find(struct partners *p, const struct snapshot *s, const struct files *f,
		  const struct shared_frames *shared, const struct host *h, char *why, size_t size)
{
	struct table t = { .keys = NULL };
	struct origins origins;
	struct work w = { .h = h, .table = &t, .origins = &origins, .p = p, .own = s->pid };
	int error = find_origins(&origins, s, f, shared);

	*p = (struct partners) { .nr = 0 };
	if (!error)
		error = fill(&t, shared, &p->shared);
	if (!error && shared->nr)
		error = find(&w);
	free(origins.of);
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
