// SPDX-License-Identifier: MIT
/* Counts the verbs, pairs of verbs and page states that programs have exercised. */
#include "reached.h"

static const char *const state_names[] = { "absent",     "the zero page", "anonymous",
					   "page cache", "on swap",       "a marker" };

enum { STATES = sizeof(state_names) / sizeof(*state_names) };

void reached_begin(struct reached *c)
{
	c->last = -1;
}

void reached_act(struct reached *c, const struct act *a, const struct act_outcome *o)
{
	if (a->verb >= REACHED_VERBS)
		return;
	if (o->error) {
		c->refused[a->verb]++;
		return;
	}
	c->done[a->verb]++;
	if (c->last >= 0)
		c->pair[c->last][a->verb] = true;
	c->last = a->verb;
}

/* Counts states that are certain: a page with two possible states counts as neither of them. */
void reached_look(struct reached *c, const struct ledger_process *p)
{
	for (unsigned r = 0; r < ACT_REGIONS; r++)
		for (uint32_t i = 0; i < p->regions[r].top; i++) {
			uint8_t state = p->regions[r].pages[i].state;

			if (!(state & (state - 1)))
				c->states |= state;
		}
}

void reached_add(struct reached *c, const struct reached *others)
{
	for (unsigned i = 0; i < REACHED_VERBS; i++) {
		c->done[i] += others->done[i];
		c->refused[i] += others->refused[i];
		for (unsigned k = 0; k < REACHED_VERBS; k++)
			c->pair[i][k] |= others->pair[i][k];
	}
	c->states |= others->states;
}

static void print_states(const struct reached *c, FILE *out)
{
	const char *comma = "";

	fputs("pages seen: ", out);
	for (unsigned i = 0; i < STATES; i++) {
		if (!(c->states & 1u << i))
			continue;
		fprintf(out, "%s%s", comma, state_names[i]);
		comma = ", ";
	}
	fputc('\n', out);
}

enum { NAMED = 12 };

/*
 * Prints the verbs that this machine always refused (`refused`), or the verbs that were never
 * drawn. Names them if they are few.
 */
static void print_missing(const struct reached *c, bool refused, FILE *out)
{
	const char *between = refused ? "always refused: " : "never drawn: ";
	unsigned missing = 0;

	for (size_t i = 0; i < nr_verbs; i++)
		missing += !c->done[i] && (c->refused[i] > 0) == refused;
	if (!missing)
		return;
	if (missing > NAMED)
		fprintf(out, "%s%u verbs", between, missing);
	for (size_t i = 0; i < nr_verbs && missing <= NAMED; i++) {
		if (c->done[i] || (c->refused[i] > 0) != refused)
			continue;
		fprintf(out, "%s%s%s%s", between, verbs[i].name, *verbs[i].mode ? " " : "",
			verbs[i].mode);
		between = ", ";
	}
	fputc('\n', out);
}

void reached_print(const struct reached *c, FILE *out)
{
	unsigned done = 0, pairs = 0;

	for (size_t i = 0; i < nr_verbs; i++) {
		done += c->done[i] > 0;
		for (size_t k = 0; k < nr_verbs; k++)
			pairs += c->pair[i][k];
	}
	fprintf(out, "%u of %zu verbs and %u of %zu pairs of verbs ran; ", done, nr_verbs, pairs,
		nr_verbs * nr_verbs);
	print_states(c, out);
	print_missing(c, true, out);
	print_missing(c, false, out);
}
