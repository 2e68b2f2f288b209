// SPDX-License-Identifier: MIT
/*
 * The totals of System V segments: SHM_INFO, the segments that SHM_STAT finds, and the lines of
 * /proc/sysvipc/shm, after segments of many sizes were made, attached, written, and ended in each
 * way. The workload has an IPC namespace of its own, so all segments are its own.
 */
#include "sysvipc.h"
#include <sched.h>
#include <sys/ipc.h>

enum { OTHER = 7, SWAPPED_PAGES = 16 };

/* The sizes of the segments: whole pages, and bytes more or less. */
static const struct size {
	int pages, bytes;
} sizes[] = { { 0, 1 }, { 1, -1 }, { 1, 0 }, { 1, 1 }, { 2, -1 }, { 3, 1 }, { 8, 0 }, { 16, 1 } };

enum { SIZES = sizeof(sizes) / sizeof(*sizes) };

/* The ways in which a segment can end. */
enum end {
	RMID_THEN_DETACH,
	DETACH_THEN_RMID,
	RMID_THEN_MUNMAP,
	RMID_THEN_MAP_OVER,
	RMID_THEN_EXIT
};

/* -1 for a number that the source lacks. Pages, except ids and attached. */
struct totals {
	int64_t ids, pages, attached, used, swapped; /* used: in memory or on swap */
};

static int64_t rounded_up(const struct workload *w, int64_t bytes)
{
	return (bytes + (int64_t)w->page_size - 1) / (int64_t)w->page_size;
}

static struct totals of_info(struct workload *w)
{
	struct shm_info i = { 0 };

	workload_must(w, shmctl(0, SHM_INFO, (struct shmid_ds *)&i), "shmctl(SHM_INFO)");
	return (struct totals) { .ids = i.used_ids,
				 .pages = (int64_t)i.shm_tot,
				 .attached = -1,
				 .used = (int64_t)(i.shm_rss + i.shm_swp),
				 .swapped = (int64_t)i.shm_swp };
}

static struct totals of_each(struct workload *w)
{
	struct totals t = { .used = -1, .swapped = -1 };
	struct shm_info info;
	struct shmid_ds s;
	int last = shmctl(0, SHM_INFO, (struct shmid_ds *)&info);

	workload_must(w, last, "shmctl(SHM_INFO)");
	for (int i = 0; i <= last; i++)
		if (shmctl(i, SHM_STAT, &s) >= 0) {
			t.ids++;
			t.pages += rounded_up(w, (int64_t)s.shm_segsz);
			t.attached += (int64_t)s.shm_nattch;
		}
	return t;
}

static struct totals of_file(struct workload *w)
{
	FILE *f = fopen("/proc/sysvipc/shm", "re");
	struct segment_line s;
	struct totals t = { 0 };

	if (!f)
		workload_skip(w, "/proc/sysvipc/shm: %m");
	while (segment_line_next(f, &s)) {
		t.ids++;
		t.pages += rounded_up(w, s.size);
		t.attached += s.attached;
		t.used += (s.rss + s.swap) / (int64_t)w->page_size;
		t.swapped += s.swap / (int64_t)w->page_size;
	}
	fclose(f);
	return t;
}

static void must_be(struct workload *w, const char *source, const char *when, const char *what,
		    int64_t seen, int64_t expected)
{
	if (seen >= 0 && seen != expected)
		workload_fail(w, "%s: %s is %" PRId64 " %s, should be %" PRId64, source, what, seen,
			      when, expected);
}

static void check(struct workload *w, const char *when, struct totals expected)
{
	const struct {
		const char *source;
		struct totals seen;
	} all[] = { { "SHM_INFO", of_info(w) },
		    { "SHM_STAT", of_each(w) },
		    { "/proc/sysvipc/shm", of_file(w) } };

	for (int i = 0; i < 3; i++) {
		const struct totals *t = &all[i].seen;

		must_be(w, all[i].source, when, "the number of segments", t->ids, expected.ids);
		must_be(w, all[i].source, when, "the sum of their pages", t->pages, expected.pages);
		must_be(w, all[i].source, when, "the sum of their attachments", t->attached,
			expected.attached);
		must_be(w, all[i].source, when, "the sum of pages in memory and on swap", t->used,
			expected.used);
	}
	workload_checked(w);
}

static void mark_removed(struct workload *w, int id)
{
	workload_must(w, shmctl(id, IPC_RMID, NULL), "shmctl(IPC_RMID)");
}

static int end_of_segment;

/* A child that attaches the segment, marks it for removal, and ends. */
static int attach_and_exit(const struct workload *unused)
{
	(void)unused;
	return shmat(end_of_segment, NULL, 0) == (void *)-1 ||
	       shmctl(end_of_segment, IPC_RMID, NULL) < 0;
}

