// SPDX-License-Identifier: MIT
/* The value that a sentence says a number has: "0", "negative", "larger than the machine's memory".
 */
#ifndef RSSCK_EXPLAIN_SAID_H
#define RSSCK_EXPLAIN_SAID_H

#include "topics.h"

struct question;
struct sentence;

enum said {
	SAID_NOTHING,
	SAID_ZERO,
	SAID_NONZERO, /* "not 0", "larger than 0" */
	SAID_NEGATIVE,
	SAID_UNLIMITED,    /* "max", "infinity" */
	SAID_ABOVE_MEMORY, /* "larger than the machine's memory" */
	SAID_STAYS,        /* "does not fall", "stays high" */
	SAID_STAYS_LOW,    /* "does not grow", "never goes back up" */
	SAID_GROWS,
	SAID_LARGE,
	SAID_SMALL,
};

/* Returns the value that a sentence says its number has. */
enum said sentence_says(const struct sentence *s);

/*
 * Returns why the only number of a sentence has the value that the sentence says, or NULL: the
 * table says nothing about it, or the sentence says more. `names` are the sentence's names,
 * s->named tells which words they are.
 */
const struct question *said_question(const struct sentence *s, const struct topics *names);

/* Returns all rows of the table; *nr is their number. */
const struct question *said_all(size_t *nr);

/* Returns the id of the quantity, and the value, of a row of said_all(). */
const char *said_quantity(size_t row);
enum said said_value(size_t row);

#endif
