// SPDX-License-Identifier: MIT
/*
 * Takes a snapshot: all sources of one process, the cheap counters first.
 */
#include "source/parse.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STANDSTILL_TRIES = 10, SCAN_VEC_LEN = 512 };

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

static bool faulted(const struct values *before, const struct values *after)
{
	return before->of[METRIC_STAT_MINFLT] != after->of[METRIC_STAT_MINFLT] ||
	       before->of[METRIC_STAT_MAJFLT] != after->of[METRIC_STAT_MAJFLT];
}

/*
 * Others can move our Shared and Pss while we stand still: by mapping the
 * same file, by writing it back. smaps_rollup reads the same before and after
 * the rest, or the rest is of two states.
 */
static bool reshared(const struct snapshot *s, struct text *t)
{
	struct snapshot again = { .pid = s->pid };
	struct source_error e;

	if (s->error[SOURCE_ROLLUP].text[0] || text_read(t, s->pid, "smaps_rollup") ||
	    rollup_read(t->data, t->len, &again, &e))
		return false;
	for (int id = METRIC_ROLLUP_RSS; id <= METRIC_ROLLUP_LOCKED; id++)
		if (s->values.of[id] != again.values.of[id])
			return true;
	return false;
}

/*
 * The same, moved and moved back: a process that maps our vdso for a moment.
 * Sums that disagree are read again, and left to the judge if they always do.
 */
static bool disagrees(const struct snapshot *s)
{
	const struct values *v = &s->values;
	static const enum metric_id pairs[][2] = {
		{ METRIC_SMAPS_SHARED_CLEAN, METRIC_ROLLUP_SHARED_CLEAN },
		{ METRIC_SMAPS_SHARED_DIRTY, METRIC_ROLLUP_SHARED_DIRTY },
		{ METRIC_SMAPS_PRIVATE_CLEAN, METRIC_ROLLUP_PRIVATE_CLEAN },
		{ METRIC_SMAPS_PRIVATE_DIRTY, METRIC_ROLLUP_PRIVATE_DIRTY },
	};

	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
		if (v->of[pairs[i][0]] != v->of[pairs[i][1]])
			return true;
	/* Each mapping is rounded down, the rollup once. */
	return v->of[METRIC_ROLLUP_PSS] < v->of[METRIC_SMAPS_PSS] ||
	       v->of[METRIC_ROLLUP_PSS] > v->of[METRIC_SMAPS_PSS] + (int64_t)s->nr_maps;
}

enum taken { GONE = -1, TAKEN, MOVED, DISAGREES };

static enum taken take_once(struct snapshot *s, struct text *t, const struct host *h)
{
	struct source_error *e = s->error, ignored;
	struct values after = { .have = { false } };

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
	if ((!e[SOURCE_STAT].text[0] && faulted(&s->values, &after)) || reshared(s, t))
		return MOVED;
	return disagrees(s) ? DISAGREES : TAKEN;
}

int snapshot_take(struct snapshot *s, pid_t pid, const struct host *h)
{
	struct text t = { .data = NULL };
	enum taken taken = MOVED;

	*s = (struct snapshot) { .pid = pid };
	for (int i = 0; i < STANDSTILL_TRIES && taken > 0; i++) {
		snapshot_free(s);
		taken = take_once(s, &t, h);
	}
	text_free(&t);
	if (taken == MOVED)
		source_fail(&s->error[SOURCE_STAT], SOURCE_STAT, 0,
			    "the process did not stand still during any of %d readings",
			    STANDSTILL_TRIES);
	if (taken == GONE)
		snapshot_free(s);
	return taken == GONE ? -1 : 0;
}
