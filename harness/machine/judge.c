// SPDX-License-Identifier: MIT
/* Judges the lines of meminfo, vmstat and zoneinfo. */
#include "judge.h"
#include <stdlib.h>

enum { READINGS_LEAST = 3 };

const char *line_state_name(enum line_state s)
{
	static const char *const names[LINE_STATES] = {
		[LINE_UNKNOWN] = "unknown", [LINE_NOTHING] = "nothing", [LINE_EQUAL] = "equal",
		[LINE_LATE] = "late",       [LINE_MOVED] = "moved",     [LINE_WRONG] = "wrong",
	};

	return names[s];
}

/* Pages in a batch are on their way to an LRU list, which may count them or not. */
static bool is_of_the_lru(const short *terms)
{
	for (int i = 0; i < MACHINE_TERMS && terms[i]; i++)
		switch (terms[i]) {
		case MACHINE_FRAMES_CACHE:
		case MACHINE_FRAMES_SHMEM:
		case MACHINE_FRAMES_LRU_ANON:
		case MACHINE_FRAMES_LRU_FILE:
		case MACHINE_FRAMES_INACTIVE_ANON:
		case MACHINE_FRAMES_INACTIVE_FILE:
		case MACHINE_FRAMES_UNEVICTABLE:
		case MACHINE_FRAMES_MLOCKED:
			return true;
		default:
			break;
		}
	return false;
}

/*
 * Sets *off to the distance of the line from its range with these values. Returns false if a value
 * is missing.
 */
static bool outside(enum machine_number n, const struct machine_values *v, struct line *l,
		    int64_t *off)
{
	const struct machine_row *row = machine_row(n);
	int64_t says = v->of[n];

	l->says = says;
	l->least = 0;
	l->most = -1;
	if (!v->have[n] || (row->least[0] && !machine_sum(v, row->least, &l->least)) ||
	    (row->most[0] && !machine_sum(v, row->most, &l->most)))
		return false;
	if (is_of_the_lru(row->most))
		l->most += v->of[MACHINE_FRAMES_BATCH];
	*off = says < l->least                  ? says - l->least
	       : row->most[0] && says > l->most ? says - l->most
						: 0;
	return true;
}

static int sign(int64_t n)
{
	return n < 0 ? -1 : n > 0;
}

void line_judge(struct line *l, enum machine_number n, const struct machine_values *before,
		const struct machine_values *after, int64_t late, int64_t moved)
{
	struct line now[2] = { { .late = late, .moved = moved }, { .late = late, .moved = moved } };
	int64_t off[2];
	bool first, crossed;

	if (l->state == LINE_EQUAL || l->state == LINE_LATE)
		return;
	if (!outside(n, before, &now[0], &off[0]) || !outside(n, after, &now[1], &off[1]))
		return;
	first = llabs(off[0]) < llabs(off[1]);
	crossed = sign(off[0]) * sign(off[1]) < 0;
	off[0] = first ? off[0] : off[1];
	now[0] = first ? now[0] : now[1];
	now[0].off_as_before = l->off_as_before;
	if (!off[0]) {
		now[0].state = LINE_EQUAL;
	} else if (llabs(off[0]) <= late) {
		now[0].state = LINE_LATE;
	} else {
		bool moves = crossed || llabs(off[0]) <= moved;

		now[0].state = LINE_MOVED;
		if (moves || sign(off[0]) * l->off_as_before < 0)
			now[0].off_as_before = 0;
		else
			now[0].off_as_before += sign(off[0]);
	}
	*l = now[0];
}

static void add_up_node(const struct zones *z, size_t first, struct machine_values *v)
{
	*v = z->of[first].of_node;
	for (int n = 1; n < MACHINE_NUMBERS; n++) {
		if (machine_row(n)->source != MACHINE_FRAMES)
			continue;
		v->have[n] = z->of[first].values.have[n];
		v->of[n] = 0;
		for (size_t i = first; i < z->nr && z->of[i].node == z->of[first].node; i++)
			v->of[n] += z->of[i].values.of[n];
	}
}

