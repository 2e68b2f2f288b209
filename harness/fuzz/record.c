// SPDX-License-Identifier: MIT
/* Records the amount by which programs changed each number. */
#include "record.h"
#include "base/guest.h"
#include "base/memory.h"
#include <stdlib.h>
#include <string.h>

struct record {
	json_t *root, *programs, *printed; /* the numbers that this kernel has */
	json_t *steps;                     /* steps of the current program */
	unsigned length;                   /* number of steps of the current program */
	const struct ledger_place *place;
	/* Each process's numbers when they were last read: settled, and unsettled. */
	json_t *last[2][ACT_PROCESSES];
};

static const char *const names[2] = { "p%u", "p%u unsettled" };

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
 * False for numbers that depend on time or on other processes. Proportional shares are rounded for
 * each mapping, other processes share the program's text and vdso, and the workload touches a
 * varying number of its own pages.
 */
static bool is_size(const struct metric *m)
{
	return m->kind != KIND_PEAK && m->kind != KIND_EVENT && m->unit != UNIT_COUNT &&
	       m->sharing == SHARING_ANY && m != metric(METRIC_SMAPS_REFERENCED) &&
	       m != metric(METRIC_ROLLUP_REFERENCED);
}

/*
 * True for numbers that are also recorded before settling: peaks and fault counts, because settling
 * raises them, and counters, because settling removes their lag.
 */
static bool is_unsettled(const struct metric *m)
{
	return m->kind == KIND_PEAK || m->kind == KIND_EVENT || m->kind == KIND_COUNTER;
}

/* "VmFlags.sd" is the size, in kB, of all mappings with that flag. */
static void count_flags(json_t *of, const struct mapping *m)
{
	int64_t kb = (int64_t)((m->end - m->start) / 1024);
	char name[] = "VmFlags.??";

	for (const char *flag = m->flags; flag[0] && flag[1]; flag += flag[2] ? 3 : 2) {
		memcpy(name + sizeof(name) - 3, flag, 2);
		json_set_number(of, name, kb + json_integer_value(json_object_get(of, name)));
	}
}

/* Reads only mappings of the program, because others, e.g. [vvar], differ between kernels. */
static void look_at_arena(json_t *of, const struct snapshot *s, const struct ledger_place *place)
{
	uint64_t end = place->arena + ACT_REGIONS * place->stride;
	int64_t soft_dirty = 0;

	for (size_t i = 0; i < s->nr_maps; i++) {
		const struct mapping *m = &s->maps[i];

		if (m->start < place->arena || m->end > end)
			continue;
		count_flags(of, m);
		soft_dirty += m->pagemap.soft_dirty;
	}
	json_set_number(of, metric(METRIC_PAGEMAP_SOFT_DIRTY)->name, soft_dirty);
}

static json_t *numbers_of(const struct values *v, bool (*is)(const struct metric *m))
{
	json_t *of = json_object();

	for (int id = 0; id < METRIC_COUNT; id++)
		if (v->have[id] && is(metric(id)))
			json_set_number(of, metric(id)->name, v->of[id]);
	return of;
}

static json_t *moved(json_t *before, json_t *now)
{
	json_t *of = json_object(), *number;
	const char *name;

	json_object_foreach(now, name, number)
	{
		json_int_t by = json_integer_value(number) -
				json_integer_value(json_object_get(before, name));

		if (by)
			json_set_number(of, name, by);
	}
	json_object_foreach(before, name, number) if (!json_object_get(now, name))
		json_set_number(of, name, -json_integer_value(number));
	return of;
}

/* Takes ownership of `now`. Numbers after the final unmapping are not recorded. */
static void keep(struct record *r, unsigned step, bool unsettled, unsigned process, json_t *now)
{
	json_t *at = json_array_get(r->steps, json_array_size(r->steps) - 1), *number;
	json_t **last = &r->last[unsettled][process];
	const char *name;
	char key[24];

	snprintf(key, sizeof(key), names[unsettled], process);
	json_object_foreach(now, name, number) json_object_set_new(r->printed, name, json_true());
	if (at && *last && step <= r->length)
		json_object_set_new(at, key, moved(*last, now));
	json_decref(*last);
	*last = now;
}

