// SPDX-License-Identifier: MIT
/* Groups failures by cause. The cause of the most cases comes first. */
#include "causes.h"
#include "base/print/prose.h"
#include <stdlib.h>
#include <string.h>

enum { NAMED = 8, UNKNOWN = -1 };

static bool is_same_number(const struct discrepancy *a, const struct discrepancy *b)
{
	return a->rule == b->rule && !strcmp(a->metric, b->metric) && !strcmp(a->text, b->text);
}

static bool has_number(const struct result *r, const struct discrepancy *number)
{
	for (size_t i = 0; i < r->nr_discrepancies; i++)
		if (r->discrepancies[i].fails && is_same_number(&r->discrepancies[i], number))
			return true;
	return false;
}

static bool has_failing(const struct result *r)
{
	for (size_t i = 0; i < r->nr_discrepancies; i++)
		if (r->discrepancies[i].fails)
			return true;
	return false;
}

static const char *without_step(const char *reason)
{
	const char *colon = strstr(reason, ": ");

	return colon ? colon + 2 : reason;
}

/*
 * True if the result fails for this cause. The caller leaves out results that have a cause already.
 */
static bool is_of(const struct result *r, const struct cause *c)
{
	if (c->number)
		return has_number(r, c->number);
	return !has_failing(r) && !strcmp(without_step(r->reason), c->reason);
}

static size_t count(const struct results *r, const size_t *cause_of, const struct cause *c)
{
	size_t nr = 0;

	for (size_t i = 0; i < r->nr; i++)
		nr += cause_of[i] == (size_t)UNKNOWN && is_of(&r->of[i], c);
	return nr;
}

static void take_better(struct cause *best, struct cause c, const struct results *r,
			const size_t *cause_of)
{
	c.cases = count(r, cause_of, &c);
	if (c.cases > best->cases)
		*best = c;
}

static struct cause largest(const struct results *r, const size_t *cause_of)
{
	struct cause best = { .cases = 0 };

	for (size_t i = 0; i < r->nr; i++) {
		const struct result *at = &r->of[i];

		if (cause_of[i] != (size_t)UNKNOWN)
			continue;
		for (size_t d = 0; d < at->nr_discrepancies; d++)
			if (at->discrepancies[d].fails)
				take_better(&best,
					    (struct cause) { .number = &at->discrepancies[d],
							     .first = i },
					    r, cause_of);
		if (!has_failing(at))
			take_better(
				&best,
				(struct cause) { .reason = without_step(at->reason), .first = i },
				r, cause_of);
	}
	return best;
}

int causes_gather(struct causes *c, const struct results *r)
{
	*c = (struct causes) { .cause_of = calloc(r->nr ? r->nr : 1, sizeof(*c->cause_of)) };
	if (!c->cause_of)
		return -1;
	for (size_t i = 0; i < r->nr; i++)
		c->cause_of[i] = result_is_bad(&r->of[i]) ? (size_t)UNKNOWN : (size_t)UNKNOWN - 1;
	for (;;) {
		struct cause next = largest(r, c->cause_of), *more;

		if (next.cases < CAUSE_CASES)
			break;
		more = reallocarray(c->of, c->nr + 1, sizeof(*more));
		if (!more) {
			causes_free(c);
			return -1;
		}
		c->of = more;
		for (size_t i = 0; i < r->nr; i++)
			if (c->cause_of[i] == (size_t)UNKNOWN && is_of(&r->of[i], &next))
				c->cause_of[i] = c->nr;
		c->of[c->nr++] = next;
	}
	for (size_t i = 0; i < r->nr; i++)
		if (c->cause_of[i] > c->nr)
			c->cause_of[i] = c->nr;
	return 0;
}

void causes_free(struct causes *c)
{
	free(c->of);
	free(c->cause_of);
	*c = (struct causes) { 0 };
}

static void name_cases(const struct causes *c, const struct results *r, size_t cause, char *buf,
		       size_t size)
{
	size_t len = 0, nr = 0;

	for (size_t i = 0; i < r->nr && len < size; i++) {
		if (c->cause_of[i] != cause || nr++ >= NAMED)
			continue;
		len += (size_t)snprintf(buf + len, size - len, "%s%s", nr > 1 ? ", " : "",
					r->of[i].id);
	}
	if (nr > NAMED && len < size)
		snprintf(buf + len, size - len, " and %zu more", nr - NAMED);
}

void causes_put(const struct causes *c, const struct results *r, FILE *out)
{
	struct prose p = prose_to(out);
	char names[NAMED * 64 + 64];

	for (size_t i = 0; i < c->nr; i++) {
		const struct cause *of = &c->of[i];
		const struct discrepancy *d = of->number;

		name_cases(c, r, i, names, sizeof(names));
		if (d)
			prose_text(&p, 0,
				   "In %zu cases the same number is wrong, %s (%s), probably for "
				   "the same reason: %s.",
				   of->cases, d->metric, d->text, names);
		else
			prose_text(&p, 0, "%zu cases ended for the same reason (%s): %s.",
				   of->cases, of->reason, names);
		putc('\n', out);
	}
}
