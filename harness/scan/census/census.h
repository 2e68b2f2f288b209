// SPDX-License-Identifier: MIT
/* Reads many processes into a table whose PSS adds up. */
#ifndef RSSCK_SCAN_CENSUS_H
#define RSSCK_SCAN_CENSUS_H

#include "scan/audit/audit.h"
#include "scan/keep/ending.h"

enum census_by { BY_PROCESS, BY_PROGRAM, BY_USER };
enum census_sort { SORT_PSS, SORT_USS, SORT_RSS, SORT_SWAP, SORT_ONE_MORE, SORT_NAME, SORT_PID };

struct census_wanted {
	enum census_by by;
	enum census_sort sort;
	const char *program; /* only processes of that name; NULL: all */
	uid_t uid;           /* only processes of that user, if has_uid */
	bool has_uid;
	/* Needed to compute `own` (BY_PROGRAM) and `ending`; NULL: neither is computed. */
	const struct host *h;
};

/* The numbers of one process. Sizes are in kB. */
struct member {
	pid_t pid;
	pid_t thread; /* the thread whose files are read */
	uid_t uid;
	enum sight sight;
	char name[64];
	char unread[64]; /* why it could not be read, if it is SIGHT_UNREADABLE */
	int64_t vmrss;   /* VmRSS; -1: it could not be read */
	bool off;        /* VmRSS is off by more than its model's bound: census_judge() */
	int64_t rss, pss, uss, swap; /* swap: its proportional share */
	int64_t pss_anon, pss_file, pss_shmem, hugetlb;
	/*
	 * for BY_PROGRAM: the sum of private anonymous memory, SwapPss, page tables and private
	 * hugetlb
	 */
	int64_t own;
};

struct census_row {
	const struct member *first; /* the first of its processes */
	size_t nr;
	int64_t vmrss, rss, pss, uss, swap;
	int64_t one_more; /* memory that one more such process would need: the median */
	int64_t one_more_least, one_more_most;
};

/* /proc/meminfo in kB; -1: not printed */
struct machine {
	int64_t total, anon, mapped, shmem, cached, hugetlb, kernel;
};

struct census {
	struct member *members; /* the selected processes, by PID; owned */
	size_t nr_members;
	size_t sights[SIGHT_COUNT]; /* number of processes for each enum sight */
	char unread[64];            /* why the first unreadable process could not be read */
	int64_t unseen_vmrss;       /* sum of VmRSS of the processes that were denied */
	struct census_row *rows;    /* owned */
	size_t nr_rows;
	struct member sum;
	int64_t milliseconds; /* time from the first reading to the last */
	struct machine machine;
	bool has_ending;      /* `ending` is set, for one program or one user */
	struct ending ending; /* the memory that ending all its processes would free */
	size_t nr_off;        /* processes whose VmRSS is off by more than their model allows */
	char off[640];        /* a sentence about the first of them */
};

/* Reads the processes of /proc. Returns 0, or -1 with a message in `why`. */
int census_take(struct census *c, const struct census_wanted *w, char *why, size_t size);
void census_free(struct census *c);

/*
 * Compares each VmRSS with the page tables. Processes that differ are read again, one at a time.
 * `measure` measures the kernel's models if a difference remains; it may be NULL.
 */
void census_judge(struct census *c, struct measured *m, void (*measure)(struct measured *m),
		  long page_size);

/*
 * Groups the members into rows. Tests call it with made-up members. Returns 0, or -1 if there is no
 * memory.
 */
int census_group(struct census *c, const struct census_wanted *w);

/* Parses the text of /proc/meminfo. */
struct machine machine_read(const char *meminfo);

#endif
