// SPDX-License-Identifier: MIT
/*
 * The parts of `rssck explain`: they choose the kernel and the process that an answer is about,
 * find names in the command line, and print answers.
 */
#ifndef RSSCK_CMD_EXPLAIN_H
#define RSSCK_CMD_EXPLAIN_H

#include "engine/engine.h"
#include "explain/effect.h"
#include "explain/explain.h"

struct command;

enum { NAME_SIZE = 128, ASKED_SIZE = 16 * NAME_SIZE };

struct explain_options {
	unsigned threads, pid, cpus;
	const char *results, *kernel;
	bool no_model, list, manual, json;
};

/* A measurement of this kernel, or the reason why it failed. */
struct measured {
	struct engine engine;
	struct models scaled; /* the models for --cpus */
	bool done;
	char why[512];
};

/* The state that all answers of one run share. */
struct asking {
	const struct explain_options *options;
	struct explanation *e;
	const struct topics *all;
	struct measured measured;
	json_t *answers; /* collects the answers; NULL: they are printed */
	struct grids grids;
	bool grids_taken;
};

/* ---- the kernel and process of an answer: explain_about.c ---- */

/*
 * about_take() fills in `e` from --pid, --kernel and --cpus. *a holds the strings and models to
 * which `e` points. Returns an exit status.
 */
struct about {
	char process[128], where[128];
	struct models models;
};
int about_take(const struct explain_options *o, struct explanation *e, struct about *a);

/*
 * Measures this kernel's counter models, at most once, if an answer about `found` depends on them.
 */
void about_measure(struct asking *a, const struct topics *found);

/* ---- finding names in a command line: explain_names.c ---- */

/*
 * Joins the words, replaces unprintable characters, and removes colons and blanks at the end, such
 * as the colon after a name that is copied from /proc/PID/status.
 */
void join_words(char *const *words, size_t nr, char *name, size_t size);

/*
 * first_name() returns the number of words of the first name: "top RES PSS" consists of two names.
 * It returns 0 if the words begin with no name. are_names() returns true if all words are part of a
 * name.
 */
size_t first_name(char *const *words, size_t nr, const struct topics *all);
bool are_names(char *const *words, size_t nr, const struct topics *all);

/*
 * Joins words like "free -m" and "docker --memory": a word with a single dash after a name belongs
 * to the name, and so does an option that is none of the command and resembles none. Returns the
 * new argc.
 */
int join_dashes(int argc, char **argv, const struct command *c);

/*
 * Puts "--" before the first word that begins with a dash and is not an option but a text. Returns
 * the new words, and sets *argc to their number. Returns NULL if there is no memory.
 */
char **mark_text(int *argc, char **argv);

/* ---- answers: explain_answer.c ---- */

/* Explains everything that the words name. Returns an exit status. */
int explain_asked(const struct explain_options *o, struct explanation of_all, char **words,
		  const struct topics *all);

#endif
