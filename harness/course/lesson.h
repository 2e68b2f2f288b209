// SPDX-License-Identifier: MIT
/*
 * The lesson: a program of a few lines, what the reader is asked about one of them, and why it is
 * so. It has no number of its own: all come from records (record.h).
 *
 * Adding a lesson is adding a row to lessons.def.
 */
#ifndef RSSCK_COURSE_LESSON_H
#define RSSCK_COURSE_LESSON_H

#include "record.h"

enum { LESSON_LINES = 12, LESSON_ASKS = 4, LESSON_MORE = 3 };

enum answer { ANSWER_LESS, ANSWER_SAME, ANSWER_MORE, ANSWERS };

/* A number, and what it is to be compared with. */
struct ask {
	const char *label;   /* "RES of top" */
	const char *of;      /* record_number()'s name */
	const char *against; /* another of the same step; NULL: the same one before the step */
	int64_t pages;       /* that many pages are added to what it is compared with */
	int64_t within;      /* kB by which it may differ and still be the same */
	unsigned process;
	const char *const *choices; /* of ANSWERS words; NULL: lower, the same, higher */
};

/* What is shown of the line. */
enum lesson_view {
	VIEW_PAGES,   /* the pages of each process, and the numbers of all programs */
	VIEW_GRID,    /* what `act` does to each kind of memory */
	VIEW_MACHINE, /* all memory of the machine */
};

struct lesson {
	const char *id; /* a word, as an address */
	const char *title;
	const char *case_id;
	unsigned step;          /* that is asked about; 0 is the baseline */
	const char *people_ask; /* a common question, for rssck explain's screen; NULL: none */
	const char *look_up;    /* what rssck explain says to it */
	const char *teaches;    /* names of metrics, cases and words, a space between two */
	struct {
		unsigned step; /* that the line is; 0: none */
		const char *code;
	} program[LESSON_LINES];
	enum lesson_view view;
	const char *act; /* of the grid */
	const char *question;
	struct ask asks[LESSON_ASKS];
	const char *reason;
	const char *more[LESSON_MORE]; /* what belongs to it: paragraphs */
	const char *document, *about;  /* of a row of documents.def that is false */
	const char *incident, *address;
	const char *exercise, *command, *solution;
};

/* What a record has to say of an ask. */
struct answered {
	int64_t was, is; /* kB */
	enum answer answer;
};

/* All lessons in their order: [0, *nr). */
const struct lesson *lessons_all(size_t *nr);

/* The lesson of that id, or the n-th by its number ("3"); NULL. */
const struct lesson *lesson_by_name(const char *name);

/* The lesson that teaches a metric, a word or a case of that name, or NULL. */
const struct lesson *lesson_about(const char *name);

/* The one that runs that case, or NULL. */
const struct lesson *lesson_of_case(const char *case_id);

size_t lesson_nr_asks(const struct lesson *l);

/* "lower", "the same", "higher", or the ask's own words. */
const char *ask_choice(const struct ask *a, enum answer answer);

/* False if the record lacks one of the two numbers. */
bool lesson_answer(const json_t *record, const struct lesson *l, const struct ask *a,
		   struct answered *answered);

/* "3,916 kB, 2,892 kB before", or "105,652 kB, compared with 105,792 kB"; "" without a number. */
const char *answered_words(const struct ask *a, const struct answered *answered, char *buf,
			   size_t size);

/* Whether other programs of the machine move the number as well. */
bool ask_is_of_machine(const struct ask *a);

/* What its document says, and what is true instead; NULL: no document is wrong about it. */
const struct sentence *lesson_sentence(const struct lesson *l);

#endif
