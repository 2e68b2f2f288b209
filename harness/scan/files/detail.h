// SPDX-License-Identifier: MIT
/* The results of --maps, --sharers and --pages for one process. */
#ifndef RSSCK_SCAN_DETAIL_H
#define RSSCK_SCAN_DETAIL_H

#include "scan/keep/ending.h"
#include "scan/process/process.h"
#include "sharers.h"

struct detail_wanted {
	bool maps, each, sharers; /* each: by mapping instead of by file */
	const char *pages;        /* the mapping, or NULL */
	const char *sharers_of;   /* the mapping or file whose sharers are named; NULL: of all
				   * mappings */
};

struct detail {
	struct snapshot smaps;
	struct files files;
	struct mapcounts *mapcounts; /* of each file; NULL: not requested, or they cannot be seen */
	struct sharers with;         /* the processes that share its pages, if `mapcounts` is set */
	bool has_ending;
	struct ending ending; /* the memory that its end frees, if the sharers were requested */
	char why[200];        /* why they cannot be seen */
	bool moved;           /* the process did not stand still meanwhile */
};

/*
 * Reads what is requested, again if the process moves. `tables` is the previous reading of
 * smaps_rollup. Returns 0, or -1 with a sentence in `why`.
 */
int detail_read(struct detail *d, pid_t pid, const struct detail_wanted *w,
		const struct values *tables, const struct host *h, char *why, size_t size);
void detail_free(struct detail *d);

#endif
