// SPDX-License-Identifier: MIT
/* Audits a program: stops it, reads its processes, and judges their numbers. */
#include "audit.h"
#include "base/clock.h"
#include "base/memory.h"
#include "find.h"
#include "look.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	HOLD_MS = 100,  /* the longest time to wait for threads to stop */
	AUDIT_MS = 250, /* after this time an audit reads no further process */
};

struct seen {
	pid_t pid;
	unsigned long long start;
	bool audited;
};

const char *check_name(enum audit_check r)
{
	static const char *const names[] = {
		[CHECK_IDENTITIES] = "identities", [CHECK_COUNTERS] = "counters",
		[CHECK_FRAMES] = "frames",         [CHECK_CLOSED] = "closed",
		[CHECK_LOG] = "kernel_log",        [CHECK_CGROUP] = "cgroup",
	};

	return names[r];
}

const char *unseen_words(enum unseen u)
{
	static const char *const words[] = {
		[UNSEEN_DENIED] =
			"rssck may not read a process: it is another user's, or rssck lacks privilege",
		[UNSEEN_RUNNING] = "a process could not be stopped in time",
		[UNSEEN_MOVED] =
			"other processes or the kernel changed a process's pages during each reading",
		[UNSEEN_LATER] =
			"a process was left for a later audit, because this one had used up its time",
		[UNSEEN_FRAMES] =
			"frames were not compared, because not all processes could be read together, or frames changed",
		[UNSEEN_ENDS] =
			"a process ended without an audit, because the time that --held allows was used up",
		[UNSEEN_CGROUP] =
			"its cgroup could not be compared: a process was outside it, it had child cgroups, or reading failed",
	};

	return words[u];
}

void auditor_open(struct auditor *a, const struct host *h, const struct measured *m, pid_t command)
{
	*a = (struct auditor) {
		.host = h, .measured = m, .command = command, .stays_ms = PAID_STAYS_MS, .log = -1
	};
	a->tree.command = command;
	a->started_ms = now_ms();
}

void auditor_close(struct auditor *a)
{
	tree_free(&a->tree);
	free(a->points);
	free(a->seen);
	free(a->wrapper);
	a->wrapper = NULL;
	a->points = NULL;
	a->seen = NULL;
}

static struct seen *note_seen(struct auditor *a, pid_t pid)
{
	unsigned long long start = find_start(pid);

	for (size_t i = 0; i < a->nr_seen; i++)
		if (a->seen[i].pid == pid && a->seen[i].start == start)
			return &a->seen[i];
	a->seen = memory_one_more(a->seen, a->nr_seen, sizeof(*a->seen),
				  "the processes of a program");
	a->seen[a->nr_seen] = (struct seen) { pid, start, false };
	return &a->seen[a->nr_seen++];
}

static void note_audited(struct auditor *a, pid_t pid)
{
	struct seen *one = note_seen(a, pid);

	a->nr_audited += !one->audited;
	one->audited = true;
}

static void note_peak(struct auditor *a, const struct point *p)
{
	if (p->resident > a->peak_rss)
		a->peak_rss = p->resident;
	if (p->pss > a->peak_pss)
		a->peak_pss = p->pss;
	if (p->uss > a->peak_uss)
		a->peak_uss = p->uss;
}

/* Notes by how much a counter differs from the page tables, whether within its bound or not. */
static void note_lag(struct auditor *a, struct point *p, pid_t pid, const char *name,
		     const struct discrepancy *d)
{
	int64_t off = d->counter - d->precise;
	struct worst *w;

	if (d->id == METRIC_NONE || d->rule != RULE_COUNTER)
		return;
	w = &a->worst[d->id];
	if (llabs(off) > p->lag)
		p->lag = llabs(off);
	if (w->seen && llabs(off) <= llabs(w->off))
		return;
	*w = (struct worst) { true, off, d->bound, now_ms() - a->started_ms, pid, "" };
	snprintf(w->name, sizeof(w->name), "%s", name);
}

