// SPDX-License-Identifier: MIT
/*
 * Not a case: the engine measures with this workload how the counters lag. The observer chooses in
 * each request how many pages a thread touches, and on which CPU.
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
 * Fills the page cache before the file is mapped, because a fault that must read is retried and
 * would be counted twice.
 */
static int cached_file(struct workload *w, size_t pages)
{
	int fd = workload_file_or_program(w, pages);

	if (fd < 0)
		workload_die(w, "a file of %zu pages: %m", pages);
	for (size_t left = pages * w->page_size, most; left; left -= most) {
		most = left < WORKLOAD_BUFFER ? left : WORKLOAD_BUFFER;
		if (read(fd, workload_buffer, most) != (ssize_t)most)
			workload_die(w, "read of a new file: %m");
	}
	return fd;
}

/*
 * Maps each page of the file separately, at an offset that keeps it from merging with the page
 * before, so that fault-around maps no second page. Makes all mappings in advance, because
 * unmapping would add the thread's batch to the counters. Beyond PAGES it makes as many as
 * vm.max_map_count allows. The file has IN_FILE pages, mapped many times; with shared anonymous
 * memory (fd -1) each mapping is a new file.
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
 * If address space is limited, takes half of what is available, because other mappings and thread
 * stacks need the rest; with vm.overcommit_memory=2 they are limited, too.
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

/* The step's argument is the number of pages times ACCOUNT_COUNT, plus the class. */
static void map_class(struct workload *w)
{
	int64_t account = w->argument % ACCOUNT_COUNT;

	/*
	 * The engine allows two CPUs. The thread uses only one of them, so that only one CPU has a
	 * batch.
	 */
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
 * Touches one page, with one fault. Reads shared pages, because a write fault there is retried (on
 * 5.10 fault_dirty_shared_page() returns VM_FAULT_RETRY).
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

static void report_maxrss(struct workload *w)
{
	struct rusage usage;

	/* If getrusage(2) is forbidden, the engine measures all other counters. */
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

/* Argument 0 starts a second thread; any other argument makes it touch that many pages. */
static void other_thread(struct workload *w)
{
	if (w->argument == 0)
		workload_threads(w, 1, other_touches);
	else
		workload_threads_run(w, other_touches);
	report_maxrss(w);
}

/*
 * Causes page faults that map no page, not even the zero page: a system call reads its argument
 * from a mapping beyond the end of a file. The call must be one whose argument valgrind does not
 * read.
 */
static void failing_faults(struct workload *w)
{
	int fd = workload_file_or_program(w, 1);
	off_t end = fd < 0 ? -1 : lseek(fd, 0, SEEK_END);
	char *p;

	if (end < 0)
		workload_die(w, "a file: %m");
	end += (off_t)w->page_size - end % (off_t)w->page_size;
	p = mmap(NULL, w->page_size, PROT_READ, MAP_SHARED, fd, end);
	if (p == MAP_FAILED)
		workload_die(w, "mmap: %m");
	for (int64_t i = 0; i < w->argument; i++)
		if (syscall(SYS_nanosleep, p, NULL) == 0)
			workload_die(w, "a page beyond the end of a file is readable");
	workload_unmap(w, p, w->page_size);
	close(fd);
	report_maxrss(w);
}

/*
 * Takes one read fault in the middle of a cached file. The observer counts the pages that the fault
 * maps.
 */
static void fault_around(struct workload *w)
{
	int fd = cached_file(w, AROUND);
	char *p;

	p = workload_map_pages(w, AROUND, PROT_READ, MAP_PRIVATE, fd);
	touch_read(w, p + AROUND / 2 * w->page_size, 1);
	workload_report(w, "address", (int64_t)(uintptr_t)p);
	workload_report(w, "pages", AROUND);
}

/* Writes memory that a later step unmaps, so that the peak exceeds the current count. */
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
	.claim = "rssck uses this workload to measure how the counters lag",
	.flags = CASE_HIDDEN | CASE_ALL_CPUS | CASE_KEEPS_MEMORY | CASE_UNSETTLED,
	.steps = STEPS(STEP("map", map_class), STEP("touch", touch), STEP("move", move),
		       STEP("other thread", other_thread), STEP("failing faults", failing_faults),
		       STEP("fault around", fault_around), STEP("ballast", write_ballast),
		       STEP("reset the peak", reset_peak), STEP("drop the ballast", drop_ballast)),
};
