// SPDX-License-Identifier: MIT
#include "laws.h"
#include "agent/verbs/verbs.h"
#include "signature.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

enum law_kinds {
	ALL_KINDS,
	PRESENT_KINDS,
	SMALL_KINDS,
	SMALL_IF_DONE, /* like SMALL_KINDS, if the kernel refuses no act */
	MARKED_KINDS,
	SWAPPED_KINDS,
	SHM_ALONE,
	ONE
};

static const struct law {
	const char *name;
	enum law_kinds kinds;
	const char *one, *other, *ignored, *words;
} laws[] = {
#define LAW(name, kinds, one, other, ignored, words) { name, kinds, one, other, ignored, words },
#define EXCEPT(law, kind, act, fact)
#include "laws.def"
#undef LAW
#undef EXCEPT
};

static const struct {
	const char *law, *kind, *act, *fact;
} exceptions[] = {
#define LAW(name, kinds, one, other, ignored, words)
#define EXCEPT(law, kind, act, fact) { law, kind, act, fact },
#include "laws.def"
#undef LAW
#undef EXCEPT
};

/* Acts that mark a mapping and change no page. */
static const char *const marks[] = { "name", "dontfork", "wipeonfork", "mergeable" };

/* Kinds whose pages are all present. mlock() faults in no further page of them. */
static const char *const present[] = { "anon",
				       "shm",
				       "memfd",
				       "file private written",
				       "huge",
				       "huge shm",
				       "anon protected",
				       "shm protected",
				       "anon dirtied",
				       "shm dirtied",
				       "file private dirtied",
				       "huge protected",
				       "huge dirtied",
				       "huge shm dirtied" };

/* Acts that keep soft-dirty bits and userfaultfd's write protection. */
static const char *const keeping[] = { "read",           "read middle", "munlock",    "protect",
				       "protect middle", "reprotect",   "unprotect",  "cold",
				       "populate read",  "willneed",    "migrate",    "name",
				       "nohuge",         "dontfork",    "wipeonfork", "pageout",
				       "pageout middle" };

#define COUNT(list) (sizeof(list) / sizeof(*(list)))

static bool is_among(const char *const *list, size_t nr, const char *name)
{
	for (size_t i = 0; i < nr; i++)
		if (!strcmp(list[i], name))
			return true;
	return false;
}

static bool has_word(const char *name, const char *words)
{
	for (const char *word = words; word && *word;) {
		size_t length = strcspn(word, "|");

		for (const char *at = name; *at; at++)
			if (!strncmp(at, word, length))
				return true;
		word += length;
		word += *word == '|';
	}
	return false;
}

/*
 * If `ignored` is "=a|b" or ">a|b", all numbers are ignored except those whose names contain a or
 * b.
 */
static bool is_ignored(const char *name, const char *ignored)
{
	if (ignored && (*ignored == '=' || *ignored == '>'))
		return !has_word(name, ignored + 1);
	/* Accessed bits (Referenced) may change at any time. */
	return has_word(name, ignored) || has_word(name, "Referenced") || !strcmp(name, "error") ||
	       !strcmp(name, "signals") || !strcmp(name, "blocks");
}
static bool agrees(const struct view_numbers *a, const struct view_numbers *b, const char *ignored)
{
	for (unsigned i = 0; i < a->nr; i++)
		if (!is_ignored(a->of[i].name, ignored) &&
		    a->of[i].value != view_numbers_of(b, a->of[i].name))
			return false;
	return true;
}

static bool has_no_less(const struct view_numbers *one, const struct view_numbers *other,
			const char *words)
{
	for (unsigned i = 0; i < one->nr; i++)
		if (!is_ignored(one->of[i].name, words) && !has_word(one->of[i].name, "place") &&
		    view_numbers_of(other, one->of[i].name) < one->of[i].value)
			return false;
	return true;
}

bool law_same(const char *one, const char *other, const char *ignored)
{
	static struct view_numbers a, b;

	if (!strcmp(one, other))
		return true;
	view_numbers_read(&a, one);
	view_numbers_read(&b, other);
	if (ignored && *ignored == '>')
		return has_no_less(&a, &b, ignored);
	return agrees(&a, &b, ignored) && agrees(&b, &a, ignored);
}

