// SPDX-License-Identifier: MIT
/* What the writers and the reader of JSON share. */
#ifndef RSSCK_JSON_H
#define RSSCK_JSON_H

#include <jansson.h>
#include <rssck/verdict.h>
#include <stdint.h>
#include <stdio.h>

#define RESULTS_SCHEMA "rssck-results/1"
#define JOURNAL_SCHEMA "rssck-journal/1"

/* A JSON string of any bytes. */
json_t *json_words(const char *s);

/* One member more. */
void json_set_words(json_t *object, const char *name, const char *words);
void json_set_number(json_t *object, const char *name, int64_t number);

/* The kernel, its models and what could be seen, as members of `root`. */
void json_set_machine(json_t *root, const struct results *r);

/* One case; some curves; how many cases came to which verdict. */
json_t *json_case(const struct result *r);
json_t *json_curves(const struct curve *curves, size_t nr);
json_t *json_summary(const struct results *r);

/* Write a value and give it up. Returns 0, or -1 with errno. */
int json_write(json_t *root, FILE *out);

#endif
