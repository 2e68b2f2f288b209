// SPDX-License-Identifier: MIT
/* Shrinks a program: removes parts of it if the finding remains without them. */
#include "shrink.h"
#include "base/clock.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { RACE_TRIES = 4 };

struct shrinking {
	struct player *p;
	struct program *best;
	struct finding *f;
	int64_t until;
	unsigned tries;
};

bool finding_repeats(struct player *p, const struct program *program, unsigned times,
		     struct finding *f)
{
	struct finding again;

	for (unsigned i = 0; i < times && !(p->stop && *p->stop); i++) {
		if (player_play(p, program, true, &again) != PLAY_FOUND ||
		    !discrepancy_is_same_kind(&f->d, &again.d))
			continue;
		*f = again;
		return true;
	}
	return false;
}

static bool over(const struct shrinking *s)
{
	return now_ms() >= s->until || (s->p->stop && *s->p->stop);
}

/*
 * Replaces the program by a smaller one if the smaller one still has the finding. A race may need
 * several tries.
 */
static bool try(struct shrinking *s, struct program *candidate)
{
	struct finding f = *s->f;

	candidate->seed = 0;
	program_number(candidate);
	if (!candidate->nr || !finding_repeats(s->p, candidate, s->tries, &f))
		return false;
	if (f.step && f.step < candidate->nr)
		candidate->nr = f.step;
	*s->best = *candidate;
	*s->f = f;
	return true;
}

static bool try_without(struct shrinking *s, unsigned first, unsigned n)
{
	struct program candidate = *s->best;

	memmove(candidate.acts + first, candidate.acts + first + n,
		(candidate.nr - first - n) * sizeof(*candidate.acts));
	candidate.nr -= n;
	return try(s, &candidate);
}

/* Begins at the end of the program, because later steps may need earlier ones. */
static bool drop_steps(struct shrinking *s)
{
	bool any = false;

	for (unsigned n = s->best->nr / 2; n; n /= 2)
		for (unsigned first = s->best->nr; first-- > 0 && !over(s);)
			if (first + n <= s->best->nr && s->best->nr > n &&
			    try_without(s, first, n)) {
				any = true;
				first = first < s->best->nr ? first : s->best->nr;
			}
	return any;
}

static bool try_operand(struct shrinking *s, unsigned i, const struct act *smaller)
{
	struct program candidate = *s->best;

	candidate.acts[i] = *smaller;
	return try(s, &candidate);
}

/*
 * The operations on a region need not shrink together: each is shrunk alone, beginning with the
 * last.
 */
static bool shrink_act(struct shrinking *s, unsigned i)
{
	const struct act a = s->best->acts[i];
	struct act smaller = a;
	bool any = false;

	if (a.option) {
		smaller.option = 0;
		any |= try_operand(s, i, &smaller);
	}
	if (!(verbs[a.verb].operands & OPERAND_RANGE))
		return any;
	for (uint32_t pages = 1; pages < a.pages; pages *= 2) {
		smaller = s->best->acts[i];
		smaller.pages = pages;
		if (over(s))
			return any;
		if (try_operand(s, i, &smaller)) {
			any = true;
			break;
		}
	}
	return any;
}

/* Moves all ranges of the program towards page 0 by the same number of pages. */
static bool move_to_front(struct shrinking *s)
{
	struct program candidate = *s->best;
	uint32_t least = UINT32_MAX;

	for (unsigned i = 0; i < candidate.nr; i++)
		if (verbs[candidate.acts[i].verb].operands & OPERAND_RANGE &&
		    candidate.acts[i].first < least)
			least = candidate.acts[i].first;
	if (!least || least == UINT32_MAX)
		return false;
	for (unsigned i = 0; i < candidate.nr; i++)
		if (verbs[candidate.acts[i].verb].operands & OPERAND_RANGE)
			candidate.acts[i].first -= least;
	return try(s, &candidate);
}

static bool settle_it(struct shrinking *s)
{
	struct program candidate = *s->best;

	if (!candidate.unsettled)
		return false;
	candidate.unsettled = false;
	return try(s, &candidate);
}

/*
 * Tests whether the finding needs concurrency. Without concurrency a finding needs no repeated
 * tries, and the step is known exactly.
 */
static void do_in_order(struct shrinking *s)
{
	struct program candidate = *s->best;

	candidate.threads = 0;
	if (candidate.threads != s->best->threads && try(s, &candidate))
		s->tries = 1;
}

void finding_shrink(struct player *p, struct program *program, struct finding *f, int64_t most_ms)
{
	struct shrinking s = { p, program, f, now_ms() + most_ms,
			       program->threads > 1 ? RACE_TRIES : 1 };
	bool smaller = true;

	if (f->step && f->step < program->nr)
		program->nr = f->step;
	settle_it(&s);
	do_in_order(&s);
	while (smaller && !over(&s)) {
		smaller = drop_steps(&s);
		for (unsigned i = program->nr; i-- > 0 && !over(&s);)
			if (i < program->nr)
				smaller |= shrink_act(&s, i);
		smaller |= move_to_front(&s);
		do_in_order(&s);
	}
	program->seed = 0;
	program_number(program);
}

void finding_print(const struct program *program, const struct finding *f, FILE *out)
{
	char text[ACT_TEXT];

	program_print_head(program, out);
	for (unsigned i = 0; i < program->nr; i++)
		fprintf(out, "%s\n", act_print(&program->acts[i], text));
	if (f->d.rule == RULE_KERNEL_LOG) {
		fprintf(out, "# %s: %s\n", f->d.metric, f->d.text);
		return;
	}
	if (!f->step)
		fputs("# before the first step", out);
	else if (f->step > program->nr)
		fputs("# after everything was unmapped", out);
	else
		fprintf(out, "# after step %u", f->step);
	if (f->d.process)
		fprintf(out, ", process %u", f->d.process);
	fprintf(out, ": %s says %" PRId64 ", should be %" PRId64 "%s%s (%s)\n", f->d.metric,
		f->d.counter, f->d.precise, *f->d.unit ? " " : "", f->d.unit, f->d.text);
}
