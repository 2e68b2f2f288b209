// SPDX-License-Identifier: MIT
/*
 * Checks the laws. If a pair of sequences breaks a law when many sequences run in one process, both
 * are run again, each alone.
 */
#include "atlas/laws.h"
#include "atlas/views.h"
#include "base/clock.h"
#include "base/memory.h"
#include "run.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { CONFIRMATIONS = 3, CONFIRMS_MAX = 60, TOLD_OF_EACH_LAW = 3, LAWS_MAX = 64 };

struct holding {
	struct run *r;
	struct atlas *z;
	FILE *out;
	struct texts_index texts;
	char text[2][VIEW_TEXT]; /* the texts of the two sequences, each run alone */
	unsigned which;
	struct {
		const char *name;
		unsigned reported, tried;
		uint64_t seen;
	} laws[LAWS_MAX];
	unsigned nr_laws;
	uint64_t broken;
};

static void keep_last(void *data, const struct batch *b, unsigned i, enum moment_of at,
		      const struct view *v)
{
	struct holding *h = data;

	(void)b, (void)i, (void)at;
	memcpy(h->text[h->which], v->text, v->length + 1);
}

/* Gets the text of a sequence that runs alone. Returns false if the text was not read. */
static bool show_alone(struct holding *h, unsigned which, const char *words)
{
	struct batch b = { .nr = 1, .each_moment = true };
	struct suspect f;
	char why[160];

	h->which = which;
	h->text[which][0] = '\0';
	return sequence_parse(&h->r->words, &b.of[0], words, why, sizeof(why)) == 0 &&
	       atlas_run(h->z, &b, true, &f) == RAN && h->text[which][0];
}

static bool differs_alone(struct holding *h, const struct violation *v)
{
	return show_alone(h, 0, v->one) && show_alone(h, 1, v->other) &&
	       !law_same(h->text[0], h->text[1], v->ignored);
}

static unsigned law_of(struct holding *h, const char *name)
{
	unsigned i = 0;

	while (i < h->nr_laws && strcmp(h->laws[i].name, name) != 0)
		i++;
	if (i == h->nr_laws && h->nr_laws < LAWS_MAX)
		h->laws[h->nr_laws++].name = name;
	return i < LAWS_MAX ? i : LAWS_MAX - 1;
}

bool laws_time_is_over(const struct run *r)
{
	int64_t most = (int64_t)r->o.time * 1250;

	return r->shared->stop || (most && now_ms() - r->start >= most);
}

static void violated(void *data, const struct violation *v)
{
	struct holding *h = data;
	unsigned i = law_of(h, v->law);

	h->laws[i].seen++;
	if (h->laws[i].reported >= TOLD_OF_EACH_LAW || h->laws[i].tried >= CONFIRMS_MAX ||
	    laws_time_is_over(h->r))
		return;
	h->laws[i].tried++;
	/*
	 * Tries several times, because a difference that does not occur each time, e.g. by
	 * writeback of a file, breaks no law.
	 */
	for (unsigned n = 0; n < CONFIRMATIONS; n++)
		if (!differs_alone(h, v))
			return;
	h->broken += !h->laws[i].reported++;
	fprintf(h->out, "# %s\n# %s\n  the results differ, although %s:\n%s\n%s\n", v->one,
		v->other, v->words, h->text[0], h->text[1]);
	fflush(h->out);
}

static const char *text_seen(void *data, const char *words)
{
	const struct holding *h = data;
	enum moment_of at;
	uint64_t number;
	int64_t place;

	if (!sequence_shows(&h->r->words, words, &number, &at))
		return NULL;
	place = order_place(&h->r->order, number);
	return place < 0 ? NULL : texts_find(&h->texts, h->r->seen[place][at]);
}

static void tell_others(const struct holding *h)
{
	for (unsigned i = 0; i < h->nr_laws; i++)
		if (h->laws[i].reported && h->laws[i].seen > h->laws[i].reported)
			fprintf(h->out,
				"  and %" PRIu64
				" more pairs of sequences that break the law \"%s\"\n\n",
				h->laws[i].seen - h->laws[i].reported, h->laws[i].name);
}

uint64_t check_laws(struct run *r, FILE *out)
{
	struct holding *h = calloc(1, sizeof(*h));
	struct atlas *z = calloc(1, sizeof(*z));
	struct law_asker asker = { text_seen, violated, h };
	uint64_t broken;

	if (!h || !z)
		memory_gone("the laws");
	if (atlas_open(z, &r->engine, &r->words) < 0)
		exit(trouble("atlas: %s", z->why));
	z->viewed = keep_last;
	z->data = h;
	z->stop = &r->shared->stop;
	h->r = r;
	h->z = z;
	h->out = out;
	texts_index(&h->texts, r->texts, r->nr_jobs);
	r->pairs = laws_check(&r->words, &asker);
	tell_others(h);
	broken = h->broken;
	texts_index_free(&h->texts);
	atlas_close(z);
	free(z);
	free(h);
	return broken;
}
