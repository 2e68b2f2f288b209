// SPDX-License-Identifier: MIT
/*
 * A write through /proc/PID/mem copies a private file page as a store does, even in a read-only
 * mapping.
 */
#include <rssck/case.h>
#include <sys/ptrace.h>

enum { PAGES = 64, WRITTEN = 24, REGION = 0 };

/*
 * Returns how many pages could be written. `pid` is this process or its parent, whose addresses are
 * the same.
 */
static int write_pages(const struct workload *w, pid_t pid, size_t first)
{
	uintptr_t at = (uintptr_t)w->slot[REGION] + first * w->page_size;
	char path[32];
	int fd, i = 0;

	snprintf(path, sizeof(path), "/proc/%d/mem", (int)pid);
	fd = open(path, O_RDWR | O_CLOEXEC);
	while (fd >= 0 && i < WRITTEN &&
	       pwrite(fd, "x", 1, (off_t)(at + (size_t)i * w->page_size)) == 1)
		i++;
	if (fd >= 0)
		close(fd);
	return i;
}

static void write_through_mem(struct workload *w)
{
	if (write_pages(w, getpid(), 0) < WRITTEN)
		workload_skip(w, "writing to /proc/self/mem: %m");
}

/*
 * Since 6.12 a kernel may allow the write to a read-only mapping only to an attached debugger
 * (proc_mem.force_override). Returns how many pages could be written.
 */
static int debug_and_write(const struct workload *w)
{
	if (ptrace(PTRACE_SEIZE, getppid(), NULL, NULL) < 0)
		return 0;
	return write_pages(w, getppid(), WRITTEN);
}

static void write_where_no_store_may(struct workload *w)
{
	int written;

	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
	written = workload_in_child(w, debug_and_write);
	if (!written)
		workload_skip_step(w, "ptrace(2), to write without PROT_WRITE");
	if (written < WRITTEN)
		workload_die(w, "only %d pages could be written", written);
}

CASE(file_written_by_proc_mem) {
	.claim = "Writing to a private file mapping through /proc/PID/mem makes the pages "
		 "anonymous, as a store does, even in a read-only mapping",
	.because = "access_remote_vm() faults with FOLL_FORCE, and the fault copies the page "
		   "(do_cow_fault(), wp_page_copy()). In a read-only mapping the copy stays "
		   "read-only. So breakpoints of a debugger raise RssAnon.",
	.said_by = SAID_BY("proc_pid_mem(5)"),
	.steps = STEPS(STEP("map and read", step_map_file, .pages = PAGES, .read = PAGES,
			    MOVES(VIRT_DATA(PAGES), FILE_READ(PAGES))),
		       STEP("write through mem", write_through_mem, MOVES(FILE_TO_ANON(WRITTEN))),
		       STEP("make it read-only", step_protect, .pages = PAGES, .prot = PROT_READ,
			    MOVES(VIRT_DATA(-PAGES), VIRT_OTHER(PAGES))),
		       STEP("write through mem again", write_where_no_store_may,
			    MOVES(FILE_TO_ANON(WRITTEN)))),
};
