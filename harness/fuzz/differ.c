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
	json_t *noise; /* how many programs of both records each number is noise in; borrowed */
};

/* What differed between two runs on one kernel of so many programs says nothing of any other. */
enum { NOISY_PROGRAMS = 2 };

static bool is_noise(json_t *program, const char *number)
{
	return json_object_get(json_object_get(program, "noise"), number) != NULL;
}

/* In how many programs of the record the number is noise is added to `noise`. */
static void count_noise(json_t *root, json_t *noise)
{
	json_t *program, *of;
	const char *name;
	size_t i;

	json_array_foreach(json_object_get(root, "programs"), i, program)
	{
		json_object_foreach(json_object_get(program, "noise"), name, of)
			json_object_set_new(
				noise, name,
				json_integer(1 + json_integer_value(json_object_get(noise, name))));
	}
}

static bool is_noisy_everywhere(json_t *noise, const char *number)
{
	return json_integer_value(json_object_get(noise, number)) >= NOISY_PROGRAMS;
}

/* A number that one of the kernels does not print is no difference of what was moved. */
static bool is_printed(json_t *root, const char *number)
{
	json_t *printed = json_object_get(root, "printed");

	return !printed || json_object_get(printed, number);
}

static bool numbers_differ(json_t *roots[2], json_t *programs[2], json_t *a, json_t *b,
			   struct difference *d)
{
	const char *name;
	json_t *number;

	json_object_foreach(a, name, number)
	{
		json_int_t here = json_integer_value(number);
		json_int_t there = json_integer_value(json_object_get(b, name));

		if (here == there || is_noise(programs[0], name) || is_noise(programs[1], name) ||
		    is_noisy_everywhere(d->noise, name) || !is_printed(roots[0], name) ||
		    !is_printed(roots[1], name))
			continue;
		d->number = name;
		d->old = here;
		d->new = there;
		return true;
	}
	return false;
}

static bool steps_differ(json_t *roots[2], json_t *programs[2], json_t *old, json_t *new,
			 struct difference *d)
{
	const char *process;
	json_t *numbers;

	json_object_foreach(old, process, numbers)
	{
		json_t *others = json_object_get(new, process);

		if (!json_is_object(numbers))
			continue;
		d->process = process;
		if (numbers_differ(roots, programs, numbers, others, d))
			return true;
		if (numbers_differ(roots, programs, others, numbers, d)) {
			json_int_t swap = d->old;

			d->old = d->new;
			d->new = swap;
			return true;
		}
	}
	return false;
}

/* 1: they differ at *d; 0: they do not; -1: they are not the same program. */
static int programs_differ(json_t *roots[2], json_t *old, json_t *new, struct difference *d)
{
	json_t *a = json_object_get(old, "steps"), *b = json_object_get(new, "steps"), *step;
	json_t *programs[2] = { old, new };
	size_t i;

	d->seed = json_integer_value(json_object_get(old, "seed"));
	json_array_foreach(a, i, step)
	{
		json_t *other = json_array_get(b, i);

		d->step = i + 1;
		d->act = json_string_value(json_object_get(step, "act"));
		if (!other)
			return 0;
		if (!json_equal(json_object_get(step, "act"), json_object_get(other, "act")))
			return -1;
		d->process = "p0";
		d->number = "errno";
		d->old = json_integer_value(json_object_get(step, "errno"));
		d->new = json_integer_value(json_object_get(other, "errno"));
		if (d->old != d->new)
			return 1;
		if (steps_differ(roots, programs, step, other, d))
			return 1;
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

static void print_difference(struct differences *d, const struct difference *of)
{
	fprintf(d->out,
		"seed %" JSON_INTEGER_FORMAT
		", step %zu (%s), %s: %s moved by %" JSON_INTEGER_FORMAT
		", now by %" JSON_INTEGER_FORMAT "\n",
		of->seed, of->step, of->act, of->process, of->number, of->old, of->new);
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
		struct difference of = { .noise = d->noise };
		int differ;

		if (!json_equal(seed, json_object_get(other, "seed")))
			other = find_seed(b, seed);
		if (!other)
			continue;
		differ = programs_differ(roots, program, other, &of);
		if (differ < 0) {
			snprintf(why, size,
				 "seed %" JSON_INTEGER_FORMAT " is another program there: "
				 "the records are of two versions of rssck",
				 of.seed);
			return -1;
		}
		d->programs++;
		d->noisy += json_object_size(json_object_get(program, "noise")) > 0;
		d->differing += (size_t)differ;
		if (differ)
			print_difference(d, &of);
	}
	if (d->programs)
		return 0;
	snprintf(why, size, "they have no seed in common");
	return -1;
}

int records_compare(const char *old, const char *new, struct differences *d, char *why, size_t size)
{
	json_t *roots[2] = { json_load_file(old, 0, NULL), json_load_file(new, 0, NULL) };
	int failed = -1;

	snprintf(why, size, "%s and %s are not both records of rssck fuzz", old, new);
	d->noise = json_object();
	count_noise(roots[0], d->noise);
	count_noise(roots[1], d->noise);
	if (roots[0] && roots[1])
		failed = compare_roots(roots, d, why, size);
	json_decref(d->noise);
	json_decref(roots[0]);
	json_decref(roots[1]);
	return failed;
}
