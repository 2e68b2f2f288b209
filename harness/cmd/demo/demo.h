// SPDX-License-Identifier: MIT
/* The parts of rssck demo. */
#ifndef RSSCK_DEMO_H
#define RSSCK_DEMO_H

#include "cmd/line/command.h"
#include "engine/trial.h"
#include "vm/vm.h"

extern const struct command command_demo;

struct demo_options {
	struct vm_options vm;  /* .kernel is NULL: this machine */
	const char *plot_file; /* NULL: the terminal */
	bool plot, no_wait, wait, colour;
};

/* A paragraph of at most 78 columns, each line after so many spaces. */
void demo_prose(const char *text, unsigned indent, FILE *out);

/*
 * What a step should have moved in the numbers of each process, in one paragraph: as
 * postings say it, in pages.
 */
void demo_expected(const struct trial *t, const struct moment *m, const bool *alive, FILE *out);

/*
 * What each file and each program shows of the processes at the last moment,
 * in kB, beside the page tables. `pid` as a observer gets it.
 */
void demo_table(const struct trial *t, const pid_t *pid, bool colour, FILE *out);

/*
 * Wait for a key on the terminal: Enter or space is true, q (or the terminal's
 * end) false. Signals that end rssck find the terminal as it was.
 */
bool demo_key(void);

/* Curves on the terminal, or the first of them into a file. Returns the exit status. */
int demo_plot(const struct demo_options *o, const struct results *r, const char *kernel);

/* The same demo, or its plot, on another kernel. Returns the exit status. */
int demo_vm(struct demo_options *o, const char *id);

#endif
