// SPDX-License-Identifier: MIT
/*
 * The parts of `rssck explain`: the kernel and process that it is about, the names, and the
 * answers.
 */
#ifndef RSSCK_CMD_EXPLAIN_H
#define RSSCK_CMD_EXPLAIN_H

#include "engine/engine.h"
#include "explain/effect.h"
#include "explain/explain.h"

enum { NAME_SIZE = 128, ASKED_SIZE = 4 * NAME_SIZE };

struct explain_options {
	unsigned threads, pid, cpus;
	const char *results, *kernel;
	bool no_model, list, manual, json;
};

/* A measurement of this kernel, and what could not be measured. */
struct measured {
	struct engine engine;
	struct models scaled; /* for --cpus */
	bool done;
	char why[512];
};

/* State that all answers of a run share. */
struct asking {
	const struct explain_options *options;
	struct explanation *e;
	const struct topics *all;
	struct measured measured;
	json_t *answers; /* where answers are collected; NULL: they are printed */
	struct grids grids;
	bool grids_taken;
};

/* ---- about what: explain_about.c ---- */

/*
 * Fills in `e` from --pid, --kernel and --cpus; *about describes what they refer to.
 * Returns an exit status.
 */
struct about {
	char process[128], where[128];
	struct models models;
};
int about_take(const struct explain_options *o, struct explanation *e, struct about *a);

/* Measures this kernel's counter models, once, if an answer about `found` depends on them. */
void about_measure(struct asking *a, const struct topics *found);

/* ---- which names: explain_names.c ---- */

/* Joins the words, made printable, without the colon that ends a name in status. */
void join_words(char *const *words, size_t nr, char *name, size_t size);

/* "top RES PSS" is two names. Returns the number of words of the first one; 0: there is none. */
size_t first_name(char *const *words, size_t nr, const struct topics *all);
bool are_names(char *const *words, size_t nr, const struct topics *all);

/* "free -m", "time -v": a word with one dash after a name is part of it. Returns argc. */
int join_dashes(int argc, char **argv);

/* ---- answers: explain_answer.c ---- */

/* Explains everything that the words name. Returns an exit status. */
int explain_asked(const struct explain_options *o, struct explanation of_all, char **words,
		  const struct topics *all);

#endif
