// SPDX-License-Identifier: MIT
/*
 * Finds the processes that share pages. The process's shared page frames are kept in a hash table.
 * Then the page tables of all other processes are read, and each frame is looked up. Unless KSM has
 * merged pages, only mappings of the same files are read.
 */
#include "base/kernel_file.h"
#include "sharers.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The mapcount of each frame, in a hash table with open addressing that is at most half full. */
struct table {
	uint64_t *keys; /* frame number + 1; 0: free */
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

/* Fills the table. A page that the process maps twice counts once. */
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

/* A file whose pages in the process are shared. inode 0: memory without a file. */
struct origin {
	uint64_t inode;
	unsigned dev_major, dev_minor;
	/*
	 * [vdso] or [vvar], which have no file. Most processes map them, but no other mapping
	 * contains their pages.
	 */
	bool vdso;
};

struct origins {
	struct origin *of;
	size_t nr;
	bool any; /* every mapping must be searched, because KSM merges pages of any mapping */
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

/*
 * Lists the files to search. A page of a file, or one shared by fork, is mapped only by mappings of
 * the same file.
 */
static int find_origins(struct origins *o, const struct snapshot *s, const struct files *f,
			const struct shared_frames *shared)
{
	bool *has = calloc(f->nr + 1, sizeof(*has));

	*o = (struct origins) { .of = calloc(s->nr_maps + 1, sizeof(*o->of)),
				.any = kernel_number("/sys/kernel/mm/ksm/pages_shared", NULL, 0) };
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

struct frames {
	const struct host *h;
	struct table table;
	struct origins origins;
	pid_t pid;
};

/* The search in one process. A page that it maps twice counts once. */
struct match {
	const struct table *table;
	struct sharer_search *own;
	struct sharer *one;
};

static int match(uint64_t start, const uint64_t *words, size_t n, void *arg)
{
	const struct match *m = arg;

	(void)start;
	for (size_t i = 0; i < n; i++) {
		size_t at;

		if (!(words[i] & PAGEMAP_PRESENT) || words[i] & PAGEMAP_EXCLUSIVE)
			continue;
		at = place_of(m->table, PAGEMAP_PFN(words[i]));
		if (!m->table->keys[at] || m->own->stamps[at] == m->own->stamp)
			continue;
		m->own->stamps[at] = m->own->stamp;
		m->one->pages++;
		m->one->alone += m->table->counts[at] == 2;
	}
	return 0;
}

static int walk(const struct frames *f, const struct snapshot *s, struct match *m)
{
	char path[32];
	int fd = -1, error = 0;

	snprintf(path, sizeof(path), "/proc/%d/pagemap", s->pid);
	for (size_t i = 0; i < s->nr_maps && !error; i++) {
		if (mapcounts_leave_out(&s->maps[i]) || !has_origin(&f->origins, &s->maps[i]))
			continue;
		if (fd < 0)
			fd = open(path, O_RDONLY | O_CLOEXEC);
		error = fd < 0 ? -errno
			       : pagemap_blocks(fd, f->h, &s->maps[i], PAGEMAP_READ_ALL, match, m);
	}
	if (fd >= 0)
		close(fd);
	return error;
}

static int look(struct sharer *one, pid_t pid, struct sharer_search *own, const void *arg)
{
	const struct frames *f = arg;
	struct match m = { &f->table, own, one };
	struct snapshot s = { .pid = pid };
	struct source_error e;
	int error;

	if (pid == f->pid)
		return 0;
	if (!own->stamps)
		own->stamps = calloc(f->table.mask + 1, sizeof(*own->stamps));
	error = own->stamps ? text_read(&own->text, pid, "maps") : -ENOMEM;
	if (error)
		return error;
	own->stamp++;
	if (maps_read(own->text.data, own->text.len, &s, &e) == 0 && s.nr_maps)
		error = walk(f, &s, &m);
	snapshot_free(&s);
	return error ? error : one->pages > 0;
}

static int by_pages(const void *a, const void *b)
{
	const struct sharer *x = a, *y = b;

	if (x->pages != y->pages)
		return x->pages > y->pages ? -1 : 1;
	return x->pid - y->pid;
}

int sharers_of_frames(struct sharers *s, const struct snapshot *of, const struct files *files,
		      const struct shared_frames *shared, const struct host *h, char *why,
		      size_t size)
{
	struct frames f = { .h = h, .pid = of->pid };
	int error = find_origins(&f.origins, of, files, shared);

	*s = (struct sharers) { .nr = 0 };
	if (!error)
		error = fill(&f.table, shared, &s->shared);
	if (!error && shared->nr)
		error = sharers_search(s, look, &f);
	if (s->nr)
		qsort(s->of, s->nr, sizeof(*s->of), by_pages);
	free(f.origins.of);
	free(f.table.keys);
	free(f.table.counts);
	if (!error)
		return 0;
	snprintf(why, size, "the page tables of all processes cannot be read: %s",
		 strerror(-error));
	sharers_free(s);
	return -1;
}
