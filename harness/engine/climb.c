// SPDX-License-Identifier: MIT
/*
 * Recording staircases: drive cases/counters/climb.c page by page and read the
 * counters after each.
 */
#include "climb.h"
#include "session.h"
#include <errno.h>
#include <fcntl.h>
#include <rssck/judge.h>
#include <rssck/source.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* As in cases/counters/climb.c. */
enum climb_step { STEP_MAP, STEP_TOUCH, STEP_MOVE, STEP_OTHER, STEP_ZERO_FAULTS, STEP_AROUND };

enum { TOUCHES_MAX = 4096, ENOUGH_JUMPS = 4 };

/* Which class's pages move a counter alone, one by one. */
static const struct {
	enum metric_id id;
	enum account account;
	bool is_drawn; /* it counts all resident pages, as the page tables' total does */
} climbers[] = {
	{ METRIC_STAT_RSS, ACCOUNT_ANON, true },
	{ METRIC_STATM_RESIDENT, ACCOUNT_ANON, true },
	{ METRIC_STATUS_VMRSS, ACCOUNT_ANON, true },
	{ METRIC_STATUS_RSSANON, ACCOUNT_ANON, false },
	{ METRIC_STATM_SHARED, ACCOUNT_FILE, false },
	{ METRIC_STATUS_RSSFILE, ACCOUNT_FILE, false },
	{ METRIC_STATUS_RSSSHMEM, ACCOUNT_SHMEM, false },
};

enum { CLIMBERS = sizeof(climbers) / sizeof(*climbers) };

/* Everything that is recorded of one walk up. */
struct recorder {
	struct engine *e;
	struct session s;
	struct reply reply;
	int64_t now[CLIMBERS]; /* in pages; -1 where not printed */
	int64_t said[CLIMBERS][TOUCHES_MAX + 1];
	size_t n;
	bool draws; /* the staircase, with the page tables beside it */
	struct text rollup;
};

static int ask(struct recorder *r, enum climb_step step, int64_t argument)
{
	struct request q = { .kind = REQUEST_STEP, .step = step, .argument = argument };

	if (session_ask(&r->s, 0, &q, &r->reply) < 0)
		return -1;
	if (r->reply.kind == REPLY_DONE)
		return 0;
	snprintf(r->s.why, sizeof(r->s.why), "%.*s", (int)sizeof(r->s.why) - 1, r->reply.text);
	return -1;
}

static int look(struct recorder *r)
{
	struct source_error error;
	struct values v;

	if (counters_take(&v, r->s.leader, &error) < 0) {
		snprintf(r->s.why, sizeof(r->s.why), "%s: %.150s", source_name(error.source),
			 error.text);
		return -1;
	}
	for (int i = 0; i < CLIMBERS; i++) {
		int64_t kb = metric(climbers[i].id)->unit == UNIT_KB ? r->e->host.page_size / 1024
								     : 1;

		r->now[i] = v.have[climbers[i].id] ? v.of[climbers[i].id] / kb : -1;
	}
	return 0;
}

static int touch_and_look(struct recorder *r)
{
	return ask(r, STEP_TOUCH, 1) < 0 ? -1 : look(r);
}

/* The page tables' own count, in pages; -1 where it cannot be read. */
static int64_t precise(struct recorder *r)
{
	struct source_error error;
	struct snapshot s = { 0 };

	if (text_read(&r->rollup, r->s.leader, "smaps_rollup") < 0 ||
	    rollup_read(r->rollup.data, r->rollup.len, &s, &error) < 0)
		return -1;
	return snapshot_pages(&s, METRIC_ROLLUP_RSS, r->e->host.page_size);
}

