// SPDX-License-Identifier: MIT
/* Reading through /proc/PID/mem takes read faults: it copies no page and makes none anonymous. */
#include <rssck/case.h>

enum { PAGES = 64, MEMORY = 0, FILE_PAGES = 1 };

static void map(struct workload *w)
{
	w->slot[MEMORY] = workload_anonymous(w, PAGES);
	w->slot[FILE_PAGES] = workload_map_pages(w, PAGES, PROT_READ | PROT_WRITE, MAP_PRIVATE,
						 workload_file(w, PAGES));
}

static void read_pages(struct workload *w)
{
	int fd = workload_open(w, "/proc/self/mem", O_RDONLY);
	uintptr_t at = (uintptr_t)w->slot[w->step->slot];
	char byte = 0;

	for (size_t i = 0; i < PAGES; i++) {
		if (pread(fd, &byte, 1, (off_t)(at + i * w->page_size)) != 1)
			workload_skip(w, "reading from /proc/self/mem: %m");
		if (byte)
			workload_fail(w, "page %zu does not read as zero", i);
	}
	close(fd);
}

CASE(file_read_by_proc_mem) {
	.claim =
		"Reading through /proc/PID/mem makes no anonymous page: it maps the zero page in untouched anonymous memory, and the file's own pages in a private file mapping",
	.because = "access_remote_vm() faults without FOLL_WRITE when it reads, so it copies no "
		   "page. The pages that it reads stay mapped in the process.",
	.said_by = SAID_BY("proc_pid_mem(5)"),
	.steps = STEPS(STEP("map", map, MOVES(VIRT_DATA(2 * PAGES))),
		       STEP("read memory", read_pages, .slot = MEMORY, MOVES(ZERO_READ(PAGES))),
		       STEP("read the file", read_pages, .slot = FILE_PAGES,
			    MOVES(FILE_READ(PAGES)))),
};
