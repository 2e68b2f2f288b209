// SPDX-License-Identifier: MIT
/* The audit of one process: each counter beside the page tables, and a verdict in a sentence. */
#ifndef RSSCK_SCAN_AUDIT_H
#define RSSCK_SCAN_AUDIT_H

#include "scan/process/process.h"
#include <rssck/model.h>

/* The counter models of this kernel, if they were measured. */
struct measured {
	bool known;
	char why[200]; /* not */
	struct models models;
};

/* A counter beside the page tables, in kB. */
struct audit_row {
	const char *name;
	enum metric_id id; /* the metric whose model applies; METRIC_NONE: it has no model and is
			    * not judged */
	int64_t says, tables;
	int64_t bound; /* the bound that its model allows; -1: not known */
	bool off;      /* the difference exceeds the bound */
};

enum { AUDIT_ROWS_MAX = 7 };

enum audit_verdict {
	AUDIT_EXACT,   /* each counter equals the page tables */
	AUDIT_LAGS,    /* a counter is off, but within what its model allows */
	AUDIT_DIFFERS, /* a counter is off, but this kernel's counter models are not known */
	AUDIT_MOVING,  /* it did not stand still: numbers cannot be compared */
	AUDIT_OFF,     /* a counter is off by more than its model allows */
	AUDIT_UNSEEN,  /* there is nothing to compare */
};

struct audit {
	struct audit_row rows[AUDIT_ROWS_MAX];
	size_t nr_rows;
	enum audit_verdict verdict;
	const char *worst; /* the counter that the verdict is about; NULL: all of them */
	char sentence[640];
};

/*
 * Compares the numbers that were read. `m` may be unknown. Sizes in `reading` are kB, except the
 * counters that are pages.
 */
void audit_judge(struct audit *a, const struct reading *p, const struct measured *m,
		 long page_size);

/*
 * Reads and judges a process; a difference beyond the model must repeat at each try, or it is not
 * reported.
 */
void audit_process(struct audit *a, struct reading *p, pid_t pid, struct reader *r,
		   const struct measured *m, long page_size);

/* "exact", "lags", "differs", "moving", "off", "unseen". */
const char *audit_verdict_name(enum audit_verdict v);

/* "kernel thread" and the like: why nothing can be seen of a process. */
const char *sight_words(enum sight s);

#endif
