// SPDX-License-Identifier: MIT
/*
 * Audits a program while it runs. An audit stops all its processes, reads their sources, and checks
 * what must hold for any process.
 */
#ifndef RSSCK_AUDIT_H
#define RSSCK_AUDIT_H

#include "group.h"
#include "judge/judge.h"
#include "paid.h"
#include "scan/audit/audit.h"
#include "tree.h"

/* Each check becomes one result; CHECK_CGROUP only if a cgroup was requested. */
enum audit_check {
	CHECK_IDENTITIES, /* compares a process's sources with each other */
	CHECK_COUNTERS,   /* compares a process's counters with its page tables, within the bound of
			     the measured model */
	CHECK_FRAMES,     /* compares the number of page table entries that map a frame with the
			     frame's mapcount */
	CHECK_CLOSED, /* compares the command's ru_maxrss after its end with the largest resident
			 size of its process in an audit */
	CHECK_LOG,    /* looks for complaints about memory accounting in the kernel log */
	CHECK_CGROUP, /* compares the numbers of the program's own cgroup with the memory of its
			 processes */
	CHECK_COUNT,
};

/* Returns the name of a check in reports, such as "identities". */
const char *check_name(enum audit_check r);

/* Why processes and numbers could not be judged. */
enum unseen {
	UNSEEN_DENIED,  /* rssck may not read the process */
	UNSEEN_RUNNING, /* the process could not be stopped in time */
	UNSEEN_MOVED,   /* its pages changed during each reading */
	UNSEEN_LATER,   /* the audit had used up its time; the next one begins with this process */
	UNSEEN_FRAMES,  /* not all processes could be read together, so frames were not compared */
	UNSEEN_ENDS,   /* it ended when the program had already been stopped for the maximum time */
	UNSEEN_CGROUP, /* some processes were not in the cgroup, it had child cgroups, or a number
			  could not be read */
	UNSEEN_COUNT,
};

const char *unseen_words(enum unseen u);

struct finding {
	enum audit_check check;
	pid_t pid;
	char name[32];       /* comm of the process */
	int64_t first, last; /* in ms since the start */
	unsigned audits;     /* number of audits that found it */
	bool grows;          /* the difference grew, in the same direction, at each audit */
	struct discrepancy d;
};

enum { FINDINGS_MAX = 100 };

/* One audit, with sums in kB over the processes that were read. */
struct point {
	int64_t at_ms, held_us;
	size_t processes, read, threads, numbers;
	int64_t counted, resident, pss, uss, swap;
	int64_t lag; /* the largest lag of any counter, in pages */
	bool whole;  /* all processes were stopped and read */
	char mark[32];
};

/* The largest difference of one counter, and its bound. */
struct worst {
	bool seen;
	int64_t off, bound,
		at_ms; /* off and bound in pages; bound is -1 if the counter's model is unknown */
	pid_t pid;
	char name[32];
};

struct auditor {
	const struct host *host;
	const struct measured *measured;
	struct tree tree;
	const struct group *group; /* the program's own cgroup; NULL if not requested */
	char *wrapper; /* owned; the command that starts the program and is not audited itself, or
			  NULL */
	size_t wrapper_length;
	int64_t started_ms, ended_ms;
	int64_t held_us, held_most_us;
	struct point *points; /* owned */
	size_t nr_points;
	struct seen *seen; /* owned; all processes that were found */
	size_t nr_seen;
	size_t nr_audited;                    /* number of processes in `seen` that were audited */
	int64_t peak_rss, peak_pss, peak_uss; /* the largest sums of one audit, in kB */
	double held_wanted; /* the most time that the program may be stopped, in percent; 0 if there
			       is no limit */
	struct finding findings[FINDINGS_MAX];
	size_t nr_findings, nr_more;
	struct worst worst[METRIC_COUNT];
	struct paid paid[PAID_COUNT];
	int64_t stays_ms; /* a number in paid[] is wrong if it stays outside its range for this many
			     milliseconds */
	size_t unseen[UNSEEN_COUNT];
	size_t numbers[CHECK_COUNT]; /* how many numbers each check compared */
	size_t nr_ends;              /* number of processes that were audited as they ended */
	size_t turn; /* the process to read first if the time is too short for all */
	pid_t command;
	char command_name[32];
	int64_t peak_kb;       /* largest resident size of the command's process, in kB */
	unsigned peak_threads; /* largest number of threads of the command's process */
	int log;               /* descriptor of the kernel log, or -1 */
	char log_others[200];
	size_t nr_log_others;
};

void auditor_open(struct auditor *a, const struct host *h, const struct measured *m, pid_t command);
void auditor_close(struct auditor *a);

/*
 * Makes one audit: stops all processes, reads and judges them, and releases them. `mark` names what
 * requested the audit; "" is the timer.
 */
void auditor_audit(struct auditor *a, const char *mark);

/*
 * Leaves out the process of a wrapper, which is started as `command`, until it executes another
 * program.
 */
void auditor_leave_out(struct auditor *a, char *const *command);

/* Judges a process that is stopped at its end. The other processes continue. */
void auditor_audit_end(struct auditor *a, const struct traced *who);

/* Makes the final checks and reads the kernel log. Call it after the command has ended. */
void auditor_end(struct auditor *a);

/* Reads what the kernel has logged since the last call. */
void auditor_read_log(struct auditor *a);

/* Adds a finding, or updates it if it exists. */
void auditor_find(struct auditor *a, enum audit_check c, pid_t pid, const char *name,
		  const struct discrepancy *d);

/*
 * Judges the page frames and the program's cgroup. All processes of the program must be stopped,
 * and all must have been read.
 */
void together_judge(struct auditor *a, struct point *p, struct snapshot **s, size_t nr);

#endif
