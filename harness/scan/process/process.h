// SPDX-License-Identifier: MIT
/*
 * One live process, read: who it is, what its counters say, what its page
 * tables say, and whether it stood still meanwhile.
 */
#ifndef RSSCK_SCAN_PROCESS_H
#define RSSCK_SCAN_PROCESS_H

#include <rssck/source.h>

/* The schema of all JSON that scan writes. */
#define SCAN_SCHEMA "rssck-scan/1"

/* What could be seen of a process. */
enum sight {
	SIGHT_SEEN,
	SIGHT_GONE,          /* ended before or while it was read, or never was */
	SIGHT_ZOMBIE,        /* ended, all its threads, not yet waited for: its memory is gone */
	SIGHT_KERNEL_THREAD, /* has no memory of its own */
	SIGHT_DENIED,        /* another user's: its counters are shown, its page tables are not */
	SIGHT_UNREADABLE,    /* a file has something in it that cannot be read; see `why` */
	SIGHT_UNWANTED,      /* not what --user or --name selects */
	SIGHT_COUNT,
};

struct identity {
	pid_t pid;
	uid_t uid;        /* effective, as ps shows it */
	char name[64];    /* status Name, without its escapes: may hold anything */
	unsigned threads; /* that share the memory */
	uint64_t started; /* clock ticks after boot: distinguishes it from a later process of that
			     PID */
	bool kernel_thread, zombie;
};

/*
 * The width of the addresses that the program of a process has, 32 or 64: the class of the
 * ELF file that it runs. 0 where that may not be read.
 */
unsigned identity_bits(pid_t pid);

/*
 * Read it from stat and status. Without stat (NULL) neither when it started
 * nor whether it is a kernel thread is known. Returns 0, or -1 where that is not in them.
 */
int identity_read(struct identity *who, const char *stat, const char *status);

enum { READINGS_MAX = 3 };

/* A process, read as often as it took to find it standing still. */
struct reading {
	struct identity who;
	pid_t thread; /* whose files were read: the leader, or a thread that lives on without it */
	enum sight sight;
	char why[256];
	struct values counters;  /* stat, statm, status: read last */
	struct values tables;    /* smaps_rollup: the last reading */
	struct values low, high; /* of the readings of smaps_rollup, where there were several */
	unsigned nr;             /* of them */
	bool moved;              /* each time: nothing here is a state that it was in */
	bool reshared;  /* it stood still, but who shares its pages, or cleans them, changed */
	bool running;   /* set by audit_process(): a thread runs, or waits in the kernel */
	unsigned bits;  /* of its program, set by audit_process(); 0: not known */
	bool confirmed; /* the sharing, by a second reading: of small processes */
};

/* Buffers for reading, used for many processes; a zeroed one is ready. */
struct reader {
	struct text stat, status, other;
};

void reader_free(struct reader *r);

/*
 * The number under which the memory of a process can be read: its own, or, where the
 * leader has ended before its other threads, that of a thread that lives.
 */
pid_t process_living_thread(pid_t pid);

/*
 * Read a process: the counters, smaps_rollup, and the counters again. What
 * moves in between is seen by its page faults, its address space or the
 * counters themselves. What others do to its sharing none of these shows, so
 * smaps_rollup is read twice, unless it is large. If anything moved all is
 * read again, READINGS_MAX times at most.
 */
void process_read(struct reading *p, pid_t pid, struct reader *r);

/* Read it one time, if it is wanted: for a census. `moved` is not set. */
void process_sample(struct reading *p, pid_t pid, struct reader *r,
		    bool (*wanted)(const struct identity *who, const void *arg), const void *arg);

/*
 * True if a thread of it runs, is about to, or waits for the kernel itself:
 * then it can be in the middle of munmap(2), where the mapping is gone already
 * and the counters are not yet updated, for as long as it gets no CPU.
 */
bool process_is_running(pid_t pid, struct reader *r);

/* True where two readings of the counters show that the process did nothing in between. */
bool counters_stood_still(const struct values *before, const struct values *after);

/* A number of smaps_rollup in kB, 0 where this kernel does not print it. */
static inline int64_t table_kb(const struct values *v, enum metric_id id)
{
	return v->have[id] ? v->of[id] : 0;
}

/* The unique set: resident in this process alone. */
static inline int64_t table_uss(const struct values *v)
{
	return table_kb(v, METRIC_ROLLUP_PRIVATE_CLEAN) + table_kb(v, METRIC_ROLLUP_PRIVATE_DIRTY);
}

#endif
