// SPDX-License-Identifier: MIT
/* What a machine lacks, which makes rssck skip a case. */
#ifndef RSSCK_MISSING_H
#define RSSCK_MISSING_H

#include <stdbool.h>
#include <stddef.h>

enum missing_kind {
	MISSING_OTHER, /* a step names what is missing, in its own words */
	MISSING_ROOT,
	MISSING_PFN, /* page frame numbers */
	MISSING_SCAN,
	MISSING_CPUS,
	MISSING_THP,
	MISSING_SWAP,
	MISSING_GUEST,
	MISSING_KSM,
	MISSING_HUGETLB,
	MISSING_ZERO_PAGE, /* the zero page, which reads of untouched memory map */
	MISSING_MEMINFO,
	MISSING_PROGRAM, /* `what` is a sentence: "htop is not installed (package htop)" */
	MISSING_COUNT,
};

struct missing_thing {
	enum missing_kind kind;
	char what[160]; /* for example "swap (/proc/swaps is empty)" */
};

enum { MISSING_MAX = 8 };

struct missing {
	struct missing_thing of[MISSING_MAX];
	size_t nr; /* entries beyond MISSING_MAX are dropped */
};

/* Returns the kind's id in JSON, such as "cpus". */
const char *missing_name(enum missing_kind kind);

/* Returns the kind with this name, or MISSING_OTHER. */
enum missing_kind missing_by_name(const char *name);

void missing_add(struct missing *m, enum missing_kind kind, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

bool missing_has(const struct missing *m, enum missing_kind kind);

/*
 * Writes what is missing into buf: "needs root, swap (/proc/swaps is empty)"; "" if nothing is
 * missing.
 */
const char *missing_words(const struct missing *m, char *buf, size_t size);

#endif
