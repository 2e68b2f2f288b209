// SPDX-License-Identifier: MIT
/* What --maps, --sharers and --pages show of one process. */
#ifndef RSSCK_SCAN_DETAIL_H
#define RSSCK_SCAN_DETAIL_H

#include "scan/keep/ending.h"
#include "scan/process/process.h"
#include "sharers.h"

struct detail_wanted {
	bool maps, each, sharers; /* each: by mapping, not by file */
	const char *pages;        /* the mapping, or NULL */
	const char *sharers_of; /* the mapping or file whose sharers are named; NULL: of them all */
};

struct detail {
	struct snapshot smaps;
	struct files files;
	struct mapcounts *mapcounts; /* of each file; NULL: not wanted, or they cannot be seen */
	struct sharers with; /* the processes that share its pages, where `mapcounts` is there */
	bool has_ending;
	struct ending ending; /* what its end gives back, where the sharers were asked for */
	char why[200];        /* they cannot be seen */
	bool moved;           /* the process did not stand still meanwhile */
};

/*
 * Read what is wanted, again if the process moves. `tables` is what
 * smaps_rollup said before. Returns 0, or -1 with a sentence in `why`.
 */
int detail_read(struct detail *d, pid_t pid, const struct detail_wanted *w,
		const struct values *tables, const struct host *h, char *why, size_t size);
void detail_free(struct detail *d);

#endif
