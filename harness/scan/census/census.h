// SPDX-License-Identifier: MIT
/* Many processes, as a table whose PSS adds up. */
#ifndef RSSCK_SCAN_CENSUS_H
#define RSSCK_SCAN_CENSUS_H

#include "scan/audit/audit.h"
#include "scan/keep/ending.h"

enum census_by { BY_PROCESS, BY_PROGRAM, BY_USER };
enum census_sort { SORT_PSS, SORT_USS, SORT_RSS, SORT_SWAP, SORT_ONE_MORE, SORT_NAME, SORT_PID };

struct census_wanted {
	enum census_by by;
	enum census_sort sort;
	const char *program; /* only those of that name, or NULL */
	uid_t uid;           /* only those of that user, if has_uid */
	bool has_uid;
	const struct host *h; /* to compute private memory for BY_PROGRAM; NULL: not needed */
};

/* The numbers kept of one process. Sizes in kB. */
struct member {
	pid_t pid;
	pid_t thread; /* the thread under whose ID its memory is read */
	uid_t uid;
	enum sight sight;
	char name[64];
	int64_t vmrss;               /* VmRSS as its counter shows it; -1 if it was not seen */
	bool off;                    /* off by more than its model's bound: census_judge() */
	int64_t rss, pss, uss, swap; /* swap: its share */
	int64_t pss_anon, pss_file, pss_shmem, hugetlb;
	int64_t own; /* memory freed by its end alone, and its hugetlb: for BY_PROGRAM */
};

/* One line of the table. */
struct census_row {
	const struct member *first; /* the first of the processes that it sums up */
	size_t nr;
	int64_t vmrss, rss, pss, uss, swap;
	int64_t one_more; /* memory that one more such process would need: the median, the minimum,
			   * the maximum */
	int64_t one_more_least, one_more_most;
};

/* /proc/meminfo in kB; -1 if a field is not printed. */
struct machine {
	int64_t total, anon, mapped, shmem, cached, hugetlb, kernel;
};

struct census {
	struct member *members; /* the selected processes, in order of PID; owned */
	size_t nr_members;
	size_t sights[SIGHT_COUNT]; /* how many were SEEN, GONE ... */
	int64_t unseen_vmrss;       /* sum of VmRSS over the processes that were denied */
	struct census_row *rows;    /* owned */
	size_t nr_rows;
	struct member sum;
	int64_t milliseconds; /* from the first reading to the last */
	struct machine machine;
	bool has_ending;      /* the next is set for one program or one user */
	struct ending ending; /* the memory that ending all of them frees */
	size_t nr_off;        /* processes whose VmRSS is off by more than its model allows */
	char off[640];        /* the first of them, in words */
};

/* Reads the processes of /proc. Returns 0, or -1 with a sentence in `why`. */
int census_take(struct census *c, const struct census_wanted *w, char *why, size_t size);
void census_free(struct census *c);

/*
 * Compares each VmRSS with the page tables. Differences are read again, one process at a time; the
 * kernel's models are measured, by `measure` (NULL: not), only if a difference remains.
 */
void census_judge(struct census *c, struct measured *m, void (*measure)(struct measured *m),
		  long page_size);

/* The steps of a census, also for tests with made-up members. Returns 0 or -1: no memory. */
int census_group(struct census *c, const struct census_wanted *w);

/* Parses the text of /proc/meminfo. */
struct machine machine_read(const char *meminfo);

#endif
