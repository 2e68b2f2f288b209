// SPDX-License-Identifier: MIT
/* Helpers for writing JSON. */
#ifndef RSSCK_BASE_JSON_H
#define RSSCK_BASE_JSON_H

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

/* Makes a JSON string from arbitrary bytes. */
json_t *json_words(const char *s);

/* Returns a new object at the end of a list. */
json_t *json_row(json_t *list);

void json_set_words(json_t *object, const char *name, const char *words);
void json_set_number(json_t *object, const char *name, int64_t number);

/*
 * Writes a value and releases it. Characters other than ASCII are escaped, because a terminal may
 * obey control and bidirectional characters. Returns 0, or -1 with errno.
 */
int json_write(json_t *root, FILE *out);

#endif
