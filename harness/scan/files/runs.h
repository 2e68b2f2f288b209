// SPDX-License-Identifier: MIT
/* Describes a mapping page by page, in runs of equal pages. */
#ifndef RSSCK_SCAN_RUNS_H
#define RSSCK_SCAN_RUNS_H

#include <rssck/host.h>
#include <rssck/snapshot.h>

/* The state of a page, in a form that can be compared. */
struct page_state {
	enum {
		PAGE_NONE,
		PAGE_IN,
		PAGE_OUT,
		PAGE_UNUSABLE
	} where; /* OUT: on swap; UNUSABLE: a guard region or another marker */
	/*
	 * For PAGE_IN. CLASS_COUNT: an anonymous page or the zero page, which cannot be
	 * distinguished here.
	 */
	enum page_class class;
	uint32_t attributes; /* bits as in run_attributes[] */
	int64_t mapcount;    /* -1: not visible */
};

struct run {
	uint64_t start;
	uint64_t pages;
	struct page_state state;
};

/* The names of the bits of page_state.attributes, ended by NULL. */
extern const char *const run_attributes[];

/* Calls found() for each run of the mapping. Returns 0, or -1 with a message in `why`. */
int runs_walk(const struct mapping *m, pid_t pid, const struct host *h,
	      void (*found)(const struct run *r, void *arg), void *arg, char *why, size_t size);

/*
 * How a user's text names a mapping: by an address in it, by its whole name or the name's last
 * part, or by any part of its name. The best match is used.
 */
enum meant { MEANT_NOT, MEANT_BY_PART, MEANT_BY_NAME, MEANT_BY_ADDRESS };
enum meant mapping_is_meant(const struct mapping *m, const char *what);

#endif
