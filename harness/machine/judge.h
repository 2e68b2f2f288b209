// SPDX-License-Identifier: MIT
/* Compares each line of the machine with the value that follows from the other numbers. */
#ifndef RSSCK_MACHINE_JUDGE_H
#define RSSCK_MACHINE_JUDGE_H

#include "reading.h"

enum line_state {
	LINE_UNKNOWN, /* the line is missing, or what it is compared with was not read */
	LINE_NOTHING, /* no number to compare it with; see why_not */
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
	int64_t says, least, most; /* the values of the nearest reading; most -1: no upper limit */
	int64_t late;              /* the most that the CPUs may hold back */
	int64_t moved;             /* meanwhile */
	int off_as_before; /* number of successive readings that were off in the same direction,
			    * negative for below */
};

struct machine_judgement {
	struct line of[MACHINE_NUMBERS];
	struct line zone[ZONES_MAX][MACHINE_NUMBERS];
	struct line node[ZONES_MAX][MACHINE_NUMBERS]; /* indexed by the node's first zone */
	size_t nr_zones;
	unsigned readings;
};

/* Compares a line with its row, using one reading's values. */
void line_judge(struct line *l, enum machine_number n, const struct machine_values *before,
		const struct machine_values *after, int64_t late, int64_t moved);

/* Judges one more reading. Returns the number of lines that are not yet equal or late. */
size_t machine_judge(struct machine_judgement *j, const struct machine_reading *r, unsigned cpus);

/*
 * Call after the last reading: a line that was off in the same direction each time, by more
 * than it moved, is wrong.
 */
void machine_judge_end(struct machine_judgement *j);

/* The number of lines in that state, including wrong lines of zones. */
size_t machine_count(const struct machine_judgement *j, enum line_state s);

#endif
