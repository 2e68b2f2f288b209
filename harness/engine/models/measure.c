// SPDX-License-Identifier: MIT
/*
 * Records staircases: makes the case counters/staircase touch page after page, and reads the
 * counters after each page.
 */
#include "measure.h"
#include "base/memory.h"
#include "engine/workload/settle_plan.h"
#include "judge/calibrate.h"
#include "recorder.h"
#include "snapshot/snapshot.h"
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/*
 * QUIET_MAX: the number of single touches after which pages are touched in large steps, if not
 * every counter has jumped often enough; also the number of pages in such a step. QUIET_ROUNDS:
 * maximum number of these steps. ENOUGH_JUMPS: sufficient number of jumps.
 */
enum { QUIET_MAX = 4096, QUIET_ROUNDS = 16, ENOUGH_JUMPS = 4, SETTLE_TRIES = 6, PEAK_TRIES = 4 };

/*
 * In pages. Four jumps and the touches after them take up to twelve batches, and the batch of 8,192
 * CPUs is 16,384 pages. Untouched anonymous pages use no memory. Each page of a file is a mapping
 * of its own, so a file gets only as many pages as the anonymous counter needed for its jumps.
 */
enum { PAGES = 4608, ANON_PAGES = 18 * 16384, BATCHES = 14, SWAP_PAGES = 1536 };

/* The row of stat.rss in recorded[]: approximate, as ru_maxrss is. */
enum { STAT_RSS_RECORDED };

/*
 * The page class that is touched for each counter. A sum of several classes is recorded with each
 * of them, and gets the model that lags most.
 */
static const struct {
	enum metric_id id;
	enum account account;
	bool is_drawn; /* counts all resident pages, like the sum over the page tables */
	bool is_again; /* is also recorded with an earlier class */
} recorded[] = {
	[STAT_RSS_RECORDED] = { METRIC_STAT_RSS, ACCOUNT_ANON, .is_drawn = true },
	{ METRIC_STATM_RESIDENT, ACCOUNT_ANON, .is_drawn = true },
	{ METRIC_STATUS_VMRSS, ACCOUNT_ANON, .is_drawn = true },
	{ METRIC_STATUS_RSSANON, ACCOUNT_ANON, .is_drawn = false },
	{ METRIC_RUSAGE_MAXRSS, ACCOUNT_ANON, .is_drawn = false },
	{ METRIC_STATM_SHARED, ACCOUNT_FILE, .is_drawn = false },
	{ METRIC_STATUS_RSSFILE, ACCOUNT_FILE, .is_drawn = false },
	{ METRIC_STATUS_RSSSHMEM, ACCOUNT_SHMEM, .is_drawn = false },
	{ METRIC_STATUS_VMSWAP, ACCOUNT_SWAP, .is_drawn = false },
	{ METRIC_STAT_RSS, ACCOUNT_FILE, .is_again = true },
	{ METRIC_STATM_RESIDENT, ACCOUNT_FILE, .is_again = true },
	{ METRIC_STATUS_VMRSS, ACCOUNT_FILE, .is_again = true },
	{ METRIC_STAT_RSS, ACCOUNT_SHMEM, .is_again = true },
	{ METRIC_STATM_RESIDENT, ACCOUNT_SHMEM, .is_again = true },
	{ METRIC_STATUS_VMRSS, ACCOUNT_SHMEM, .is_again = true },
	{ METRIC_STATM_SHARED, ACCOUNT_SHMEM, .is_again = true },
};

static_assert(sizeof(recorded) / sizeof(*recorded) == RECORDED_COUNTERS, "one row for each");

unsigned recorded_with(enum metric_id id)
{
	unsigned accounts = 0;

	for (int i = 0; i < RECORDED_COUNTERS; i++)
		if (recorded[i].id == id)
			accounts |= ACCOUNT_BIT(recorded[i].account);
	return accounts;
}

