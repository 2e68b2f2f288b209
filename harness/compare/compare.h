// SPDX-License-Identifier: MIT
/*
 * What changed between two recorded runs: verdicts, models, facts, and how
 * far the counters were off, where that is beyond noise.
 *
 * Nothing here is a threshold. A difference that a counter's model allows on
 * both sides is noise; so is what follows from another number of CPUs, which
 * is kept apart and not counted as a change. On another machine (arm64 beside
 * amd64) a kernel may do otherwise and be the same: only what fails there counts.
 */
#ifndef RSSCK_COMPARE_H
#define RSSCK_COMPARE_H

#include <rssck/bug.h>
#include <rssck/verdict.h>
#include <stdio.h>

enum change_kind { CHANGE_MODEL, CHANGE_VERDICT, CHANGE_FACT, CHANGE_DISCREPANCY };

/* What a change follows from. Where it is not the kernel it is not counted. */
enum change_cause { CAUSE_KERNEL, CAUSE_CPUS, CAUSE_MACHINE, CAUSES };

struct change {
	enum change_kind kind;
	enum change_cause cause;
	char id[64];      /* the case, or empty */
	char name[64];    /* of the metric, the fact or the case */
	char before[400]; /* in words; "absent" where there is none */
	char after[400];
	const struct bug *bug; /* a known bug that has come or gone with it, or NULL */
	bool bug_came;
};

struct comparison {
	const struct results *before, *after;
	struct change *of; /* owned */
	size_t nr;
	size_t changed;                          /* of the kernel */
	size_t nr_models, nr_verdicts, nr_facts; /* compared */
	size_t uncompared;                       /* cases that only one side has */
	size_t bugs_came;                        /* known bugs that the newer side has alone */
	bool out_of_memory;
};

/* Returns 0, or -1 with a sentence in `why`: these two cannot be compared. */
int compare(struct comparison *c, const struct results *before, const struct results *after,
	    char *why, size_t size);
void comparison_free(struct comparison *c);

/* "model", "verdict", "fact", "counter". */
const char *change_kind_name(enum change_kind kind);

/* A line a change, then the sum. Each returns 0, or -1 with errno. */
int comparison_text(const struct comparison *c, FILE *out);
int comparison_json(const struct comparison *c, FILE *out);

/* The kernel's percpu_counter batch on a machine with that many CPUs. */
unsigned percpu_batch(unsigned cpus);

/* True if both are the same model, or differ only as the number of CPUs demands. */
bool model_is_same(const struct counter_model *a, unsigned a_cpus, const struct counter_model *b,
		   unsigned b_cpus);

/* True if the two texts are the same once each run's own CPU numbers are taken out. */
bool same_but_for_cpus(const char *a, unsigned a_cpus, const char *b, unsigned b_cpus);

#endif
