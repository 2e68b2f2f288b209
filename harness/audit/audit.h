// SPDX-License-Identifier: MIT
/*
 * Audits a program while it runs: stops all its processes repeatedly, reads every source of
 * each, and checks what must hold for any process.
 */
#ifndef RSSCK_AUDIT_H
#define RSSCK_AUDIT_H

#include "group.h"
#include "judge/judge.h"
#include "paid.h"
#include "scan/audit/audit.h"
#include "tree.h"

/* The checks; each becomes one result. */
enum audit_check {
	CHECK_IDENTITIES, /* one process's sources against each other */
	CHECK_COUNTERS,   /* a process's counters against its page tables, within the measured model
			   */
	CHECK_FRAMES,     /* page frames: the number of page tables that map one against its
			   * mapcount */
	CHECK_CLOSED,     /* after the program has ended: its peak against the largest value seen */
	CHECK_LOG,        /* the kernel log has no complaint about memory accounting */
	CHECK_CGROUP,     /* if the program has its own cgroup: the cgroup's numbers against the
			   * mapped pages */
	CHECK_COUNT,
};

/* The name of a check in reports: "identities". */
const char *check_name(enum audit_check r);

/* Processes and numbers that could not be judged, and why. */
enum unseen {
	UNSEEN_DENIED,  /* we may not read it */
	UNSEEN_RUNNING, /* it could not be stopped in time */
	UNSEEN_MOVED,   /* others moved its pages at each look */
	UNSEEN_LATER,   /* the audit had used up its time: this process comes first next time */
	UNSEEN_FRAMES,  /* a program whose page frames could not all be read */
	UNSEEN_ENDS,    /* it ended after it had been stopped for the maximum time */
	UNSEEN_CGROUP,  /* not every process was in its cgroup, or not every number could be read */
	UNSEEN_COUNT,
};

const char *unseen_words(enum unseen u);

struct finding {
	enum audit_check check;
	pid_t pid;
	char name[32];       /* comm of the process */
	int64_t first, last; /* ms since the start */
	unsigned audits;     /* number of audits that saw it */
	bool grows;          /* larger in the same direction at each audit */
	struct discrepancy d;
};

enum { FINDINGS_MAX = 100 };

/* One audit: sums over the processes that were read, in kB. */
struct point {
	int64_t at_ms, held_us;
	size_t processes, read, threads, numbers;
	int64_t counted, resident, pss, uss, swap;
	int64_t lag; /* the largest lag of any counter of any process, in pages */
	bool whole;  /* all processes were read */
	char mark[32];
};

/* The largest amount by which a counter was off, and its bound. */
struct worst {
	bool seen;
	int64_t off, bound, at_ms; /* in pages; bound -1: the counter's model is not known */
	pid_t pid;
	char name[32];
};

struct auditor {
	const struct host *host;
	const struct measured *measured;
	struct tree tree;
	const struct group *group; /* the program's own cgroup; NULL: not requested */
	char *wrapper; /* owned: the name of the command that starts the program and is not audited;
			* NULL: it is audited */
	size_t wrapper_length;
	int64_t started_ms, ended_ms;
	int64_t held_us, held_most_us;
	struct point *points; /* owned */
	size_t nr_points, point_room;
	struct seen *seen; /* owned: the processes that were found */
	size_t nr_seen, seen_room;
	size_t nr_audited;                    /* of those */
	int64_t peak_rss, peak_pss, peak_uss; /* the largest sums over all processes in one audit,
					       * in kB */
	double held_wanted;                   /* percent of the time that the program may be
					       * stopped; 0: no limit */
	struct finding findings[FINDINGS_MAX];
	size_t nr_findings, nr_more;
	struct worst worst[METRIC_COUNT];
	struct paid paid[PAID_COUNT];
	int64_t stays_ms; /* a number in paid[] that is broken for this long is wrong */
	size_t unseen[UNSEEN_COUNT];
	size_t numbers[CHECK_COUNT]; /* compared */
	size_t nr_ends;              /* how many processes were audited as they ended */
	size_t turn;                 /* the process to read first, if there is not enough time for
				      * all */
	pid_t command;
	char command_name[32];
	int64_t peak_kb;       /* the largest resident size of the command's own process */
	unsigned peak_threads; /* the largest number of threads of that process */
	int log;               /* the kernel log, or -1 */
	char log_others[200];
	size_t nr_log_others;
};

void auditor_open(struct auditor *a, const struct host *h, const struct measured *m, pid_t command);
void auditor_close(struct auditor *a);

/* Stops, reads, judges, releases. `mark` names what requested the audit; "": the timer. */
void auditor_audit(struct auditor *a, const char *mark);

/* `command` started the program; its process is not audited until it executes something else. */
void auditor_leave_out(struct auditor *a, char *const *command);

/* Reads and judges a process that is stopped as it ends; the others run on. */
void auditor_audit_end(struct auditor *a, const struct traced *who);

/* Call after the command has ended: makes the final checks, and reads the kernel log. */
void auditor_end(struct auditor *a);

/* Reads what the kernel has logged since the last call. */
void auditor_read_log(struct auditor *a);

/* Keeps a finding, or adds it to an earlier one that is the same. */
void auditor_find(struct auditor *a, enum audit_check c, pid_t pid, const char *name,
		  const struct discrepancy *d);

#endif