static bool is_excepted(const char *law, const char *kind, const char *act, const char *mark)
{
	for (size_t i = 0; i < COUNT(exceptions); i++) {
		const char *of = exceptions[i].act;

		/* A kind is matched by its beginning: "huge" also covers "huge shm". */
		if (!strcmp(exceptions[i].law, law) &&
		    (!exceptions[i].kind ||
		     !strncmp(exceptions[i].kind, kind, strlen(exceptions[i].kind))) &&
		    (!of || (act && !strcmp(of, act)) || (mark && !strcmp(of, mark))))
			return true;
	}
	return false;
}

static bool is_of_kind(const struct law *l, const struct kind *k)
{
	if (l->kinds == PRESENT_KINDS)
		return is_among(present, COUNT(present), k->name);
	if (l->kinds == SMALL_KINDS || l->kinds == SMALL_IF_DONE)
		return (k->size == SIZE_SMALL || k->size == SIZE_CLEARED) &&
		       is_among(present, COUNT(present), k->name);
	if (l->kinds == MARKED_KINDS)
		return k->leads_to >> AFTER_WATCH & 1 || k->size == SIZE_CLEARED ||
		       k->size == SIZE_CLEARED_HUGE;
	if (l->kinds == SWAPPED_KINDS)
		return k->needs & NEEDS_SWAP && !verbs[k->turn.acts[0].verb].shared;
	/* A law of SHM_ALONE or ONE names its kind itself. It is checked once, for "shm". */
	return l->kinds == ALL_KINDS || !strcmp(k->name, "shm");
}

/* Replaces "@" by a kind, "*" and "~" by an act, and "+" by a mark. */
static void fill_in(char to[SEQUENCE_TEXT], const char *words, const char *kind, const char *act,
		    const char *mark)
{
	size_t length = 0;

	for (; *words && length < SEQUENCE_TEXT - 1; words++) {
		const char *word = *words == '@'                    ? kind
				   : *words == '*' || *words == '~' ? act
				   : *words == '+'                  ? mark
								    : NULL;

		if (word)
			length += (size_t)snprintf(to + length, SEQUENCE_TEXT - length, "%s", word);
		else
			to[length++] = *words;
	}
	to[length < SEQUENCE_TEXT ? length : SEQUENCE_TEXT - 1] = '\0';
}

static int64_t error_of(const char *text)
{
	static struct view_numbers n;

	view_numbers_read(&n, text);
	return view_numbers_of(&n, "error");
}

struct checking {
	const struct law_asker *a;
	uint64_t compared;
};

static bool were_done(const struct checking *c, const char *words, const char *text)
{
	char before[SEQUENCE_TEXT];
	const char *last = strrchr(words, ',');

	snprintf(before, sizeof(before), "%.*s", (int)(last - words), words);
	words = c->a->text(c->a->data, before);
	return words && !error_of(words) && !error_of(text);
}

static void check(struct checking *c, const struct law *l, const char *kind, const char *act,
		  const char *mark)
{
	struct violation v = { .law = l->name, .words = l->words, .ignored = l->ignored };
	const char *one, *other;

	if (is_excepted(l->name, kind, act, mark))
		return;
	fill_in(v.one, l->one, kind, act, mark);
	fill_in(v.other, l->other, kind, act, mark);
	one = c->a->text(c->a->data, v.one);
	other = c->a->text(c->a->data, v.other);
	if (!one || !other)
		return;
	/* EINVAL: the kernel is too old to have this act. */
	if (l->kinds == ONE && error_of(other) == EINVAL)
		return;
	if (l->kinds == SMALL_IF_DONE && !were_done(c, v.other, other))
		return;
	c->compared++;
	if (!law_same(one, other, l->ignored))
		c->a->violated(c->a->data, &v);
}

static void check_acts(struct checking *c, const struct law *l, const struct words *w,
		       const char *kind)
{
	bool has_act = strpbrk(l->other, "*~"), has_mark = strchr(l->one, '+');

	for (unsigned i = 0; i < (has_act ? w->nr_acts : 1); i++) {
		if (strchr(l->other, '~') && !is_among(keeping, COUNT(keeping), w->acts[i].name))
			continue;
		for (size_t m = 0; m < (has_mark ? COUNT(marks) : 1); m++)
			check(c, l, kind, has_act ? w->acts[i].name : NULL,
			      has_mark ? marks[m] : NULL);
	}
}

uint64_t laws_check(const struct words *w, const struct law_asker *a)
{
	struct checking c = { a, 0 };

	for (size_t i = 0; i < COUNT(laws); i++)
		for (unsigned k = 0; k < w->nr_kinds; k++)
			if (is_of_kind(&laws[i], &w->kinds[k]))
				check_acts(&c, &laws[i], w, w->kinds[k].name);
	return c.compared;
}
