// SPDX-License-Identifier: MIT
/* A write through /proc/PID/mem copies a private file page as a store would, even where none may.
 */
#include <fcntl.h>
#include <rssck/case.h>
#include <unistd.h>

enum { PAGES = 64, WRITTEN = 24, REGION = 0 };

static void map_and_read(struct workload *w)
{
	w->slot[REGION] = workload_map(w, PAGES * w->page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE,
				       workload_file(w, PAGES), 0);
	touch_read(w, w->slot[REGION], PAGES);
}

/* Returns 0, or -1 where not even the first page could be written. */
static int write_pages(struct workload *w, size_t first)
{
	int fd = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
	uintptr_t at = (uintptr_t)w->slot[REGION] + first * w->page_size;
	size_t i = 0;

	while (i < WRITTEN && pwrite(fd, "x", 1, (off_t)(at + i * w->page_size)) == 1)
		i++;
	if (i && i < WRITTEN)
		workload_die(w, "/proc/self/mem, page %zu: %m", i);
	if (fd >= 0)
		close(fd);
	return i ? 0 : -1;
}

static void write_through_mem(struct workload *w)
{
	if (write_pages(w, 0) < 0)
		workload_skip(w, "writing to /proc/self/mem: %m");
}

static void protect(struct workload *w)
{
	mprotect(w->slot[REGION], PAGES * w->page_size, PROT_READ);
}

static void write_where_no_store_may(struct workload *w)
{
	if (write_pages(w, WRITTEN) < 0)
		workload_skip_step(w, "writing where PROT_WRITE is not (proc_mem.force_override)");
}

CASE(file_written_by_proc_mem) {
	.claim = "A debugger's write into a private file mapping makes its pages anonymous, as a "
		 "store would, even where the mapping is read-only",
	.because = "access_remote_vm() faults with FOLL_FORCE: the page is copied (do_cow_fault, "
		   "wp_page_copy) and stays read-only. That is how breakpoints make RssAnon grow.",
	.said_by = SAID_BY("proc_pid_mem(5)"),
	.steps = STEPS(STEP("map and read", map_and_read, VIRT_DATA(PAGES), FILE_READ(PAGES)),
		       STEP("write through mem", write_through_mem, FILE_TO_ANON(WRITTEN)),
		       STEP("make it read-only", protect, VIRT_DATA(-PAGES), VIRT_OTHER(PAGES)),
		       STEP("write through mem again", write_where_no_store_may,
			    FILE_TO_ANON(WRITTEN))),
};
