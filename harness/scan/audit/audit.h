// SPDX-License-Identifier: MIT
/* The audit of one process: each counter beside the page tables, and a verdict in a sentence. */
#ifndef RSSCK_SCAN_AUDIT_H
#define RSSCK_SCAN_AUDIT_H

#include "scan/process/process.h"
#include <rssck/model.h>

/* How the counters count here, if that was measured. */
struct measured {
	bool known;
	char why[200]; /* not */
	struct models models;
};

/* A counter beside the page tables, in kB. */
struct audit_row {
	const char *name;
	enum metric_id id; /* whose model it has; METRIC_NONE: it has none and is not judged */
	int64_t says, tables;
	int64_t bound; /* what its model allows; -1: not known */
	bool off;      /* by more than that */
};

enum { AUDIT_ROWS_MAX = 7 };

enum audit_verdict {
	AUDIT_EXACT,   /* each counter is what the page tables hold */
	AUDIT_LAGS,    /* off, within what its model allows */
	AUDIT_DIFFERS, /* off, and nothing is known of how the counters count here */
	AUDIT_MOVING,  /* it did not stand still: no number can be held to another */
	AUDIT_OFF,     /* off by more than the model allows */
	AUDIT_UNSEEN,  /* there is nothing to compare */
};

struct audit {
	struct audit_row rows[AUDIT_ROWS_MAX];
	size_t nr_rows;
	enum audit_verdict verdict;
	const char *worst; /* the counter that the verdict is about; NULL: all of them */
	char sentence[640];
};

/* Compare what was read. `m` may be unknown. Sizes in `reading` are kB but for the counters that
 * are pages. */
void audit_judge(struct audit *a, const struct reading *p, const struct measured *m,
		 long page_size);

/*
 * Read and judge a process; what is off by more than its model allows must be
 * so again and again, or it is not said.
 */
void audit_process(struct audit *a, struct reading *p, pid_t pid, struct reader *r,
		   const struct measured *m, long page_size);

/* "exact", "lags", "differs", "moving", "off", "unseen". */
const char *audit_verdict_name(enum audit_verdict v);

/* "kernel thread" and the like: why there is nothing to be seen of a process. */
const char *sight_words(enum sight s);

#endif
