// SPDX-License-Identifier: MIT
/* What kind of question a sentence asks. */
#ifndef RSSCK_ASKS_H
#define RSSCK_ASKS_H

#include <stdbool.h>

struct sentence;

/* What a question asks for, by its first words. */
enum asks {
	ASKS_ANY,     /* no question word: "RSS of a JVM" */
	ASKS_CAUSE,   /* why */
	ASKS_ACT,     /* how do I, command to */
	ASKS_MANNER,  /* how is, how does, how can */
	ASKS_AMOUNT,  /* how much */
	ASKS_WHETHER, /* is, does, can */
	ASKS_WHICH,   /* which, who */
	ASKS_WHEN,
	ASKS_WHERE,
	ASKS_WHAT,
};

enum asks sentence_asks(const struct sentence *s);

/* True if an answer to a title of one kind may answer a sentence of the other. */
bool asks_fit(enum asks sentence, enum asks title);

#endif
