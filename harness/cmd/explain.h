// SPDX-License-Identifier: MIT
/* The parts of `rssck explain`: about which kernel and process, which names, and the answers. */
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

/* What all answers of a run share. */
struct asking {
	const struct explain_options *options;
	struct explanation *e;
	const struct topics *all;
	struct measured measured;
	json_t *answers; /* or NULL: they are printed */
	struct grids grids;
	bool grids_taken;
};

/* ---- about what: explain_about.c ---- */

/* --pid, --kernel, --cpus into `e`; what these refer to. An exit status. */
struct about {
	char process[128], where[128];
	struct models models;
};
int about_take(const struct explain_options *o, struct explanation *e, struct about *a);

/* Measures how this kernel counts, once, if an answer about `found` depends on it. */
void about_measure(struct asking *a, const struct topics *found);

/* ---- which names: explain_names.c ---- */

/* The words, joined and printable, without the colon that status ends a name with. */
void join_words(char *const *words, size_t nr, char *name, size_t size);

/* "top RES PSS" is two names. Returns how many words the first one takes; 0: there is none. */
size_t first_name(char *const *words, size_t nr, const struct topics *all);
bool are_names(char *const *words, size_t nr, const struct topics *all);

/* "free -m", "time -v": what follows a name with one dash is part of it. Returns argc. */
int join_dashes(int argc, char **argv);

/* ---- answers: explain_answer.c ---- */

/* Explains all that the words name. An exit status. */
int explain_asked(const struct explain_options *o, struct explanation of_all, char **words,
		  const struct topics *all);

#endif
