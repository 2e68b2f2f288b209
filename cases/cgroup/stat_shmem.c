// SPDX-License-Identifier: MIT
/* shmem in memory.stat counts pages of a memfd, even if no process maps it. */
#include "stat.h"

static int64_t write_all(const struct workload *w)
{
	size_t bytes = STAT_PAGES * w->page_size;
	int fd = memfd_create("stat_shmem", MFD_CLOEXEC);

	for (size_t at = 0; fd >= 0 && at < bytes; at += WORKLOAD_BUFFER)
		if (pwrite(fd, workload_buffer, WORKLOAD_BUFFER, (off_t)at) != WORKLOAD_BUFFER)
			return -errno;
	return fd < 0 ? -errno : STAT_PAGES;
}

static const struct stat_act written = {
	.field = "shmem",
	.act = write_all,
	.needs = "memfd_create(2)",
	.as_much = " file ",
	.free = " shmem_thp ",
};

STAT_CASE(
	cgroup_stat_shmem, written,
	.claim =
		"shmem and file in memory.stat rise by the size of each new page that write(2) makes in a memfd; file_mapped and anon do not rise, because no process maps the page",
	.because = "shmem_add_to_page_cache() adds the folio's pages to NR_FILE_PAGES and NR_SHMEM "
		   "of its node and of the cgroup that is charged for it.", );