static void draw(struct recorder *r)
{
	struct curve *c = curve_have(&r->e->curves, &r->e->nr_curves, &curve_staircase);
	int64_t x = (int64_t)r->n, truth = precise(r);

	if (truth >= 0)
		curve_add(c, x, CURVE_TRUTH, truth);
	for (int i = 0; i < CLIMBERS; i++)
		if (climbers[i].is_drawn && r->now[i] >= 0)
			curve_add(c, x, metric(climbers[i].id)->name, r->now[i]);
}

static void record(struct recorder *r)
{
	if (r->draws)
		draw(r);
	for (int i = 0; i < CLIMBERS; i++)
		r->said[i][r->n] = r->now[i];
	r->n++;
}

static size_t jumps(const int64_t *said, size_t n)
{
	size_t jumps = 0;

	for (size_t i = 1; i < n; i++)
		jumps += said[i] != said[i - 1];
	return jumps;
}

/* True once every counter of the class has shown enough steps, and the laggard has just jumped. */
static bool is_high_enough(const struct recorder *r, enum account account, int *laggard)
{
	size_t fewest = TOUCHES_MAX;

	for (int i = 0; i < CLIMBERS; i++) {
		size_t here = jumps(r->said[i], r->n);

		if (climbers[i].account != account || r->now[i] < 0)
			continue;
		if (here >= fewest)
			continue;
		fewest = here;
		*laggard = i;
	}
	return fewest >= ENOUGH_JUMPS && fewest < r->n - 1
		       ? r->said[*laggard][r->n - 1] != r->said[*laggard][r->n - 2]
		       : fewest >= ENOUGH_JUMPS;
}

/* Touch until counter i moves. Returns the touches it took, 0 where it never does, -1 on errors. */
static int64_t touches_to_jump(struct recorder *r, int i)
{
	int64_t before = r->now[i];

	for (int64_t n = 1; n <= TOUCHES_MAX; n++) {
		if (touch_and_look(r) < 0)
			return -1;
		if (r->now[i] != before)
			return n;
	}
	return 0;
}

/* Hold pages back here, make the other CPU jump twice, and come back. */
static int climb_elsewhere(struct recorder *r, struct climb *c, int i)
{
	if (r->e->host.nr_cpu_list < 2)
		return 0;
	if (ask(r, STEP_TOUCH, c->held) < 0 || ask(r, STEP_MOVE, 1) < 0 || look(r) < 0)
		return -1;
	if (touches_to_jump(r, i) < 0)
		return -1;
	c->gap_there = touches_to_jump(r, i);
	if (ask(r, STEP_MOVE, 0) < 0)
		return -1;
	c->after_move = touches_to_jump(r, i);
	return c->gap_there < 0 || c->after_move < 0 ? -1 : 0;
}

/* Another thread holds pages back on this CPU. Its birth faults too: first come to a jump again. */
static int climb_with_another(struct recorder *r, struct climb *c, int i)
{
	if (ask(r, STEP_OTHER, 0) < 0 || look(r) < 0 || touches_to_jump(r, i) < 0)
		return -1;
	if (ask(r, STEP_OTHER, c->held) < 0 || look(r) < 0)
		return -1;
	c->after_other = touches_to_jump(r, i);
	return c->after_other < 0 ? -1 : 0;
}

static int climb_by_faults(struct recorder *r, struct climb *c, int i, int64_t gap)
{
	int64_t before = r->now[i];

	if (ask(r, STEP_TOUCH, c->held) < 0 || ask(r, STEP_ZERO_FAULTS, 2 * gap) < 0 || look(r) < 0)
		return -1;
	c->flushed_by_faults = r->now[i] >= before + c->held;
	return 0;
}

