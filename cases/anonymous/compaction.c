// SPDX-License-Identifier: MIT
/* Compaction moves pages to other frames below the process: no number moves. */
#include <errno.h>
#include <fcntl.h>
#include <rssck/case.h>
#include <rssck/judge.h>
#include <rssck/pages.h>
#include <rssck/workload.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>
#include <unistd.h>

enum { PAGES = 2048, LOW = 0, HIGH = 1, REGIONS = 2 };

static const char *const names[REGIONS] = { "low", "high" };

static char *written(struct workload *w, size_t pages)
{
	char *p = workload_map(w, pages * w->page_size, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	touch_write(w, p, pages);
	return p;
}

/*
 * A quarter of what is free lies between the two when they are written: given
 * back, it is a hole above one of them, into which compaction moves it.
 */
static void write_around_a_hole(struct workload *w)
{
	struct sysinfo info;
	size_t pages;
	char *between;

	if (sysinfo(&info) < 0)
		workload_die(w, "sysinfo: %s", strerror(errno));
	pages = info.freeram / 4 * info.mem_unit / w->page_size;
	w->slot[LOW] = written(w, PAGES);
	between = written(w, pages);
	w->slot[HIGH] = written(w, PAGES);
	munmap(between, pages * w->page_size);
	workload_forget(w, between);
	for (int i = 0; i < REGIONS; i++)
		workload_tell(w, names[i], (int64_t)(uintptr_t)w->slot[i]);
}

static void compact(struct workload *w)
{
	int fd = open("/proc/sys/vm/compact_memory", O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, "1", 1) != 1)
		workload_skip(w, "/proc/sys/vm/compact_memory: %s", strerror(errno));
	close(fd);
}

static void look(struct workload *w)
{
	for (size_t i = 0; i < REGIONS * PAGES; i++) {
		const char *p = w->slot[i / PAGES];
		size_t page = i % PAGES;

		if (p[page * w->page_size] != (char)(page | 1))
			workload_fail(w, "page %zu has other content after compaction", page);
	}
}

/* How many pages have another frame than before. */
static void judge(const struct trial *t, struct judgement *j)
{
	const struct snapshot *both[] = { trial_snapshot(t, "write around a hole", 0),
					  trial_snapshot(t, "compact", 0) };
	int64_t frames = 0;

	for (int i = 0; i < REGIONS; i++) {
		uint64_t start = (uint64_t)trial_told(t, "write around a hole", names[i], 0);

		frames += pages_unique(both, 2, start,
				       start + PAGES * (uint64_t)t->host->page_size);
	}
	if (frames <= REGIONS * PAGES)
		judge_skip(j, "memory that compaction finds something to move in");
}

CASE(anonymous_compaction) {
	.claim = "Compaction moves no number: the same pages are resident, in other frames",
	.because = "It migrates pages as move_pages(2) does: try_to_migrate() and "
		   "remove_migration_pte() leave the mm's counters alone.",
	.said_by = SAID_BY("Documentation/admin-guide/sysctl/vm.rst, compact_memory"),
	.needs = NEEDS("guest", "pfn"),
	.flags = CASE_PAGES | CASE_ONE_CPU,
	.steps = STEPS(STEP("write around a hole", write_around_a_hole, VIRT_DATA(REGIONS *PAGES),
			    ANON_WRITE(REGIONS *PAGES)),
		       STEP("compact", compact), STEP("look at it", look)),
	.judge = judge,
};
