// SPDX-License-Identifier: MIT
/* What the readers of a results file's parts share. */
#ifndef RSSCK_LOAD_PRIVATE_H
#define RSSCK_LOAD_PRIVATE_H

#include "json.h"
#include <rssck/verdict.h>

struct loading {
	const char *path;
	char *why;
	size_t size;
};

/* The remedy for most of what can be wrong with a file. */
extern const char record_again[];

/* Says "FILE: reason; remedy". Returns -1. */
int load_bad(const struct loading *l, const char *remedy, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* A required member of that type; NULL, after a message, if it is missing. */
json_t *load_member(const struct loading *l, const json_t *object, const char *what,
		    const char *name, json_type type);

int load_string(const struct loading *l, const json_t *object, const char *what, const char *name,
		char *buf, size_t size);

/* The same for text at hand: as much of it as fits, in one line. */
void load_words(const char *words, char *buf, size_t size);

/* A name that identifies something: it may be neither empty nor cut off. */
int load_name(const struct loading *l, const char *what, const char *name, char *buf, size_t size);

/*
 * Sizes are kept within this, whatever a file says: JSON's own limit for whole numbers.
 * A counter that fell below 0 is 2^52 pages, and so is recorded; differences of such numbers,
 * in kB too, stay within an int64_t.
 */
#define LOADED_MAX (1LL << 53)

/* The number, or the nearest one that is neither below `low` nor above `high`. */
int64_t load_within(int64_t number, int64_t low, int64_t high);

/* A number that must be there. */
int load_integer(const struct loading *l, const json_t *object, const char *what, const char *name,
		 int64_t *value);

/* The kernel, its models and what could be seen. */
int machine_load(const struct loading *l, const json_t *root, struct results *r);

/* One case, into a result that is zeroed. */
int case_load(const struct loading *l, const json_t *j, struct result *r);

/* The tries and remarks of a case, where it has any. */
void history_load(const json_t *j, struct result *r);

/* Adds to r->curves, all or none. A file from before there were curves has none. */
int curves_load(const struct loading *l, const json_t *root, struct results *r);

#endif
