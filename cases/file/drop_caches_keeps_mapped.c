// SPDX-License-Identifier: MIT
/* drop_caches takes no page that somebody maps: RES does not move. */
#include <fcntl.h>
#include <rssck/case.h>
#include <unistd.h>

enum { PAGES = 256 };

/* The whole machine's: not on one that is somebody's. */
static void drop(struct workload *w)
{
	int fd = open("/proc/sys/vm/drop_caches", O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, "1", 1) != 1)
		workload_skip(w, "/proc/sys/vm/drop_caches: %m");
	close(fd);
}

CASE(file_drop_caches_keeps_mapped) {
	.claim = "Writing 1 to drop_caches takes no mapped page: RES stays, and mapped page cache "
		 "is not freed",
	.because = "invalidate_mapping_pages() skips pages that are mapped, dirty or locked. So "
		   "the page cache that a process maps is not 'free on demand'.",
	.said_by = SAID_BY("Documentation/admin-guide/sysctl/vm.rst, drop_caches"),
	.needs = NEEDS("guest"),
	.steps = STEPS(STEP("map and read", step_map_file, .pages = PAGES, .prot = PROT_READ,
			    .read = PAGES, MOVES(VIRT_OTHER(PAGES), FILE_READ(PAGES))),
		       STEP("drop_caches", drop), STEP("read again", step_read, .pages = PAGES)),
};
