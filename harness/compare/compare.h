// SPDX-License-Identifier: MIT
/*
 * Lists the changes between two recorded runs: verdicts, counter models, facts, and differences of
 * counters that are larger than noise.
 *
 * There is no fixed threshold. A difference is noise if the counter's model allows it in both runs.
 * A difference that the number of CPUs explains is listed separately and is not counted as a
 * change. If the architectures differ (e.g. arm64 and amd64), a kernel may behave differently
 * although it has not changed, so only failures count.
 */
#ifndef RSSCK_COMPARE_H
#define RSSCK_COMPARE_H

#include <rssck/bug.h>
#include <rssck/verdict.h>
#include <stdio.h>

enum change_kind { CHANGE_MODEL, CHANGE_VERDICT, CHANGE_FACT, CHANGE_DISCREPANCY };

/*
 * The cause of a change. Only CAUSE_KERNEL is counted: neither the CPUs nor the machines explain
 * the change.
 */
enum change_cause { CAUSE_KERNEL, CAUSE_CPUS, CAUSE_MACHINE, CAUSES };

struct change {
	enum change_kind kind;
	enum change_cause cause;
	char id[64];      /* the id of the case, or empty */
	char name[64];    /* name of the metric, fact or case */
	char before[400]; /* the value as text; "absent" if there is no value */
	char after[400];
	const struct bug *bug; /* a known bug that appeared or disappeared with this change, or
				* NULL */
	bool bug_came;
};

struct comparison {
	const struct results *before, *after;
	struct change *of; /* owned */
	size_t nr;
	size_t changed;                          /* number of changes with CAUSE_KERNEL */
	size_t nr_models, nr_verdicts, nr_facts; /* numbers of compared models, verdicts and
						  * facts */
	size_t uncompared;                       /* number of cases that only one run has */
	size_t bugs_came;                        /* number of known bugs that only the newer run
						  * shows */
};

/* Returns 0, or -1 with a sentence in `why` if these runs cannot be compared. */
int compare(struct comparison *c, const struct results *before, const struct results *after,
	    char *why, size_t size);
void comparison_free(struct comparison *c);

/* Writes one line for each change, then the totals. Returns 0, or -1 with errno. */
int comparison_text(const struct comparison *c, FILE *out);
int comparison_json(const struct comparison *c, FILE *out);

/* True if both models are the same, or if only the number of CPUs makes them different. */
bool model_is_same(const struct counter_model *a, unsigned a_cpus, const struct counter_model *b,
		   unsigned b_cpus);

/*
 * True if the two texts are equal, except for numbers that the number of CPUs of each run explains.
 */
bool same_but_for_cpus(const char *a, unsigned a_cpus, const char *b, unsigned b_cpus);

#endif