static void note_judgement(struct auditor *a, struct point *p, pid_t pid, const struct judgement *j)
{
	char name[32];

	find_name(pid, name, sizeof(name));
	for (size_t i = 0; i < j->nr_discrepancies; i++) {
		const struct discrepancy *d = &j->discrepancies[i];
		bool counter = d->id != METRIC_NONE && metric(d->id)->kind == KIND_COUNTER;

		note_lag(a, p, pid, name, d);
		if (d->fails)
			auditor_find(a, counter ? CHECK_COUNTERS : CHECK_IDENTITIES, pid, name, d);
	}
	a->numbers[CHECK_IDENTITIES] += j->nr_checks;
	p->numbers += j->nr_checks;
}

static void note_sums(struct point *p, const struct snapshot *s)
{
	const struct values *v = &s->values;

	p->counted += v->of[METRIC_STATUS_VMRSS];
	p->resident += table_kb(v, METRIC_ROLLUP_RSS);
	p->pss += table_kb(v, METRIC_ROLLUP_PSS);
	p->uss += table_uss(v);
	p->swap += table_kb(v, METRIC_ROLLUP_SWAP);
}

/* An exact counter has no discrepancy, so this notes which counters were compared. */
static void note_exact(struct auditor *a, const struct snapshot *s)
{
	for (const enum metric_id *id = modelled; *id != METRIC_NONE; id++) {
		struct worst *w = &a->worst[*id];

		if (!s->values.have[*id])
			continue;
		a->numbers[CHECK_COUNTERS]++;
		if (w->seen)
			continue;
		*w = (struct worst) { .seen = true, .pid = s->pid };
	}
}

static void note_command(struct auditor *a, const struct traced *m, const struct snapshot *s)
{
	int64_t resident = table_kb(&s->values, METRIC_ROLLUP_RSS);

	find_name(m->pid, a->command_name, sizeof(a->command_name));
	a->peak_kb = resident > a->peak_kb ? resident : a->peak_kb;
	a->peak_threads = m->users > a->peak_threads ? m->users : a->peak_threads;
}

/*
 * Judges one process, and adds its numbers to the sums in *p. Returns true if *s was judged, and
 * must be freed by the caller.
 */
static bool audit_member(struct auditor *a, struct point *p, const struct traced *m,
			 const struct looking *how, struct snapshot *s)
{
	struct judgement j;
	enum looked looked;

	looked = look_at(m, how, s, &j);
	if (looked == LOOKED_JUDGED) {
		note_exact(a, s);
		note_judgement(a, p, m->pid, &j);
		note_sums(p, s);
		note_audited(a, m->pid);
		if (m->pid == a->command)
			note_command(a, m, s);
		p->read++;
	} else {
		if (looked == LOOKED_DENIED)
			a->unseen[UNSEEN_DENIED]++;
		else if (looked == LOOKED_MOVED)
			a->unseen[UNSEEN_MOVED]++;
		p->whole = false;
		snapshot_free(s);
	}
	judgement_free(&j);
	return looked == LOOKED_JUDGED;
}

static struct point *point_add(struct auditor *a)
{
	a->points = memory_one_more(a->points, a->nr_points, sizeof(*a->points),
				    "the audits of a program");
	a->points[a->nr_points] = (struct point) { .at_ms = now_ms() - a->started_ms };
	return &a->points[a->nr_points++];
}

void auditor_leave_out(struct auditor *a, char *const *command)
{
	FILE *out = open_memstream(&a->wrapper, &a->wrapper_length);

	for (; out && *command; command++)
		fwrite(*command, strlen(*command) + 1, 1, out);
	if (!out || fclose(out))
		memory_gone("the command");
}

static bool is_left_out(const struct auditor *a, pid_t pid)
{
	struct text t = { .data = NULL };
	bool same;

	if (!a->wrapper || pid != a->command)
		return false;
	same = text_read(&t, pid, "cmdline") == 0 && t.len == a->wrapper_length &&
	       !memcmp(t.data, a->wrapper, t.len);
	text_free(&t);
	return same;
}

