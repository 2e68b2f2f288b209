// SPDX-License-Identifier: MIT
/* Runs cases and makes their results. */
#include "engine.h"
#include "attempt.h"
#include "balance.h"
#include "base/clock.h"
#include "base/kmsg.h"
#include "disturbed.h"
#include "engine/log/log.h"
#include "engine/models/measure.h"
#include "engine/workload/paths.h"
#include "left.h"
#include "need.h"
#include "trial.h"
#include <rssck/bug.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

enum { CALIBRATIONS = 3, LIMIT_S = 30, IN_VAIN_MAX = 64, BALANCE_RUNS = 2 };

/*
 * Makes the prefix of all names: "rssck.PID-RANDOM". The PID alone is not unique, because a process
 * in another container may have the same PID.
 */
static void make_mark(struct engine *e)
{
	uint32_t number = 0;

	if (getrandom(&number, sizeof(number), GRND_NONBLOCK) < 0)
		number = (uint32_t)now_ms();
	snprintf(e->mark, sizeof(e->mark), "rssck.%d-%08x", (int)getpid(), number);
}

/*
 * Measures the counter models. If a staircase fits no model, all models are measured again, at most
 * CALIBRATIONS times in total. Sets e->unmeasured if the reason is not the kernel.
 */
static int calibrate(struct engine *e, char *why, size_t size)
{
	struct disturbances before;

	for (int i = 0; i < CALIBRATIONS; i++) {
		disturbances_read(&before);
		if (models_measure(e, why, size) < 0)
			return -1;
		if (*why) {
			snprintf(e->unmeasured, sizeof(e->unmeasured), "%s", why);
			return 0;
		}
		if (models_are_known(&e->models))
			return 0;
	}
	if (!disturbed_since(&before, 0, e->unmeasured, sizeof(e->unmeasured)) &&
	    e->host.is_unbound)
		snprintf(e->unmeasured, sizeof(e->unmeasured),
			 "the counter models cannot be measured: sched_setaffinity(2) is "
			 "refused");
	return 0;
}

int engine_open(struct engine *e, const char *directory, unsigned limit_s, char *why, size_t size)
{
	*e = (struct engine) { .log = -1, .copy = -1, .limit_s = limit_s ? limit_s : LIMIT_S };
	if (host_probe(&e->host, why, size) < 0)
		return -1;
	if (host_shows_ours(why, size) < 0) {
		host_close(&e->host);
		return -1;
	}
	if (paths_find_workload(e, why, size) < 0 ||
	    paths_find_directory(e, directory, why, size) < 0)
		return -1;
	make_mark(e);
	copy_make(e);
	e->log = kmsg_open();
	if (calibrate(e, why, size) < 0) {
		engine_close(e);
		return -1;
	}
	return 0;
}

void engine_close(struct engine *e)
{
	if (e->log >= 0)
		close(e->log);
	e->log = -1;
	copy_drop(e);
	left_free(e->left);
	free(e->balance);
	host_close(&e->host);
	curves_free(&e->curves, &e->nr_curves);
}

void engine_describe(const struct engine *e, struct results *r)
{
	snprintf(r->kernel_release, sizeof(r->kernel_release), "%s", e->host.release);
	snprintf(r->kernel_version, sizeof(r->kernel_version), "%s", e->host.version);
	snprintf(r->machine, sizeof(r->machine), "%s", e->host.machine);
	r->page_size = e->host.page_size;
	r->cpus = e->host.nr_cpu_list;
	r->models = e->models;
	curves_copy(&r->curves, &r->nr_curves, e->curves, e->nr_curves);
	r->saw_log = e->log >= 0;
	r->saw_pfns = e->host.sees_pfns;
}

/*
 * True if one CPU is enough: with CASE_ONE_CPU, and for cases with tools, which take the longest.
 * Tools print what a file contains, whichever CPU counted it; the other cases check the files on
 * the first and the last CPU.
 */
static bool one_cpu_is_enough(const struct testcase *c)
{
	return c->flags & CASE_ONE_CPU || c->tools;
}

struct rerun {
	struct engine *e;
	const struct case_registration *c;
	const int *cpus;
	unsigned nr_cpus;
};

static bool run_again(void *arg)
{
	const struct rerun *again = arg;
	struct disturbances before;
	char why[200];
	struct attempt a;
	bool passed;

	disturbances_read(&before);
	attempt_make(&a, again->e, again->c, again->cpus, again->nr_cpus);
	passed = a.verdict == VERDICT_PASS;
	judgement_free(&a.judgement);
	return passed && !disturbed_since(&before, again->c->c->flags, why, sizeof(why));
}

/* A known bug of this kernel may also leave a number higher. */
static bool shows_known_bug(const struct result *r)
{
	for (size_t i = 0; i < r->nr_facts; i++)
		if (bug_of_fact(&r->facts[i]))
			return true;
	return false;
}

static bool must_leave_nothing(const struct testcase *c, const struct result *r)
{
	return r->verdict == VERDICT_PASS && !(c->flags & CASE_POISONS) && !shows_known_bug(r);
}

/*
 * Compares the machine's numbers with those before the case (left.h). On a machine where others
 * change them all the time, it gives up.
 */
