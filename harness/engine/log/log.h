// SPDX-License-Identifier: MIT
#ifndef RSSCK_LOG_H
#define RSSCK_LOG_H

#include "complaint.h"

/* The kernel's messages since the last read. Empty strings: none. */
struct log_news {
	char complaint[COMPLAINT_LINE]; /* the first complaint about memory accounting, or about our
					   process */
	char others[COMPLAINT_LINE];    /* the first unrelated complaint */
	unsigned nr_others;
};

/*
 * Reads the records since the last call from the descriptor of kmsg_open(); reads nothing if it is
 * negative. `leader` is the PID of the workload's leader, or 0.
 */
void log_read(int fd, pid_t leader, struct log_news *news);

/*
 * Makes every CPU in the list switch to rssck's mm. An idle CPU may keep the last mm that it ran,
 * and the kernel checks an mm's counters only when the mm is dropped.
 */
void log_make_cpus_drop_mm(const int *cpus, unsigned nr_cpus);

#endif