static void end_segment(struct workload *w, int id, char *p, size_t bytes)
{
	switch ((enum end)w->argument) {
	case RMID_THEN_DETACH:
		mark_removed(w, id);
		shmdt(p);
		return;
	case DETACH_THEN_RMID:
		shmdt(p);
		mark_removed(w, id);
		return;
	case RMID_THEN_MUNMAP:
		mark_removed(w, id);
		munmap(p, bytes);
		return;
	case RMID_THEN_MAP_OVER:
		mark_removed(w, id);
		if (mmap(p, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != p)
			workload_die(w, "mmap: %m");
		munmap(p, bytes);
		return;
	case RMID_THEN_EXIT:
		shmdt(p);
		end_of_segment = id;
		if (workload_in_child(w, attach_and_exit))
			workload_die(w, "a child could not attach and remove the segment");
		return;
	}
}

/* One more segment of this size, beside another one, which stays and has a written page. */
static void one_size(struct workload *w, size_t bytes, const struct totals *stays)
{
	int64_t pages = rounded_up(w, (int64_t)bytes);
	struct totals t = *stays;
	int id = shmget(IPC_PRIVATE, bytes, IPC_CREAT | 0600);
	char *p;

	workload_must(w, id, "shmget");
	t.ids++;
	t.pages += pages;
	check(w, "after shmget(2)", t);
	p = shmat(id, NULL, 0);
	if (p == (void *)-1)
		workload_die(w, "shmat: %m");
	t.attached++;
	check(w, "after shmat(2)", t);
	touch_write(w, p, (size_t)pages);
	t.used += pages;
	check(w, "after writing all pages", t);
	end_segment(w, id, p, (size_t)pages * w->page_size);
	check(w, "after the segment's end", *stays);
}

static void each_size(struct workload *w)
{
	struct totals t = { .ids = 1, .pages = 1, .used = 1 };
	int other;
	char *p;

	if (unshare(CLONE_NEWIPC) < 0)
		workload_skip(w, "an IPC namespace of its own (unshare(2): %m)");
	check(w, "in a new namespace", (struct totals) { 0 });
	other = shmget(IPC_PRIVATE, OTHER, IPC_CREAT | 0600);
	workload_must(w, other, "shmget");
	p = shmat(other, NULL, 0);
	if (p == (void *)-1)
		workload_die(w, "shmat: %m");
	touch_write(w, p, 1);
	shmdt(p);
	for (int i = 0; i < SIZES; i++)
		one_size(w, (size_t)((int64_t)w->page_size * sizes[i].pages + sizes[i].bytes), &t);
	mark_removed(w, other);
	check(w, "after all segments were removed", (struct totals) { 0 });
}

/* MADV_PAGEOUT skips unmapped pages, so each try maps those that are still in memory. */
static void page_out(struct workload *w)
{
	struct patience patience = { .seconds = 5 };
	struct totals info, file;
	char area[256], *p;
	int id;

	if (!workload_swap_area(area, sizeof(area)))
		workload_skip_step(w, "swap (/proc/swaps is empty)");
	if (unshare(CLONE_NEWIPC) < 0)
		workload_skip(w, "an IPC namespace of its own (unshare(2): %m)");
	id = shmget(IPC_PRIVATE, (SWAPPED_PAGES - 1) * w->page_size + 1, IPC_CREAT | 0600);
	workload_must(w, id, "shmget");
	p = shmat(id, NULL, 0);
	if (p == (void *)-1)
		workload_die(w, "shmat: %m");
	mark_removed(w, id);
	touch_write(w, p, SWAPPED_PAGES);
	do {
		touch_read(w, p, SWAPPED_PAGES);
		workload_advise(w, p, SWAPPED_PAGES * w->page_size, MADV_PAGEOUT);
		info = of_info(w);
		file = of_file(w);
	} while ((info.swapped != SWAPPED_PAGES || file.swapped != SWAPPED_PAGES) &&
		 workload_pause(&patience));
	shmdt(p);
	if (info.swapped != SWAPPED_PAGES && file.swapped != SWAPPED_PAGES)
		workload_skip_step(w, "swap that takes a segment");
	must_be(w, "SHM_INFO", "after MADV_PAGEOUT", "shm_swp", info.swapped, SWAPPED_PAGES);
	must_be(w, "/proc/sysvipc/shm", "after MADV_PAGEOUT", "swap", file.swapped, SWAPPED_PAGES);
	workload_checked(w);
}

enum { CHECKS = 4 * SIZES + 2 };

CASE(shmem_sysv_totals) {
	.claim =
		"SHM_INFO, SHM_STAT and /proc/sysvipc/shm count the same segments, of any size and until their end: shm_tot rounds each size up to pages, and falls by as many when the segment ends in any way",
	.because = "newseg() adds the pages of a segment to ns->shm_tot, and shm_destroy() "
		   "subtracts them, when a segment is marked for removal and has no attachment. "
		   "What shm_tot keeps counts against SHMALL forever.",
	.said_by = SAID_BY("shmctl(2), SHM_INFO, SHM_STAT, IPC_RMID", "proc_sysvipc(5)"),
	.needs = NEEDS("root"),
	.steps = STEPS(STEP("mark for removal, then detach", each_size,
			    .argument = RMID_THEN_DETACH, .checks = CHECKS),
		       STEP("detach, then remove", each_size, .argument = DETACH_THEN_RMID,
			    .checks = CHECKS),
		       STEP("mark for removal, then munmap", each_size,
			    .argument = RMID_THEN_MUNMAP, .checks = CHECKS),
		       STEP("mark for removal, then map over it", each_size,
			    .argument = RMID_THEN_MAP_OVER, .checks = CHECKS),
		       STEP("mark for removal, then exit", each_size, .argument = RMID_THEN_EXIT,
			    .checks = CHECKS),
		       STEP("page out", page_out, .checks = 1)),
};
