// SPDX-License-Identifier: MIT
/* Compares two records: finds the first step and the first number that differ in each program. */
#include "record.h"
#include <stdlib.h>
#include <string.h>

bool record_is_one(const char *path)
{
	json_t *root = json_load_file(path, 0, NULL);
	const char *schema = json_string_value(json_object_get(root, "schema"));
	bool is = schema && !strcmp(schema, RECORD_SCHEMA);

	json_decref(root);
	return is;
}

struct difference {
	json_int_t seed;
	size_t step;
	const char *act, *process, *number;
	const struct act *parsed; /* the operation; NULL: this rssck has no such verb */
	json_int_t old, new;
};

/* The records of one seed's program on two kernels. */
struct pair {
	struct differences *d;
	json_t *roots[2], *programs[2];
	json_t *told; /* "VERB: NUMBER" of each difference that was reported already */
	/* for each "PROCESS: NUMBER": the current difference between the two records */
	json_t *apart;
	/*
	 * Bits of the regions in which a difference was found. Later differences in these regions
	 * are taken to be consequences of the first one.
	 */
	uint32_t others;
	uint32_t shared[ACT_REGIONS]; /* for each region, bits of the regions that map the same
				       * file */
};

/*
 * A number that is noise in at least this many programs of the two records is ignored in all
 * programs.
 */
enum { NOISY_PROGRAMS = 2 };

static bool is_noise(json_t *program, const char *number)
{
	return json_object_get(json_object_get(program, "noise"), number) != NULL;
}

static void count(json_t *of, const char *key)
{
	json_object_set_new(of, key,
			    json_integer(1 + json_integer_value(json_object_get(of, key))));
}

static void count_noise(json_t *root, json_t *noise)
{
	json_t *program, *of;
	const char *name;
	size_t i;

	json_array_foreach(json_object_get(root, "programs"), i, program)
	{
		json_object_foreach(json_object_get(program, "noise"), name, of) count(noise, name);
	}
}

static bool is_noisy_everywhere(json_t *noise, const char *number)
{
	return json_integer_value(json_object_get(noise, number)) >= NOISY_PROGRAMS;
}

/*
 * A number that one of the kernels does not print is not a difference, but a missing VmFlags flag
 * is a difference.
 */
static bool is_printed(json_t *root, const char *number)
{
	json_t *printed = json_object_get(root, "printed");

	return !printed || !strncmp(number, "VmFlags.", strlen("VmFlags.")) ||
	       json_object_get(printed, number);
}

static bool says_nothing(const struct pair *p, const struct difference *d)
{
	char name[RECORD_NAME];

	record_name(d->process, d->number, name);
	for (int i = 0; i < 2; i++)
		if (is_noise(p->programs[i], name) || !is_printed(p->roots[i], d->number))
			return true;
	return is_noisy_everywhere(p->d->noise, name);
}

static json_t *object_in(json_t *of, const char *key)
{
	if (!json_object_get(of, key))
		json_object_set_new(of, key, json_object());
	return json_object_get(of, key);
}

/* Shortens "p1 madvise r0 8..15 PAGEOUT" to "madvise PAGEOUT". */
static void verb_words(const struct difference *d, char *words, size_t size)
{
	const struct verb *v = d->parsed ? &verbs[d->parsed->verb] : NULL;

	if (v)
		snprintf(words, size, "%s%s%s", v->name, *v->mode ? " " : "", v->mode);
	else
		snprintf(words, size, "%s", d->act);
}

/*
 * Prints an operation's result as a value, and a process's number as the amount by which it moved.
 */
static void print_first(FILE *out, const struct difference *of)
{
	bool moved = strcmp(of->process, "told") != 0 && strcmp(of->number, "errno") != 0;
	const char *by = moved ? "by " : "";

	fprintf(out, "seed %" JSON_INTEGER_FORMAT ", step %zu (%s)", of->seed, of->step, of->act);
	if (moved)
		fprintf(out, ", %s", of->process);
	fprintf(out, ": %s %s%" JSON_INTEGER_FORMAT ", now %s%" JSON_INTEGER_FORMAT "\n",
		of->number, moved ? "moved by " : "", of->old, by, of->new);
}