/* Only in a guest, because other users of KSM change the machine-wide counts. */
static void look_at_machine(json_t *of)
{
	struct ksm ksm;

	if (!guest_is_here())
		return;
	ksm_look(&ksm);
	if (ksm.machine.zeroes >= 0)
		json_set_number(of, "the machine's ksm_zero_pages", ksm.machine.zeroes);
}

static void look(void *data, unsigned step, unsigned process, const struct snapshot *s)
{
	const struct record *r = data;
	json_t *now = numbers_of(&s->values, is_size);

	look_at_arena(now, s, r->place);
	if (process == 0)
		look_at_machine(now);
	keep(data, step, false, process, now);
}

static void look_unsettled(void *data, unsigned step, unsigned process, const struct values *v)
{
	keep(data, step, true, process, numbers_of(v, is_unsettled));
}

static void forget(struct record *r, unsigned process)
{
	for (unsigned i = 0; i < 2; i++) {
		json_decref(r->last[i][process]);
		r->last[i][process] = NULL;
	}
}

static void record_report(struct record *r, json_t *told, const char *number, int64_t value)
{
	if (!number)
		return;
	json_set_number(told, number, value);
	json_object_set_new(r->printed, number, json_true());
}

static void did(void *data, const struct act *a, const struct act_outcome *o)
{
	struct record *r = data;
	const struct verb *v = &verbs[a->verb];
	json_t *step = json_object(), *told;
	char text[ACT_TEXT];

	json_set_words(step, "act", act_print(a, text));
	if (o->error) {
		json_set_number(step, "errno", o->error);
	} else if (v->checks || v->reports) {
		json_object_set_new(step, "told", told = json_object());
		record_report(r, told, v->checks, o->seen);
		record_report(r, told, v->reports, o->reported);
	}
	json_array_append_new(r->steps, step);
	/* A child's numbers are counted from its first reading. */
	if (v->effect == EFFECT_FORK || v->effect == EFFECT_EXIT)
		forget(r, a->to);
}

static enum played run(struct record *r, struct player *p, const struct program *program,
		       struct finding *f)
{
	enum played played;

	r->steps = json_array();
	r->length = program->nr;
	r->place = &p->place;
	for (unsigned i = 0; i < ACT_PROCESSES; i++)
		forget(r, i);
	p->watcher = (struct watcher) { look, look_unsettled, did, r };
	played = player_play(p, program, true, f);
	p->watcher = (struct watcher) { .look = NULL };
	return played;
}

void record_name(const char *process, const char *number, char name[RECORD_NAME])
{
	const char *behind = strchr(process, ' ');

	snprintf(name, RECORD_NAME, "%s%s", number, behind ? behind : "");
}

static void add_noise(json_t *noise, const char *process, json_t *numbers, json_t *others)
{
	char key[RECORD_NAME];
	const char *name;
	json_t *number;

	json_object_foreach(numbers, name, number)
	{
		if (json_equal(number, json_object_get(others, name)))
			continue;
		record_name(process, name, key);
		json_object_set_new(noise, key, json_true());
	}
}

static json_t *noise_of(json_t *a, json_t *b)
{
	json_t *noise = json_object(), *step, *numbers;
	const char *process;
	size_t i;

	json_array_foreach(a, i, step)
	{
		json_t *other = json_array_get(b, i);

		json_object_foreach(step, process, numbers)
		{
			json_t *others = json_object_get(other, process);

			if (!json_is_object(numbers))
				continue;
			add_noise(noise, process, numbers, others);
			add_noise(noise, process, others, numbers);
		}
	}
	return noise;
}

/*
 * Removes compaction and similar operations, because their effect depends on the state of the
 * machine.
 */
static void leave_out_migration(struct program *p)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < p->nr; i++)
		if (verbs[p->acts[i].verb].effect != EFFECT_MIGRATE)
			p->acts[kept++] = p->acts[i];
	p->nr = kept;
	program_number(p);
}

enum played record_program(struct record *r, struct player *p, const struct program *program,
			   struct finding *f)
{
	struct program settled = *program;
	json_t *first, *of = json_object();
	enum played played;

	settled.unsettled = false;
	leave_out_migration(&settled);
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

	for (unsigned i = 0; i < ACT_PROCESSES; i++)
		forget(r, i);
	free(r);
	return root;
}
