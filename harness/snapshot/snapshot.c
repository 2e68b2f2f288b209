// SPDX-License-Identifier: MIT
/* Takes a snapshot of all sources of one process. The counters are read first. */
#include "snapshot.h"
#include "base/clock.h"
#include "source/parse.h"
#include "still.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
	READINGS = 12, /* minimum number of readings before the last one, if the process moves or
			* its sums disagree */
	RECOUNTS = 3,  /* the minimum if only the counts of the frames disagree; on some kernels
			* those of huge pages always do */
	STILL_MS = 5000,
	PAUSE_BITS = 6, /* the pauses are 1, 2, 4 ... 64 ms */
	SCAN_VEC_LEN = 512,
};

/* The text files and their readers. numa_read() is called apart because it needs the page size. */
static const struct {
	const char *name;
	int (*fields)(struct span text, struct values *v, struct snapshot *s,
		      struct source_error *e);
	int (*mappings)(const char *data, size_t len, struct snapshot *s, struct source_error *e);
} files[SOURCE_COUNT] = {
	[SOURCE_STAT] = { .name = "stat", .fields = stat_parse },
	[SOURCE_STATM] = { .name = "statm", .fields = statm_parse },
	[SOURCE_STATUS] = { .name = "status", .fields = status_parse },
	[SOURCE_OOM] = { .name = "oom_score", .fields = oom_score_parse },
	[SOURCE_SMAPS] = { .name = "smaps", .mappings = smaps_read },
	[SOURCE_ROLLUP] = { .name = "smaps_rollup", .mappings = rollup_read },
	[SOURCE_NUMA] = { .name = "numa_maps" },
};

static int read_fails(struct source_error *e, enum source source, int error)
{
	return source_fail(e, source, -error, "cannot be read: %s", strerror(-error));
}

/* Reads the fields of a file into *v. If s is not NULL, it receives unknown fields. */
static int fields_take(enum source source, struct text *t, pid_t pid, struct values *v,
		       struct snapshot *s, struct source_error *e)
{
	int error = text_read(t, pid, files[source].name);

	if (error)
		return read_fails(e, source, error);
	return files[source].fields((struct span) { t->data, t->data + t->len }, v, s, e);
}

static int source_take(enum source source, struct text *t, struct snapshot *s, const struct host *h)
{
	struct source_error *e = &s->error[source];
	int error;

	if (files[source].fields)
		return fields_take(source, t, s->pid, &s->values, s, e);
	error = text_read(t, s->pid, files[source].name);
	if (error)
		return read_fails(e, source, error);
	if (files[source].mappings)
		return files[source].mappings(t->data, t->len, s, e);
	return numa_read(t->data, t->len, h->page_size, s, e);
}

int counters_take(struct values *v, pid_t pid, struct source_error *e)
{
	struct text t = { .data = NULL };
	int error = 0;

	for (enum source i = SOURCE_STAT; i <= SOURCE_STATUS && !error; i++)
		error = fields_take(i, &t, pid, v, NULL, e);
	text_free(&t);
	return error;
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
		s->moved_pages = true;
		return true;
	}
	return false;
}

/*
 * True if smaps_rollup changed since it was read: the other sources may then show another state.
 * Other processes can change a sleeping process's Shared and Pss by mapping the same file or by
 * writing it back. Reclaim can change them, and also Rss and Swap.
 *
 * Referenced may differ: whenever any process exits, it may toggle the referenced flag of the
 * shared vdso pages (mm/swap.c folio_mark_accessed()). One of the two readings must agree with
 * smaps.
 */
