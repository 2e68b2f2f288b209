// SPDX-License-Identifier: MIT
/* Writes the audit of a program as JSON. */
#include "base/print/json.h"
#include "report.h"
#include "report/json.h"
#include <sys/wait.h>

static json_t *command_json(char *const *command)
{
	json_t *list = json_array();

	for (; *command; command++)
		json_array_append_new(list, json_words(*command));
	return list;
}

static json_t *ended_json(const struct auditor *a)
{
	json_t *j = json_object();
	char words[80];

	json_set_words(j, "words", audit_ended(a, words, sizeof(words)));
	if (!a->tree.command && WIFSIGNALED(a->tree.status))
		json_set_number(j, "signal", WTERMSIG(a->tree.status));
	else if (!a->tree.command)
		json_set_number(j, "status", WEXITSTATUS(a->tree.status));
	return j;
}

static json_t *points_json(const struct auditor *a)
{
	json_t *list = json_array();

	for (size_t i = 0; i < a->nr_points; i++) {
		const struct point *p = &a->points[i];
		json_t *j = json_row(list);

		json_set_number(j, "at_ms", p->at_ms);
		json_set_number(j, "held_us", p->held_us);
		json_set_number(j, "processes", (int64_t)p->processes);
		json_set_number(j, "read", (int64_t)p->read);
		json_set_number(j, "threads", (int64_t)p->threads);
		json_set_number(j, "numbers", (int64_t)p->numbers);
		json_set_number(j, "VmRSS_kB", p->counted);
		json_set_number(j, "rss_kB", p->resident);
		json_set_number(j, "pss_kB", p->pss);
		json_set_number(j, "uss_kB", p->uss);
		json_set_number(j, "swap_kB", p->swap);
		json_set_number(j, "lag", p->lag);
		json_object_set_new(j, "whole", json_boolean(p->whole));
		if (p->mark[0])
			json_set_words(j, "mark", p->mark);
	}
	return list;
}

static json_t *rules_json(const struct auditor *a, const struct results *r)
{
	json_t *list = json_array();

	for (size_t i = 0; i < r->nr; i++) {
		json_t *j = json_row(list);

		json_set_words(j, "rule", check_name((enum audit_check)i));
		json_set_words(j, "verdict", verdict_name(r->of[i].verdict));
		json_set_number(j, "numbers", (int64_t)a->numbers[i]);
		if (r->of[i].reason[0])
			json_set_words(j, "reason", r->of[i].reason);
	}
	return list;
}

static json_t *findings_json(const struct auditor *a)
{
	json_t *list = json_array();

	for (size_t i = 0; i < a->nr_findings; i++) {
		const struct finding *f = &a->findings[i];
		json_t *j = json_row(list);

		json_set_words(j, "rule", check_name(f->check));
		json_set_words(j, "process", f->name);
		json_set_number(j, "pid", f->pid);
		json_set_number(j, "first_ms", f->first);
		json_set_number(j, "last_ms", f->last);
		json_set_number(j, "audits", f->audits);
		json_object_set_new(j, "grows", json_boolean(f->grows));
		json_set_words(j, "metric", f->d.metric);
		json_set_number(j, "counter", f->d.counter);
		json_set_number(j, "precise", f->d.precise);
		json_set_number(j, "difference", f->d.counter - f->d.precise);
		json_set_number(j, "bound", f->d.bound);
		json_set_words(j, "unit", f->d.unit);
		json_set_words(j, "identity", f->d.text);
		json_set_words(j, "rule_id", rule(f->d.rule)->name);
	}
	return list;
}

static json_t *lags_json(const struct auditor *a)
{
	json_t *lags = json_object();

	for (const enum metric_id *id = modelled; *id != METRIC_NONE; id++) {
		const struct worst *w = &a->worst[*id];
		json_t *j;

		if (!w->seen)
			continue;
		j = json_object();
		json_set_number(j, "lag", w->off);
		json_set_number(j, "bound", w->bound);
		if (w->off) {
			json_set_number(j, "pid", w->pid);
			json_set_words(j, "process", w->name);
			json_set_number(j, "at_ms", w->at_ms);
		}
		json_object_set_new(lags, metric(*id)->name, j);
	}
	return lags;
}

static json_t *cgroup_json(const struct auditor *a)
{
	json_t *numbers = json_object();

	for (int i = 0; i < PAID_COUNT; i++) {
		json_t *j;

		if (!a->paid[i].seen)
			continue;
		j = json_object();
		json_set_number(j, "off", a->paid[i].off);
		json_set_number(j, "bound", a->paid[i].bound);
		json_object_set_new(numbers, paid_name(i), j);
	}
	return numbers;
}

static json_t *unseen_json(const struct auditor *a)
{
	json_t *list = json_array();

	for (int i = 0; i < UNSEEN_COUNT; i++) {
		json_t *j;

		if (!a->unseen[i])
			continue;
		j = json_row(list);
		json_set_words(j, "what", unseen_words((enum unseen)i));
		json_set_number(j, "times", (int64_t)a->unseen[i]);
	}
	return list;
}

json_t *audit_as_json(const struct auditor *a, const struct results *r, char *const *command)
{
	json_t *root = json_object(), *held = json_object();

	json_set_words(root, "schema", RUN_SCHEMA);
	json_set_machine(root, r);
	json_object_set_new(root, "command", command_json(command));
	json_object_set_new(root, "ended", ended_json(a));
	json_set_number(root, "duration_ms", a->ended_ms - a->started_ms);
	json_set_number(held, "us", a->held_us);
	json_set_number(held, "most_us", a->held_most_us);
	json_object_set_new(root, "held", held);
	json_set_number(root, "processes", (int64_t)a->nr_seen);
	json_set_number(root, "audited", (int64_t)a->nr_audited);
	json_set_number(root, "ends", (int64_t)a->nr_ends);
	json_object_set_new(root, "rules", rules_json(a, r));
	json_object_set_new(root, "findings", findings_json(a));
	json_set_number(root, "more_findings", (int64_t)a->nr_more);
	json_object_set_new(root, "worst_lags", lags_json(a));
	if (a->group)
		json_object_set_new(root, "cgroup", cgroup_json(a));
	json_object_set_new(root, "unseen", unseen_json(a));
	json_object_set_new(root, "audits", points_json(a));
	return root;
}
