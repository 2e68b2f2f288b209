// SPDX-License-Identifier: MIT
/* What all who write JSON share. */
#ifndef RSSCK_BASE_JSON_H
#define RSSCK_BASE_JSON_H

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

/* A JSON string of any bytes. */
json_t *json_words(const char *s);

/* One member more. */
void json_set_words(json_t *object, const char *name, const char *words);
void json_set_number(json_t *object, const char *name, int64_t number);

/*
 * Write a value and give it up, all but ASCII escaped: a terminal that shows it meets no control
 * or bidirectional character. Returns 0, or -1 with errno.
 */
int json_write(json_t *root, FILE *out);

#endif
