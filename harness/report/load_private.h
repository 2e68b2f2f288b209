// SPDX-License-Identifier: MIT
/* Shared by the readers of a results file's parts. */
#ifndef RSSCK_LOAD_PRIVATE_H
#define RSSCK_LOAD_PRIVATE_H

#include "json.h"
#include <rssck/verdict.h>

struct loading {
	const char *path;
	char *why;
	size_t size;
};

/* The remedy for most errors in a file. */
extern const char record_again[];

/* Writes "FILE: reason; remedy". Returns -1. */
int load_bad(const struct loading *l, const char *remedy, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* A required member of that type; NULL, after a message, if it is missing or of another type. */
json_t *load_member(const struct loading *l, const json_t *object, const char *what,
		    const char *name, json_type type);

int load_string(const struct loading *l, const json_t *object, const char *what, const char *name,
		char *buf, size_t size);

/* Copies as much of a text as fits, on one line. */
void load_words(const char *words, char *buf, size_t size);

/* Copies a name that identifies something: it may be neither empty nor cut off. */
int load_name(const struct loading *l, const char *what, const char *name, char *buf, size_t size);

/*
 * Sizes are clamped to this, whatever a file contains: the JSON limit for whole numbers. A
 * counter that fell below 0 is recorded as 2^52 pages; differences of such numbers, even in
 * kB, fit an int64_t.
 */
#define LOADED_MAX (1LL << 53)

/* The number, or the nearest one within [low, high]. */
int64_t load_within(int64_t number, int64_t low, int64_t high);

/* A required number. */
int load_integer(const struct loading *l, const json_t *object, const char *what, const char *name,
		 int64_t *value);

/* Reads the kernel, its models and what could be seen. */
int machine_load(const struct loading *l, const json_t *root, struct results *r);

/* Reads one case into a zeroed result. */
int case_load(const struct loading *l, const json_t *j, struct result *r);

/* Reads the tries and remarks of a case, if it has any. */
void history_load(const json_t *j, struct result *r);

/*
 * Adds curves to r->curves: all, or none on errors. A file from before there were curves
 * has none.
 */
int curves_load(const struct loading *l, const json_t *root, struct results *r);

#endif
