// SPDX-License-Identifier: MIT
/*
 * Finds the question of the table that a sentence most probably asks, by the words that both have.
 * A word weighs more if fewer questions have it.
 */
#ifndef RSSCK_RANK_H
#define RSSCK_RANK_H

#include <stdbool.h>
#include <stddef.h>

struct question;
struct sentence;

/* A part of the weight of a text's words. */
struct share {
	unsigned part, whole;
};

/*
 * Returns from 0 to 1000 how well a sentence and a question fit: the harmonic mean of how much of
 * each the other covers. 0 if either covers nothing.
 */
unsigned share_score(struct share of_sentence, struct share of_title);

/* Returns the weight of a word that `with` of `all` questions have: at most WEIGHT_MOST. */
unsigned rarity(size_t with, size_t all);

/*
 * Returns the question that answers the sentence: it covers most of it, leads clearly, and no word
 * that it leaves out changes the meaning. Marks the words that it leaves out as unknown. NULL: none
 * does.
 */
const struct question *question_by_rank(struct sentence *s);

/* True for a word that names nothing, and turns nothing: "really", "sort". */
bool word_is_spare(const char *word);

/* True if a question denies, compares and asks as the sentence does. */
bool question_fits_turns(const struct question *q, const struct sentence *s);

/*
 * True if a similar question has each name of the sentence and most of its other words, and says
 * nothing against it.
 */
bool question_is_fit(const struct question *q, const struct sentence *s);

/*
 * Returns the question that is about most of what the sentence names, for a sentence that no
 * question answers, or NULL. Nothing that the sentence denies or compares is against it. Marks the
 * words that it leaves out as unknown.
 */
const struct question *question_about(struct sentence *s);

/*
 * True if a question covers most of a sentence, and is of a kind that can answer it: "why" does not
 * answer "how do I".
 */
bool question_covers_most(const struct question *q, const struct sentence *s);

#endif
