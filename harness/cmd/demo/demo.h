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
	const char *page;      /* the page's file; NULL: no page is wanted */
	const char *lesson;    /* the lesson of the quiz; NULL: all lessons */
	bool quiz, plot, json, no_wait, wait, colour;
};

/* Runs a case here, and adds it to a record. */
void demo_record(json_t *record, const struct engine *e, const struct case_registration *c);

/* Writes the page of one case in a record to o->page. Returns the exit status. */
int demo_page(const struct demo_options *o, json_t *record, const struct case_registration *c);

/*
 * Asks, runs and shows lessons, and keeps the score. If `record` (of another kernel) is given,
 * runs nothing here. Returns the exit status.
 */
int demo_quiz(const struct demo_options *o, const struct engine *e, json_t *record);

/* Gets the cases of that lesson, or of all lessons. Returns their number. */
enum { QUIZ_CASES = 32 };
size_t demo_quiz_cases(const char *lesson, const char **cases);

/* Writes the record of these cases to o->output. Returns the exit status. */
int demo_json(const struct demo_options *o, const struct engine *e,
	      const struct case_registration *const *cases, size_t nr);

/* Prints a paragraph of at most 78 columns, each line indented by `indent` spaces. */
void demo_prose(const char *text, unsigned indent, FILE *out);

/*
 * Prints what a step should have moved in the numbers of each process, in one paragraph:
 * its postings in words, in pages.
 */
void demo_expected(const struct trial *t, const struct moment *m, const bool *alive, FILE *out);

/*
 * Prints the numbers that each file and each program shows for the processes at the last moment, in
 * kB, beside the page tables. `pid` is the observer's.
 */
void demo_table(const struct trial *t, const pid_t *pid, bool colour, FILE *out);

/*
 * Waits for a key on the terminal: true for Enter or space, false for q or the end of
 * input. A signal that ends rssck leaves the terminal in its original mode.
 */
bool demo_key(void);

/*
 * Waits for one of these keys and returns it; 0 for q, or the end of input. Without a terminal,
 * reads standard input.
 */
int demo_key_of(const char *keys);

/* Draws the curves on the terminal, or the last of them to a file. Returns the exit status. */
int demo_plot(const struct demo_options *o, const struct results *r, const char *kernel);

/*
 * Makes the same demo, its plot, or the record of those cases, on another kernel. Returns
 * the exit status.
 */
int demo_vm(struct demo_options *o, const struct case_registration *c, const char *const *words,
	    size_t nr);

#endif
