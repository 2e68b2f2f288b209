// SPDX-License-Identifier: MIT
/* file_mapped in memory.stat counts shared memory that is mapped, too. */
#include "stat.h"

static int64_t write_all(const struct workload *w)
{
	return stat_write_mapping(w, MAP_SHARED);
}

static const struct stat_act written = {
	.field = "file_mapped",
	.act = write_all,
	.needs = "memory",
	.as_much = " file shmem ",
	.free = " shmem_thp ",
};

STAT_CASE(
	cgroup_stat_file_mapped, written,
	.claim =
		"file_mapped, shmem and file in memory.stat rise by the size of each page of untouched shared anonymous memory that is written through a mapping",
	.because = "folio_add_file_rmap_ptes() adds a page to NR_FILE_MAPPED when the page is "
		   "first mapped. Shared anonymous memory is page cache of tmpfs.", );
