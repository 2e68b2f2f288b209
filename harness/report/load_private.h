// SPDX-License-Identifier: MIT
/* Declares what the readers of a results file's parts share. */
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

/*
 * Returns a required member of that type. Returns NULL, after a message, if it is missing or has
 * another type.
 */
json_t *load_member(const struct loading *l, const json_t *object, const char *what,
		    const char *name, json_type type);

int load_string(const struct loading *l, const json_t *object, const char *what, const char *name,
		char *buf, size_t size);

/* Copies as much of the text as fits, on one line. */
void load_words(const char *words, char *buf, size_t size);

/* Copies a name that identifies something. An empty or too long name is an error. */
int load_name(const struct loading *l, const char *what, const char *name, char *buf, size_t size);

/*
 * The limit to which sizes from a file are clamped: up to 2^53, readers that use doubles keep
 * integers exact. A counter that fell below 0 is recorded as 2^52 pages. The difference of two such
 * numbers fits an int64_t, even in kB.
 */
#define LOADED_MAX (1LL << 53)

/* Returns the number, or the nearest one in [low, high]. */
int64_t load_within(int64_t number, int64_t low, int64_t high);

/* Reads a required number. */
int load_integer(const struct loading *l, const json_t *object, const char *what, const char *name,
		 int64_t *value);

/* Reads the kernel, its models, and what rssck could read there. */
int machine_load(const struct loading *l, const json_t *root, struct results *r);

/* Reads one case into a zeroed result. */
int case_load(const struct loading *l, const json_t *j, struct result *r);

/*
 * Reads the missing requirements, the tries and the remarks of a case, all of which are optional.
 */
void history_load(const json_t *j, struct result *r);

/* Adds the file's curves to r->curves: all of them, or none on errors. An older file has none. */
int curves_load(const struct loading *l, const json_t *root, struct results *r);

#endif
