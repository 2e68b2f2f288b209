// SPDX-License-Identifier: MIT
/* The laws: what has been seen side by side, and again alone where it does not hold. */
#include "atlas/laws.h"
#include "atlas/record.h"
#include "base/memory.h"
#include "run.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CONFIRMS_MAX = 60, TOLD_OF_EACH_LAW = 3, LAWS_MAX = 32 };

struct holding {
	struct run *r;
	struct atlas *z;
	FILE *out;
	char text[2][VIEW_TEXT]; /* of the two sequences, alone */
	unsigned which;
	struct {
		const char *name;
		unsigned told, tried;
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

/* What the sequence shows where it is alone; false: it was not seen. */
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

static void violated(void *data, const struct violation *v)
{
	struct holding *h = data;
	unsigned i = law_of(h, v->law);

	h->laws[i].seen++;
	if (h->laws[i].told >= TOLD_OF_EACH_LAW || h->laws[i].tried >= CONFIRMS_MAX || shared->stop)
		return;
	h->laws[i].tried++;
	/* Twice: what comes and goes is no law's. */
	if (!differs_alone(h, v) || !differs_alone(h, v))
		return;
	h->broken += !h->laws[i].told++;
	fprintf(h->out, "# %s\n# %s\n  not the same: %s\n%s\n%s\n", v->one, v->other, v->words,
		h->text[0], h->text[1]);
}

/* As a record that somebody else has made. */
static struct atlas_record *load(struct run *r)
{
	struct record_of of = { &r->words, r->o.length, r->seen,
				r->texts,  r->nr_jobs,  &r->engine.host };
	FILE *f = fdopen(memfd_create("rssck-atlas-record", MFD_CLOEXEC), "w+");
	struct atlas_record *loaded = NULL;
	char path[40], why[256];

	if (!f)
		memory_gone("a record");
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fileno(f));
	if (!atlas_record_write(&of, f))
		loaded = atlas_record_load(path, why, sizeof(why));
	fclose(f);
	return loaded;
}

uint64_t hold_laws(struct run *r, FILE *out)
{
	struct holding *h = calloc(1, sizeof(*h));
	struct atlas *z = calloc(1, sizeof(*z));
	struct atlas_record *record = load(r);
	uint64_t broken;

	if (!h || !z || !record)
		memory_gone("the laws");
	if (atlas_open(z, &r->engine, &r->words) < 0)
		memory_gone("the laws");
	z->viewed = keep_last;
	z->data = h;
	z->stop = &shared->stop;
	*h = (struct holding) { .r = r, .z = z, .out = out };
	r->pairs = laws_check(record, &r->words, violated, h);
	for (unsigned i = 0; i < h->nr_laws; i++)
		if (h->laws[i].told && h->laws[i].seen > h->laws[i].told)
			fprintf(out, "  and %" PRIu64 " pairs more of the law \"%s\"\n\n",
				h->laws[i].seen - h->laws[i].told, h->laws[i].name);
	broken = h->broken;
	atlas_close(z);
	atlas_record_free(record);
	free(z);
	free(h);
	return broken;
}
