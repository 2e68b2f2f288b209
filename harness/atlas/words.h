// SPDX-License-Identifier: MIT
/*
 * The words of the atlas, and the sequences that are made of them: a kind of memory, an act, an
 * event or none, an act, and an access, in all combinations, numbered in an order that never
 * changes on one version of the tables.
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
	SIZE_CLEARED,      /* small, in batches in which soft-dirty has been cleared */
	SIZE_CLEARED_HUGE, /* huge, the same */
	SIZE_COUNT
};

/* What a word needs, or is: bits. */
enum word_need {
	HAS_FILE = 1 << 0,
	NEEDS_FILE = 1 << 1,
	AFTER_ANOTHER = 1 << 2, /* does nothing if nothing came before it */
	NO_HUGETLB = 1 << 3,
	HUGE_ALONE = 1 << 5, /* of huge pages, without another act: another node has room for few */
	NEEDS_SWAP = 1 << 4,
	LIKE_ANOTHER = 1 << 6, /* a kind: no event happens to it always */
	COSTLY = 1 << 7,       /* a kind: of itself, with one act, where it is not named */
};

/*
 * Where an event happens: always; right behind a kind, and now and then elsewhere, or always where
 * it is named; only behind what pages out, marks memory as mergeable, registers with userfaultfd;
 * only where it is named, between two acts that may be done at the same time.
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

/* One word for each part of the region that it is done to. */
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
	unsigned first_of[SIZE_COUNT], kinds_of[SIZE_COUNT]; /* kinds of a size follow each other */
	unsigned access[2];            /* the acts that end a sequence: a read, a write */
	char not_had[SIZE_COUNT][128]; /* why no region of that size can be; "": it can */
	bool at_once;                  /* two acts at the same time are asked for */
};

/* `huge`: pages that a PMD maps. */
void words_make(struct words *w, uint32_t huge);

/* Pages of the pool that there should be, and those that one sequence may take of it. */
enum { HUGETLB_POOL = 60, HUGETLB_EACH = 5, HUGE_ON_NODE = 2 };

enum { NO_WORD = 255 };

struct sequence {
	uint8_t kind;
	uint8_t event;           /* behind the first act; NO_WORD: none */
	uint8_t length;          /* acts, the access not counted */
	uint8_t act[LENGTH_MAX]; /* the first may be NO_WORD */
	uint8_t access;          /* an act, or NO_WORD */
};

/* How many numbers there are for sequences of so many acts. */
uint64_t sequences_count(const struct words *w, unsigned length);

/*
 * The sequence of a number, below sequences_count(). False: the number means none, as what its
 * words name is nothing (a file's act on memory that has no file).
 */
bool sequence_of(const struct words *w, unsigned length, uint64_t number, struct sequence *s);

/* A kind of memory, to which nothing is done. */
struct sequence sequence_of_kind(unsigned kind);

/* Whether its pages are huge: few fit on another node, or in the pool. */
bool size_is_huge(enum word_size size);

/* False: one of its words is nothing there. */
bool sequence_means_something(const struct words *w, const struct sequence *s);

/*
 * Whether those of two numbers may run side by side: they have the same event and the same size;
 * and how many may at most.
 */
bool sequences_go_together(const struct words *w, unsigned length, uint64_t a, uint64_t b);
unsigned sequences_at_once(const struct words *w, const struct sequence *s);

enum { SEQUENCE_TEXT = 200 };
const char *sequence_print(const struct words *w, const struct sequence *s,
			   char buf[SEQUENCE_TEXT]);

/* The reverse: "shm, write, fork, dontneed, read". 0, or -1 with a sentence in `why`. */
int sequence_parse(const struct words *w, struct sequence *s, const char *text, char *why,
		   size_t size);

/* The moments of a sequence at which it stands still. */
enum moment_of {
	AT_KIND,
	AT_FIRST,
	AT_EVENT,
	AT_SECOND,
	AT_THIRD,
	AT_ACCESS,
	AT_COUNT,
};

/* Whether one of its acts, or of its kind's, has that effect (agent/verbs/verbs.h). */
bool sequence_has(const struct words *w, const struct sequence *s, unsigned effect);

/*
 * Whether an event that happens only sometimes happens there; it is always at the same sequences.
 */
bool sequence_has_its_event(const struct words *w, const struct sequence *s);

/* The number of a sequence of `length` acts, for sequence_of(). */
uint64_t sequence_number(const struct words *w, unsigned length, const struct sequence *s);

/* What is done right before that moment: NULL if the sequence has nothing there. */
const struct side_turn *sequence_turn(const struct words *w, const struct sequence *s,
				      enum moment_of at);

/* The event is that its two acts are done at the same time: what comes of it is different each
 * time. */
bool sequence_is_at_once(const struct words *w, const struct sequence *s);

/* The acts that are then done at the same time: the first's, and the next one's; none, where
 * they may not. */
void sequence_pair(const struct words *w, const struct sequence *s, struct side_turn *t);

/* The words up to that moment, as sequence_print() has them. */
const char *sequence_until(const struct words *w, const struct sequence *s, enum moment_of at,
			   char buf[SEQUENCE_TEXT]);

/*
 * Where a run of two acts shows the result of these words, of which none is an access: its number
 * and the moment. False: nowhere.
 */
bool sequence_shows(const struct words *w, const char *words, uint64_t *number, enum moment_of *at);

/* Sequences that run side by side; all of one event. */
struct batch {
	struct sequence of[SIDE_WINDOWS];
	uint64_t number[SIDE_WINDOWS];
	unsigned nr;
	bool each_moment; /* it is read whenever it stands still */
};

#endif
