// SPDX-License-Identifier: MIT
/*
 * The words of the atlas, and the sequences made of them. A sequence is a kind of memory, an act or
 * none, an event or none, further acts, and an access, in all combinations. Its number is fixed for
 * one version of the tables.
 */
#ifndef RSSCK_ATLAS_WORDS_H
#define RSSCK_ATLAS_WORDS_H

#include "agent/side.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum word_size {
	SIZE_SMALL,
	SIZE_HUGE,
	SIZE_HUGETLB,
	SIZE_MIDDLE,
	SIZE_CLEARED,      /* small; the kinds clear all soft-dirty bits of the process */
	SIZE_CLEARED_HUGE, /* huge; the kinds clear all soft-dirty bits of the process */
	SIZE_COUNT
};

/* Properties of a word, as bits. */
enum word_need {
	HAS_FILE = 1 << 0,
	NEEDS_FILE = 1 << 1,
	AFTER_ANOTHER = 1 << 2, /* the act does nothing unless another act precedes it */
	NO_HUGETLB = 1 << 3,
	HUGE_ALONE = 1 << 5, /* with huge pages, only in sequences of one act, because another NUMA
				node has room for few huge pages */
	NEEDS_SWAP = 1 << 4,
	LIKE_ANOTHER = 1 << 6, /* the kind is similar to another kind, and is not combined with
				  every event */
	COSTLY = 1 << 7, /* the kind is expensive: only in sequences of one act, unless the user
			    names it */
};

/*
 * When an event is tried. ALWAYS: in every sequence, but seldom on a kind that is LIKE_ANOTHER.
 * SOMETIMES: directly after a kind, and in some other sequences, or in all if the user names it.
 * AFTER_...: only after a kind or an act that pages out, marks memory as mergeable, or registers
 * with userfaultfd. NAMED: only if the user names it, between two acts that may run concurrently.
 */
enum event_when { ALWAYS, SOMETIMES, AFTER_PAGEOUT, AFTER_MERGEABLE, AFTER_WATCH, NAMED };

enum { WORD_TEXT = 32, KINDS_MAX = 80, ACTS_MAX = 96, EVENTS_MAX = 32, LENGTH_MAX = 3 };

struct kind {
	char name[WORD_TEXT];
	enum word_size size;
	unsigned needs;
	unsigned leads_to; /* bits 1 << enum event_when: the events that make sense only after this
			      kind */
	struct side_turn turn;
};

/* An act, as the operations that it runs on each size of region. */
struct word {
	char name[WORD_TEXT];
	unsigned needs;
	unsigned leads_to;
	struct side_turn turn[SIZE_COUNT];
};

struct event {
	char name[WORD_TEXT];
	enum side_event how;
	enum event_when when;
	bool small_only;
	struct side_turn turn[SIZE_COUNT];
};

struct words {
	struct kind kinds[KINDS_MAX];
	struct word acts[ACTS_MAX];
	struct event events[EVENTS_MAX];
	unsigned nr_kinds, nr_acts, nr_events;
	unsigned first_of[SIZE_COUNT], kinds_of[SIZE_COUNT]; /* kinds of one size have
							      * consecutive numbers */
	unsigned access[2]; /* the acts that end a sequence: a read, a write */
	char not_had[SIZE_COUNT]
		    [128]; /* why this machine has no region of that size; "" if it has one */
	bool at_once;      /* sequences with two concurrent acts are requested */
};

/* `huge` is the number of pages that a PMD maps. */
void words_make(struct words *w, uint32_t huge);

/*
 * HUGETLB_POOL is the number of pages that the hugetlb pool should have, HUGETLB_EACH the maximum
 * that one sequence uses. At most HUGE_ON_NODE sequences of a batch move huge pages to another NUMA
 * node.
 */
enum { HUGETLB_POOL = 60, HUGETLB_EACH = 5, HUGE_ON_NODE = 2 };

enum { NO_WORD = 255 };

