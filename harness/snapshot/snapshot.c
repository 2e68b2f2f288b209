// SPDX-License-Identifier: MIT
/*
 * Takes a snapshot: all sources of one process, the cheap counters first.
 */
#include "base/clock.h"
#include "source/parse.h"
#include "still.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
	READINGS = 12, /* at least, of a process that moves or whose sums disagree */
	STILL_MS = 5000,
	PAUSE_BITS = 6, /* pauses of 1, 2, 4 ... 64 ms */
	SCAN_VEC_LEN = 512,
};

/* "cannot be read: Permission denied" */
static int read_fails(struct source_error *e, enum source source, int error)
{
	return source_fail(e, source, -error, "cannot be read: %s", strerror(-error));
}

static int stat_take(struct text *t, pid_t pid, struct values *v, struct snapshot *s,
		     struct source_error *e)
{
	int error = text_read(t, pid, "stat");

	if (error)
		return read_fails(e, SOURCE_STAT, error);
	return stat_parse((struct span) { t->data, t->data + t->len }, v, s, e);
}

static int statm_take(struct text *t, pid_t pid, struct values *v, struct snapshot *s,
		      struct source_error *e)
{
	int error = text_read(t, pid, "statm");

	if (error)
		return read_fails(e, SOURCE_STATM, error);
	return statm_parse((struct span) { t->data, t->data + t->len }, v, s, e);
}

static int status_take(struct text *t, pid_t pid, struct values *v, struct snapshot *s,
		       struct source_error *e)
{
	int error = text_read(t, pid, "status");

	if (error)
		return read_fails(e, SOURCE_STATUS, error);
	return status_parse((struct span) { t->data, t->data + t->len }, v, s, e);
}

int counters_take(struct values *v, pid_t pid, struct source_error *e)
{
	struct text t = { .data = NULL };
	int error = stat_take(&t, pid, v, NULL, e) || statm_take(&t, pid, v, NULL, e) ||
		    status_take(&t, pid, v, NULL, e);

	text_free(&t);
	return error ? -1 : 0;
}

static void smaps_take(struct text *t, struct snapshot *s)
{
	int error = text_read(t, s->pid, "smaps");

	if (error)
		read_fails(&s->error[SOURCE_SMAPS], SOURCE_SMAPS, error);
	else
		smaps_read(t->data, t->len, s, &s->error[SOURCE_SMAPS]);
}

static void rollup_take(struct text *t, struct snapshot *s)
{
	int error = text_read(t, s->pid, "smaps_rollup");

	if (error)
		read_fails(&s->error[SOURCE_ROLLUP], SOURCE_ROLLUP, error);
	else
		rollup_read(t->data, t->len, s, &s->error[SOURCE_ROLLUP]);
}

static void oom_take(struct text *t, struct snapshot *s)
{
	int error = text_read(t, s->pid, "oom_score");

	if (error)
		read_fails(&s->error[SOURCE_OOM], SOURCE_OOM, error);
	else
		oom_score_read(t->data, t->len, &s->values, &s->error[SOURCE_OOM]);
}

static void numa_take(struct text *t, struct snapshot *s, const struct host *h)
{
	int error = text_read(t, s->pid, "numa_maps");

	if (error)
		read_fails(&s->error[SOURCE_NUMA], SOURCE_NUMA, error);
	else
		numa_read(t->data, t->len, h->page_size, s, &s->error[SOURCE_NUMA]);
}

static void walk_take(struct snapshot *s, const struct host *h)
{
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/pagemap", s->pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		read_fails(&s->error[SOURCE_PAGEMAP], SOURCE_PAGEMAP, -errno);
		read_fails(&s->error[SOURCE_SCAN], SOURCE_SCAN, -errno);
		return;
	}
	pagemap_read(fd, h, s, &s->error[SOURCE_PAGEMAP]);
	if (h->has_scan)
		scan_read(fd, h, SCAN_VEC_LEN, s, &s->error[SOURCE_SCAN]);
	else
		source_fail(&s->error[SOURCE_SCAN], SOURCE_SCAN, ENOTTY,
			    "this kernel has no PAGEMAP_SCAN (it came with 6.7)");
	close(fd);
}

/* The walkers know where to walk from smaps alone. */
static void maps_missing(struct snapshot *s)
{
	static const char why[] = "cannot be walked: smaps, which names the mappings, was not read";

	source_fail(&s->error[SOURCE_PAGEMAP], SOURCE_PAGEMAP, 0, "%s", why);
	source_fail(&s->error[SOURCE_SCAN], SOURCE_SCAN, 0, "%s", why);
}

static void say_moved(struct snapshot *s, enum metric_id id, int64_t before, int64_t after)
{
	snprintf(s->moved, sizeof(s->moved), "%s went from %lld to %lld", metric(id)->name,
		 (long long)before, (long long)after);
}

