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
	struct vm_options vm;  /* .kernel NULL: run on this machine */
	const char *plot_file; /* NULL: draw on the terminal */
	const char *output;    /* NULL: stdout */
	const char *page;      /* the file for the page; NULL: no page is requested */
	const char *lesson;    /* the lesson of the quiz; NULL: all lessons */
	bool quiz, plot, json, no_wait, wait, colour;
};

/* Runs a case on this machine, and adds it to a record. */
void demo_record(json_t *record, const struct engine *e, const struct case_registration *c);

/* Writes the page of one case in a record to o->page. Returns the exit status. */
int demo_page(const struct demo_options *o, json_t *record, const struct case_registration *c);

/*
 * Runs the quiz: asks, runs and shows lessons, and keeps the score. If `record` is given (the
 * record of another kernel), runs nothing. Returns the exit status.
 */
int demo_quiz(const struct demo_options *o, const struct engine *e, json_t *record);

/* Gets the cases of a lesson, or of all lessons. Returns their number. */
enum { QUIZ_CASES = 32 };
size_t demo_quiz_cases(const char *lesson, const char **cases);

/*
 * Runs these cases, and writes their record to o->output, or, if o->page is set, the page of the
 * first case. Returns the exit status.
 */
int demo_json(const struct demo_options *o, const struct engine *e,
	      const struct case_registration *const *cases, size_t nr);

/* Prints a paragraph of at most 78 columns, with each line indented by `indent` spaces. */
void demo_prose(const char *text, unsigned indent, FILE *out);

/*
 * Prints the changes in pages that are expected from the step, in one paragraph for all processes.
 */
void demo_expected(const struct trial *t, const struct moment *m, const bool *alive, FILE *out);

/*
 * Prints a table, in kB: what each file and each program shows for the processes at the latest
 * moment of the trial, and the numbers of the page tables. `pid` are the processes' PIDs as the
 * observer sees them.
 */
void demo_table(const struct trial *t, const pid_t *pid, bool colour, FILE *out);

/*
 * Waits for a key on the terminal. Returns true for Enter or space, false for q or at the end of
 * input. If a signal ends rssck, the terminal's mode is restored first.
 */
bool demo_key(void);

/*
 * Waits for one of these keys and returns it. Returns 0 for q or at the end of input. Without a
 * terminal, reads standard input.
 */
int demo_key_of(const char *keys);

/* Draws the curves on the terminal, or the last curve to a file. Returns the exit status. */
int demo_plot(const struct demo_options *o, const struct results *r, const char *kernel);

/*
 * Does what the options ask for (demo, plot, quiz or record) with these cases, on the kernel of the
 * options in a virtual machine. Returns the exit status.
 */
int demo_vm(struct demo_options *o, const struct case_registration *c, const char *const *words,
	    size_t nr);

#endif
