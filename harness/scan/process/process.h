// SPDX-License-Identifier: MIT
/*
 * Reads one live process: its identity, its counters and its page tables. Detects whether it
 * changed meanwhile.
 */
#ifndef RSSCK_SCAN_PROCESS_H
#define RSSCK_SCAN_PROCESS_H

#include <rssck/source.h>

/* The schema of all JSON that scan writes. */
#define SCAN_SCHEMA "rssck-scan/1"

/* What could be read of a process. */
enum sight {
	SIGHT_SEEN,
	SIGHT_GONE,   /* it ended before or during the reading, or never existed */
	SIGHT_ZOMBIE, /* all its threads have ended; its memory is freed, but its parent has not
		       * waited for it */
	SIGHT_KERNEL_THREAD, /* has no memory of its own */
	/*
	 * Its page tables may not be read, e.g. because it is another user's. With hidepid no other
	 * file may be read, either.
	 */
	SIGHT_DENIED,
	SIGHT_UNREADABLE, /* a file cannot be read or parsed; see `why` */
	SIGHT_UNWANTED,   /* not selected by --user or --name */
	SIGHT_COUNT,
};

struct identity {
	pid_t pid;
	uid_t uid;     /* effective user ID, as in ps */
	char name[64]; /* Name in status, without escapes; may contain anything */
	unsigned threads;
	uint64_t started; /* in clock ticks after boot; distinguishes it from a later process with
			   * this PID */
	bool kernel_thread, zombie;
};

/* Returns the address width of the process's program, 32 or 64, from its ELF file; 0: unknown. */
unsigned identity_bits(pid_t pid);

/*
 * Fills in *who from stat and status. Without stat (NULL), started and kernel_thread are not set.
 * Returns 0, or -1 if a field is missing.
 */
int identity_read(struct identity *who, const char *stat, const char *status);

enum { READINGS_MAX = 3 };

/*
 * The result of reading a process. A reading during which the process changed is repeated, up to
 * READINGS_MAX readings in all.
 */
struct reading {
	struct identity who;
	pid_t thread; /* the thread whose files were read: the leader, or a living thread if the
		       * leader has ended */
	enum sight sight;
	char why[256];
	struct values counters;  /* stat, statm, status; the last reading */
	struct values tables;    /* smaps_rollup; the last reading */
	struct values low, high; /* minimum and maximum over the readings of smaps_rollup */
	unsigned nr;             /* number of readings */
	bool moved;              /* changed during each reading: the numbers may mix states */
	bool reshared;  /* its pages became shared, unshared, clean or dirty between two readings;
			 * `moved` may be set, too */
	bool running;   /* process_is_running(); set by audit_process() */
	unsigned bits;  /* address width of its program, set by audit_process(); 0: unknown */
	bool confirmed; /* smaps_rollup was read twice, so `reshared` is known; set only for small
			 * processes */
};

/* Buffers that are reused for many processes. Initially zero. */
struct reader {
	struct text stat, status, other;
};

void reader_free(struct reader *r);

/*
 * Returns the ID under which a process's memory can be read: its PID, or a living thread's ID if
 * the leader has ended.
 */
pid_t process_living_thread(pid_t pid);

/*
 * Reads a process: the counters, smaps_rollup, and the counters again. The counters show whether
 * the process changed in between. They do not show changes of sharing by other processes, so
 * smaps_rollup is read twice, unless the process is large. After any change everything is read
 * again, up to READINGS_MAX times in all.
 */
void process_read(struct reading *p, pid_t pid, struct reader *r);

/* Reads a process once, for a census, if wanted() accepts it. Does not set `moved`. */
void process_sample(struct reading *p, pid_t pid, struct reader *r,
		    bool (*wanted)(const struct identity *who, const void *arg), const void *arg);

/*
 * False only if each thread is known to be in interruptible sleep, stopped, idle or a zombie. Any
 * other thread may be in the middle of munmap(2): the mapping is gone, but the counters are not
 * updated yet.
 */
bool process_is_running(pid_t pid, struct reader *r);

/* True if two readings of the counters show that the process did nothing in between. */
bool counters_stood_still(const struct values *before, const struct values *after);

/* Returns a number of smaps_rollup in kB; 0 if this kernel does not print it. */
static inline int64_t table_kb(const struct values *v, enum metric_id id)
{
	return v->have[id] ? v->of[id] : 0;
}

/* Returns the unique set size in kB, without hugetlb: the memory resident only in this process. */
static inline int64_t table_uss(const struct values *v)
{
	return table_kb(v, METRIC_ROLLUP_PRIVATE_CLEAN) + table_kb(v, METRIC_ROLLUP_PRIVATE_DIRTY);
}

#endif
