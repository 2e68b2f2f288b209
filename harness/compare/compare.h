// SPDX-License-Identifier: MIT
/*
 * What changed between two recorded runs: verdicts, models, facts, and counters' differences that
 * are beyond noise.
 *
 * There is no fixed threshold. A difference that the counter's model allows on both sides is noise;
 * a difference due to the number of CPUs is listed separately and not counted as a change. On
 * another architecture (arm64 and amd64) a kernel may behave differently without having changed:
 * only failures count there.
 */
#ifndef RSSCK_COMPARE_H
#define RSSCK_COMPARE_H

#include <rssck/bug.h>
#include <rssck/verdict.h>
#include <stdio.h>

enum change_kind { CHANGE_MODEL, CHANGE_VERDICT, CHANGE_FACT, CHANGE_DISCREPANCY };

/* The cause of a change. It is counted only if it is the kernel. */
enum change_cause { CAUSE_KERNEL, CAUSE_CPUS, CAUSE_MACHINE, CAUSES };

struct change {
	enum change_kind kind;
	enum change_cause cause;
	char id[64];      /* the case, or empty */
	char name[64];    /* name of the metric, the fact or the case */
	char before[400]; /* the value as text; "absent" if there is none */
	char after[400];
	const struct bug *bug; /* a known bug that appeared or disappeared with it, or NULL */
	bool bug_came;
};

struct comparison {
	const struct results *before, *after;
	struct change *of; /* owned */
	size_t nr;
	size_t changed;                          /* number of changes that the kernel caused */
	size_t nr_models, nr_verdicts, nr_facts; /* compared */
	size_t uncompared;                       /* cases that only one side has */
	size_t bugs_came;                        /* number of known bugs that only the newer run
						  * shows */
	bool out_of_memory;
};

/* Returns 0, or -1 with a sentence in `why`: these two cannot be compared. */
int compare(struct comparison *c, const struct results *before, const struct results *after,
	    char *why, size_t size);
void comparison_free(struct comparison *c);

/* One line for each change, then the sum. Each returns 0, or -1 with errno. */
int comparison_text(const struct comparison *c, FILE *out);
int comparison_json(const struct comparison *c, FILE *out);

/* True if both are the same model, or differ only because of the number of CPUs. */
bool model_is_same(const struct counter_model *a, unsigned a_cpus, const struct counter_model *b,
		   unsigned b_cpus);

/* True if the two texts are equal apart from each run's own CPU numbers. */
bool same_but_for_cpus(const char *a, unsigned a_cpus, const char *b, unsigned b_cpus);

#endif
