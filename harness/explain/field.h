// SPDX-License-Identifier: MIT
/* "stat field 24", "statm column 2": fields of files by their numbers. */
#ifndef RSSCK_FIELD_H
#define RSSCK_FIELD_H

#include "question.h"
#include <stddef.h>

struct sentence;

/* All fields, as questions about their meaning: [0, *nr). */
const struct question *fields_all(size_t *nr);

/* The field that a sentence asks for by its number, or NULL. */
const struct question *field_for(const struct sentence *s);

#endif
