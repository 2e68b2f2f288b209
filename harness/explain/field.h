// SPDX-License-Identifier: MIT
/*
 * Fields of /proc/PID/stat and statm that are named by their numbers: "stat field 24", "statm
 * column 2".
 */
#ifndef RSSCK_FIELD_H
#define RSSCK_FIELD_H

#include "question.h"
#include <stddef.h>

struct sentence;

/* Returns all fields as questions about their meaning; *nr is their number. */
const struct question *fields_all(size_t *nr);

/* Returns the field that a sentence asks for by its number, or NULL. */
const struct question *field_for(const struct sentence *s);

#endif
