// SPDX-License-Identifier: MIT
/* Runs sequences in separate regions of one worker, and reads them while the worker is stopped. */
#ifndef RSSCK_ATLAS_RUN_H
#define RSSCK_ATLAS_RUN_H

#include "charge.h"
#include "engine/workload/session.h"
#include "engine/workload/settle_plan.h"
#include "exception.h"
#include "guest.h"
#include "look.h"
#include "words.h"

/* A possible error. It becomes a finding only if it can be reproduced. */
enum wrong {
	WRONG_NUMBERS, /* two numbers of one reading disagree, or a page has lost its data */
	WRONG_REST,    /* after everything is unmapped, a number differs from its value before */
	WRONG_HANGS,   /* an act has not returned */
	WRONG_LOG,     /* the kernel log has a complaint about memory accounting or the worker */
	WRONG_DIED,    /* the worker has died */
};

struct suspect {
	enum wrong wrong;
	enum moment_of at;
	unsigned
		window; /* the sequence's window; 0 also if the suspect is not about one sequence */
	struct discrepancy d;
};

/* Receives the text that each sequence shows. */
typedef void viewed_fn(void *data, const struct batch *b, unsigned i, enum moment_of at,
		       const struct view *v);

struct atlas {
	struct engine *e;
	const struct words *words;
	const volatile bool *stop; /* set to stop the run; or NULL */
	viewed_fn *viewed;         /* or NULL */
	void *data;
	/* True if a rule was reported often enough and must no longer end a batch. Or NULL. */
	bool (*is_reported_enough)(const void *finder, const struct suspect *f);
	const void *finder;
	struct session s;
	struct side *side;
	int side_fd;
	const struct case_registration *worker;
	struct settle_plan plan;
	struct look look;
	struct values baseline;
	int64_t scanned;       /* rest_scanned() when the worker started */
	struct charge charged; /* charges of the worker's cgroup before anything was mapped */
	struct charge before;  /* exact charges before this batch; only if settles_cgroup is set */
	bool settles_cgroup;
	struct guest guest; /* the caller sets .only if no other job runs */
	bool running;
	unsigned batches;                  /* number of batches that this worker has run */
	uint64_t acts, looks, numbers;     /* acts run and read; readings; numbers compared */
	uint64_t excepted[EXCEPTIONS_MAX]; /* how often each exception was met */
	char why[256];
};

enum ran {
	RAN,
	RAN_WRONG,   /* *f describes the error */
	RAN_TROUBLE, /* see ->why */
	RAN_STOPPED,
};

/* Returns 0, or -1 with ->why. */
int atlas_open(struct atlas *z, struct engine *e, const struct words *w);
void atlas_close(struct atlas *z);

/*
 * True if kswapd or direct reclaim has scanned pages since the worker started. memory.reclaim does
 * not count.
 */
bool atlas_was_reclaimed(const struct atlas *z);

/* If `fresh`, the batch runs in a new worker that ends with it. */
enum ran atlas_run(struct atlas *z, const struct batch *b, bool fresh, struct suspect *f);

/*
 * Waits for a worker's reply. Returns 0; 1 if an act has exceeded its time limit or *stop is set;
 * -1 with s->why if the worker has ended or could not do the step.
 */
int worker_await(struct session *s, const struct side *side, const volatile bool *stop);

/* Ends the worker. A worker that cannot be killed is left behind. */
void worker_end(struct session *s);

#endif
