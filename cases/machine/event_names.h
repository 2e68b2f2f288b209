// SPDX-License-Identifier: MIT
/* The names of the events that acts on memory raise. */
#ifndef CASES_MACHINE_EVENT_NAMES_H
#define CASES_MACHINE_EVENT_NAMES_H

#include <rssck/case.h>

/*
 * Returns true if only acts on memory raise the event on an idle machine. The machine itself may
 * raise events that are not in the list.
 */
static inline bool event_name_is_of_acts(const char *key)
{
	static const char *const starts[] = {
		"pgfault",        "pgmajfault",      "pgscan",
		"pgsteal",        "pgrefill",        "pgactivate",
		"pgdeactivate",   "pglazyfree",      "pgmigrate_",
		"pswp",           "htlb_",           "unevictable_pgs_",
		"thp_fault_",     "thp_file_",       "thp_split_page",
		"thp_split_pmd",  "thp_deferred_",   "thp_migration_",
		"thp_swpout",     "nr_dirtied",      "nr_written",
		"nr_vmscan_",     "workingset_ref",  "workingset_act",
		"workingset_res", "numa_interleave", "interleave_hit",
	};

	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++)
		if (!strncmp(key, starts[i], strlen(starts[i])))
			return true;
	return false;
}

#endif