int recorder_ask(struct recorder *r, enum calibration_step step, int64_t argument)
{
	struct request q = { .kind = REQUEST_STEP, .step = step, .argument = argument };

	if (session_ask(&r->s, 0, &q, &r->reply) < 0)
		return -1;
	for (unsigned i = 0; i < r->reply.nr_reported; i++)
		if (r->maxrss >= 0 && !strcmp(r->reply.reported[i].name, "maxrss"))
			r->maxrss = r->reply.reported[i].value;
	if (r->reply.kind == REPLY_DONE)
		return 0;
	/*
	 * The workload could not make a call, so the models remain unknown. Cases that need no
	 * model can still run.
	 */
	r->lacks = true;
	snprintf(r->s.why, sizeof(r->s.why), "%.*s", (int)sizeof(r->s.why) - 1, r->reply.text);
	return -1;
}

static int settle_once(struct recorder *r)
{
	struct request q = { .kind = REQUEST_SETTLE,
			     .settle = settle_plan_any(&r->e->models, r->e->host.cpus) };

	/* Starting the threads may have left counts on other CPUs. */
	q.settle.everywhere = true;
	/* The reply is not checked, because the numbers show whether settling worked. */
	return session_ask(&r->s, 0, &q, &r->reply);
}

/*
 * A preempted zap subtracts in two parts, and one of them may stay in a CPU's part (see trial.c).
 * So this settles several times.
 */
int recorder_settle(struct recorder *r)
{
	for (int i = 0; i < SETTLE_TRIES; i++) {
		if (settle_once(r) < 0 || recorder_read(r) < 0)
			return -1;
		if (r->values.of[METRIC_STAT_RSS] == recorder_page_tables(r))
			break;
	}
	return 0;
}

/*
 * Returns a counter's value in pages. It rises with the number of touches; for swap it is the
 * number of pages read back.
 */
static int64_t height(const struct recorder *r, enum metric_id id)
{
	int64_t kb = metric(id)->unit == UNIT_KB ? r->e->host.page_size / 1024 : 1;

	if (id == METRIC_RUSAGE_MAXRSS)
		return r->maxrss;
	if (!r->values.have[id])
		return -1;
	return id == METRIC_STATUS_VMSWAP ? SWAP_PAGES - r->values.of[id] / kb
					  : r->values.of[id] / kb;
}

/*
 * False if a sum is not recorded with pages of a file or of shmem. Each such page is a mapping of
 * its own, and with hundreds of CPUs a sum would need too many. The sum is then recorded with
 * anonymous pages only.
 */
static bool is_recorded(const struct recorder *r, int i)
{
	return !recorded[i].is_again ||
	       BATCHES * (int64_t)r->e->models.of[recorded[i].id].batch <= PAGES;
}

int recorder_read(struct recorder *r)
{
	struct source_error error;

	if (counters_take(&r->values, r->s.leader, &error) < 0) {
		snprintf(r->s.why, sizeof(r->s.why), "%s: %.150s", source_name(error.source),
			 error.text);
		return -1;
	}
	for (int i = 0; i < RECORDED_COUNTERS; i++)
		r->now[i] = is_recorded(r, i) ? height(r, recorded[i].id) : -1;
	return 0;
}

static int touch_and_read(struct recorder *r)
{
	return recorder_ask(r, STEP_TOUCH, 1) < 0 ? -1 : recorder_read(r);
}

int64_t recorder_page_tables(struct recorder *r)
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
	int64_t x = (int64_t)r->n, truth = recorder_page_tables(r);

	if (truth >= 0)
		curve_add(c, x, CURVE_TRUTH, truth);
	for (int i = 0; i < RECORDED_COUNTERS; i++)
		if (recorded[i].is_drawn && r->now[i] >= 0)
			curve_add(c, x, metric(recorded[i].id)->name, r->now[i]);
}

static void grow(struct recorder *r)
{
	r->room = r->room ? 2 * r->room : QUIET_MAX;
	for (int i = 0; i < RECORDED_COUNTERS; i++) {
		r->said[i] = reallocarray(r->said[i], r->room, sizeof(*r->said[i]));
		if (!r->said[i])
			memory_gone("the calibration");
	}
}

