// SPDX-License-Identifier: MIT
/* Two records: the first step and number at which a program differs. */
#include "record.h"
#include <inttypes.h>
#include <string.h>

bool record_is_one(const char *path)
{
	json_t *root = json_load_file(path, 0, NULL);
	const char *schema = json_string_value(json_object_get(root, "schema"));
	bool is = schema && !strcmp(schema, RECORD_SCHEMA);

	json_decref(root);
	return is;
}

/* One number of one step that two records tell differently. */
struct difference {
	json_int_t seed;
	size_t step;
	const char *act, *process, *number;
	json_int_t old, new;
};

/* Two programs of one seed. */
struct pair {
	struct differences *d;
	json_t *roots[2], *programs[2];
	json_t *told; /* the numbers that have differed already */
};

/* What differed between two runs on one kernel of so many programs says nothing of any other. */
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

/* In how many programs of the record the number is noise is added to `noise`. */
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

/* A number that one of the kernels does not print is no difference of what was moved; a flag is. */
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

/* The act of a step of a record; false: this rssck has no such verb. */
static bool act_of(struct act *a, const char *text)
{
	char why[128];

	return !act_parse(a, text, why, sizeof(why));
}

/* "madvise PAGEOUT" of "p1 madvise r0 8..15 PAGEOUT". */
static void verb_words(const char *text, char *words, size_t size)
{
	struct act a;

	snprintf(words, size, "%s", text);
	if (act_of(&a, text))
		snprintf(words, size, "%s%s%s", verbs[a.verb].name, *verbs[a.verb].mode ? " " : "",
			 verbs[a.verb].mode);
}

static void add(struct pair *p, const struct difference *of)
{
	char verb[ACT_TEXT], number[RECORD_NAME];

	record_name(of->process, of->number, number);
	if (json_object_get(p->told, number))
		return;
	if (!json_object_size(p->told))
		fprintf(p->d->out,
			"seed %" JSON_INTEGER_FORMAT
			", step %zu (%s), %s: %s moved by %" JSON_INTEGER_FORMAT
			", now by %" JSON_INTEGER_FORMAT "\n",
			of->seed, of->step, of->act, of->process, of->number, of->old, of->new);
	json_object_set_new(p->told, number, json_true());
	verb_words(of->act, verb, sizeof(verb));
	count(object_in(p->d->verbs, verb), number);
}

/* Numbers that `numbers` has, where the other does not say the same. */
static void numbers_differ(struct pair *p, json_t *numbers, json_t *others, bool swapped,
			   struct difference d)
{
	json_t *number;

	json_object_foreach(numbers, d.number, number)
	{
		json_int_t here = json_integer_value(number);
		json_int_t there = json_integer_value(json_object_get(others, d.number));

		if (here == there || says_nothing(p, &d))
			continue;
		d.old = swapped ? there : here;
		d.new = swapped ? here : there;
		add(p, &d);
	}
}

static void steps_differ(struct pair *p, json_t *old, json_t *new, struct difference d)
{
	json_t *numbers;

	json_object_foreach(old, d.process, numbers)
	{
		json_t *others = json_object_get(new, d.process);

		if (!json_is_object(numbers))
			continue;
		numbers_differ(p, numbers, others, false, d);
		numbers_differ(p, others, numbers, true, d);
	}
}

/* What only asks leaves the same, refused or not. */
static bool leaves_other_memory(const char *text)
{
	struct act a;

	return !act_of(&a, text) || verbs[a.verb].effect != EFFECT_NONE;
}

/* 0, or -1: they are not the same program. */
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
		d.number = "errno";
		d.old = json_integer_value(json_object_get(step, d.number));
		d.new = json_integer_value(json_object_get(other, d.number));
		if (d.old != d.new) {
			add(p, &d);
			if (leaves_other_memory(d.act))
				return 0;
		}
		steps_differ(p, step, other, d);
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
		failed = programs_differ(&p, json_integer_value(seed));
		d->programs++;
		d->noisy += json_object_size(json_object_get(program, "noise")) > 0;
		d->differing += json_object_size(p.told) > 0;
		json_decref(p.told);
		if (!failed)
			continue;
		snprintf(why, size,
			 "seed %" JSON_INTEGER_FORMAT " is another program there: "
			 "the records are of two versions of rssck",
			 json_integer_value(seed));
		return -1;
	}
	if (d->programs)
		return 0;
	snprintf(why, size, "they have no seed in common");
	return -1;
}

static void print_verbs(const struct differences *d)
{
	json_t *numbers, *times;
	const char *verb, *number;

	if (json_object_size(d->verbs))
		fputs("\nBy the verb behind which a number first differs in a program, and in how many "
		      "programs:\n",
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

	snprintf(why, size, "%s and %s are not both records of rssck fuzz", old, new);
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
