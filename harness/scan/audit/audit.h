// SPDX-License-Identifier: MIT
/*
 * Audits one process: compares each counter with the page tables, and states a verdict in a
 * sentence.
 */
#ifndef RSSCK_SCAN_AUDIT_H
#define RSSCK_SCAN_AUDIT_H

#include "scan/process/process.h"
#include <rssck/model.h>

/* The counter models of this kernel. */
struct measured {
	bool known;
	char why[200]; /* why they were not measured */
	struct models models;
};

/* A counter and the page tables' number, in kB. */
struct audit_row {
	const char *name;
	enum metric_id id; /* the metric whose model applies; METRIC_NONE: not judged (VmSwap) */
	int64_t says, tables;
	int64_t bound; /* the bound of its model; -1: unknown */
	bool off;      /* the difference exceeds the bound */
};

enum { AUDIT_ROWS_MAX = 7 };

enum audit_verdict {
	AUDIT_EXACT,   /* each judged counter equals the page tables */
	AUDIT_LAGS,    /* a counter is off, within the bound of its model */
	AUDIT_DIFFERS, /* a counter is off, and this kernel's counter models are unknown */
	AUDIT_MOVING,  /* the process changed, or may have changed, while it was read */
	AUDIT_OFF,     /* a counter is off by more than its model's bound */
	AUDIT_UNSEEN,  /* the page tables could not be read */
};

struct audit {
	struct audit_row rows[AUDIT_ROWS_MAX];
	size_t nr_rows;
	enum audit_verdict verdict;
	const char *worst; /* the counter that the verdict is about; NULL: no single counter */
	char sentence[640];
};

/*
 * Compares the numbers of a reading. `m` may be unknown. Sizes in *p are in kB, except the counters
 * that are in pages.
 */
void audit_judge(struct audit *a, const struct reading *p, const struct measured *m,
		 long page_size);

/*
 * Reads and judges a process. A difference beyond the model is reported only if each try shows it.
 */
void audit_process(struct audit *a, struct reading *p, pid_t pid, struct reader *r,
		   const struct measured *m, long page_size);

/* Returns the verdict's name: "exact", "lags", "differs", "moving", "off" or "unseen". */
const char *audit_verdict_name(enum audit_verdict v);

/*
 * Returns what was seen of a process, as the end of a sentence: "is a zombie: its memory was freed
 * when it ended".
 */
const char *sight_words(enum sight s);

#endif