static bool reshared(struct snapshot *s, struct text *t)
{
	struct snapshot again = { .pid = s->pid };
	struct source_error e;
	int64_t *of = s->values.of;

	if (text_read(t, s->pid, "smaps_rollup") || rollup_read(t->data, t->len, &again, &e))
		return false;
	s->moved_pages = of[METRIC_ROLLUP_RSS] != again.values.of[METRIC_ROLLUP_RSS] ||
			 of[METRIC_ROLLUP_SWAP] != again.values.of[METRIC_ROLLUP_SWAP];
	for (int id = METRIC_ROLLUP_FIRST; id <= METRIC_ROLLUP_LAST; id++) {
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
 * True if smaps and smaps_rollup disagree. A cause may be temporary, such as a process that mapped
 * the vdso for a moment, so the caller reads again. If they always disagree, the judge reports it.
 */
static bool disagrees(const struct snapshot *s)
{
	const struct values *v = &s->values;

	for (int id = METRIC_ROLLUP_FIRST; id <= METRIC_ROLLUP_LAST; id++) {
		enum metric_id twin = metric_twin((enum metric_id)id);

		if (twin == METRIC_NONE || !v->have[id] || !v->have[twin])
			continue;
		/*
		 * smaps rounds a proportional number down for each mapping, smaps_rollup only its
		 * sum.
		 */
		if (metric(twin)->sharing == SHARING_PROPORTIONAL
			    ? v->of[id] < v->of[twin] ||
				      v->of[id] > v->of[twin] + (int64_t)s->nr_maps
			    : v->of[id] != v->of[twin])
			return true;
	}
	return false;
}

/*
 * True if other processes mapped or unmapped pages during the reading. It compares the private
 * pages in smaps, which is read first, with those in pagemap and kpagecount.
 */
static bool is_shared_meanwhile(const struct mapping *m, const struct host *h)
{
	const struct page_counts *p = &m->pagemap;
	int64_t private = mapping_private(m);

	if (m->frames_read && m->frames[METRIC_FRAMES_ONCE - METRIC_FRAMES_FIRST] != p->exclusive)
		return true;
	return p->walked && p->zero_known && !p->of[CLASS_HUGETLB] &&
	       private != p->exclusive * (h->page_size / 1024);
}

static bool miscounts(const struct snapshot *s, const struct host *h)
{
	for (size_t i = 0; i < s->nr_maps; i++)
		if (is_shared_meanwhile(&s->maps[i], h))
			return true;
	return false;
}

enum taken { GONE = -1, TAKEN, MOVED, DISAGREES, MISCOUNTS };

static enum taken take_once(struct snapshot *s, struct text *t, const struct host *h)
{
	struct source_error *e = s->error, ignored;
	struct values after = { .have = { false } };

	if (still_runs(s->pid, t, s->moved, sizeof(s->moved)))
		return MOVED;
	source_take(SOURCE_STAT, t, s, h);
	source_take(SOURCE_STATM, t, s, h);
	source_take(SOURCE_STATUS, t, s, h);
	source_take(SOURCE_ROLLUP, t, s, h);
	source_take(SOURCE_SMAPS, t, s, h);
	if (e[SOURCE_SMAPS].text[0]) {
		maps_missing(s);
	} else {
		walk_take(s, h);
		source_take(SOURCE_NUMA, t, s, h);
	}
	source_take(SOURCE_OOM, t, s, h);
	if (fields_take(SOURCE_STAT, t, s->pid, &after, NULL, &ignored))
		return ignored.number == ESRCH ? GONE : TAKEN;
	if (faulted(s, &after) || reshared(s, t))
		return MOVED;
	if (disagrees(s))
		return DISAGREES;
	return miscounts(s, h) ? MISCOUNTS : TAKEN;
}

/* True if a reading with this result is accepted after `readings` earlier ones. */
static bool is_enough(enum taken taken, int readings, int64_t until)
{
	switch (taken) {
	case GONE:
	case TAKEN:
		return true;
	case MOVED:
		return readings >= READINGS && now_ms() >= until;
	case DISAGREES:
		return readings >= READINGS;
	case MISCOUNTS:
		return readings >= RECOUNTS;
	}
	return true;
}

/* Sleeps before the next try, so that other processes can run if CPUs are scarce. */
static void pause_after(int readings)
{
	int ms = readings < PAUSE_BITS ? 1 << readings : 1 << PAUSE_BITS;

	nanosleep(&(struct timespec) { .tv_nsec = ms * 1000000L }, NULL);
}

int snapshot_look(struct snapshot *s, pid_t pid, const struct host *h)
{
	struct text t = { .data = NULL };
	enum taken taken;

	*s = (struct snapshot) { .pid = pid };
	taken = take_once(s, &t, h);
	text_free(&t);
	if (taken == GONE)
		snapshot_free(s);
	return taken == GONE ? -1 : 0;
}

int snapshot_read_part(struct snapshot *s, pid_t pid, const struct host *h, unsigned without)
{
	static const enum source sources[] = { SOURCE_STAT,   SOURCE_STATM, SOURCE_STATUS,
					       SOURCE_ROLLUP, SOURCE_NUMA,  SOURCE_OOM };
	struct text t = { .data = NULL };

	*s = (struct snapshot) { .pid = pid };
	source_take(SOURCE_SMAPS, &t, s, h);
	for (size_t i = 0; i < sizeof(sources) / sizeof(*sources); i++)
		if (!(without >> sources[i] & 1))
			source_take(sources[i], &t, s, h);
	text_free(&t);
	if (s->error[SOURCE_SMAPS].text[0]) {
		snapshot_free(s);
		return -1;
	}
	walk_take(s, h);
	return 0;
}

bool snapshot_refresh(struct snapshot *s)
{
	static const enum source sources[] = { SOURCE_STAT, SOURCE_STATM, SOURCE_STATUS };
	struct text t = { .data = NULL };
	struct values now = { .have = { false } };
	struct source_error ignored;
	char who[sizeof(s->moved)];
	bool same = !still_runs(s->pid, &t, who, sizeof(who));

	for (size_t i = 0; i < sizeof(sources) / sizeof(*sources); i++)
		same = same && !fields_take(sources[i], &t, s->pid, &now, NULL, &ignored);
	same = same && !reshared(s, &t);
	for (int id = 0; id < METRIC_COUNT && same; id++) {
		if (!now.have[id])
			continue;
		s->values.of[id] = now.of[id];
		s->values.have[id] = true;
	}
	text_free(&t);
	return same;
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
		if (is_enough(taken, i, until))
			break;
		pause_after(i);
	}
	text_free(&t);
	if (taken == GONE)
		snapshot_free(s);
	return taken == GONE ? -1 : 0;
}