static void record(struct recorder *r)
{
	if (r->draws)
		draw(r);
	if (r->n == r->room)
		grow(r);
	for (int i = 0; i < RECORDED_COUNTERS; i++)
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

/*
 * True if every counter of the class has jumped often enough, and the slowest counter has just
 * jumped.
 */
static bool is_high_enough(const struct recorder *r, enum account account, int *laggard)
{
	size_t fewest = SIZE_MAX;

	for (int i = 0; i < RECORDED_COUNTERS; i++) {
		size_t here = jumps(r->said[i], r->n);

		if (recorded[i].account != account || r->now[i] < 0)
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

/*
 * Touches pages until counter i changes. Returns the number of touches, 0 if r->most touches do not
 * change it, or -1 on errors.
 */
static int64_t touches_to_jump(struct recorder *r, int i)
{
	int64_t before = r->now[i];

	for (int64_t n = 1; n <= (int64_t)r->most; n++) {
		if (touch_and_read(r) < 0)
			return -1;
		if (r->now[i] != before)
			return n;
	}
	return 0;
}

/*
 * Leaves pages held back on this CPU, makes the counter jump twice on the other CPU, and continues
 * on this CPU.
 */
static int jumps_elsewhere(struct recorder *r, struct staircase *c, int i)
{
	if (r->e->host.nr_cpu_list < 2)
		return 0;
	if (recorder_ask(r, STEP_TOUCH, c->held) < 0 || recorder_ask(r, STEP_MOVE, 1) < 0 ||
	    recorder_read(r) < 0)
		return -1;
	if (touches_to_jump(r, i) < 0)
		return -1;
	c->gap_there = touches_to_jump(r, i);
	if (recorder_ask(r, STEP_MOVE, 0) < 0)
		return -1;
	c->after_move = touches_to_jump(r, i);
	return c->gap_there < 0 || c->after_move < 0 ? -1 : 0;
}

/*
 * Lets another thread leave pages held back on this CPU. Starting the thread causes faults, so this
 * thread first touches pages up to its next jump.
 */
static int jumps_with_another_thread(struct recorder *r, struct staircase *c, int i)
{
	if (recorder_ask(r, STEP_OTHER, 0) < 0 || recorder_read(r) < 0 || touches_to_jump(r, i) < 0)
		return -1;
	if (recorder_ask(r, STEP_OTHER, c->held) < 0 || recorder_read(r) < 0)
		return -1;
	c->after_other = touches_to_jump(r, i);
	return c->after_other < 0 ? -1 : 0;
}

static int flush_by_faults(struct recorder *r, struct staircase *c, int i, int64_t gap)
{
	int64_t before = r->now[i];

	if (recorder_ask(r, STEP_TOUCH, c->held) < 0 ||
	    recorder_ask(r, STEP_FAILING_FAULTS, 2 * gap) < 0 || recorder_read(r) < 0)
		return -1;
	c->flushed_by_faults = r->now[i] >= before + c->held;
	return 0;
}

/*
 * Touches pages until the workload's RSS reaches its ru_maxrss. exec keeps ru_maxrss, so at first
 * it may be the peak of the forked rssck. rssck's own ru_maxrss only approximates that peak, since
 * its counters may lag differently; the loop then uses the workload's. If ru_maxrss is unknown or
 * too high, it is not recorded (r->maxrss is -1).
 */
static int reach_old_peak(struct recorder *r)
{
	int64_t kb = r->e->host.page_size / 1024, missing;
	struct rusage own;

	r->maxrss = 0;
	if (getrusage(RUSAGE_SELF, &own) < 0) {
		r->maxrss = -1;
		return 0;
	}
	missing = own.ru_maxrss / kb - r->now[STAT_RSS_RECORDED];
	/* The workload reports ru_maxrss when it touches a page. */
	missing = missing < 1 ? 1 : missing;
	for (int i = 0; i < PEAK_TRIES && missing > 0; i++) {
		if (missing > ANON_PAGES / 8) {
			r->maxrss = -1;
			return 0;
		}
		if (recorder_ask(r, STEP_TOUCH, missing) < 0 || recorder_read(r) < 0)
			return -1;
		missing = r->maxrss - r->now[STAT_RSS_RECORDED];
	}
	return 0;
}

static int begin(struct recorder *r, enum account account)
{
	r->n = 0;
	r->maxrss = -1;
	r->draws = account == ACCOUNT_ANON;
	if (recorder_read(r) < 0 || (account == ACCOUNT_ANON && reach_old_peak(r) < 0))
		return -1;
	record(r);
	return 0;
}

/*
 * Handles a counter without four jumps after many touches: its batch is that of hundreds of CPUs,
 * or it never changes. Touches pages in large steps until it jumps, then starts recording again.
 */
static int far_to_jump(struct recorder *r, enum account account, int laggard)
{
	int64_t before = r->now[laggard], jump = 0;

	for (int i = 0; i < QUIET_ROUNDS && !jump; i++) {
		if (recorder_ask(r, STEP_TOUCH, QUIET_MAX) < 0 || recorder_read(r) < 0)
			return -1;
		jump = r->now[laggard] - before;
	}
	r->most = (size_t)(jump > 0 ? 8 * jump : 0);
	r->n = 0;
	r->draws = account == ACCOUNT_ANON;
	record(r);
	return 0;
}

/*
 * Records one class. The measurements of the slowest counter apply to all counters with the same
 * staircase.
 */
static int record_class(struct recorder *r, enum account account, struct staircase *c, int *laggard)
{
	int64_t gap;

	r->most = QUIET_MAX;
	if (begin(r, account) < 0)
		return -1;
	while (r->n <= r->most && !is_high_enough(r, account, laggard)) {
		if (touch_and_read(r) < 0)
			return -1;
		record(r);
		if (r->n == QUIET_MAX && far_to_jump(r, account, *laggard) < 0)
			return -1;
	}
	gap = touches_to_jump(r, *laggard);
	if (gap <= 1)
		return (int)gap < 0 ? -1 : 0;
	c->held = gap / 2;
	if (jumps_elsewhere(r, c, *laggard) < 0 || jumps_with_another_thread(r, c, *laggard) < 0)
		return -1;
	return flush_by_faults(r, c, *laggard, gap);
}

static void conclude(struct recorder *r, enum account account, const struct staircase *laggards)
{
	for (int i = 0; i < RECORDED_COUNTERS; i++) {
		struct counter_model *m = &r->e->models.of[recorded[i].id];
		struct counter_model seen = { .kind = MODEL_ABSENT };
		struct staircase c = *laggards;

		if (recorded[i].account != account)
			continue;
		c.said = r->said[i];
		c.n = r->n;
		if (r->now[i] >= 0)
			seen = model_from_staircase(&c);
		*m = recorded[i].is_again ? *model_worse(m, &seen) : seen;
	}
}

static int measure_fault_around(struct recorder *r)
{
	uint64_t words[1024];
	char path[64];
	int fd;

	if (recorder_ask(r, STEP_AROUND, 0) < 0)
		return -1;
	uint64_t start = (uint64_t)r->reply.reported[0].value;
	int64_t pages = r->reply.reported[1].value, present = 0;

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

int recorder_start(struct recorder *r, enum account account, int64_t pages)
{
	int cpus[] = { r->e->host.cpu_list[0], r->e->host.cpu_list[r->e->host.nr_cpu_list - 1] };

	if (session_start(&r->s, r->e, case_by_id("counters/staircase"), cpus,
			  r->e->host.nr_cpu_list > 1 ? 2 : 1) < 0)
		return -1;
	return recorder_ask(r, STEP_MAP, account + pages * ACCOUNT_COUNT);
}

/* Returns how many pages four jumps and the touches after them need, by the models known so far. */
static int64_t pages_for(const struct recorder *r, enum account account)
{
	int64_t batch = 0;

	/* METRIC_STAT_RSS is left out: is_recorded() skips it if its batch is large. */
	if (account == ACCOUNT_ANON)
		return ANON_PAGES;
	if (account == ACCOUNT_SWAP)
		return SWAP_PAGES;
	for (int i = 0; i < RECORDED_COUNTERS; i++) {
		const struct counter_model *c = &r->e->models.of[recorded[i].id];

		if (recorded[i].is_drawn && recorded[i].id != METRIC_STAT_RSS && c->batch > batch)
			batch = c->batch;
	}
	return BATCHES * batch > PAGES ? BATCHES * batch : PAGES;
}

int models_measure_class(struct recorder *r, enum account account)
{
	struct staircase c = { 0 };
	int laggard = 0, failed;

	failed = recorder_start(r, account, pages_for(r, account));
	if (!failed)
		failed = record_class(r, account, &c, &laggard);
	if (!failed)
		conclude(r, account, &c);
	if (!failed && account == ACCOUNT_FILE)
		failed = measure_fault_around(r);
	session_end(&r->s);
	return failed;
}
