// SPDX-License-Identifier: MIT
/* A typed sentence, split into words. */
#ifndef RSSCK_SENTENCE_H
#define RSSCK_SENTENCE_H

#include <stdbool.h>
#include <stddef.h>

enum { SENTENCE_WORDS = 48, WORD_SIZE = 64 };

struct sentence {
	char of[SENTENCE_WORDS][WORD_SIZE]; /* in lower case */
	size_t nr;
	char who[WORD_SIZE];            /* the word that WORD_WHO has replaced, or "" */
	bool held[SENTENCE_WORDS];      /* part of a name of several words: never left out */
	unsigned named[SENTENCE_WORDS]; /* the number of the known name that it is part of, or 0 */
	bool unknown[SENTENCE_WORDS];   /* part of none, and means something */
	bool cut; /* the sentence has more words, or a longer word, than fit */
};

/* Replaces "who", and "which" of "which process": it is never left out. */
#define WORD_WHO "which-one"

/* Replaces each word that denies what happens: "isn't", "never". */
#define WORD_NOT "not"

/* Replaces "no", "without": it denies that something is there, not that something happens. */
#define WORD_NO "no"

/* Replaces "come" of "where does it come from": it is never left out. */
#define WORD_ORIGIN "come-from"

void sentence_split(struct sentence *s, const char *text);

/* "larger" is "large"; "free" is not "freezer" but is "freed". */
bool word_is_like(const char *word, const char *stem, size_t len);

/* True if leaving out the word does not change the question: "the", "my", "linux", "512mb". */
bool word_says_nothing(const char *word);

/* The lists of words that say nothing or little, then NULL. */
const char *const *sentence_lists(void);

/* True if the word only joins others, "the", "in", "is"; a subset of word_says_nothing(). */
bool word_is_grammar(const char *word);

/*
 * True if leaving out the word seldom changes what a question is about: "keeps", "all", "toward".
 * Beside a question that has all its other words it is understood.
 */
bool word_says_little(const char *word);

/*
 * True if the word says nothing of a number's meaning, but makes a question another one: "old htop
 * showed more".
 */
bool word_alters(const char *word);

/* True if the word turns a question into another one: "not", "nothing", "restarted", "instead". */
bool word_is_turn(const char *word);

/*
 * True if a word turns the premise of a sentence round: "0" of "VmSwap is 0", "zero", "but". The
 * "0" of "node 0" is a name.
 */
bool sentence_turns_at(const struct sentence *s, size_t at);

/* True if one word turns a premise as another one does: "but" and "though". */
bool word_turns_like(const char *word, const char *other);

/* WORD_NOT or WORD_NO */
bool word_denies(const char *word);

/* 1: "larger", "exceeds"; -1: "smaller", "below"; 0: no size. */
int word_size(const char *word);

/* "exceeds", "below": the word stands between the two that it compares. */
bool word_is_between_sizes(const char *word);

/* "reduce", "falls", "effect": what an act does to a number, in either direction. */
bool word_is_change(const char *word);

/* "falls", "returned": a number moves. "still", "keeps": it does not. */
bool word_moves(const char *word);
bool word_stays(const char *word);

/* "mean", "definition": a sentence with one name and such a word asks for the meaning of the name.
 */
bool word_asks_meaning(const char *word);

/* "what", "is", "they": joins names in a sentence that asks what they are. */
bool word_asks_what(const char *word);

/* "why", "how", "does": asks for more than the meaning of a name. */
bool word_asks_more(const char *word);

/* "512mb", "10%", "0xcc0" */
bool word_is_amount(const char *word);

/* "and", "in", "per": joins names in a list. */
bool word_joins(const char *word);

/* "vs", "versus" */
bool word_compares(const char *word);

/* True if the word is one of the sentence. */
bool sentence_has(const struct sentence *s, const char *word);

/* "vs": true if a word of the sentence compares (word_compares()). */
bool sentence_compares(const struct sentence *s);

/* "than", "difference": a sentence with two names and such a word compares them. */
bool word_contrasts(const char *word);

/* "kb", "bytes", "unit" */
bool word_is_unit(const char *word);

/* "windows", "freebsd": another system, whose numbers have other meanings. */
bool word_is_other_system(const char *word);

/*
 * "dommemstat", "jstat": a program or product whose own names ("available", "used") are words that
 * Linux has for other numbers.
 */
bool word_is_tool(const char *word);

/* "wsl", "gpu": numbers of it are others than the machine's; it is never left out. */
bool word_is_platform(const char *word);

/* "available", "active": a kernel's number, and an everyday word that other tools use, too. */
bool word_is_common_name(const char *word);

/* A word of English, though it is not among the known ones. */
bool word_is_ordinary(const char *word);

/* "redis", "java": the name of a program, which changes no answer about the numbers of any process.
 */
bool word_is_program(const char *word);

#endif
