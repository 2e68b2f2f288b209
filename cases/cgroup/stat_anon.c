// SPDX-License-Identifier: MIT
/* anon in memory.stat counts private anonymous memory. */
#include "stat.h"

static int64_t write_all(const struct workload *w)
{
	return stat_write_mapping(w, MAP_PRIVATE);
}

static const struct stat_act written = {
	.field = "anon",
	.act = write_all,
	.needs = "memory",
};

STAT_CASE(
	cgroup_stat_anon, written,
	.claim =
		"anon in memory.stat rises by the size of each page of untouched private anonymous memory that is written; file, shmem, file_mapped, unevictable and swapcached do not rise",
	.because = "folio_add_new_anon_rmap() adds the folio's pages to NR_ANON_MAPPED of its node "
		   "and of the cgroup that is charged for it.", );
