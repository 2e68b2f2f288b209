// SPDX-License-Identifier: MIT
/* Finds the shortest sequences whose results differ between two records, and groups them. */
#include "differ.h"
#include "base/memory.h"
#include "signature.h"
#include "table.h"
#include <stdlib.h>
#include <string.h>

enum { PARTS_MAX = 8, COMMON_MAX = 6 };

struct difference {
	const char *words;
	const char *old, *new;
	struct delta own; /* the differences that no shorter sequence shows */
	unsigned parts;
};

struct comparing {
	const struct atlas_record *old, *new;
	struct signatures *s;
	struct difference *of; /* owned */
	size_t nr;
};

/* The words of a sequence, such as "anon", "write", "fork": where each begins, and its length. */
struct parts {
	const char *of[PARTS_MAX];
	int length[PARTS_MAX];
	unsigned nr;
};

static void split(const char *words, struct parts *p)
{
	p->nr = 0;
	while (p->nr < PARTS_MAX) {
		int length = (int)strcspn(words, ",");

		p->of[p->nr] = words;
		p->length[p->nr++] = length;
		if (!words[length])
			break;
		words += length + 2;
	}
}

static bool shows_otherwise(const struct atlas_record *a, const struct atlas_record *b,
			    const char *words)
{
	const struct shown *x = table_find(a, words), *y = table_find(b, words);

	return x && y && strcmp(x->text, y->text) != 0;
}

static bool is_noise(const struct atlas_record *again[2], const struct atlas_record *old,
		     const struct atlas_record *new, const char *words)
{
	return (again[0] && shows_otherwise(old, again[0], words)) ||
	       (again[1] && shows_otherwise(new, again[1], words));
}

static void take_away(struct comparing *c, const char *words, struct delta *own)
{
	const struct shown *old = table_find(c->old, words), *new = table_find(c->new, words);
	const struct delta *d;

	if (!old || !new || !strcmp(old->text, new->text))
		return;
	d = signatures_delta(c->s, old->text, new->text);
	for (unsigned i = 0; i < DELTA_WORDS; i++)
		own->bits[i] &= ~d->bits[i];
}

/*
 * Removes the differences that a shorter sequence shows. The shorter sequence has those words
 * before word `end` whose bit is set in `which`.
 */
static void take_away_parts(struct comparing *c, const struct parts *p, unsigned which,
			    unsigned end, struct delta *own)
{
	char words[256];
	size_t length = 0;

	for (unsigned i = 0; i < end; i++)
		if (which >> i & 1 && length < sizeof(words))
			length += (size_t)snprintf(words + length, sizeof(words) - length, "%s%.*s",
						   i ? ", " : "", p->length[i], p->of[i]);
	take_away(c, words, own);
}

static bool is_empty(const struct delta *d)
{
	for (unsigned i = 0; i < DELTA_WORDS; i++)
		if (d->bits[i])
			return false;
	return true;
}

/*
 * Removes the differences of all shorter sequences: those that end earlier, and those that lack
 * some of the words between the first and the last.
 */
static void leave_own(struct comparing *c, const struct parts *p, struct delta *own)
{
	for (unsigned end = 1; end < p->nr; end++)
		take_away_parts(c, p, ~0u, end, own);
	for (unsigned left = 0; p->nr > 2 && left < (1u << (p->nr - 2)) - 1; left++)
		take_away_parts(c, p, 1 | left << 1 | 1u << (p->nr - 1), p->nr, own);
}

static int by_length(const void *a, const void *b)
{
	const struct difference *x = a, *y = b;

	if (x->parts != y->parts)
		return x->parts < y->parts ? -1 : 1;
	return strcmp(x->words, y->words);
}

void atlas_print_only(const char *begin, const char *who, const char *text, const char *other,
		      FILE *out)
{
	while (*text) {
		int length = (int)strcspn(text, "\n");
		const char *at = other;

		while (*at && !(!strncmp(at, text, (size_t)length) && at[length] == '\n')) {
			at += strcspn(at, "\n");
			at += *at == '\n';
		}
		if (!*at)
			fprintf(out, "%s%s %.*s\n", begin, who, length, text);
		text += length;
		text += *text == '\n';
	}
}

struct common {
	const char *word;
	int length;
	size_t times;
};

/*
 * Counts how often a word is the last of a sequence, or the first if not `last`. Counts only the
 * first COMMON_MAX different words.
 */
static unsigned count_words(const struct difference *d, size_t nr, bool last,
			    struct common c[COMMON_MAX])
{
	unsigned n = 0;

	for (size_t i = 0; i < nr; i++) {
		struct parts p;
		unsigned k, at;

		split(d[i].words, &p);
		at = last ? p.nr - 1 : 0;
		for (k = 0; k < n; k++)
			if (c[k].length == p.length[at] &&
			    !strncmp(c[k].word, p.of[at], (size_t)p.length[at]))
				break;
		if (k == COMMON_MAX)
			continue;
		if (k == n)
			c[n++] = (struct common) { p.of[at], p.length[at], 0 };
		c[k].times++;
	}
	return n;
}

static void print_common(FILE *out, const char *what, const struct difference *d, size_t nr,
			 bool last)
{
	struct common c[COMMON_MAX];
	unsigned n = count_words(d, nr, last, c);
	size_t told = 0;

	fprintf(out, "  %s:", what);
	for (unsigned i = 0; i < n; i++) {
		fprintf(out, "%s %.*s %zu", i ? "," : "", c[i].length, c[i].word, c[i].times);
		told += c[i].times;
	}
	fprintf(out, "%s\n", told < nr ? ", others" : "");
}

