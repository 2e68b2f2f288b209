// SPDX-License-Identifier: MIT
/*
 * Lists of words in one string, such as "yes|no" and "cpu,cpuacct". Any of the characters of
 * `between` separate the words. A list may be NULL, which is an empty list.
 */
#ifndef RSSCK_LIST_H
#define RSSCK_LIST_H

#include <stdbool.h>
#include <stddef.h>

bool list_has(const char *list, const char *between, const char *word);

/* Like list_has(), but ignores case. */
bool list_has_in_any_case(const char *list, const char *between, const char *word);

/* Copies the next word, and moves *list behind it. Returns false if there is none. */
bool list_next(const char **list, const char *between, char *word, size_t size);

#endif
