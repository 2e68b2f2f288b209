// SPDX-License-Identifier: MIT
/*
 * Not a case: the workload with which the engine measures how the counters lag. Each request
 * makes one thread on one CPU touch a number of pages; the observer chooses both.
 */
#include <rssck/case.h>

enum { PAGES = 4608, AROUND = 512, IN_FILE = 64 };

enum {
	REGION = 0,
	BALLAST = 1,
	NEXT = 0,
	WRITES = 1,
	SIZE = 2,
	BALLAST_SIZE = 3,
	REPORTS_MAXRSS = 4
};

/*
 * The page cache is filled before the file is mapped: a fault that has to read is retried, and
 * would count twice.
 */
static int cached_file(struct workload *w, size_t pages)
{
	int fd = workload_file_or_program(w, pages);

	if (fd < 0)
		workload_die(w, "a file of %zu pages: %m", pages);
	for (size_t left = pages * w->page_size, most; left; left -= most) {
		most = left < WORKLOAD_BUFFER ? left : WORKLOAD_BUFFER;
		if (read(fd, workload_buffer, most) != (ssize_t)most)
			workload_die(w, "read of a file that was just made");
	}
	return fd;
}

/*
 * Each page of a file is a mapping of its own, at an offset that prevents merging with its
 * neighbour: fault-around does not reach beyond it. All are made in advance, because unmapping what
 * was there would add the thread's held-back counts. Beyond PAGES, as many as vm.max_map_count
 * allows are enough. A few pages of a file, mapped many times, count as many; shared anonymous
 * memory (fd -1) is another file each time.
 */
static void map_page_by_page(struct workload *w, int fd)
{
	int flags = MAP_SHARED | MAP_FIXED | (fd < 0 ? MAP_ANONYMOUS : 0);

	for (int64_t i = 0; i < w->number[SIZE]; i++) {
		if (mmap((char *)w->slot[REGION] + i * (int64_t)w->page_size, w->page_size,
			 PROT_READ, flags, fd,
			 (IN_FILE - 1 - i % IN_FILE) * (off_t)w->page_size) != MAP_FAILED)
			continue;
		if (i < PAGES)
			workload_die(w, "%d mappings (vm.max_map_count): %m", PAGES);
		w->number[SIZE] = i;
	}
}

