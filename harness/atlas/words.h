// SPDX-License-Identifier: MIT
/*
 * The words of the atlas, and the sequences made of them: a kind of memory, an act, an event or
 * none, an act, and an access, in all combinations, with numbers that are fixed for one version
 * of the tables.
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
	SIZE_CLEARED,      /* small, in batches that clear soft-dirty first */
	SIZE_CLEARED_HUGE, /* huge, in batches that clear soft-dirty first */
	SIZE_COUNT
};

/* Properties of a word: bits. */
enum word_need {
	HAS_FILE = 1 << 0,
	NEEDS_FILE = 1 << 1,
	AFTER_ANOTHER = 1 << 2, /* an act that does nothing unless another came before it */
	NO_HUGETLB = 1 << 3,
	HUGE_ALONE = 1 << 5, /* for huge pages, only as the single act: another node has room for
			      * few */
	NEEDS_SWAP = 1 << 4,
	LIKE_ANOTHER = 1
		       << 6, /* a kind that is similar to another: not combined with every event */
	COSTLY = 1 << 7,     /* an expensive kind: only with one act, unless the user names it */
};

/*
 * When an event is tried: always; right after a kind, and sometimes elsewhere, or always if it is
 * named; only after acts that page out, mark memory as mergeable, or register with userfaultfd;
 * only if it is named, between two acts that may run at the same time.
 */
enum event_when { ALWAYS, SOMETIMES, AFTER_PAGEOUT, AFTER_MERGEABLE, AFTER_WATCH, NAMED };

enum { WORD_TEXT = 32, KINDS_MAX = 64, ACTS_MAX = 96, EVENTS_MAX = 32, LENGTH_MAX = 3 };

struct kind {
	char name[WORD_TEXT];
	enum word_size size;
	unsigned needs;
	unsigned leads_to; /* 1 << enum event_when */
	struct side_turn turn;
};

/* One word for each part of the region on which it works. */
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
	unsigned first_of[SIZE_COUNT], kinds_of[SIZE_COUNT]; /* kinds of one size are consecutive */
	unsigned access[2]; /* the acts that end a sequence: a read, a write */
	char not_had[SIZE_COUNT]
		    [128]; /* why this machine has no region of that size; "": it does */
	bool at_once;      /* sequences with two concurrent acts are requested */
};

/* `huge`: the number of pages that a PMD maps. */
void words_make(struct words *w, uint32_t huge);

/* The number of pages that the hugetlb pool should have, and the most that one sequence takes. */
enum { HUGETLB_POOL = 60, HUGETLB_EACH = 5, HUGE_ON_NODE = 2 };

enum { NO_WORD = 255 };

struct sequence {
	uint8_t kind;
	uint8_t event;           /* after the first act; NO_WORD: none */
	uint8_t length;          /* number of acts without the access */
	uint8_t act[LENGTH_MAX]; /* the first may be NO_WORD */
	uint8_t access;          /* an act, or NO_WORD */
};

/* The number of sequences with `length` acts. */
uint64_t sequences_count(const struct words *w, unsigned length);

/*
 * The sequence with a number below sequences_count(). False: the number has no sequence,
 * because its words make no sense together (a file's act on memory without a file).
 */
bool sequence_of(const struct words *w, unsigned length, uint64_t number, struct sequence *s);

/* A kind of memory without an act. */
struct sequence sequence_of_kind(unsigned kind);

/* True if its pages are huge, of which few fit on another node or in the pool. */
bool size_is_huge(enum word_size size);

/* False: one of its words makes no sense there. */
bool sequence_means_something(const struct words *w, const struct sequence *s);

/*
 * sequences_go_together(): true if the two may run side by side, because they have the same
 * event and size. The second returns how many may run at most.
 */
bool sequences_go_together(const struct words *w, unsigned length, uint64_t a, uint64_t b);
unsigned sequences_at_once(const struct words *w, const struct sequence *s);

enum { SEQUENCE_TEXT = 200 };
const char *sequence_print(const struct words *w, const struct sequence *s,
			   char buf[SEQUENCE_TEXT]);

/* The reverse: "shm, write, fork, dontneed, read". 0, or -1 with a sentence in `why`. */
int sequence_parse(const struct words *w, struct sequence *s, const char *text, char *why,
		   size_t size);

/* The moments at which a sequence stands still. */
enum moment_of {
	AT_KIND,
	AT_FIRST,
	AT_EVENT,
	AT_SECOND,
	AT_THIRD,
	AT_ACCESS,
	AT_COUNT,
};

/* True if one of its acts, or of its kind's, has that effect (agent/verbs/verbs.h). */
bool sequence_has(const struct words *w, const struct sequence *s, unsigned effect);

/*
 * True if an event that is tried only sometimes is tried in this sequence; it is always the same
 * sequences.
 */
bool sequence_has_its_event(const struct words *w, const struct sequence *s);

/* The number of a sequence of `length` acts, for sequence_of(). */
uint64_t sequence_number(const struct words *w, unsigned length, const struct sequence *s);

/* The acts right before that moment; NULL if the sequence has none there. */
const struct side_turn *sequence_turn(const struct words *w, const struct sequence *s,
				      enum moment_of at);

/*
 * True if the event is that its two acts run at the same time: the outcome then differs each
 * time.
 */
bool sequence_is_at_once(const struct words *w, const struct sequence *s);

/*
 * The acts that then run at the same time: the first one's and the next one's; none if they are not
 * allowed to.
 */
void sequence_pair(const struct words *w, const struct sequence *s, struct side_turn *t);

/* The words up to that moment, as printed by sequence_print(). */
const char *sequence_until(const struct words *w, const struct sequence *s, enum moment_of at,
			   char buf[SEQUENCE_TEXT]);

/*
 * Where a run of two acts shows the result of these words, none of which is an access: the number
 * of the sequence and the moment. False: nowhere.
 */
bool sequence_shows(const struct words *w, const char *words, uint64_t *number, enum moment_of *at);

/* Sequences that run side by side; all have the same event. */
struct batch {
	struct sequence of[SIDE_WINDOWS];
	uint64_t number[SIDE_WINDOWS];
	unsigned nr;
	bool each_moment; /* read at each moment */
};

#endif
