// SPDX-License-Identifier: MIT
#include "atlas/run.h"
#include "base/memory.h"
#include "run.h"
#include <inttypes.h>
#include <stdlib.h>

struct steps {
	const struct words *w;
	FILE *out;
};

static void show(void *data, const struct batch *b, unsigned i, enum moment_of at,
		 const struct view *v)
{
	const struct steps *s = data;
	char words[SEQUENCE_TEXT];

	if (at != AT_KIND && !sequence_turn(s->w, &b->of[i], at))
		return;
	fprintf(s->out, "%s\n%s\n", sequence_until(s->w, &b->of[i], at, words), v->text);
}

static int tell(struct steps *s, const struct atlas *z, enum ran ran, const struct suspect *f)
{
	if (ran == RAN_TROUBLE)
		return trouble("atlas: %s", z->why);
	if (ran == RAN_STOPPED)
		return EXIT_TROUBLE;
	if (ran == RAN)
		return EXIT_HOLDS;
	if (f->wrong == WRONG_HANGS)
		fputs("an act does not return\n", s->out);
	else
		fprintf(s->out, "%s: %" PRId64 " %s instead of %" PRId64 "\n  %s\n", f->d.metric,
			f->d.counter, f->d.unit, f->d.precise, f->d.text);
	return EXIT_FAILS;
}

int steps_show(struct engine *e, const struct words *w, const char *sequence, FILE *out)
{
	struct batch b = { .nr = 1, .each_moment = true };
	struct steps s = { w, out };
	struct atlas *z = calloc(1, sizeof(*z));
	struct suspect f;
	char why[160];
	int status;

	if (!z)
		memory_gone("the atlas");
	if (sequence_parse(w, &b.of[0], sequence, why, sizeof(why)) < 0 || atlas_open(z, e, w) < 0)
		return trouble("atlas: %s", z->why);
	z->viewed = show;
	z->data = &s;
	status = tell(&s, z, atlas_run(z, &b, true, &f), &f);
	atlas_close(z);
	free(z);
	return status;
}