static bool has_program(const struct auditor *a)
{
	const struct tree *t = &a->tree;

	for (size_t i = 0; i < t->nr_members; i++)
		if (!t->members[i].ended && !is_left_out(a, t->members[i].pid))
			return true;
	return false;
}

static void note_hold(struct auditor *a, int64_t held_us)
{
	a->held_us += held_us;
	if (held_us > a->held_most_us)
		a->held_most_us = held_us;
}

void auditor_audit_end(struct auditor *a, const struct traced *who)
{
	const struct looking how = { a->host, a->measured, false, now_ms() + AUDIT_MS };
	int64_t before = now_us();
	struct point p = { .at_ms = now_ms() - a->started_ms };
	struct snapshot s;

	/* If another process uses the memory of this one, the memory outlives it. */
	if (is_left_out(a, who->pid) || tree_shares_memory(&a->tree, who->pid))
		return;
	note_seen(a, who->pid);
	if (audit_member(a, &p, who, &how, &s)) {
		a->nr_ends++;
		snapshot_free(&s);
	}
	note_hold(a, now_us() - before);
}

/*
 * Reads a process that is not audited but shares pages with audited ones: its page table entries
 * count in the mapcounts of their frames.
 */
static bool read_left_out(struct point *p, const struct traced *m, const struct looking *how,
			  struct snapshot *s)
{
	struct judgement j;
	bool judged = m->still && look_at(m, how, s, &j) == LOOKED_JUDGED;

	if (m->still)
		judgement_free(&j);
	if (m->still && !judged)
		snapshot_free(s);
	p->whole &= judged;
	return judged;
}

static bool read_member(struct auditor *a, struct point *p, const struct traced *m,
			const struct looking *how, struct snapshot *s)
{
	if (is_left_out(a, m->pid))
		return read_left_out(p, m, how, s);
	p->processes++;
	p->threads += m->threads;
	note_seen(a, m->pid);
	if (m->still)
		return audit_member(a, p, m, how, s);
	a->unseen[UNSEEN_RUNNING]++;
	p->whole = false;
	return false;
}

static void read_members(struct auditor *a, struct point *p)
{
	const struct tree *t = &a->tree;
	struct snapshot **kept = calloc(t->nr_members + 1, sizeof(*kept));
	size_t nr = 0, first = t->nr_members ? a->turn % t->nr_members : 0, i;
	const struct looking how = { a->host, a->measured, t->whole, now_ms() + AUDIT_MS };

	if (!kept)
		memory_gone("the snapshots of a program");
	for (i = 0; i < t->nr_members && now_ms() < how.until; i++) {
		const struct traced *m = &t->members[(first + i) % t->nr_members];

		if (m->ended)
			continue;
		kept[nr] = malloc(sizeof(**kept));
		if (!kept[nr])
			memory_gone("the snapshots of a program");
		if (read_member(a, p, m, &how, kept[nr]))
			nr++;
		else
			free(kept[nr]);
	}
	if (i < t->nr_members) {
		for (size_t k = i; k < t->nr_members; k++)
			note_seen(a, t->members[(first + k) % t->nr_members].pid);
		a->unseen[UNSEEN_LATER] += t->nr_members - i;
		p->processes += t->nr_members - i;
		p->whole = false;
		a->turn = first + i;
	}
	note_peak(a, p);
	if (p->whole && p->read)
		together_judge(a, p, kept, nr);
	else if (nr && a->host->sees_pfns)
		a->unseen[UNSEEN_FRAMES]++;
	for (i = 0; i < nr; i++) {
		snapshot_free(kept[i]);
		free(kept[i]);
	}
	free(kept);
}

void auditor_audit(struct auditor *a, const char *mark)
{
	int64_t before = now_us();
	struct point *p;

	tree_hold(&a->tree, HOLD_MS);
	p = point_add(a);
	snprintf(p->mark, sizeof(p->mark), "%s", mark);
	p->whole = a->tree.whole;
	if (has_program(a))
		read_members(a, p);
	tree_release(&a->tree);
	p->held_us = now_us() - before;
	note_hold(a, p->held_us);
	auditor_read_log(a);
	if (!p->read && !p->processes)
		a->nr_points--;
}
