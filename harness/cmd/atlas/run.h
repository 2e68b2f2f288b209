// SPDX-License-Identifier: MIT
/* One run of rssck atlas: the state that its jobs share. */
#ifndef RSSCK_CMD_ATLAS_RUN_H
#define RSSCK_CMD_ATLAS_RUN_H

#include "atlas.h"
#include "atlas/find.h"
#include "atlas/order.h"
#include "atlas/views.h"
#include "base/print/ticker.h"
#include "cmd/fuzz/jobs.h"

/* Counts of all jobs. */
struct done {
	uint64_t sequences, acts, looks, numbers, findings, unconfirmed, troubles, left_out;
	uint64_t excepted[EXCEPTIONS_MAX];
};

struct shared {
	volatile bool stop;
	uint64_t next; /* the batch that is taken next */
	uint64_t at;   /* the sequence number that has been reached */
	struct done of[JOBS_MAX];
};

struct run {
	struct atlas_options o;
	struct words words; /* of this machine's huge pages */
	struct engine engine;
	struct ticker ticker;
	struct sink sink;
	FILE *text; /* where text for people goes */
	struct shared *shared;
	bool has_kind[KINDS_MAX], has_event[EVENTS_MAX];
	unsigned hugetlb_at_once;
	struct order order;
	uint64_t first, last;     /* the part of the order that is run */
	uint64_t step, step_from; /* every step-th batch of it, from step_from on */
	seen_at *seen;            /* indexed by order_place(); or NULL */
	FILE *found[JOBS_MAX], *texts[JOBS_MAX];
	off_t printed[JOBS_MAX]; /* how many bytes of each job's findings have been printed */
	int lock;                /* held while a sequence changes the machine, so that no other may
				  * run */
	int pool;                /* held by the job that uses hugetlb pages */
	unsigned nr_jobs, job;
	struct done *d;
	struct texts known;
	int64_t start, shown;
	uint64_t pairs;  /* number of compared pairs of sequences that a law declares equal */
	uint64_t broken; /* number of laws that do not hold */
};

/* The work of one job, for jobs_run(): its share of the batches. Returns the exit status. */
int work_job(void *data, unsigned job);

/* The sequence of that number, and whether it is requested and possible here. */
bool run_wants(const struct run *r, uint64_t number, struct sequence *s);

/* Prints a finding in words, or a sequence. */
void print_found(FILE *out, const struct words *w, const struct sequence *s, unsigned together,
		 const struct suspect *f);

/*
 * Checks the laws on the results: two sequences that must show the same and differed are run
 * again, each alone. Returns how many laws do not hold; each is printed to `out`.
 */
uint64_t check_laws(struct run *r, FILE *out);

/* A possible error is checked again, for at most a quarter of the time of the whole run. */
bool laws_time_is_over(const struct run *r);

/* Does the same for some sequences, each alone and among copies of itself. */
uint64_t check_copies(struct run *r, FILE *out);

#endif
