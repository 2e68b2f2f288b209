// SPDX-License-Identifier: MIT
/*
 * A lesson: a program of a few lines, a question about one of them, and the reason of the answer.
 * It contains no number: all numbers come from records (record.h).
 *
 * Adding a lesson means adding a row to lessons.def.
 */
#ifndef RSSCK_COURSE_LESSON_H
#define RSSCK_COURSE_LESSON_H

#include "record.h"

enum { LESSON_LINES = 12, LESSON_ASKS = 4, LESSON_MORE = 3 };

enum answer { ANSWER_LESS, ANSWER_SAME, ANSWER_MORE, ANSWERS };

/* A number that the reader predicts, and what it is compared with. */
struct ask {
	const char *label;   /* "RES of top" */
	const char *of;      /* a name for record_number() */
	const char *against; /* another number of the same step; NULL: the same number before the
			      * step */
	int64_t pages;       /* pages that are added to the number it is compared with */
	int64_t within;      /* difference in kB that still counts as the same */
	unsigned process;
	const char *const *choices; /* words for the ANSWERS; NULL: lower, the same, higher */
};

/* The text of the page about the line. */
enum lesson_view {
	VIEW_PAGES,   /* the pages of each process, and the numbers of all programs */
	VIEW_GRID,    /* the effect of `act` on each kind of memory */
	VIEW_MACHINE, /* all memory of the machine */
};

struct lesson {
	const char *id; /* a word that is also its address on the page */
	const char *title;
	const char *case_id;
	unsigned step;          /* the step that is asked about; 0 is the baseline */
	const char *people_ask; /* a common question, for rssck explain's screen; NULL: none */
	const char *look_up;    /* what rssck explain says to it */
	const char *teaches;    /* names of metrics, cases and words, separated by spaces */
	struct {
		unsigned step; /* the step that this line performs; 0: none */
		const char *code;
	} program[LESSON_LINES];
	enum lesson_view view;
	const char *act; /* an act of the grid */
	const char *question;
	struct ask asks[LESSON_ASKS];
	const char *reason;
	const char *more[LESSON_MORE]; /* paragraphs about related facts */
	const char *document, *about;  /* a row of documents.def that is false */
	const char *incident, *address;
	const char *exercise, *command, *solution;
};

/* A record's answer to a prediction. */
struct answered {
	int64_t was, is; /* kB */
	enum answer answer;
};

/* All lessons in their order: [0, *nr). */
const struct lesson *lessons_all(size_t *nr);

/* The lesson with that id, or with that number ("3"); or NULL. */
const struct lesson *lesson_by_name(const char *name);

/* The lesson that teaches a metric, a word or a case of that name, or NULL. */
const struct lesson *lesson_about(const char *name);

/* The lesson that runs that case, or NULL. */
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

/* The sentence of its document, with what is true instead; NULL: it names no wrong document. */
const struct sentence *lesson_sentence(const struct lesson *l);

#endif
