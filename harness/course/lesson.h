// SPDX-License-Identifier: MIT
/*
 * A lesson is a program of a few lines, a question about one of them, and the reason for the
 * answer. The numbers of the answer come from records (record.h). To add a lesson, add a row to
 * lessons.def.
 */
#ifndef RSSCK_COURSE_LESSON_H
#define RSSCK_COURSE_LESSON_H

#include "record.h"

enum { LESSON_LINES = 12, LESSON_ASKS = 4, LESSON_MORE = 3 };

enum answer { ANSWER_LESS, ANSWER_SAME, ANSWER_MORE, ANSWERS };

/* A number that the reader predicts, and the number to compare it with. */
struct ask {
	const char *label;   /* e.g. "RES of top" */
	const char *of;      /* a name for record_number() */
	const char *against; /* another number of the same step; NULL: the same number before the
			      * step */
	int64_t pages;       /* pages to add to the number that it is compared with */
	int64_t within;      /* differences up to this many kB count as equal */
	unsigned process;
	const char *const *choices; /* a text for each of the ANSWERS; NULL: lower, the same,
				     * higher */
};

/* The picture and the table that the page shows for the line. */
enum lesson_view {
	VIEW_PAGES,   /* the pages of each process, and the numbers of all programs */
	VIEW_GRID,    /* the effect of `act` on each kind of memory */
	VIEW_MACHINE, /* all memory of the machine */
};

struct lesson {
	const char *id; /* a word that is also the lesson's anchor on the page */
	const char *title;
	const char *case_id;
	unsigned step;          /* the step of the question; 0 is the baseline */
	const char *people_ask; /* a common question, for the screen of rssck explain; NULL: none */
	const char *look_up;    /* the name that answers it in rssck explain */
	const char *teaches;    /* names of metrics, cases and words, separated by spaces */
	struct {
		unsigned step; /* the step that this line performs; 0: none */
		const char *code;
	} program[LESSON_LINES];
	enum lesson_view view;
	const char *act; /* an act of the grid, for VIEW_GRID */
	const char *question;
	struct ask asks[LESSON_ASKS];
	const char *reason;
	const char *more[LESSON_MORE]; /* paragraphs about related facts */
	const char *document, *about;  /* a row of documents.def whose sentence is false */
	const char *incident, *address;
	const char *exercise, *command, *solution;
};

/* A record's answer to a prediction. */
struct answered {
	int64_t was, is; /* in kB */
	enum answer answer;
};

/* Returns all lessons in order; *nr is their number. */
const struct lesson *lessons_all(size_t *nr);

/* Returns the lesson with this id, or with a number like "3", or NULL. */
const struct lesson *lesson_by_name(const char *name);

/* Returns the lesson that teaches the metric, word or case `name`, or NULL. */
const struct lesson *lesson_about(const char *name);

/* Returns the lesson that runs a case, or NULL. */
const struct lesson *lesson_of_case(const char *case_id);

size_t lesson_nr_asks(const struct lesson *l);

/* Returns "lower", "the same", "higher", or the text of the ask's own choices. */
const char *ask_choice(const struct ask *a, enum answer answer);

/* Returns false if the record lacks one of the two numbers. */
bool lesson_answer(const json_t *record, const struct lesson *l, const struct ask *a,
		   struct answered *answered);

/*
 * Writes texts like "3,916 kB, 2,892 kB before" or "105,652 kB, compared with 105,792 kB"; "" if
 * there is no number.
 */
const char *answered_words(const struct ask *a, const struct answered *answered, char *buf,
			   size_t size);

/* True if other programs of the machine may change the number as well. */
bool ask_is_of_machine(const struct ask *a);

/* Returns the row of the lesson's false sentence, or NULL if the lesson names none. */
const struct sentence *lesson_sentence(const struct lesson *l);

#endif
