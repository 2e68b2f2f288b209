// SPDX-License-Identifier: MIT
/* Reads all numbers of a machine before and after its page frames. */
#ifndef RSSCK_MACHINE_READING_H
#define RSSCK_MACHINE_READING_H

#include "frames.h"
#include <rssck/source.h>

/*
 * `before` and `after`: the counters read before and after the frames. Both also have the sums of
 * the frames.
 */
struct machine_reading {
	struct machine_values before, after;
	struct zones zones[2];
	bool frames;    /* the frames were read */
	bool refreshed; /* the CPUs added their parts to the counters before the reading */
	int64_t page_kb;
	int64_t moved_kb; /* kB that the events during the reading may have changed: each event may
			     have changed the kind of one frame */
	int64_t took_us;  /* time for reading the frames, in microseconds */
	size_t unknown;   /* number of lines that have no row and do not count events */
};

#define STAT_REFRESH "/proc/sys/vm/stat_refresh"

/*
 * Makes the CPUs add to the counters the amounts that they hold back. Returns false if that fails
 * or if `path` is not in procfs: a container may have mounted /dev/null over it.
 */
bool machine_refresh(const char *path);

struct machine_reader {
	const struct host *host;
	struct text text;
	struct frames_reader frames;
	bool sees_frames;
	bool integrity_pool; /* the kernel has a pool for integrity data, see sums.h */
	char why[200];       /* why the frames cannot be read */
	struct frames_run run;
};

void machine_reader_open(struct machine_reader *m, const struct host *h);
void machine_reader_close(struct machine_reader *m);

/* Reads all numbers. Returns 0, or -1 with a sentence in `why` if /proc/meminfo has no MemTotal. */
int machine_numbers_read(struct machine_reader *m, struct machine_reading *r, char *why,
			 size_t size);

/* Reads only /proc/zoneinfo, after the CPUs added their parts to the counters. Returns 0 or -1. */
int machine_zones_read(struct machine_reader *m, struct zones *z);

#endif
