// SPDX-License-Identifier: MIT
/*
 * Reads one live process: its identity, its counters, its page tables, and whether it
 * stood still meanwhile.
 */
#ifndef RSSCK_SCAN_PROCESS_H
#define RSSCK_SCAN_PROCESS_H

#include <rssck/source.h>

/* The schema of all JSON that scan writes. */
#define SCAN_SCHEMA "rssck-scan/1"

/* The visible part of a process. */
enum sight {
	SIGHT_SEEN,
	SIGHT_GONE,          /* it ended before or while it was read, or never existed */
	SIGHT_ZOMBIE,        /* all its threads have ended, and its parent has not waited for it:
			      * its memory is freed */
	SIGHT_KERNEL_THREAD, /* has no memory of its own */
	SIGHT_DENIED,        /* another user's: its counters are shown, its page tables are not */
	SIGHT_UNREADABLE,    /* a file has content that cannot be parsed; see `why` */
	SIGHT_UNWANTED,      /* not what --user or --name selects */
	SIGHT_COUNT,
};

struct identity {
	pid_t pid;
	uid_t uid;        /* the effective user ID, as ps shows it */
	char name[64];    /* Name in status, without its escapes; may contain anything */
	unsigned threads; /* number of threads that share the memory */
	uint64_t started; /* clock ticks after boot: distinguishes it from a later process of that
			     PID */
	bool kernel_thread, zombie;
};

/*
 * The address width of the process's program, 32 or 64: the class of its ELF file. 0 if
 * that may not be read.
 */
unsigned identity_bits(pid_t pid);

/*
 * Fills in *who from stat and status. Without stat (NULL) it is unknown when the process
 * started and whether it is a kernel thread. Returns 0, or -1 if the text lacks a field.
 */
int identity_read(struct identity *who, const char *stat, const char *status);

enum { READINGS_MAX = 3 };

/* The readings of a process, repeated until it stood still. */
struct reading {
	struct identity who;
	pid_t thread; /* the thread whose files were read: the leader, or one that is alive without
		       * it */
	enum sight sight;
	char why[256];
	struct values counters;  /* stat, statm, status: read last */
	struct values tables;    /* smaps_rollup: the last reading */
	struct values low, high; /* minimum and maximum over the readings of smaps_rollup, if there
				  * were several */
	unsigned nr;             /* of them */
	bool moved;              /* it moved during each reading, so the numbers are no state that
				  * it was in */
	bool reshared;  /* it stood still, but the sharing or cleanness of its pages changed */
	bool running;   /* set by audit_process(): a thread runs, or waits in the kernel */
	unsigned bits;  /* address width of its program, set by audit_process(); 0: not known */
	bool confirmed; /* a second reading confirmed the sharing; only for small processes */
};

/* Buffers for reading, used for many processes; a zeroed one is ready. */
struct reader {
	struct text stat, status, other;
};

void reader_free(struct reader *r);

/*
 * The ID under which a process's memory can be read: its own, or, if the leader has ended
 * before its other threads, that of a living thread.
 */
pid_t process_living_thread(pid_t pid);

/*
 * Reads a process: the counters, smaps_rollup, and the counters again. Page faults,
 * address space or the counters show whether the process moved in between. They do not
 * show changes of sharing by other processes, so smaps_rollup is read twice, unless it is
 * large. If anything moved, everything is read again, at most READINGS_MAX times.
 */
void process_read(struct reading *p, pid_t pid, struct reader *r);

/* For a census: reads a process once, if wanted() accepts it. Does not set `moved`. */
void process_sample(struct reading *p, pid_t pid, struct reader *r,
		    bool (*wanted)(const struct identity *who, const void *arg), const void *arg);

/*
 * True if one of its threads runs, is about to, or waits inside the kernel. Then it can
 * be in the middle of munmap(2): the mapping is gone, and the counters are not yet
 * updated, for as long as it gets no CPU.
 */
bool process_is_running(pid_t pid, struct reader *r);

/* True if two readings of the counters show that the process did nothing in between. */
bool counters_stood_still(const struct values *before, const struct values *after);

/* A number of smaps_rollup in kB; 0 if this kernel does not print it. */
static inline int64_t table_kb(const struct values *v, enum metric_id id)
{
	return v->have[id] ? v->of[id] : 0;
}

/* The unique set size in kB: resident in this process alone. */
static inline int64_t table_uss(const struct values *v)
{
	return table_kb(v, METRIC_ROLLUP_PRIVATE_CLEAN) + table_kb(v, METRIC_ROLLUP_PRIVATE_DIRTY);
}

#endif
