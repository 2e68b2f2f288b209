// SPDX-License-Identifier: MIT
/*
 * Runs the tools of a case while the workload waits. Tools read the same files as rssck, so their
 * output must match rssck's readings before and after, character by character.
 */
#include "base/memory.h"
#include "snapshot/snapshot.h"
#include "trial.h"
#include <rssck/case.h>
#include <rssck/source.h>
#include <stdio.h>
#include <stdlib.h>

enum { STANDSTILL_TRIES = 5 };

/*
 * Drops the metrics that changed while the tool ran. Returns false if one of them must not change
 * by itself.
 */
static bool keep_what_stood_still(const struct tool_values *v, const struct values *before,
				  struct values *after)
{
	bool stood_still = true;

	for (size_t i = 0; i < v->nr; i++) {
		const struct column *c = v->of[i].column;
		enum metric_id ids[] = { c->metric, c->plus, c->also };

		for (size_t k = 0; k < 3 && ids[k] != METRIC_NONE; k++) {
			if (before->of[ids[k]] == after->of[ids[k]])
				continue;
			after->have[ids[k]] = false;
			stood_still &= metric(ids[k])->unconstrained;
		}
	}
	return stood_still;
}

/* Reads the files that tools read. No tool reads pagemap. */
static int take(struct snapshot *s, pid_t pid)
{
	struct text t = { .data = NULL };
	struct source_error e;
	int error = -1;

	*s = (struct snapshot) { .pid = pid };
	if (text_read(&t, pid, "smaps") == 0 && smaps_read(t.data, t.len, s, &e) == 0)
		error = counters_take(&s->values, pid, &e);
	if (text_read(&t, pid, "smaps_rollup") == 0)
		rollup_read(t.data, t.len, s, &e);
	if (text_read(&t, pid, "oom_score") == 0)
		oom_score_read(t.data, t.len, &s->values, &e);
	text_free(&t);
	return error;
}

enum looked { LOOKED, MOVED, NO_TOOL, LOOK_FAILED };

/* `why` explains every result but LOOKED and MOVED. */
static enum looked look_once(pid_t pid, struct tool_reading *r, char *why, size_t size)
{
	struct snapshot before = { 0 }, after = { 0 };
	enum looked done = LOOK_FAILED;

	if (take(&before, pid) < 0)
		snprintf(why, size, "the workload had ended before %s could read its numbers",
			 r->tool->name);
	else if (tool_read(r->tool, pid, &r->values, why, size) < 0)
		done = tool_can_run(r->tool, why, size) ? LOOK_FAILED : NO_TOOL;
	else if (take(&after, pid) < 0)
		snprintf(why, size, "the workload had ended after %s", r->tool->name);
	else if (tool_facts_read(&r->own, pid, &after, why, size) == 0)
		done = keep_what_stood_still(&r->values, &before.values, &after.values) ? LOOKED
											: MOVED;
	r->own.values = after.values;
	snapshot_free(&before);
	snapshot_free(&after);
	return done;
}

static enum looked look(pid_t pid, struct tool_reading *r, char *why, size_t size)
{
	for (int i = 0; i < STANDSTILL_TRIES; i++) {
		enum looked done = look_once(pid, r, why, size);

		if (done != MOVED)
			return done;
	}
	snprintf(why, size, "the workload's numbers changed each time %s ran", r->tool->name);
	return LOOK_FAILED;
}

enum trial_end tools_look(const struct testcase *c, const struct host *h, struct moment *m,
			  char *why, size_t size)
{
	size_t nr = 0;

	while (c->tools && c->tools[nr])
		nr++;
	if (!nr || !m->of[0] || m->step->flags & STEP_NO_TOOLS)
		return TRIAL_DONE;
	m->readings = calloc(nr, sizeof(*m->readings));
	if (!m->readings)
		memory_gone("the output of a tool");
	for (m->nr_readings = 0; m->nr_readings < nr; m->nr_readings++) {
		struct tool_reading *r = &m->readings[m->nr_readings];

		r->tool = tool_by_name(c->tools[m->nr_readings]);
		r->own.page_size = h->page_size;
		switch (look(m->of[0]->pid, r, why, size)) {
		case LOOKED:
			break;
		case NO_TOOL:
			return TRIAL_SKIPPED;
		default:
			return TRIAL_ERROR;
		}
	}
	return TRIAL_DONE;
}
