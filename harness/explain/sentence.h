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
	bool unknown[SENTENCE_WORDS];   /* not part of a known name, and has a meaning */
	bool cut; /* the sentence has more words, or a longer word, than fit */
};

/* Replaces "who", "which" of "which process" and "what" of "what sets it". It is never left out. */
#define WORD_WHO "which-one"

/* Replaces each word that denies what happens: "isn't", "never". */
#define WORD_NOT "not"

/* Replaces "no", "without": it denies that something is there, not that something happens. */
#define WORD_NO "no"

/* Replaces "come" of "where does it come from": it is never left out. */
#define WORD_ORIGIN "come-from"

void sentence_split(struct sentence *s, const char *text);

/*
 * True if the word is a form of the stem: "larger" of "large", "freed" of "free", but not
 * "freezer".
 */
bool word_is_like(const char *word, const char *stem, size_t len);

/* True if leaving out the word does not change the question: "the", "my", "linux", "512mb". */
bool word_says_nothing(const char *word);

/* Returns the lists of words that say nothing or little, ended by NULL. */
const char *const *sentence_lists(void);

/* True if the word only joins others, "the", "in", "is"; a subset of word_says_nothing(). */
bool word_is_grammar(const char *word);

/*
 * True if leaving out the word seldom changes what a question is about: "keeps", "all", "toward".
 */
bool word_says_little(const char *word);

/*
 * True for a word such as "old" or "version", which says nothing about a number's meaning but makes
 * a question another one: "old htop showed more".
 */
bool word_alters(const char *word);

/* True if the word turns a question into another one: "not", "nothing", "restarted", "instead". */
bool word_is_turn(const char *word);

/*
 * True if a word changes the premise of a sentence: "0" in "VmSwap is 0", "zero", "but". The "0" of
 * "node 0" does not, because it is a name.
 */
bool sentence_turns_at(const struct sentence *s, size_t at);

/* True if both words change a premise in the same way: "but" and "though". */
bool word_turns_like(const char *word, const char *other);

/* True for WORD_NOT and WORD_NO. */
bool word_denies(const char *word);
bool sentence_denies(const struct sentence *s);

/* True if the word is in a list, which has a blank before and after each word. */
bool word_is_among(const char *word, const char *list);

/* Returns 1 for "larger" or "exceeds", -1 for "smaller" or "below", 0 for other words. */
int word_size(const char *word);

/* True for a word that stands between the two numbers that it compares: "exceeds", "below". */
bool word_is_between_sizes(const char *word);

/*
 * True for a word for what an act does to a number, in either direction: "reduce", "falls",
 * "effect".
 */
bool word_is_change(const char *word);

/*
 * word_moves(): a number moves ("falls", "returned"). word_stays(): it does not ("still", "keeps").
 */
bool word_moves(const char *word);
bool word_stays(const char *word);

/*
 * True for "mean" or "definition": a sentence with one name and such a word asks for the meaning of
 * the name.
 */
bool word_asks_meaning(const char *word);

/* True for a word that joins names in a sentence that asks what they are: "what", "is", "they". */
bool word_asks_what(const char *word);

/* True for a word that asks for more than the meaning of a name: "why", "how", "does". */
bool word_asks_more(const char *word);

/* True for an amount: "512mb", "10%", "0xcc0". */
bool word_is_amount(const char *word);

/* True for an amount with a unit of memory, or in percent: "8gb", "120%". */
bool word_is_measure(const char *word);

/* True for a word such as "missing", which a definition does not explain: it asks for a cause. */
bool word_is_symptom(const char *word);

/* True for a word that asks whether something is well, "bad", "safe": what it means answers it. */
bool word_evaluates(const char *word);
bool sentence_evaluates(const struct sentence *s);

/* True for a word without which a question asks nearly the same: "ok", "exhausted", "server". */
bool word_is_loose(const char *word);

/* True for a word such as "high" or "larger", which says how much there is. */
bool word_tells_size(const char *word);

/* True for a word that leaves open what is asked of a program: "columns", "output", "memory". */
bool word_is_background(const char *word);

/* True for a word that joins names in a list: "and", "in", "per". */
bool word_joins(const char *word);

/* True for "vs" and "versus". */
bool word_compares(const char *word);

/* True for a sentence with such a word. */
bool sentence_any(const struct sentence *s, bool (*is)(const char *word));

/* True if the word is one of the sentence. */
bool sentence_has(const struct sentence *s, const char *word);

/* True if a word of the sentence compares (word_compares()). */
bool sentence_compares(const struct sentence *s);

/* True if the sentence has "why" or "but": the meaning of a name does not answer it. */
bool sentence_asks_cause(const struct sentence *s);

bool sentence_contrasts(const struct sentence *s);

/* True for "than" or "difference": a sentence with two names and such a word compares them. */
bool word_contrasts(const char *word);

/* True for "kb", "bytes", "unit" and the like. */
bool word_is_unit(const char *word);

/* True for the name of another system, whose numbers have other meanings: "windows", "freebsd". */
bool word_is_other_system(const char *word);

/*
 * True for a program or product whose own names ("available", "used") are words that Linux has for
 * other numbers: "dommemstat", "jstat".
 */
bool word_is_tool(const char *word);

/* True for a platform whose numbers are not the machine's, "wsl" or "gpu". It is never left out. */
bool word_is_platform(const char *word);

/*
 * True for a name of a kernel's number that other tools use for their own numbers, too:
 * "available", "active".
 */
bool word_is_common_name(const char *word);

/* True for an English word of ordinary.def. */
bool word_is_ordinary(const char *word);

/*
 * True for the name of a program that changes no answer about the numbers of any process: "redis",
 * "java".
 */
bool word_is_program(const char *word);

#endif
