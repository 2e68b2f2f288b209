// SPDX-License-Identifier: MIT
/* Reads what --maps, --sharers and --pages show for one process. */
#ifndef RSSCK_SCAN_DETAIL_H
#define RSSCK_SCAN_DETAIL_H

#include "scan/keep/ending.h"
#include "scan/process/process.h"
#include "sharers.h"

struct detail_wanted {
	bool maps, each, sharers; /* each: list each mapping, do not sum by file */
	const char *pages;        /* the mapping whose pages are listed, or NULL */
	/* The mapping or file whose sharers are listed; NULL: the sharers of all mappings. */
	const char *sharers_of;
};

struct detail {
	struct snapshot smaps;
	struct files files;
	struct mapcounts *mapcounts; /* one for each file; NULL: not requested, or not visible */
	struct sharers with;         /* the processes that share its pages, if `mapcounts` is set */
	bool has_ending;
	/* The memory that the process's end would free, if the sharers were requested. */
	struct ending ending;
	char why[200]; /* why the mapcounts are not visible */
	bool moved;    /* the process changed meanwhile */
};

/*
 * Reads what is requested, and again if the process changes. `tables` is an earlier reading of
 * smaps_rollup. Returns 0, or -1 with a message in `why`.
 */
int detail_read(struct detail *d, pid_t pid, const struct detail_wanted *w,
		const struct values *tables, const struct host *h, char *why, size_t size);
void detail_free(struct detail *d);

#endif
