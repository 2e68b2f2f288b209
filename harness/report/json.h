// SPDX-License-Identifier: MIT
/* What the writers and the reader of JSON share. */
#ifndef RSSCK_JSON_H
#define RSSCK_JSON_H

#include <jansson.h>
#include <stdio.h>

#define RESULTS_SCHEMA "rssck-results/1"

/* A JSON string of any bytes. */
json_t *json_words(const char *s);

/* Write a value (NULL: there was no memory) and give it up. Returns 0, or -1 with errno. */
int json_write(json_t *root, FILE *out);

#endif
