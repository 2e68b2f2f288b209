// SPDX-License-Identifier: MIT
/* Each line of the machine against what it must be according to the others. */
#ifndef RSSCK_MACHINE_JUDGE_H
#define RSSCK_MACHINE_JUDGE_H

#include "reading.h"

enum line_state {
	LINE_UNKNOWN, /* it is not there, or what it is compared with was not read */
	LINE_NOTHING, /* nothing can be compared with it: why_not */
	LINE_EQUAL,
	LINE_LATE,  /* off by no more than the CPUs may hold back */
	LINE_MOVED, /* off by no more than what changed while it was read */
	LINE_WRONG,
	LINE_STATES,
};

/* "equal" */
const char *line_state_name(enum line_state s);

struct line {
	enum line_state state;
	int64_t says, least, most; /* the values of the nearest reading; most -1: any */
	int64_t late;              /* what may be held back */
	int64_t moved;             /* meanwhile */
	int off_as_before; /* readings that were off in the same direction: below 0 or above */
};

struct machine_judgement {
	struct line of[MACHINE_NUMBERS];
	struct line zone[ZONES_MAX][MACHINE_NUMBERS];
	struct line node[ZONES_MAX][MACHINE_NUMBERS]; /* by its first zone */
	size_t nr_zones;
	unsigned readings;
};

/* A line against its row, by one reading's values. */
void line_judge(struct line *l, enum machine_number n, const struct machine_values *before,
		const struct machine_values *after, int64_t late, int64_t moved);

/* Judge one more reading. Returns how many lines are not equal or late yet. */
size_t machine_judge(struct machine_judgement *j, const struct machine_reading *r, unsigned cpus);

/* After the last reading: what was off in the same direction each time, by more than moved, is
 * wrong. */
void machine_judge_end(struct machine_judgement *j);

/* How many lines are in that state; wrong ones of zones, too. */
size_t machine_count(const struct machine_judgement *j, enum line_state s);

#endif