static bool faulted(struct snapshot *s, const struct values *after)
{
	static const enum metric_id ids[] = { METRIC_STAT_MINFLT, METRIC_STAT_MAJFLT };
	const struct values *before = &s->values;

	for (size_t i = 0; i < 2; i++) {
		if (before->of[ids[i]] == after->of[ids[i]])
			continue;
		say_moved(s, ids[i], before->of[ids[i]], after->of[ids[i]]);
		return true;
	}
	return false;
}

/*
 * Others can move our Shared and Pss while we stand still: by mapping the
 * same file, by writing it back. smaps_rollup reads the same before and after
 * the rest, or the rest is of two states.
 *
 * Not so Referenced: each process that ends anywhere marks the pages of the vdso as
 * accessed, which all share, and the kernel has one bit for that and flips it
 * (mm/swap.c folio_mark_accessed()). There it is enough that one of the two agrees.
 */
static bool reshared(struct snapshot *s, struct text *t)
{
	struct snapshot again = { .pid = s->pid };
	struct source_error e;
	int64_t *of = s->values.of;

	if (s->error[SOURCE_ROLLUP].text[0] || text_read(t, s->pid, "smaps_rollup") ||
	    rollup_read(t->data, t->len, &again, &e))
		return false;
	for (int id = METRIC_ROLLUP_RSS; id <= METRIC_ROLLUP_LOCKED; id++) {
		if (id == METRIC_ROLLUP_REFERENCED || of[id] == again.values.of[id])
			continue;
		say_moved(s, (enum metric_id)id, of[id], again.values.of[id]);
		return true;
	}
	if (of[METRIC_ROLLUP_REFERENCED] != of[METRIC_SMAPS_REFERENCED])
		of[METRIC_ROLLUP_REFERENCED] = again.values.of[METRIC_ROLLUP_REFERENCED];
	return false;
}

/*
 * The same, moved and moved back: a process that maps our vdso for a moment.
 * Sums that disagree are read again, and left to the judge if they always do.
 */
static bool disagrees(const struct snapshot *s)
{
	const struct values *v = &s->values;

	for (int id = METRIC_ROLLUP_RSS; id <= METRIC_ROLLUP_LOCKED; id++) {
		enum metric_id twin = metric_twin((enum metric_id)id);

		if (twin == METRIC_NONE || !v->have[id] || !v->have[twin])
			continue;
		/* Of shares each mapping is rounded down, the rollup once. */
		if (metric(twin)->sharing == SHARING_PROPORTIONAL
			    ? v->of[id] < v->of[twin] ||
				      v->of[id] > v->of[twin] + (int64_t)s->nr_maps
			    : v->of[id] != v->of[twin])
			return true;
	}
	return false;
}

enum taken { GONE = -1, TAKEN, MOVED, DISAGREES };

static enum taken take_once(struct snapshot *s, struct text *t, const struct host *h)
{
	struct source_error *e = s->error, ignored;
	struct values after = { .have = { false } };

	if (still_runs(s->pid, t, s->moved, sizeof(s->moved)))
		return MOVED;
	if (stat_take(t, s->pid, &s->values, s, &e[SOURCE_STAT]) && e[SOURCE_STAT].number == ESRCH)
		return GONE;
	statm_take(t, s->pid, &s->values, s, &e[SOURCE_STATM]);
	status_take(t, s->pid, &s->values, s, &e[SOURCE_STATUS]);
	rollup_take(t, s);
	smaps_take(t, s);
	if (e[SOURCE_SMAPS].text[0]) {
		maps_missing(s);
	} else {
		walk_take(s, h);
		numa_take(t, s, h);
	}
	oom_take(t, s);
	if (stat_take(t, s->pid, &after, NULL, &ignored))
		return ignored.number == ESRCH ? GONE : TAKEN;
	if ((!e[SOURCE_STAT].text[0] && faulted(s, &after)) || reshared(s, t))
		return MOVED;
	return disagrees(s) ? DISAGREES : TAKEN;
}

/* Where the machine is short of CPUs, a process of ours or of others' gets one meanwhile. */
static void pause_after(int readings)
{
	int ms = readings < PAUSE_BITS ? 1 << readings : 1 << PAUSE_BITS;

	nanosleep(&(struct timespec) { .tv_nsec = ms * 1000000L }, NULL);
}

int snapshot_take(struct snapshot *s, pid_t pid, const struct host *h)
{
	int64_t until = now_ms() + STILL_MS;
	struct text t = { .data = NULL };
	enum taken taken;

	*s = (struct snapshot) { .pid = pid };
	for (int i = 0;; i++) {
		snapshot_free(s);
		taken = take_once(s, &t, h);
		if (taken <= 0 || (i >= READINGS && (taken == DISAGREES || now_ms() >= until)))
			break;
		pause_after(i);
	}
	text_free(&t);
	if (taken == GONE)
		snapshot_free(s);
	return taken == GONE ? -1 : 0;
}
