// SPDX-License-Identifier: MIT
/* Kinds of memory that cases use to fill a cgroup beyond its limit. */
#ifndef CASES_CGROUP_FILL_H
#define CASES_CGROUP_FILL_H

#include <rssck/case.h>

/*
 * Each kind but "active" allocates ASKED pages, twice the limit. "mapped" and "anonymous" do so in
 * pieces of PIECE pages, and read the cgroup's numbers after each piece.
 */
enum { LIMIT = 4096, ASKED = 2 * LIMIT, PIECE = 64, FD = 0 };

/* The kinds that use read(2) or write(2) read the cgroup's numbers once per PIECE_BYTES bytes. */
enum { PIECE_BYTES = 4 * WORKLOAD_BUFFER };

static void look_after(struct workload *w, size_t bytes)
{
	if (bytes % PIECE_BYTES == 0)
		workload_limited_look(w);
}

static void read_all(struct workload *w, size_t pages)
{
	lseek(w->fd[FD], 0, SEEK_SET);
	for (size_t i = 0; i < pages * w->page_size; look_after(w, i)) {
		if (read(w->fd[FD], workload_buffer, WORKLOAD_BUFFER) != WORKLOAD_BUFFER)
			_exit(3);
		i += WORKLOAD_BUFFER;
	}
}

static void write_all(struct workload *w, int fd, int or_else)
{
	for (size_t i = 0; i < ASKED * w->page_size; look_after(w, i)) {
		if (write(fd, workload_buffer, WORKLOAD_BUFFER) != WORKLOAD_BUFFER)
			_exit(or_else);
		i += WORKLOAD_BUFFER;
	}
}

static void read_clean(struct workload *w)
{
	read_all(w, ASKED);
}

/*
 * Faults in half the limit, which makes these pages active under MGLRU. Then reads them several
 * times, which makes them active without MGLRU. Then allocates more than the other half.
 */
static void read_active(struct workload *w)
{
	char *p = workload_try_map(LIMIT / 2 * w->page_size, PROT_READ, MAP_SHARED, w->fd[FD]);

	if (!p)
		_exit(5);
	touch_read(w, p, LIMIT / 2);
	munmap(p, LIMIT / 2 * w->page_size);
	for (int i = 0; i < 4; i++)
		read_all(w, LIMIT / 2);
	touch_write(w, workload_anonymous(w, 3 * LIMIT / 4), 3 * LIMIT / 4);
}

static void write_dirty(struct workload *w)
{
	lseek(w->fd[FD], 0, SEEK_SET);
	write_all(w, w->fd[FD], 4);
}

static void map_file(struct workload *w)
{
	char *p = workload_try_map(ASKED * w->page_size, PROT_READ, MAP_SHARED, w->fd[FD]);

	if (!p)
		_exit(5);
	for (size_t i = 0; i < ASKED; i += PIECE) {
		touch_read(w, p + i * w->page_size, PIECE);
		workload_limited_look(w);
	}
}

/* Writes to tmpfs without mapping it, so the memory is in no RSS. */
static void fill_tmpfs(struct workload *w)
{
	write_all(w, workload_shmem(w, 0), 6);
}

static void write_anonymous(struct workload *w)
{
	char *p = workload_anonymous(w, ASKED);

	for (size_t i = 0; i < ASKED; i += PIECE) {
		touch_write(w, p + i * w->page_size, PIECE);
		workload_limited_look(w);
	}
}

static const __attribute__((unused)) struct {
	const char *what, *fact;
	void (*act)(struct workload *w);
	bool kills;
} kinds[] = {
	{ "clean", "limit.clean_page_cache", read_clean, false },
	{ "active", "limit.active_page_cache", read_active, false },
	{ "dirty", "limit.dirty_page_cache", write_dirty, false },
	{ "mapped", "limit.mapped_page_cache", map_file, false },
	{ "tmpfs", "limit.tmpfs", fill_tmpfs, true },
	{ "anonymous", "limit.anonymous", write_anonymous, true },
};

#endif