/* The walk of one class: what the laggard teaches holds for the others of equal staircase. */
static int climb_class(struct recorder *r, enum account account, struct climb *c, int *laggard)
{
	int64_t gap;

	if (ask(r, STEP_MAP, account) < 0 || look(r) < 0)
		return -1;
	r->n = 0;
	r->draws = account == ACCOUNT_ANON;
	record(r);
	while (r->n <= TOUCHES_MAX && !is_high_enough(r, account, laggard)) {
		if (touch_and_look(r) < 0)
			return -1;
		record(r);
	}
	gap = touches_to_jump(r, *laggard);
	if (gap <= 1)
		return (int)gap < 0 ? -1 : 0;
	c->held = gap / 2;
	if (climb_elsewhere(r, c, *laggard) < 0 || climb_with_another(r, c, *laggard) < 0)
		return -1;
	return climb_by_faults(r, c, *laggard, gap);
}

static void conclude(struct recorder *r, enum account account, const struct climb *walk)
{
	for (int i = 0; i < CLIMBERS; i++) {
		struct climb c = *walk;

		if (climbers[i].account != account)
			continue;
		c.said = r->said[i];
		c.n = r->n;
		r->e->models.of
			[climbers[i].id] = r->now[i] < 0
						   ? (struct counter_model) { .kind = MODEL_ABSENT }
						   : model_from_climb(&c);
	}
}

static int measure_fault_around(struct recorder *r)
{
	uint64_t words[1024];
	char path[64];
	int fd;

	if (ask(r, STEP_AROUND, 0) < 0)
		return -1;
	uint64_t start = (uint64_t)r->reply.told[0].value;
	int64_t pages = r->reply.told[1].value, present = 0;

	snprintf(path, sizeof(path), "/proc/%d/pagemap", (int)r->s.leader);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	if (pagemap_entries(fd, r->e->host.page_size, start,
			    start + (uint64_t)pages * (uint64_t)r->e->host.page_size,
			    words) == pages)
		for (int64_t i = 0; i < pages; i++)
			present += !!(words[i] & PAGEMAP_PRESENT);
	close(fd);
	r->e->models.fault_around = (unsigned)present;
	return 0;
}

static int measure_class(struct recorder *r, const struct case_registration *workload,
			 enum account account)
{
	int cpus[] = { r->e->host.cpu_list[0], r->e->host.cpu_list[r->e->host.nr_cpu_list - 1] };
	struct climb c = { 0 };
	int laggard = 0, failed;

	failed = session_start(&r->s, r->e, workload, cpus, r->e->host.nr_cpu_list > 1 ? 2 : 1);
	if (!failed)
		failed = climb_class(r, account, &c, &laggard);
	if (!failed)
		conclude(r, account, &c);
	if (!failed && account == ACCOUNT_FILE)
		failed = measure_fault_around(r);
	session_end(&r->s);
	return failed;
}

static const struct case_registration *climb_workload(void)
{
	size_t nr;
	const struct case_registration *all = cases_all(&nr);

	for (size_t i = 0; i < nr; i++) {
		char id[64];

		if (!strcmp(case_id(&all[i], id, sizeof(id)), "counters/climb"))
			return &all[i];
	}
	return NULL;
}

int models_measure(struct engine *e, char *why, size_t size)
{
	static const enum account classes[] = { ACCOUNT_ANON, ACCOUNT_FILE, ACCOUNT_SHMEM };
	struct recorder *r = calloc(1, sizeof(*r));
	int failed = 0;

	if (!r)
		abort();
	for (int id = 0; id < METRIC_COUNT; id++)
		e->models.of[id] = (struct counter_model) { .kind = MODEL_ABSENT };
	e->models.cpus = e->host.nr_cpu_list;
	r->e = e;
	curves_free(&e->curves, &e->nr_curves);
	for (size_t i = 0; !failed && i < sizeof(classes) / sizeof(*classes); i++)
		failed = measure_class(r, climb_workload(), classes[i]);
	if (failed)
		snprintf(why, size, "calibration: %s", r->s.why);
	for (size_t i = 0; i < e->nr_curves; i++)
		curve_thin(&e->curves[i]);
	if (failed)
		curves_free(&e->curves, &e->nr_curves);
	text_free(&r->rollup);
	free(r);
	return failed;
}
