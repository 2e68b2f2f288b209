// SPDX-License-Identifier: MIT
/*
 * Not a case: the workload with which the engine measures how the counters
 * lag. It touches pages when told to, so many at a time, on the CPU and by the
 * thread that the observer names.
 */
#include <rssck/case.h>
#include <rssck/workload.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGES = 4608, AROUND = 512 };

enum { REGION, NEXT = 0, FILE_FD = 0 };

static char *next(struct workload *w)
{
	return (char *)w->slot[REGION] + w->number[NEXT]++ % PAGES * (int64_t)w->page_size;
}

/*
 * Have the page cache filled before it is mapped: a fault that has to read is
 * tried twice, and would count as two.
 */
static int cached_file(struct workload *w, size_t pages)
{
	static char buffer[64 << 10];
	int fd = workload_file(w, pages);

	for (size_t left = pages * w->page_size; left;) {
		ssize_t n = read(fd, buffer, sizeof(buffer));

		if (n <= 0)
			workload_die(w, "read of a file that was just made");
		left -= (size_t)n;
	}
	return fd;
}

/* argument: ACCOUNT_ANON, ACCOUNT_FILE or ACCOUNT_SHMEM. One fault maps one page in each. */
static void map_class(struct workload *w)
{
	size_t bytes = PAGES * w->page_size;
	int flags = w->argument == ACCOUNT_ANON	   ? MAP_PRIVATE | MAP_ANONYMOUS
		    : w->argument == ACCOUNT_SHMEM ? MAP_SHARED | MAP_ANONYMOUS
						   : MAP_SHARED;
	int fd = w->argument == ACCOUNT_FILE ? cached_file(w, PAGES) : -1;

	workload_pin(w, w->cpus[0]);
	w->slot[REGION] = workload_map(w, bytes, PROT_READ | PROT_WRITE, flags, fd, 0);
}

static void touch(struct workload *w)
{
	for (int64_t i = 0; i < w->argument; i++)
		touch_write(w, next(w), 1);
}

static void move(struct workload *w)
{
	workload_pin(w, w->cpus[w->argument]);
}

static void other_touches(struct workload *w, unsigned index)
{
	(void)index;
	touch(w);
}

/* argument 0 starts the other thread; later it touches. */
static void other_thread(struct workload *w)
{
	if (w->argument == 0)
		workload_threads(w, 1, other_touches);
	else
		workload_threads_run(w, other_touches);
}

static void zero_faults(struct workload *w)
{
	size_t bytes = (size_t)w->argument * w->page_size;
	char *p = workload_map(w, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	touch_read(w, p, (size_t)w->argument);
	munmap(p, bytes);
	workload_forget(w, p);
}

/* One read fault on pages that are all in the page cache: how many get mapped? */
static void fault_around(struct workload *w)
{
	int fd = cached_file(w, AROUND);
	char *p;

	p = workload_map(w, AROUND * w->page_size, PROT_READ, MAP_PRIVATE, fd, 0);
	touch_read(w, p + AROUND / 2 * w->page_size, 1);
	workload_tell(w, "address", (int64_t)(uintptr_t)p);
	workload_tell(w, "pages", AROUND);
}

CASE(counters_climb) {
	.claim = "The workload that calibration drives",
	.flags = CASE_HIDDEN | CASE_ALL_CPUS | CASE_OPEN_BOOKS | CASE_UNSETTLED,
	.steps = STEPS(STEP("map", map_class), STEP("touch", touch), STEP("move", move),
		       STEP("other thread", other_thread), STEP("zero faults", zero_faults),
		       STEP("fault around", fault_around)),
};
