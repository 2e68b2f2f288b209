// SPDX-License-Identifier: MIT
/* What a machine lacks, so that a case is skipped. */
#ifndef RSSCK_MISSING_H
#define RSSCK_MISSING_H

#include <stdbool.h>
#include <stddef.h>

enum missing_kind {
	MISSING_OTHER, /* named by a step in its own words */
	MISSING_ROOT,
	MISSING_PFN, /* page frame numbers */
	MISSING_SCAN,
	MISSING_CPUS,
	MISSING_THP,
	MISSING_SWAP,
	MISSING_GUEST,
	MISSING_KSM,
	MISSING_HUGETLB,
	MISSING_ZERO_PAGE, /* the zero page for reads of untouched memory */
	MISSING_MEMINFO,
	MISSING_PROGRAM, /* `what` is a sentence: "htop is not installed (package htop)" */
	MISSING_COUNT,
};

struct missing_thing {
	enum missing_kind kind;
	char what[160]; /* such as "swap (/proc/swaps is empty)" */
};

enum { MISSING_MAX = 8 };

struct missing {
	struct missing_thing of[MISSING_MAX];
	size_t nr; /* at most MISSING_MAX; further entries are dropped */
};

/* Returns the kind's id in JSON, such as "cpus". */
const char *missing_name(enum missing_kind kind);

/* Returns the kind with this name, or MISSING_OTHER. */
enum missing_kind missing_by_name(const char *name);

void missing_add(struct missing *m, enum missing_kind kind, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

bool missing_has(const struct missing *m, enum missing_kind kind);

/*
 * Writes "needs root, swap (/proc/swaps is empty)" into buf, or "" if nothing is missing. Returns
 * buf.
 */
const char *missing_words(const struct missing *m, char *buf, size_t size);

#endif