static void *map_pages(const struct workload *w, int64_t pages)
{
	return mmap(NULL, (size_t)pages * w->page_size, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

static int64_t half_of(int64_t pages)
{
	return pages / 2 > PAGES ? pages / 2 : PAGES;
}

/*
 * With a limit on address space, take half of what is available: other mappings and the stacks of
 * threads need the rest (vm.overcommit_memory=2 counts both).
 */
static void map_region(struct workload *w)
{
	int64_t asked = w->number[SIZE], pages = asked;
	void *p = map_pages(w, pages);

	while (p == MAP_FAILED && pages > PAGES) {
		pages = half_of(pages);
		p = map_pages(w, pages);
	}
	if (p == MAP_FAILED)
		workload_skip(w, "%lld pages of address space: %m", (long long)pages);
	if (pages < asked) {
		munmap((char *)p + half_of(pages) * (int64_t)w->page_size,
		       (size_t)(pages - half_of(pages)) * w->page_size);
		pages = half_of(pages);
	}
	w->slot[REGION] = p;
	w->number[SIZE] = pages;
	workload_remember(w, p, (size_t)pages * w->page_size);
}

/* argument: the number of pages times ACCOUNT_COUNT, plus the class. */
static void map_class(struct workload *w)
{
	int64_t account = w->argument % ACCOUNT_COUNT;

	/* The engine has pinned us to one CPU, if that is permitted: unpinned, there may be two. */
	if (w->nr_cpus > 1)
		workload_pin(w, w->cpus[0]);
	w->number[SIZE] = w->argument / ACCOUNT_COUNT;
	w->number[WRITES] = account == ACCOUNT_ANON || account == ACCOUNT_SWAP;
	w->number[REPORTS_MAXRSS] = account == ACCOUNT_ANON;
	map_region(w);
	if (account == ACCOUNT_FILE)
		map_page_by_page(w, cached_file(w, IN_FILE));
	else if (account == ACCOUNT_SHMEM)
		map_page_by_page(w, workload_shmem_or_none(w, IN_FILE));
	if (account != ACCOUNT_SWAP)
		return;
	touch_write(w, w->slot[REGION], (size_t)w->number[SIZE]);
	workload_page_out(w, w->slot[REGION], (size_t)w->number[SIZE]);
}

/*
 * Each fault maps one page. Shared pages are read: a write to them is retried (5.10:
 * fault_dirty_shared_page() returns VM_FAULT_RETRY).
 */
static void touch_next(struct workload *w)
{
	char *p = (char *)w->slot[REGION] +
		  w->number[NEXT]++ % w->number[SIZE] * (int64_t)w->page_size;

	if (w->number[WRITES])
		touch_write(w, p, 1);
	else
		touch_read(w, p, 1);
}

static void touch_more(struct workload *w)
{
	for (int64_t i = 0; i < w->argument; i++)
		touch_next(w);
}

/* The count that getrusage(2) reports for a living process rises like any other. */
static void report_maxrss(struct workload *w)
{
	struct rusage usage;

	/* Where getrusage(2) is forbidden, all other counters are still measured. */
	if (w->number[REPORTS_MAXRSS] && getrusage(RUSAGE_SELF, &usage) == 0)
		workload_report_usage(w, &usage);
}

static void touch(struct workload *w)
{
	touch_more(w);
	report_maxrss(w);
}

static void move(struct workload *w)
{
	workload_pin(w, w->cpus[w->argument]);
}

static void other_touches(struct workload *w, unsigned index)
{
	(void)index;
	touch_more(w);
}

/* argument 0 starts the other thread; other values make it touch pages. */
static void other_thread(struct workload *w)
{
	if (w->argument == 0)
		workload_threads(w, 1, other_touches);
	else
		workload_threads_run(w, other_touches);
	report_maxrss(w);
}

static void zero_faults(struct workload *w)
{
	size_t bytes = (size_t)w->argument * w->page_size;
	char *p = workload_map(w, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	touch_read(w, p, (size_t)w->argument);
	workload_unmap(w, p, bytes);
	report_maxrss(w);
}

/* One read fault on pages that are all in the page cache: how many are mapped? */
static void fault_around(struct workload *w)
{
	int fd = cached_file(w, AROUND);
	char *p;

	p = workload_map_pages(w, AROUND, PROT_READ, MAP_PRIVATE, fd);
	touch_read(w, p + AROUND / 2 * w->page_size, 1);
	workload_report(w, "address", (int64_t)(uintptr_t)p);
	workload_report(w, "pages", AROUND);
}

/* Memory to unmap later, so that the current count is no longer the peak. */
static void write_ballast(struct workload *w)
{
	w->slot[BALLAST] = workload_written(w, (size_t)w->argument);
	w->number[BALLAST_SIZE] = w->argument;
}

static void reset_peak(struct workload *w)
{
	workload_clear_refs(w, '5');
}

static void drop_ballast(struct workload *w)
{
	size_t bytes = (size_t)w->number[BALLAST_SIZE] * w->page_size;

	workload_unmap(w, w->slot[BALLAST], bytes);
}

CASE(counters_staircase) {
	.claim = "The workload that calibration drives",
	.flags = CASE_HIDDEN | CASE_ALL_CPUS | CASE_KEEPS_MEMORY | CASE_UNSETTLED,
	.steps = STEPS(STEP("map", map_class), STEP("touch", touch), STEP("move", move),
		       STEP("other thread", other_thread), STEP("zero faults", zero_faults),
		       STEP("fault around", fault_around), STEP("ballast", write_ballast),
		       STEP("reset the peak", reset_peak), STEP("drop the ballast", drop_ballast)),
};
