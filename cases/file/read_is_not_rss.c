// SPDX-License-Identifier: MIT
/* Page cache that read(2) fills is in no process's RSS. */
#include <rssck/case.h>

enum { PAGES = 1024 };

static void read_file(struct workload *w)
{
	int fd = workload_file(w, PAGES);
	size_t left = PAGES * w->page_size;

	while (left) {
		ssize_t n = read(fd, workload_buffer, WORKLOAD_BUFFER);

		if (n <= 0)
			workload_die(w, "read: %s", n ? strerror(errno) : "end of file");
		left -= (size_t)n;
	}
	workload_checked(w);
}

CASE(file_read_is_not_rss) {
	.claim = "Page cache that read(2) fills is in no RSS while no process maps it; no memory "
		 "number of the reading process changes",
	.because = "RSS counts pages in the process's page tables. read(2) copies data out of "
		   "the page cache; a cgroup is charged for this cache, but no process maps it.",
	.said_by = SAID_BY("Memory part 3: Managing memory"),
	.steps = STEPS(STEP("read 1024 pages", read_file, .checks = 1)),
};
