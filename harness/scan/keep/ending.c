// SPDX-License-Identifier: MIT
/*
 * Sums the memory that ending some processes would free: their private memory, and shared objects
 * that nothing else keeps.
 */
#include "ending.h"
#include "anon.h"
#include "base/number.h"
#include "keepers.h"
#include "machine/sums.h"
#include "scan/process/process.h"
#include <errno.h>
#include <fcntl.h>
#include <rssck/source.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void add_mapping(struct ending *e, const struct mapping *m, pid_t pid, const struct host *h)
{
	if (mapping_is_object(m, pid, h))
		objects_add(&e->objects, m, pid, h);
	else
		objects_add_deleted(&e->objects, m, pid);
	if (!m->shared) {
		e->swap += mapping_smaps(m, METRIC_SMAPS_SWAPPSS);
		e->hugetlb += mapping_has_file(m) && !mapping_has_flag(m, "ht")
				      ? 0
				      : mapping_smaps(m, METRIC_SMAPS_PRIVATE_HUGETLB);
	}
}

static int add_mappings(struct ending *e, struct anon *a, const struct snapshot *s)
{
	int error = anon_add(a, s, NULL);

	for (size_t i = 0; i < s->nr_maps && !error; i++) {
		e->anon_maybe += mapping_smaps(&s->maps[i], METRIC_SMAPS_ANONYMOUS);
		add_mapping(e, &s->maps[i], s->pid, a->h);
	}
	return error;
}

static int add_process(struct ending *e, struct anon *a, pid_t pid, struct text *t)
{
	struct snapshot s = { .pid = pid };
	struct values status = { .have = { false } };
	struct source_error wrong;
	struct identity who;
	int error = text_read(t, pid, "status");

	if (!error && !status_read(t->data, t->len, &status, &wrong)) {
		e->tables += status.of[METRIC_STATUS_VMPTE];
		e->stacks += identity_read(&who, NULL, t->data) ? 0 : who.threads;
	}
	if (!error)
		error = text_read(t, pid, "smaps");
	if (!error && t->len && !smaps_read(t->data, t->len, &s, &wrong)) {
		e->nr++;
		error = add_mappings(e, a, &s);
	}
	snapshot_free(&s);
	if (!error)
		objects_add_open(&e->objects, pid);
	return error == -ESRCH || error == -ENOENT ? 0 : error;
}

/* Returns the size of a kernel stack in kB; 0: unknown. */
static int64_t stack_kb(struct text *t)
{
	struct machine_values v = { .have = { false } };
	const char *at = NULL;

	if (!text_read(t, 0, "/proc/meminfo"))
		at = strstr(t->data, "KernelStack:");
	if (!at)
		return 0;
	machine_set(&v, MACHINE_MEMINFO_KERNELSTACK, strtoll(strchr(at, ':') + 1, NULL, 10));
	if (!text_read(t, 0, "/proc/loadavg") && strchr(t->data, '/'))
		sums_stacks(strtoll(strchr(t->data, '/') + 1, NULL, 10), 0, 0, &v);
	return v.of[MACHINE_SUM_STACK];
}

static void add_object(struct ending *e, const struct object *one)
{
	if (one->kept) {
		e->kept += one->kb;
		return;
	}
	if (one->hugetlb) {
		e->hugetlb += one->kb;
		return;
	}
	e->shmem += one->kb;
	e->shmem_swap += one->swap;
	e->whole &= one->whole;
	/* A process that could not be examined may map these pages. */
	e->unmapped_exact &= one->exact && !e->objects.unseen;
	if (one->whole && one->kb > one->mapped + one->swap)
		e->shmem_unmapped += one->kb - one->mapped - one->swap;
}

static int add_page(uint64_t start, const uint64_t *words, size_t n, void *arg)
{
	(void)start;
	for (size_t i = 0; i < n; i++)
		if (words[i] & PAGEMAP_PRESENT && words[i] & PAGEMAP_FILE)
			frame_list_add(arg, PAGEMAP_PFN(words[i]));
	return 0;
}

static bool is_freed(const struct ending *e, const struct mapping *m, pid_t pid)
{
	for (size_t i = 0; i < e->objects.nr; i++)
		if (!e->objects.of[i].kept && !e->objects.of[i].hugetlb &&
		    file_key_has(&e->objects.of[i].key, m, pid))
			return true;
	return false;
}

/* Adds the frames of freed objects that a process maps. A process that has ended maps none. */
static int add_frames(const struct ending *e, struct frame_list *l, pid_t pid, const struct host *h,
		      struct text *t)
{
	struct snapshot s = { .pid = pid };
	struct source_error wrong;
	char path[32];
	int fd, error = 0;

