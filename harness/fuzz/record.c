// SPDX-License-Identifier: MIT
/* The record of what programs moved. */
#include "record.h"
#include "base/memory.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct record {
	json_t *root, *programs, *printed; /* the numbers that this kernel has */
	json_t *steps;                     /* of the run that is on */
	unsigned length;                   /* of its program */
	struct values last[ACT_PROCESSES];
	bool known[ACT_PROCESSES];
};

struct record *record_new(const struct host *h)
{
	struct record *r = calloc(1, sizeof(*r));

	if (!r)
		memory_gone("the record");
	r->root = json_object();
	r->programs = json_array();
	json_set_words(r->root, "schema", RECORD_SCHEMA);
	json_set_words(r->root, "release", h->release);
	json_set_number(r->root, "page_size", h->page_size);
	r->printed = json_object();
	json_object_set_new(r->root, "printed", r->printed);
	json_object_set_new(r->root, "programs", r->programs);
	return r;
}

/*
 * Settling raises peaks and faults itself; what is no size depends on time; shares are
 * rounded mapping by mapping, and others share the program's text and vdso.
 */
static bool is_recorded(const struct metric *m)
{
	return m->kind != KIND_PEAK && m->kind != KIND_EVENT && m->unit != UNIT_COUNT &&
	       m->sharing == SHARING_ANY;
}

/* What a process's numbers have moved by since it was last looked at. */
static json_t *moved(const struct values *before, const struct values *now)
{
	json_t *of = json_object();

	for (int id = 0; id < METRIC_COUNT; id++)
		if (is_recorded(metric(id)) && before->have[id] && now->have[id] &&
		    before->of[id] != now->of[id])
			json_set_number(of, metric(id)->name, now->of[id] - before->of[id]);
	return of;
}

static void look(void *data, unsigned step, unsigned process, const struct snapshot *s)
{
	struct record *r = data;
	json_t *at = json_array_get(r->steps, json_array_size(r->steps) - 1);
	char name[8];

	/* When all is closed the last step is over. */
	if (step > r->length)
		return;
	snprintf(name, sizeof(name), "p%u", process);
	for (int id = 0; id < METRIC_COUNT; id++)
		if (s->values.have[id])
			json_object_set_new(r->printed, metric(id)->name, json_true());
	if (at && r->known[process])
		json_object_set_new(at, name, moved(&r->last[process], &s->values));
	r->last[process] = s->values;
	r->known[process] = true;
}

static void did(void *data, const struct act *a, const struct act_outcome *o)
{
	struct record *r = data;
	json_t *step = json_object();
	char text[ACT_TEXT];

	json_set_words(step, "act", act_print(a, text));
	if (o->error)
		json_set_number(step, "errno", o->error);
	json_array_append_new(r->steps, step);
	/* A child's numbers begin with its first look. */
	if (verbs[a->verb].effect == EFFECT_FORK || verbs[a->verb].effect == EFFECT_EXIT)
		r->known[a->to] = false;
}

static enum played run(struct record *r, struct player *p, const struct program *program,
		       struct finding *f)
{
	enum played played;

	r->steps = json_array();
	r->length = program->nr;
	memset(r->known, 0, sizeof(r->known));
	p->watcher = (struct watcher) { look, did, r };
	played = player_play(p, program, true, f);
	p->watcher = (struct watcher) { .look = NULL };
	return played;
}

/* Every "STEP pN METRIC" that is not the same in both runs. */
static json_t *noise_of(json_t *a, json_t *b)
{
	json_t *noise = json_object(), *step, *numbers, *number;
	const char *process, *name;
	size_t i;

	json_array_foreach(a, i, step)
	{
		json_t *other = json_array_get(b, i);

		json_object_foreach(step, process, numbers)
		{
			json_t *others = json_object_get(other, process);

			if (!json_is_object(numbers))
				continue;
			json_object_foreach(numbers, name, number)
			{
				if (!json_equal(number, json_object_get(others, name)))
					json_object_set_new(noise, name, json_true());
			}
			json_object_foreach(others, name, number)
			{
				if (!json_object_get(numbers, name))
					json_object_set_new(noise, name, json_true());
			}
		}
	}
	return noise;
}

enum played record_program(struct record *r, struct player *p, const struct program *program,
			   struct finding *f)
{
	struct program settled = *program;
	json_t *first, *of = json_object();
	enum played played;

	settled.unsettled = false;
	played = run(r, p, &settled, f);
	first = r->steps;
	if (played == PLAYED) {
		played = run(r, p, &settled, f);
		json_object_set_new(of, "noise", noise_of(first, r->steps));
		json_decref(r->steps);
	}
	json_set_number(of, "seed", (int64_t)program->seed);
	json_object_set_new(of, "steps", first);
	json_array_append_new(r->programs, of);
	return played;
}

json_t *record_finish(struct record *r)
{
	json_t *root = r->root;

	free(r);
	return root;
}