static void add(struct pair *p, const struct difference *of)
{
	char verb[ACT_TEXT], number[RECORD_NAME], key[ACT_TEXT + RECORD_NAME + 2];

	record_name(of->process, of->number, number);
	verb_words(of, verb, sizeof(verb));
	snprintf(key, sizeof(key), "%s: %s", verb, number);
	if (json_object_get(p->told, key))
		return;
	if (!json_object_size(p->told))
		print_first(p->d->out, of);
	json_object_set_new(p->told, key, json_true());
	count(object_in(p->d->verbs, verb), number);
}

/*
 * True if the difference brings the two records closer, e.g. if a number that had differed is equal
 * again.
 */
static bool comes_closer(struct pair *p, const struct difference *d)
{
	char key[64 + RECORD_NAME];
	json_int_t before, now;

	snprintf(key, sizeof(key), "%s: %s", d->process, d->number);
	before = json_integer_value(json_object_get(p->apart, key));
	now = before + d->new - d->old;
	json_object_set_new(p->apart, key, json_integer(now));
	return llabs(now) < llabs(before);
}

/* Compares the numbers that either record has. Returns how many settled numbers differ. */
static size_t numbers_differ(struct pair *p, json_t *old, json_t *new, bool follows,
			     struct difference d)
{
	bool settled = !strchr(d.process, ' ');
	json_t *all = json_copy(old), *number;
	size_t differ = 0;

	json_object_update(all, new);
	json_object_foreach(all, d.number, number)
	{
		d.old = json_integer_value(json_object_get(old, d.number));
		d.new = json_integer_value(json_object_get(new, d.number));
		if (d.old == d.new || says_nothing(p, &d))
			continue;
		differ += settled;
		/*
		 * A difference that becomes smaller is not reported, because a CPU adds its pending
		 * part of a count sooner or later.
		 */
		if (!(settled && comes_closer(p, &d)) && !follows)
			add(p, &d);
	}
	json_decref(all);
	return differ;
}

static size_t steps_differ(struct pair *p, json_t *old, json_t *new, bool follows,
			   struct difference d)
{
	size_t differ = 0;
	json_t *numbers;

	json_object_foreach(old, d.process, numbers)
	{
		json_t *others = json_object_get(new, d.process);

		if (json_is_object(numbers))
			differ += numbers_differ(p, numbers, others, follows, d);
	}
	return differ;
}

/*
 * Returns the bits of the regions that the operation uses and of the regions that map the same
 * file; all bits for an unknown operation.
 */
static uint32_t regions_of(struct pair *p, const struct act *a)
{
	const struct verb *v;
	uint32_t of = 0;

	if (!a)
		return UINT32_MAX;
	v = &verbs[a->verb];
	if (v->operands & OPERAND_RANGE)
		of |= 1u << a->region | p->shared[a->region];
	if (v->operands & OPERAND_REGION)
		of |= 1u << a->to | p->shared[a->to];
	for (unsigned r = 0; v->effect == EFFECT_MAP_AGAIN && r < ACT_REGIONS; r++)
		if (of & 1u << r)
			p->shared[r] = of;
	return of;
}

/* An operation without effect leaves memory unchanged even if only one kernel refused it. */
static bool leaves_other_memory(const struct act *a)
{
	return !a || verbs[a->verb].effect != EFFECT_NONE;
}

/*
 * Returns false if only one kernel refused an operation without a region, e.g. a fork: the
 * following steps then run on different memory.
 */
static bool step_differs(struct pair *p, json_t *old, json_t *new, struct difference d)
{
	bool follows, refused;
	uint32_t regions;
	struct act act;
	char why[128];

	d.parsed = act_parse(&act, d.act, why, sizeof(why)) ? NULL : &act;
	regions = regions_of(p, d.parsed);
	follows = regions & p->others;
	d.number = "errno";
	d.old = json_integer_value(json_object_get(old, d.number));
	d.new = json_integer_value(json_object_get(new, d.number));
	if (d.old != d.new && !follows)
		add(p, &d);
	refused = leaves_other_memory(d.parsed) && d.old != d.new;
	if (steps_differ(p, old, new, follows || refused, d) || follows || refused)
		p->others |= regions;
	return regions || !refused;
}