static void judge_place(struct line *of, const struct machine_values *before,
			const struct machine_values *after, int64_t late, int64_t moved)
{
	for (int n = 1; n < MACHINE_NUMBERS; n++)
		if (machine_row(n)->source == MACHINE_VMSTAT && machine_is_judged(n))
			line_judge(&of[n], n, before, after, late, moved);
}

static bool is_node_unclear(const struct zones *z, size_t first)
{
	for (size_t i = first; i < z->nr && z->of[i].node == z->of[first].node; i++)
		if (z->of[i].unclear)
			return true;
	return false;
}

static void judge_zone(struct machine_judgement *j, const struct machine_reading *r, size_t i,
		       unsigned cpus)
{
	static struct machine_values node[2];
	const struct zone *z = &r->zones[0].of[i];
	int64_t late = r->refreshed ? 0 : z->threshold * cpus * r->page_kb;

	if (!z->unclear)
		judge_place(j->zone[i], &z->values, &r->zones[1].of[i].values, late, r->moved_kb);
	if (!z->first || is_node_unclear(&r->zones[0], i))
		return;
	for (int k = 0; k < 2; k++)
		add_up_node(&r->zones[k], i, &node[k]);
	judge_place(j->node[i], &node[0], &node[1], late, r->moved_kb);
}

/* True if another reading may decide the line. */
static bool is_open(const struct line *l, unsigned readings)
{
	return l->state == LINE_MOVED && (l->off_as_before || readings < READINGS_LEAST);
}

size_t machine_judge(struct machine_judgement *j, const struct machine_reading *r, unsigned cpus)
{
	int64_t held = r->refreshed ? 0 : r->page_kb * zones_held_back(&r->zones[0], cpus);
	size_t open = 0;

	j->readings++;
	for (int n = 1; n < MACHINE_NUMBERS; n++) {
		const struct machine_row *row = machine_row(n);
		struct line *l = &j->of[n];

		if (row->source != MACHINE_MEMINFO && row->source != MACHINE_VMSTAT)
			continue;
		if (machine_is_judged(n))
			line_judge(l, n, &r->before, &r->after, row->vmstat ? held : 0,
				   r->moved_kb);
		else if (r->after.have[n])
			*l = (struct line) { .state = LINE_NOTHING, .says = r->after.of[n] };
		if (l->state == LINE_UNKNOWN && r->after.have[n])
			l->says = r->after.of[n];
		open += is_open(l, j->readings);
	}
	j->nr_zones = r->frames ? r->zones[0].nr : 0;
	for (size_t i = 0; i < j->nr_zones; i++) {
		judge_zone(j, r, i, cpus);
		for (int n = 1; n < MACHINE_NUMBERS; n++)
			open += is_open(&j->zone[i][n], j->readings) +
				is_open(&j->node[i][n], j->readings);
	}
	return open;
}

static void end(struct line *l, unsigned readings)
{
	if (l->state == LINE_MOVED && readings >= READINGS_LEAST &&
	    (unsigned)abs(l->off_as_before) == readings)
		l->state = LINE_WRONG;
}

void machine_judge_end(struct machine_judgement *j)
{
	for (int n = 1; n < MACHINE_NUMBERS; n++) {
		end(&j->of[n], j->readings);
		for (size_t i = 0; i < j->nr_zones; i++) {
			end(&j->zone[i][n], j->readings);
			end(&j->node[i][n], j->readings);
		}
	}
}

size_t machine_count(const struct machine_judgement *j, enum line_state s)
{
	size_t count = 0;

	for (int n = 1; n < MACHINE_NUMBERS; n++) {
		count += j->of[n].state == s;
		for (size_t i = 0; s == LINE_WRONG && i < j->nr_zones; i++)
			count += (j->zone[i][n].state == s) + (j->node[i][n].state == s);
	}
	return count;
}