static void print_group(const struct comparing *c, const struct difference *d, size_t nr,
			const struct delta *common, FILE *out)
{
	char buf[SIGNATURE_TEXT];

	fprintf(out, "%zu sequence%s: %s\n", nr, nr == 1 ? "" : "s",
		delta_print(c->s, common, buf));
	print_common(out, "kinds", d, nr, false);
	print_common(out, "behind", d, nr, true);
	fprintf(out, "  %s\n", d->words);
	atlas_print_only("    ", "before:", d->old, d->new, out);
	atlas_print_only("    ", "now:   ", d->new, d->old, out);
	fputc('\n', out);
}

static bool has_bit(const struct difference *d, unsigned bit)
{
	return d->own.bits[bit / 64] >> bit % 64 & 1;
}

static unsigned most_common(const struct difference *d, size_t nr)
{
	size_t most = 0;
	unsigned found = 0;

	for (unsigned bit = 0; bit < DELTA_WORDS * 64; bit++) {
		size_t times = 0;

		for (size_t i = 0; i < nr; i++)
			times += has_bit(&d[i], bit);
		if (times > most) {
			most = times;
			found = bit;
		}
	}
	return found;
}

/*
 * Moves differences with the change `bit` to the front, shortest sequence first, and returns their
 * number. *common is set to the changes that all of them have.
 */
static size_t gather(struct difference *d, size_t nr, unsigned bit, struct delta *common)
{
	size_t with = 0;

	memset(common, 0xff, sizeof(*common));
	for (size_t i = 0; i < nr; i++) {
		struct difference of = d[i];

		if (!has_bit(&of, bit))
			continue;
		for (unsigned k = 0; k < DELTA_WORDS; k++)
			common->bits[k] &= of.own.bits[k];
		d[i] = d[with];
		d[with++] = of;
	}
	qsort(d, with, sizeof(*d), by_length);
	return with;
}

static size_t print_groups(struct comparing *c, FILE *out)
{
	struct difference *d = c->of;
	size_t left = c->nr, groups = 0;

	while (left) {
		struct delta common;
		size_t nr = gather(d, left, most_common(d, left), &common);

		print_group(c, d, nr, &common, out);
		d += nr;
		left -= nr;
		groups++;
	}
	return groups;
}

static void keep(struct comparing *c, const struct difference *d)
{
	c->of = memory_one_more(c->of, c->nr, sizeof(*c->of), "the differences");
	c->of[c->nr++] = *d;
}

/*
 * True if `words` has fewer words than `than`, or as many and comes first in the alphabet. `than`
 * may be NULL.
 */
static bool is_shorter(const char *words, const char *than)
{
	struct parts a, b;

	if (!than)
		return true;
	split(words, &a);
	split(than, &b);
	return a.nr == b.nr ? strcmp(words, than) < 0 : a.nr < b.nr;
}

static void compare_one(struct comparing *c, const struct shown *old, const struct shown *new,
			struct atlas_differences *d)
{
	struct difference of = { .words = old->words, .old = old->text, .new = new->text };
	struct parts p;

	if (!strcmp(old->text, new->text))
		return;
	of.own = *signatures_delta(c->s, old->text, new->text);
	if (is_empty(&of.own))
		return;
	d->differ++;
	split(old->words, &p);
	of.parts = p.nr;
	leave_own(c, &p, &of.own);
	if (is_empty(&of.own)) {
		d->follow++;
		return;
	}
	keep(c, &of);
	if (is_shorter(of.words, d->shortest))
		d->shortest = of.words;
}

static bool knows(const struct atlas_record *r, const char *words)
{
	for (size_t i = 0; i < r->nr_known; i++)
		if (!strcmp(r->known[i], words))
			return true;
	return false;
}

static size_t print_known_by(const struct atlas_record *one, const struct atlas_record *other,
			     const char *who, FILE *out)
{
	size_t n = 0;

	for (size_t i = 0; i < one->nr_known; i++)
		if (!knows(other, one->known[i])) {
			fprintf(out, "known, %s alone: %s\n", who, one->known[i]);
			n++;
		}
	return n;
}

size_t atlas_records_known(const struct atlas_record *old, const struct atlas_record *new,
			   FILE *out)
{
	if (!old->has_known || !new->has_known)
		return 0;
	return print_known_by(old, new, "before", out) + print_known_by(new, old, "now", out);
}

void atlas_records_compare(const struct atlas_record *old, const struct atlas_record *new,
			   const struct atlas_record *again[2], struct atlas_differences *d,
			   FILE *out)
{
	struct comparing c = { .old = old, .new = new, .s = signatures_new() };

	*d = (struct atlas_differences) { .compared = 0 };
	for (size_t i = 0; i < old->nr_texts; i++)
		signatures_learn(c.s, 0, old->texts[i]);
	for (size_t i = 0; i < new->nr_texts; i++)
		signatures_learn(c.s, 1, new->texts[i]);
	for (size_t i = 0; i < old->room; i++) {
		const struct shown *s = &old->of[i], *other;

		other = s->words ? table_find(new, s->words) : NULL;
		if (!other)
			continue;
		d->compared++;
		if (is_noise(again, old, new, s->words))
			d->noisy++;
		else
			compare_one(&c, s, other, d);
	}
	d->groups = print_groups(&c, out);
	signatures_free(c.s);
	free(c.of);
}
