// SPDX-License-Identifier: MIT
/* The state of one run of rssck atlas, which its jobs share. */
#ifndef RSSCK_CMD_ATLAS_RUN_H
#define RSSCK_CMD_ATLAS_RUN_H

#include "atlas.h"
#include "atlas/find.h"
#include "atlas/order.h"
#include "atlas/views.h"
#include "base/print/ticker.h"
#include "cmd/fuzz/jobs.h"

/* Counts of one job, or the sums over all jobs. */
struct done {
	uint64_t sequences, acts, looks, numbers, findings, unconfirmed, troubles, left_out;
	uint64_t excepted[EXCEPTIONS_MAX];
};

struct shared {
	volatile bool stop;
	uint64_t next; /* the number of the next batch */
	uint64_t at;   /* the position in the order that was reached */
	struct done of[JOBS_MAX];
};

struct run {
	struct atlas_options o;
	struct words words; /* kinds, acts and events; ranges depend on the size of a huge page */
	struct engine engine;
	struct ticker ticker;
	struct sink sink;
	FILE *text; /* the stream for text */
	struct shared *shared;
	bool has_kind[KINDS_MAX], has_event[EVENTS_MAX];
	unsigned hugetlb_at_once;
	struct order order;
	uint64_t first, last;     /* the part of the order that is run */
	uint64_t step, step_from; /* every step-th batch of this part is run, beginning with
				   * number step_from */
	seen_at *seen;            /* indexed by order_place(); or NULL */
	FILE *found[JOBS_MAX], *texts[JOBS_MAX];
	off_t printed[JOBS_MAX]; /* number of bytes of each job's findings that were printed */
	int lock;                /* locked while a sequence changes the whole machine, so that no
				  * other sequence runs */
	int pool;                /* locked by the job that uses hugetlb pages */
	unsigned nr_jobs, job;
	struct done *d;
	struct texts known;
	int64_t start, shown;
	uint64_t pairs;  /* number of compared pairs of sequences whose results must be equal by a
			    law */
	uint64_t broken; /* number of broken laws, and of sequences that differ from their copies */
};

/* The work of one job, for jobs_run(): runs its share of the batches. Returns the exit status. */
int work_job(void *data, unsigned job);

/*
 * Sets *s to the sequence with this number. Returns true if it is requested and possible on this
 * machine.
 */
bool run_wants(const struct run *r, uint64_t number, struct sequence *s);

void print_found(FILE *out, const struct words *w, const struct sequence *s, unsigned together,
		 const struct suspect *f);

/*
 * Checks the laws on the results. Two sequences whose results must be equal and differ are run
 * again, each alone. Prints up to three pairs for each broken law to `out`. Returns the number of
 * broken laws.
 */
uint64_t check_laws(struct run *r, FILE *out);

/* True if the run was stopped, or if it has taken a quarter more time than --time. */
bool laws_time_is_over(const struct run *r);

/*
 * Compares the results of some sequences that run alone with their results among copies of
 * themselves. Returns the number of sequences that differ.
 */
uint64_t check_copies(struct run *r, FILE *out);

/*
 * Runs each act on each available kind of memory, and writes the changes. Returns the exit status.
 */
int grid_make(struct run *r, FILE *out);

/* Runs the sequence alone, and prints its text after each of its words. Returns the exit status. */
int steps_show(struct engine *e, const struct words *w, const char *sequence, FILE *out);

#endif
