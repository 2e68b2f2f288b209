// SPDX-License-Identifier: MIT
/* Reads the mappings of a process, and the processes that share them. */
#include "detail.h"
#include "snapshot/snapshot.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TRIES = 3 };

static int fail(char *why, size_t size, pid_t pid, const char *what)
{
	snprintf(why, size, "the mappings of process %d: %s", pid, what);
	return -1;
}

static int fail_in(char *why, size_t size, pid_t pid, const char *file,
		   const struct source_error *e)
{
	snprintf(why, size, "/proc/%d/%s %s", pid, file, e->text);
	return -1;
}

/*
 * True if smaps must be read, which walks all page tables. To count sharers, smaps is needed only
 * to leave out hugetlb and, without PAGEMAP_SCAN, empty mappings.
 */
static bool needs_smaps(const struct detail_wanted *w, const struct values *tables,
			const struct host *h)
{
	return w->maps || w->pages || !h->has_scan ||
	       table_kb(tables, METRIC_ROLLUP_SHARED_HUGETLB) ||
	       table_kb(tables, METRIC_ROLLUP_PRIVATE_HUGETLB);
}

static int read_maps(struct detail *d, pid_t pid, bool smaps, char *why, size_t size)
{
	struct text t = { .data = NULL };
	struct source_error e;
	int error = text_read(&t, pid, smaps ? "smaps" : "maps"), failed = 0;

	d->smaps = (struct snapshot) { .pid = pid };
	if (error)
		failed = fail(why, size, pid, strerror(-error));
	else if ((smaps ? smaps_read : maps_read)(t.data, t.len, &d->smaps, &e))
		failed = fail_in(why, size, pid, smaps ? "smaps" : "maps", &e);
	text_free(&t);
	return failed;
}

static int add_mapping(const struct mapping *m, void *arg)
{
	files_add(arg, m);
	return 0;
}

/* Sums the mappings by file while reading, so that none of them must be kept. */
static int read_files(struct detail *d, pid_t pid, bool each, char *why, size_t size)
{
	struct source_error e;
	char path[32];
	int fd, failed;

	snprintf(path, sizeof(path), "/proc/%d/smaps", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return fail(why, size, pid, strerror(errno));
	files_begin(&d->files, each);
	failed = smaps_each(fd, add_mapping, &d->files, &e);
	close(fd);
	if (failed)
		return fail_in(why, size, pid, "smaps", &e);
	files_end(&d->files);
	return 0;
}

static int read_all(struct detail *d, pid_t pid, const struct detail_wanted *w,
		    const struct values *tables, const struct host *h, char *why, size_t size)
{
	if (!w->sharers && !w->sharers_of && !w->pages)
		return read_files(d, pid, w->each, why, size);
	if (read_maps(d, pid, needs_smaps(w, tables, h), why, size))
		return -1;
	files_make(&d->files, &d->smaps, w->each);
	return 0;
}

static int read_mapcounts(struct detail *d, const struct host *h, char *why, size_t size)
{
	struct shared_frames shared = { .nr = 0 };
	int failed;

	d->mapcounts = calloc(d->files.nr + 1, sizeof(*d->mapcounts));
	if (!d->mapcounts)
		return fail(why, size, d->smaps.pid, "they are too many for the free memory");
	failed = mapcounts_read(d->mapcounts, &d->smaps, &d->files, h, &shared, d->why,
				sizeof(d->why)) ||
		 sharers_of_frames(&d->with, &d->smaps, &d->files, &shared, h, d->why,
				   sizeof(d->why));
	free(shared.of);
	if (!failed)
		return 0;
	/* Without mapcounts everything else can still be shown. */
	free(d->mapcounts);
	d->mapcounts = NULL;
	return 0;
}

static int read_once(struct detail *d, pid_t pid, const struct detail_wanted *w,
		     const struct values *tables, const struct host *h, char *why, size_t size)
{
	struct values before = { .have = { false } }, after = { .have = { false } };
	struct source_error e;
	bool counted = counters_take(&before, pid, &e) == 0;

	if (read_all(d, pid, w, tables, h, why, size))
		return -1;
	if (w->sharers) {
		char unread[200];

		if (read_mapcounts(d, h, why, size))
			return -1;
		d->has_ending = !ending_read(&d->ending, &pid, 1, h, unread, sizeof(unread));
	}
	files_name(&d->files, pid);
	counted &= counters_take(&after, pid, &e) == 0;
	d->moved = !counted || !counters_stood_still(&before, &after);
	return 0;
}

int detail_read(struct detail *d, pid_t pid, const struct detail_wanted *w,
		const struct values *tables, const struct host *h, char *why, size_t size)
{
	*d = (struct detail) { .moved = true };
	for (int i = 0; i < TRIES && d->moved; i++) {
		detail_free(d);
		if (read_once(d, pid, w, tables, h, why, size)) {
			detail_free(d);
			return -1;
		}
	}
	return 0;
}

void detail_free(struct detail *d)
{
	snapshot_free(&d->smaps);
	files_free(&d->files);
	free(d->mapcounts);
	sharers_free(&d->with);
	ending_free(&d->ending);
	*d = (struct detail) { .moved = true };
}
