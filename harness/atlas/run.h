// SPDX-License-Identifier: MIT
/* Runs sequences side by side in a worker, and reads them while they stand still. */
#ifndef RSSCK_ATLAS_RUN_H
#define RSSCK_ATLAS_RUN_H

#include "charge.h"
#include "engine/engine.h"
#include "engine/workload/session.h"
#include "engine/workload/settle_plan.h"
#include "exception.h"
#include "guest.h"
#include "look.h"
#include "words.h"

/* What is wrong; it becomes a finding only when it is seen again. */
enum wrong {
	WRONG_NUMBERS, /* two numbers of one reading disagree */
	WRONG_REST,    /* all is unmapped, and a number is not what it was before */
	WRONG_HANGS,   /* an act has not returned */
	WRONG_LOG,     /* the kernel log reports it */
	WRONG_DIED,    /* the worker has died */
};

struct suspect {
	enum wrong wrong;
	enum moment_of at;
	unsigned window; /* of an act that has not returned */
	struct discrepancy d;
};

/* Gets what each sequence shows. */
typedef void viewed_fn(void *data, const struct batch *b, unsigned i, enum moment_of at,
		       const struct view *v);

struct atlas {
	struct engine *e;
	const struct words *words;
	const volatile bool *stop; /* set to stop the run; or NULL */
	viewed_fn *viewed;         /* or NULL */
	void *data;
	/* Whether a rule was reported often enough: then it ends no batch; or NULL. */
	bool (*is_told)(const void *teller, const struct suspect *f);
	const void *teller;
	struct session s;
	struct side *side;
	int side_fd;
	const struct case_registration *worker;
	struct settle_plan plan;
	struct look look;
	struct values baseline;
	int64_t scanned;       /* by reclaim as the worker has begun */
	struct charge charged; /* to the worker's cgroup when it had nothing mapped yet; */
	struct charge before;  /* and before this batch, where settles_cgroup is set: exactly */
	bool settles_cgroup;
	struct guest guest; /* .only: set by whoever runs no other beside it */
	bool running;
	unsigned batches;                  /* that this worker has done */
	uint64_t acts, looks, numbers;     /* done and read; taken; compared */
	uint64_t excepted[EXCEPTIONS_MAX]; /* how often each has been met */
	char why[256];
};

enum ran {
	RAN,
	RAN_WRONG,   /* *f says what */
	RAN_TROUBLE, /* ->why */
	RAN_STOPPED,
};

/* 0, or -1 with ->why. */
int atlas_open(struct atlas *z, struct engine *e, const struct words *w);
void atlas_close(struct atlas *z);

/* Whether the kernel has looked for memory to take since the worker has begun: not a
 * memory.reclaim. */
bool atlas_was_reclaimed(const struct atlas *z);

/* Run them; `fresh`: in a worker that has done nothing else, and ends with it. */
enum ran atlas_run(struct atlas *z, const struct batch *b, bool fresh, struct suspect *f);

#endif
