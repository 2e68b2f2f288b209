// SPDX-License-Identifier: MIT
/*
 * MemAvailable is free memory above the reserves, plus the page cache and slabs that can be freed.
 */
#include "zones.h"
#include <rssck/case.h>

enum { PAGES = 8192, FD = 0, TMPFS = 1, LEAST = PAGES / 4, LITTLE_KB = 1024 };
STEP_SYMBOLS(BEGIN, READ_A_FILE, LOWER_THE_WATERMARKS, FILL_A_TMPFS);

/* Lines of meminfo, in pages. */
struct look {
	int64_t available, free, active, inactive, reclaimable, shmem;
};

/* Reads until two readings are equal, so that all lines are from the same moment. */
static struct look look(struct workload *w)
{
	struct patience p = { .seconds = 10, .pause_us = 1000 };
	struct look now = { 0 }, before;

	do {
		before = now;
		now = (struct look) { workload_meminfo_pages(w, "MemAvailable"),
				      workload_meminfo_pages(w, "MemFree"),
				      workload_meminfo_pages(w, "Active(file)"),
				      workload_meminfo_pages(w, "Inactive(file)"),
				      workload_meminfo_pages(w, "KReclaimable"),
				      workload_meminfo_pages(w, "Shmem") };
		if (!memcmp(&now, &before, sizeof(now)))
			return now;
	} while (workload_pause(&p));
	workload_die(w, "/proc/meminfo keeps changing");
}

static int64_t less(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static void report(struct workload *w)
{
	struct look l = look(w);
	int64_t files = l.active + l.inactive, sum;
	struct watermarks z = watermarks_read(w);

	sum = l.free - z.reserve + files - less(files / 2, z.low) + l.reclaimable -
	      less(l.reclaimable / 2, z.low);
	workload_report(w, "available", l.available);
	workload_report(w, "beside free", l.available - l.free);
	workload_report(w, "files", files);
	workload_report(w, "shmem", l.shmem);
	workload_report(w, "sum", sum > 0 ? sum : 0);
}

/* A write of min_free_kbytes also ends raised watermarks (setup_per_zone_wmarks()). */
static void begin(struct workload *w)
{
	workload_try_to_set_number(min_free, workload_number(min_free, NULL, 0));
	w->fd[FD] = workload_file_uncached(w, PAGES);
	report(w);
}

static void read_file(struct workload *w)
{
	lseek(w->fd[FD], 0, SEEK_SET);
	while (read(w->fd[FD], workload_buffer, WORKLOAD_BUFFER) > 0)
		;
	report(w);
}

static int64_t min_free_was;

static void restore_watermarks(void)
{
	workload_try_to_set_number(min_free, min_free_was);
}

/* The watermark is below half of the file pages then, and otherwise often above. */
static void lower_watermarks(struct workload *w)
{
	struct workload_guard g;

	min_free_was = workload_number(min_free, NULL, 0);
	g = workload_guard_begin(w, restore_watermarks);
	workload_set_number(w, min_free, LITTLE_KB);
	report(w);
	workload_guard_end(w, &g);
}

static void fill_tmpfs(struct workload *w)
{
	w->fd[TMPFS] = workload_shmem(w, 0);
	for (size_t i = 0; i < PAGES * w->page_size; i += WORKLOAD_BUFFER)
		if (write(w->fd[TMPFS], workload_buffer, WORKLOAD_BUFFER) != WORKLOAD_BUFFER)
			workload_die(w, "tmpfs: %m");
	report(w);
}

static int64_t rose(const struct trial *t, unsigned from, unsigned to, const char *name)
{
	return trial_reported(t, to, name) - trial_reported(t, from, name);
}

/*
 * MemFree itself is not checked: a CPU may have thousands of pages in its own list, which MemFree
 * does not include.
 */
static void judge(const struct trial *t, struct judgement *j)
{
	static const unsigned steps[] = { BEGIN, READ_A_FILE, LOWER_THE_WATERMARKS, FILL_A_TMPFS };

	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++)
		judge_reported(
			t, j, steps[i], "available", "MemAvailable",
			trial_reported(t, steps[i], "sum"),
			"MemFree - reserves + page cache + reclaimable slabs; half of each of the last two, or the low watermark if it is smaller, is subtracted");
	judge_true(j, READ_A_FILE, rose(t, BEGIN, READ_A_FILE, "files") > 2 * LEAST,
		   "the lists of file pages grow by more than half of the file that was read");
	judge_true(j, READ_A_FILE, rose(t, BEGIN, READ_A_FILE, "beside free") > LEAST,
		   "MemAvailable - MemFree rises by more than a quarter of the file that was read");
	judge_true(j, FILL_A_TMPFS, rose(t, READ_A_FILE, FILL_A_TMPFS, "shmem") > 2 * LEAST,
		   "Shmem rises by more than half of the memory written to a tmpfs");
	judge_fact(j, "available.counts_tmpfs", "%s",
		   rose(t, READ_A_FILE, FILL_A_TMPFS, "beside free") < LEAST ? "no" : "yes");
}

CASE(machine_available) {
	.claim =
		"MemAvailable is MemFree minus the zones' reserves, plus the file pages of the LRU lists and KReclaimable, each minus half of it or the low watermark, whichever is smaller; it excludes tmpfs",
	.because = "si_mem_available() adds the two lists of file pages and the reclaimable "
		   "slabs, and subtracts min(half, low watermark) from each. Pages of tmpfs are "
		   "on the lists of anonymous memory.",
	.said_by = SAID_BY("proc_meminfo(5), MemAvailable", "free(1), available"),
	.needs = NEEDS("root", "guest"),
	.flags = CASE_ONE_CPU,
	.steps = STEPS(STEP_AS(BEGIN, "begin", begin),
		       STEP_AS(READ_A_FILE, "read a file", read_file),
		       STEP_AS(LOWER_THE_WATERMARKS, "lower the watermarks", lower_watermarks),
		       STEP_AS(FILL_A_TMPFS, "fill a tmpfs", fill_tmpfs)),
	.facts = FACTS(FACT("available.counts_tmpfs", "Does MemAvailable count tmpfs as available?",
			    "no|yes")),
	.judge = judge,
};