/* Returns 0, or -1 if the records hold two different programs. */
static int programs_differ(struct pair *p, json_int_t seed)
{
	json_t *a = json_object_get(p->programs[0], "steps");
	json_t *b = json_object_get(p->programs[1], "steps"), *step;
	size_t i;

	json_array_foreach(a, i, step)
	{
		json_t *other = json_array_get(b, i);
		struct difference d = { .seed = seed, .step = i + 1, .process = "p0" };

		d.act = json_string_value(json_object_get(step, "act"));
		if (!other)
			return 0;
		if (!json_equal(json_object_get(step, "act"), json_object_get(other, "act")))
			return -1;
		if (!step_differs(p, step, other, d))
			return 0;
	}
	return 0;
}

static json_t *find_seed(json_t *programs, json_t *seed)
{
	json_t *program;
	size_t i;

	json_array_foreach(programs, i, program) if (json_equal(json_object_get(program, "seed"),
								seed)) return program;
	return NULL;
}

static int compare_roots(json_t *roots[2], struct differences *d, char *why, size_t size)
{
	json_t *a = json_object_get(roots[0], "programs"),
	       *b = json_object_get(roots[1], "programs");
	json_t *program;
	size_t i;

	json_array_foreach(a, i, program)
	{
		json_t *other = json_array_get(b, i), *seed = json_object_get(program, "seed");
		struct pair p = { .d = d, .roots = { roots[0], roots[1] } };
		int failed;

		if (!json_equal(seed, json_object_get(other, "seed")))
			other = find_seed(b, seed);
		if (!other)
			continue;
		p.programs[0] = program;
		p.programs[1] = other;
		p.told = json_object();
		p.apart = json_object();
		failed = programs_differ(&p, json_integer_value(seed));
		d->programs++;
		d->noisy += json_object_size(json_object_get(program, "noise")) > 0;
		d->differing += json_object_size(p.told) > 0;
		json_decref(p.told);
		json_decref(p.apart);
		if (!failed)
			continue;
		snprintf(why, size,
			 "seed %" JSON_INTEGER_FORMAT " has a different program in each record: "
			 "two versions of rssck made the records",
			 json_integer_value(seed));
		return -1;
	}
	if (d->programs)
		return 0;
	snprintf(why, size, "the two records have no seed in common");
	return -1;
}

static void print_verbs(const struct differences *d)
{
	json_t *numbers, *times;
	const char *verb, *number;

	if (json_object_size(d->verbs))
		fputs("\nFor each verb: the numbers that differ first after it, and the "
		      "number of programs:\n",
		      d->out);
	json_object_foreach(d->verbs, verb, numbers)
	{
		const char *comma = "";

		fprintf(d->out, "%s: ", verb);
		json_object_foreach(numbers, number, times)
		{
			fprintf(d->out, "%s%s %" JSON_INTEGER_FORMAT, comma, number,
				json_integer_value(times));
			comma = ", ";
		}
		fputc('\n', d->out);
	}
	if (json_object_size(d->verbs))
		fputc('\n', d->out);
}

int records_compare(const char *old, const char *new, struct differences *d, char *why, size_t size)
{
	json_t *roots[2] = { json_load_file(old, 0, NULL), json_load_file(new, 0, NULL) };
	int failed = -1;

	snprintf(why, size, "%s or %s is not a record of rssck fuzz", old, new);
	d->noise = json_object();
	d->verbs = json_object();
	count_noise(roots[0], d->noise);
	count_noise(roots[1], d->noise);
	if (roots[0] && roots[1])
		failed = compare_roots(roots, d, why, size);
	if (!failed)
		print_verbs(d);
	json_decref(d->verbs);
	json_decref(d->noise);
	json_decref(roots[0]);
	json_decref(roots[1]);
	return failed;
}
