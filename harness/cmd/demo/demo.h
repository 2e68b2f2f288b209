// SPDX-License-Identifier: MIT
/* The parts of rssck demo. */
#ifndef RSSCK_DEMO_H
#define RSSCK_DEMO_H

#include "cmd/line/command.h"
#include "engine/trial.h"
#include "vm/vm.h"
#include <jansson.h>

extern const struct command command_demo;

struct demo_options {
	struct vm_options vm;  /* .kernel is NULL: this machine */
	const char *plot_file; /* NULL: the terminal */
	const char *output;    /* NULL: stdout */
	const char *page;      /* a file for the picture; NULL: none is wanted */
	const char *lesson;    /* of the quiz; NULL: all of them */
	bool quiz, plot, json, no_wait, wait, colour;
};

/* Add a case, run here, to a record. */
void demo_record(json_t *record, const struct engine *e, const struct case_registration *c);

/* The page of one case in a record, to o->page. Returns the exit status. */
int demo_page(const struct demo_options *o, json_t *record, const struct case_registration *c);

/*
 * Ask, run and show lessons, and keep the score. With a record, of another kernel, nothing is run
 * here. Returns the exit status.
 */
int demo_quiz(const struct demo_options *o, const struct engine *e, json_t *record);

/* The cases of the lesson of that name, or of all: how many they are. */
enum { QUIZ_CASES = 32 };
size_t demo_quiz_cases(const char *lesson, const char **cases);

/* The record of these cases, to o->output. Returns the exit status. */
int demo_json(const struct demo_options *o, const struct engine *e,
	      const struct case_registration *const *cases, size_t nr);

/* A paragraph of at most 78 columns, each line after so many spaces. */
void demo_prose(const char *text, unsigned indent, FILE *out);

/*
 * What a step should have moved in the numbers of each process, in one paragraph: as
 * postings say it, in pages.
 */
void demo_expected(const struct trial *t, const struct moment *m, const bool *alive, FILE *out);

/*
 * What each file and each program shows of the processes at the last moment, in kB, beside the page
 * tables. `pid` as an observer gets it.
 */
void demo_table(const struct trial *t, const pid_t *pid, bool colour, FILE *out);

/*
 * Wait for a key on the terminal: Enter or space is true, q (or the terminal's
 * end) false. Signals that end rssck find the terminal as it was.
 */
bool demo_key(void);

/*
 * Wait for one of some keys and return it; 0 is q, or the end. Without a terminal, read standard
 * input.
 */
int demo_key_of(const char *keys);

/* Curves on the terminal, or the first of them into a file. Returns the exit status. */
int demo_plot(const struct demo_options *o, const struct results *r, const char *kernel);

/* The same demo, its plot, or the record of those cases, on another kernel. Returns the exit
 * status. */
int demo_vm(struct demo_options *o, const struct case_registration *c, const char *const *words,
	    size_t nr);

#endif
