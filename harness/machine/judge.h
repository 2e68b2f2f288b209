// SPDX-License-Identifier: MIT
/*
 * Compares lines of meminfo, vmstat and zoneinfo with values that follow from other numbers.
 */
#ifndef RSSCK_MACHINE_JUDGE_H
#define RSSCK_MACHINE_JUDGE_H

#include "reading.h"

enum line_state {
	LINE_UNKNOWN, /* the line, or a number to compare it with, is missing */
	LINE_NOTHING, /* no number can be compared with the line; row->why_not says why */
	LINE_EQUAL,
	LINE_LATE,  /* off by no more than CPUs may hold back */
	LINE_MOVED, /* off, but the conditions of LINE_WRONG are not met */
	LINE_WRONG, /* off in the same direction at each reading, by more than what changed
		     * meanwhile */
	LINE_STATES,
};

/* Returns "equal" for LINE_EQUAL. */
const char *line_state_name(enum line_state s);

struct line {
	enum line_state state;
	/*
	 * The line and its correct range, before or after the frames were read, whichever is
	 * closer. `most` is -1 if there is no upper limit.
	 */
	int64_t says, least, most;
	int64_t late;      /* the most that CPUs may hold back */
	int64_t moved;     /* kB that changed while the numbers were read */
	int off_as_before; /* number of successive readings that were off in the same direction;
			    * negative: the line was too low */
};

struct machine_judgement {
	struct line of[MACHINE_NUMBERS];
	struct line zone[ZONES_MAX][MACHINE_NUMBERS];
	struct line node[ZONES_MAX]
			[MACHINE_NUMBERS]; /* the index is that of the node's first zone */
	size_t nr_zones;
	unsigned readings;
};

/* Compares a line with its row, using the values of one reading. */
void line_judge(struct line *l, enum machine_number n, const struct machine_values *before,
		const struct machine_values *after, int64_t late, int64_t moved);

/* Judges another reading. Returns the number of lines that a further reading may decide. */
size_t machine_judge(struct machine_judgement *j, const struct machine_reading *r, unsigned cpus);

/*
 * Call this after the last reading. A line is wrong if there were three or more readings, and each
 * was off in the same direction by more than `late` and `moved`.
 */
void machine_judge_end(struct machine_judgement *j);

/* Returns the number of lines in this state. LINE_WRONG includes the lines of zones and nodes. */
size_t machine_count(const struct machine_judgement *j, enum line_state s);

#endif
