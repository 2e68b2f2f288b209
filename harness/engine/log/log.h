// SPDX-License-Identifier: MIT
#ifndef RSSCK_LOG_H
#define RSSCK_LOG_H

#include "complaint.h"

/* What the kernel log said since it was last read; empty strings where it said nothing. */
struct log_news {
	char complaint[COMPLAINT_LINE]; /* the first that is about memory accounting, or names us */
	char others[COMPLAINT_LINE];    /* the first unrelated one */
	unsigned nr_others;
};

/* Open the kernel log at its end. Returns a descriptor, or -1 where it cannot be read. */
int log_open(void);

/* Read what was logged since the last call. `leader` is the workload's, or 0. */
void log_read(int fd, pid_t leader, struct log_news *news);

/*
 * Have every CPU in the list switch to our mm: a CPU that idles keeps the last
 * mm it ran alive, and the kernel checks its counters when it drops it.
 */
void log_make_cpus_drop_mm(const int *cpus, unsigned nr_cpus);

#endif