struct sequence {
	uint8_t kind;
	uint8_t event;           /* the event after the first act; NO_WORD if none */
	uint8_t length;          /* number of acts without the access */
	uint8_t act[LENGTH_MAX]; /* the first may be NO_WORD */
	uint8_t access;          /* an act, or NO_WORD */
};

/* Returns the number of sequences with `length` acts. */
uint64_t sequences_count(const struct words *w, unsigned length);

/*
 * Makes the sequence with this number, which is below sequences_count(). Returns false if the words
 * of that number make no sense together, such as an act on files with memory that has no file.
 */
bool sequence_of(const struct words *w, unsigned length, uint64_t number, struct sequence *s);

/* Returns a sequence of only a kind of memory. */
struct sequence sequence_of_kind(unsigned kind);

/*
 * True if the region's pages are huge. Another NUMA node, and the hugetlb pool, have room for few
 * of them.
 */
bool size_is_huge(enum word_size size);

bool sequence_means_something(const struct words *w, const struct sequence *s);

/*
 * sequences_go_together() is true if two sequences may run in one batch, because they have the same
 * event and size. sequences_at_once() returns the maximum number of sequences in a batch.
 */
bool sequences_go_together(const struct words *w, unsigned length, uint64_t a, uint64_t b);
unsigned sequences_at_once(const struct words *w, const struct sequence *s);

enum { SEQUENCE_TEXT = 200 };
const char *sequence_print(const struct words *w, const struct sequence *s,
			   char buf[SEQUENCE_TEXT]);

/* Parses "shm, write, fork, dontneed, read". Returns 0, or -1 with a sentence in `why`. */
int sequence_parse(const struct words *w, struct sequence *s, const char *text, char *why,
		   size_t size);

/* The moments of a sequence at which the worker is stopped and read. */
enum moment_of {
	AT_KIND,
	AT_FIRST,
	AT_EVENT,
	AT_SECOND,
	AT_THIRD,
	AT_ACCESS,
	AT_COUNT,
};

/* True if an act of the sequence or of its kind has that effect (agent/verbs/verbs.h). */
bool sequence_has(const struct words *w, const struct sequence *s, unsigned effect);

/*
 * True if the sequence is tried although the user has not named its event, or if it has no event.
 * An event with SOMETIMES, or with ALWAYS on a kind that is LIKE_ANOTHER, is tried without a first
 * act, and in one of 64 other sequences. The choice is the same in every run.
 */
bool sequence_has_its_event(const struct words *w, const struct sequence *s);

/* Returns the number of a sequence of `length` acts, for sequence_of(). */
uint64_t sequence_number(const struct words *w, unsigned length, const struct sequence *s);

/* Returns the acts directly before a moment; NULL if there are none. */
const struct side_turn *sequence_turn(const struct words *w, const struct sequence *s,
				      enum moment_of at);

/* True if the event runs the two acts concurrently. The outcome may then differ from run to run. */
bool sequence_is_at_once(const struct words *w, const struct sequence *s);

/*
 * Stores in *t the two acts that run concurrently if sequence_is_at_once(): the last operation of
 * the first act, and the last of the second. Stores none if one of them must not run concurrently.
 */
void sequence_pair(const struct words *w, const struct sequence *s, struct side_turn *t);

/* Returns the words up to a moment, as sequence_print() prints them. */
const char *sequence_until(const struct words *w, const struct sequence *s, enum moment_of at,
			   char buf[SEQUENCE_TEXT]);

/*
 * Finds the sequence of two acts, and the moment in it, at which the result of `words` is read. No
 * word in `words` is an access. Returns false if the result is never read.
 */
bool sequence_shows(const struct words *w, const char *words, uint64_t *number, enum moment_of *at);

/* Sequences that run together in one worker; all have the same event and size. */
struct batch {
	struct sequence of[SIDE_WINDOWS];
	uint64_t number[SIDE_WINDOWS];
	unsigned nr;
	bool each_moment; /* read at each moment */
};

#endif