	snprintf(path, sizeof(path), "/proc/%d/pagemap", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || text_read(t, pid, "smaps") || smaps_read(t->data, t->len, &s, &wrong))
		s.nr_maps = 0;
	for (size_t i = 0; i < s.nr_maps && !error; i++)
		if (is_freed(e, &s.maps[i], pid))
			error = pagemap_blocks(fd, h, &s.maps[i], PAGEMAP_READ_ALL, add_page, l);
	snapshot_free(&s);
	if (fd >= 0)
		close(fd);
	return error;
}

/*
 * Adds the frames of freed objects that none of the processes maps. Leaves out an object whose
 * pages cannot be read.
 */
static int add_unmapped(const struct ending *e, struct frame_list *l, const struct host *h)
{
	for (size_t i = 0; i < e->objects.nr; i++) {
		const struct object *one = &e->objects.of[i];

		if (!one->kept && !one->hugetlb && one->kb > one->mapped &&
		    unmapped_frames(one, h, l) == -ENOMEM)
			return -ENOMEM;
	}
	frame_list_unique(l);
	return 0;
}

static int find_charged(struct ending *e, const struct anon *a, const pid_t *pids, size_t nr,
			const struct cgroup_set *charged, struct text *t)
{
	struct frame_list shmem = { .nr = 0 }, unmapped = { .nr = 0 };
	int64_t kb = a->h->page_size / 1024;
	int error = 0;

	for (size_t i = 0; i < nr && !error && e->shmem; i++)
		error = add_frames(e, &shmem, pids[i], a->h, t);
	frame_list_unique(&shmem);
	if (!error)
		error = add_unmapped(e, &unmapped, a->h);
	e->anon_charged = frame_list_charged(charged, a->h, &a->own) * kb;
	e->anon_kept = frame_list_charged(charged, a->h, &a->others) * kb;
	e->shmem_charged = frame_list_charged(charged, a->h, &shmem) * kb;
	e->unmapped_charged = frame_list_charged(charged, a->h, &unmapped) * kb;
	frame_list_free(&shmem);
	frame_list_free(&unmapped);
	if (!error && e->unmapped_charged < 0)
		error = (int)(e->unmapped_charged / kb);
	if (!error && (e->anon_charged < 0 || e->anon_kept < 0))
		error = (int)(lesser(e->anon_charged, e->anon_kept) / kb);
	return error || e->shmem_charged >= 0 ? error : (int)(e->shmem_charged / kb);
}

int ending_read(struct ending *e, const pid_t *pids, size_t nr, const struct host *h, char *why,
		size_t size)
{
	return ending_read_charged(e, pids, nr, h, NULL, why, size);
}

int ending_read_charged(struct ending *e, const pid_t *pids, size_t nr, const struct host *h,
			const struct cgroup_set *charged, char *why, size_t size)
{
	struct anon a = { .h = h, .keeps = charged };
	struct text t = { .data = NULL };
	int64_t pages = 0, kb = h->page_size / 1024, maybe;
	int error = 0;

	*e = (struct ending) { .whole = true, .unmapped_exact = true };
	for (size_t i = 0; i < nr && !error; i++)
		error = add_process(e, &a, pids[i], &t);
	if (!error)
		pages = anon_pages_alone(&a, &maybe);
	if (!error && pages < 0)
		error = (int)pages;
	/* smaps leaves out the zero page, which pagemap cannot distinguish from shared pages. */
	e->anon = pages * kb;
	e->stacks *= stack_kb(&t);
	e->anon_maybe = a.frames.nr || e->anon_maybe < e->anon ? 0 : e->anon_maybe - e->anon;
	if (!error)
		error = objects_find_keepers(&e->objects, pids, nr);
	for (size_t i = 0; i < e->objects.nr; i++)
		add_object(e, &e->objects.of[i]);
	if (!error && charged)
		error = find_charged(e, &a, pids, nr, charged, &t);
	anon_free(&a);
	text_free(&t);
	if (!error)
		return 0;
	snprintf(why, size, "the memory that the end would free cannot be determined: %s",
		 strerror(-error));
	ending_free(e);
	return -1;
}

void ending_free(struct ending *e)
{
	objects_free(&e->objects);
}

int64_t ending_total(const struct ending *e)
{
	return e->anon + e->swap + e->tables + e->stacks + e->shmem;
}

int64_t anon_alone(const struct snapshot *s, const struct mapping *only, const struct host *h)
{
	struct anon a = { .h = h };
	int64_t maybe, pages = anon_add(&a, s, only);

	if (pages >= 0)
		pages = anon_pages_alone(&a, &maybe);
	anon_free(&a);
	return pages < 0 ? pages : pages * (h->page_size / 1024);
}
