// SPDX-License-Identifier: MIT
/* Reads all numbers of a machine before and after its page frames. */
#ifndef RSSCK_MACHINE_READING_H
#define RSSCK_MACHINE_READING_H

#include "frames.h"
#include <rssck/source.h>

/* The counters before and after the frames, which are in both. */
struct machine_reading {
	struct machine_values before, after;
	struct zones zones[2];
	bool frames;    /* the frames were read */
	bool refreshed; /* each CPU's part of the counters was added before */
	int64_t page_kb;
	int64_t moved_kb; /* kB that all events in between may have moved: any of them may be a
			   * frame that changed its kind */
	int64_t took_us;  /* how long reading the frames took, in microseconds */
	size_t unknown;   /* number of lines without a row */
};

#define STAT_REFRESH "/proc/sys/vm/stat_refresh"

/*
 * Makes the CPUs add up what they hold back. Returns false if that cannot be done: in a container
 * /dev/null may be mounted there, which can be read, too.
 */
bool machine_refresh(const char *path);

struct machine_reader {
	const struct host *host;
	struct text text;
	struct frames_reader frames;
	bool sees_frames;
	bool integrity_pool; /* the kernel has such a pool, see sums.h */
	char why[200];       /* not */
	struct frames_run run;
};

void machine_reader_open(struct machine_reader *m, const struct host *h);
void machine_reader_close(struct machine_reader *m);

/* Reads everything. Returns 0, or -1 with a sentence in `why` if /proc/meminfo cannot be read. */
int machine_numbers_read(struct machine_reader *m, struct machine_reading *r, char *why,
			 size_t size);

/* Reads only the zones, after each CPU's part was added. Returns 0 or -1. */
int machine_zones_read(struct machine_reader *m, struct zones *z);

/*
 * Number of pages that events in /proc/vmstat count: allocations, faults, moves from list
 * to list.
 */
int64_t reading_events(const char *vmstat);

#endif
