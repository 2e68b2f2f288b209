// SPDX-License-Identifier: MIT
/* Compares two values, and decides whether the number of CPUs explains their difference. */
#include "base/memory.h"
#include "base/number.h"
#include "private.h"
#include <string.h>

static unsigned percpu_batch(unsigned cpus)
{
	/* compute_batch_value() in lib/percpu_counter.c: max(32, nr_online_cpus * 2) */
	return cpus > 16 ? 2 * cpus : 32;
}

bool model_is_same(const struct counter_model *a, unsigned a_cpus, const struct counter_model *b,
		   unsigned b_cpus)
{
	if (a->kind != b->kind)
		return false;
	if (a->batch == b->batch || a->kind == MODEL_EXACT || a->kind == MODEL_ABSENT)
		return true;
	return a->kind == MODEL_PER_CPU && a_cpus != b_cpus && a->batch == percpu_batch(a_cpus) &&
	       b->batch == percpu_batch(b_cpus);
}

/*
 * Reads the next token of a value: an unsigned number, or a single other character. Returns the end
 * of the token.
 */
static const char *token(const char *s, bool *is_number, uint64_t *number)
{
	const char *end = s;

	*is_number = number_unsigned(&end, s + strlen(s), number) != NUMBER_NONE;
	return *is_number || !*s ? end : s + 1;
}

static bool number_is_same(uint64_t a, unsigned a_cpus, uint64_t b, unsigned b_cpus)
{
	return a == b || (a == percpu_batch(a_cpus) && b == percpu_batch(b_cpus)) ||
	       (a == a_cpus && b == b_cpus);
}

bool same_but_for_cpus(const char *a, unsigned a_cpus, const char *b, unsigned b_cpus)
{
	if (a_cpus == b_cpus)
		return !strcmp(a, b);
	while (*a && *b) {
		bool a_is_number, b_is_number;
		uint64_t a_number = 0, b_number = 0;
		const char *a_end = token(a, &a_is_number, &a_number);
		const char *b_end = token(b, &b_is_number, &b_number);

		if (a_is_number != b_is_number)
			return false;
		if (a_is_number ? !number_is_same(a_number, a_cpus, b_number, b_cpus) : *a != *b)
			return false;
		a = a_end;
		b = b_end;
	}
	return *a == *b;
}

enum change_cause cause_of(const struct comparison *c, bool by_cpus, bool may_be_machine)
{
	if (by_cpus)
		return CAUSE_CPUS;
	return may_be_machine && strcmp(c->before->machine, c->after->machine) ? CAUSE_MACHINE
									       : CAUSE_KERNEL;
}

struct change *change_add(struct comparison *c, enum change_kind kind, enum change_cause cause,
			  const char *id, const char *name)
{
	struct change *more;

	c->of = memory_one_more(c->of, c->nr, sizeof(*more), "the changes between two runs");
	c->changed += cause == CAUSE_KERNEL;
	more = &c->of[c->nr++];
	*more = (struct change) { .kind = kind, .cause = cause };
	snprintf(more->id, sizeof(more->id), "%s", id);
	snprintf(more->name, sizeof(more->name), "%s", name);
	return more;
}
