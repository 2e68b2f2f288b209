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

/* A member that must be there, of that type; NULL where it is not, and that is said. */
json_t *load_member(const struct loading *l, const json_t *object, const char *what,
		    const char *name, json_type type);

int load_string(const struct loading *l, const json_t *object, const char *what, const char *name,
		char *buf, size_t size);

/* A number that must be there. */
int load_integer(const struct loading *l, const json_t *object, const char *what, const char *name,
		 int64_t *value);

/* The kernel, its models and what could be seen. */
int machine_load(const struct loading *l, const json_t *root, struct results *r);

/* One case, into a result that is zeroed. */
int case_load(const struct loading *l, const json_t *j, struct result *r);

/* Adds to r->curves. A file of before there were curves has none. */
int curves_load(const struct loading *l, const json_t *root, struct results *r);

#endif
