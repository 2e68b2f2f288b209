// SPDX-License-Identifier: MIT
/*
 * A program is audited while it lives: again and again all its processes are held, every
 * source of each is read, and what must hold of any process is checked.
 */
#ifndef RSSCK_AUDIT_H
#define RSSCK_AUDIT_H

#include "group.h"
#include "judge/judge.h"
#include "paid.h"
#include "scan/audit/audit.h"
#include "tree.h"

/* What is checked: each becomes a result of its own. */
enum audit_check {
	CHECK_IDENTITIES, /* of one process, between its sources */
	CHECK_COUNTERS,   /* its counters against its page tables, within the measured model */
	CHECK_FRAMES,     /* page frames: the page tables that map one against its mapcount */
	CHECK_CLOSED,     /* when the program has ended: its peak against what was seen */
	CHECK_LOG,        /* the kernel log has no complaint about memory accounting */
	CHECK_CGROUP,     /* where it has one of its own: its numbers against what is mapped */
	CHECK_COUNT,
};

/* The name of a check in reports: "identities". */
const char *check_name(enum audit_check r);

/* What could not be judged, and why. */
enum unseen {
	UNSEEN_DENIED,  /* we may not read it */
	UNSEEN_RUNNING, /* it could not be stopped in time */
	UNSEEN_MOVED,   /* others moved its pages at each look */
	UNSEEN_LATER,   /* the audit had taken as long as it may: its turn comes next time */
	UNSEEN_FRAMES,  /* a program whose page frames could not all be read */
	UNSEEN_ENDS,    /* it ended when it had been held for as long as it may */
	UNSEEN_CGROUP,  /* not all was in its cgroup, or not all of that could be read */
	UNSEEN_COUNT,
};

const char *unseen_words(enum unseen u);

struct finding {
	enum audit_check check;
	pid_t pid;
	char name[32];       /* of the process */
	int64_t first, last; /* ms since the start */
	unsigned audits;     /* that saw it */
	bool grows;          /* further off in the same direction each time */
	struct discrepancy d;
};

enum { FINDINGS_MAX = 100 };

/* One audit: sums over the processes that were read, in kB. */
struct point {
	int64_t at_ms, held_us;
	size_t processes, read, threads, numbers;
	int64_t counted, resident, pss, uss, swap;
	int64_t lag; /* the largest of any counter of any process, in pages */
	bool whole;  /* all of them were read */
	char mark[32];
};

/* The most that a counter was off, and by how much it might have been. */
struct worst {
	bool seen;
	int64_t off, bound, at_ms; /* pages; bound -1: its model is not known */
	pid_t pid;
	char name[32];
};

struct auditor {
	const struct host *host;
	const struct measured *measured;
	struct tree tree;
	const struct group *group; /* of its own; NULL: it was not asked for */
	char *wrapper; /* owned: the command's own words, which is not audited; NULL: it is */
	size_t wrapper_length;
	int64_t started_ms, ended_ms;
	int64_t held_us, held_most_us;
	struct point *points; /* owned */
	size_t nr_points, point_room;
	struct seen *seen; /* owned: the processes that were met */
	size_t nr_seen, seen_room;
	size_t nr_audited;                    /* of those */
	int64_t peak_rss, peak_pss, peak_uss; /* of all of them in one audit, in kB */
	double held_wanted;                   /* percent of the time, 0: not limited */
	struct finding findings[FINDINGS_MAX];
	size_t nr_findings, nr_more;
	struct worst worst[METRIC_COUNT];
	struct paid paid[PAID_COUNT];
	int64_t stays_ms; /* what is broken for so long in paid[] is wrong */
	size_t unseen[UNSEEN_COUNT];
	size_t numbers[CHECK_COUNT]; /* compared */
	size_t nr_ends;              /* of processes that were audited */
	size_t turn;                 /* which process is read first, where not all can be */
	pid_t command;
	char command_name[32];
	int64_t peak_kb; /* the most that the command's own process was seen to have resident */
	unsigned peak_threads; /* the most that it had */
	int log;               /* the kernel's, or -1 */
	char log_others[200];
	size_t nr_log_others;
};

void auditor_open(struct auditor *a, const struct host *h, const struct measured *m, pid_t command);
void auditor_close(struct auditor *a);

/* Hold, read, judge, let go. `mark` says what asked for it; "": the clock. */
void auditor_audit(struct auditor *a, const char *mark);

/* The command starts what is to be audited, and is not to be, as long as it is what was started. */
void auditor_leave_out(struct auditor *a, char *const *command);

/* Read and judge a process that stands at its end; the others run. */
void auditor_audit_end(struct auditor *a, const struct held *who);

/* After the command has ended: what is said of it then, and the kernel's log. */
void auditor_end(struct auditor *a);

/* What the kernel's log has said since. */
void auditor_read_log(struct auditor *a);

/* Keep a finding, or add to the same one of before. */
void auditor_find(struct auditor *a, enum audit_check c, pid_t pid, const char *name,
		  const struct discrepancy *d);

#endif