static void look_what_is_left(struct rerun *again, struct result *r)
{
	struct engine *e = again->e;
	const struct left_runs runs = { r->id, run_again, again };
	struct left *before = e->left, *after;
	char why[sizeof(r->reason)];

	e->left = left_read(before);
	if (must_leave_nothing(again->c->c, r) && left_differ(before, e->left)) {
		if (left_is_proved(before, e->left, &runs, why, sizeof(why))) {
			r->verdict = VERDICT_FAIL;
			memcpy(r->reason, why, sizeof(why));
		} else {
			e->in_vain++;
		}
		after = left_read(e->left);
		left_free(e->left);
		e->left = after;
	}
	left_free(before);
}

/* Reads the sums anew. The caller frees those before. */
static struct balance *renew_sums(struct engine *e)
{
	struct balance *before = e->balance;

	e->balance = balance_read(before);
	return before;
}

/*
 * True if the sum changes in the same direction in each of BALANCE_RUNS runs more. A reading may
 * have found another CPU in the middle of an allocation, but not each time.
 */
static bool changes_again(struct rerun *again, enum balance_id sum, int64_t change)
{
	bool same = true;

	for (int i = 0; same && i < BALANCE_RUNS; i++) {
		struct balance *before;
		int64_t now;

		free(renew_sums(again->e));
		same = run_again(again);
		before = renew_sums(again->e);
		now = balance_change(before, again->e->balance, sum);
		same = same && now && (now > 0) == (change > 0);
		free(before);
	}
	return same;
}

/*
 * Compares the sums that no act may change with those before the case (balance.h). One that changes
 * fails a single case: the others would only repeat it.
 */
static void look_at_sums(struct rerun *again, struct result *r)
{
	struct engine *e = again->e;
	struct balance *before = renew_sums(e), now = *e->balance;
	bool may_fail = must_leave_nothing(again->c->c, r) && !(again->c->c->flags & CASE_OFFLINES);

	for (enum balance_id i = 0; may_fail && i < BALANCE_SUMS; i++) {
		int64_t change = balance_change(before, &now, i);

		if (now.of[i].broken || !change || !changes_again(again, i, change))
			continue;
		e->balance->of[i].broken = true;
		r->verdict = VERDICT_FAIL;
		balance_say(i, change, r->reason, sizeof(r->reason));
		may_fail = false;
	}
	free(before);
}

void engine_run(struct engine *e, const struct case_registration *c, struct result *r)
{
	struct rerun again = { e, c, NULL, 1 };
	int64_t start = now_ms();
	const struct host *h = &e->host;
	const int *last = &h->cpu_list[h->nr_cpu_list - 1];

	*r = (struct result) { .c = c->c, .verdict = VERDICT_SKIP };
	case_id(c, r->id, sizeof(r->id));
	if (!needs_are_met(e, c->c, &r->missing)) {
		missing_words(&r->missing, r->reason, sizeof(r->reason));
		return;
	}
	if (!e->left && !e->alone)
		e->left = left_read(NULL);
	if (!e->balance && !e->alone)
		e->balance = balance_read(NULL);
	again.cpus = last;
	if (c->c->flags & CASE_ALL_CPUS) {
		again.cpus = h->cpu_list;
		again.nr_cpus = h->nr_cpu_list;
		tries_make(e, c, h->cpu_list, h->nr_cpu_list, r, true);
	} else if (one_cpu_is_enough(c->c)) {
		tries_make(e, c, last, 1, r, true);
	} else {
		tries_make(e, c, h->cpu_list, 1, r, true);
		/* An accounting bug may appear on one CPU only. */
		if (h->nr_cpu_list > 1 && r->verdict == VERDICT_PASS)
			tries_make(e, c, last, 1, r, false);
	}
	if (e->left && e->in_vain < IN_VAIN_MAX)
		look_what_is_left(&again, r);
	if (e->balance)
		look_at_sums(&again, r);
	r->duration_ms = now_ms() - start;
}

/* Returns 1, or 0 if the last case had failed before. */
static size_t fail_late(struct results *r, const char *complaint)
{
	struct result *last = &r->of[r->nr - 1];

	if (last->verdict == VERDICT_FAIL)
		return 0;
	r->count[last->verdict]--;
	last->verdict = VERDICT_FAIL;
	r->count[VERDICT_FAIL]++;
	snprintf(last->reason, sizeof(last->reason), "the kernel log, after the last case: %s",
		 complaint);
	return 1;
}

/*
 * Reads late messages. The kernel may drop an mm seconds after its process ended, when the last CPU
 * stops using it.
 */
size_t engine_drain_log(struct engine *e, struct results *r)
{
	enum { QUIET_MS = 200, ROUNDS = 3 };
	struct log_news news;

	for (int i = 0; i < ROUNDS; i++) {
		log_make_cpus_drop_mm(e->host.cpu_list, e->host.nr_cpu_list);
		log_read(e->log, 0, &news);
		if (r->nr && news.nr_others)
			result_remark(&r->of[r->nr - 1],
				      "the kernel log, after the last case, unrelated: %s",
				      news.others);
		if (r->nr && news.complaint[0])
			return fail_late(r, news.complaint);
		nanosleep(&(struct timespec) { .tv_nsec = QUIET_MS / ROUNDS * 1000000L }, NULL);
	}
	return 0;
}
