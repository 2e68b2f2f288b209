// SPDX-License-Identifier: MIT
/* Finds out which levels of page tables the kernel counts. */
#ifndef RSSCK_MACHINE_LEVELS_H
#define RSSCK_MACHINE_LEVELS_H

#include <stdint.h>

enum levels {
	LEVELS_UNKNOWN,
	LEVELS_ALL,
	LEVELS_LOWER, /* the counter of page tables, and KPF_PGTABLE, leave out the upper levels */
};

/*
 * Maps pages that are far apart, so that each has its own page tables of the three lower levels,
 * and compares VmPTE of rssck with nr_page_table_pages. Unmaps the pages. Needs root.
 */
enum levels levels_counted(void);

/*
 * Decides which levels are counted, by how many kB rssck's own page tables (`own`) and the counter
 * (`counted`) have grown. `upper` is the size of the new tables of an upper level, in kB. A test
 * calls it, too.
 */
enum levels levels_judge(int64_t own, int64_t counted, int64_t upper);

#endif
