// SPDX-License-Identifier: MIT
/* Members of JSON by their path, whose parts are names and numbers: "processes/0/page_tables/Uss".
 */
#ifndef RSSCK_TEST_JSON_H
#define RSSCK_TEST_JSON_H

#include <jansson.h>

/* Reads a text, or fails the test. The caller frees the value. */
json_t *json_read(const char *text);

/* Returns NULL if there is no such member. */
json_t *json_at(const json_t *j, const char *path);

/* Fail the test if the member is missing or of another type. */
json_int_t json_number(const json_t *j, const char *path);
const char *json_text(const json_t *j, const char *path);

/* Returns the number of elements of an array; 0 if it is missing. */
size_t json_length(const json_t *j, const char *path);

#endif
