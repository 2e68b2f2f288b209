// SPDX-License-Identifier: MIT
/* Helpers for all code that writes JSON. */
#ifndef RSSCK_BASE_JSON_H
#define RSSCK_BASE_JSON_H

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

/* A JSON string from any bytes. */
json_t *json_words(const char *s);

/* Add one member to an object. */
void json_set_words(json_t *object, const char *name, const char *words);
void json_set_number(json_t *object, const char *name, int64_t number);

/*
 * Writes a value and releases it. Everything but ASCII is escaped, so that a terminal gets no
 * control or bidirectional character. Returns 0, or -1 with errno.
 */
int json_write(json_t *root, FILE *out);

#endif
