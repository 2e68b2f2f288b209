// SPDX-License-Identifier: MIT
/* Interprets a sentence by the names in it, and by how these are related. */
#include "asks.h"
#include "parts.h"
#include "query_private.h"
#include "question_words.h"
#include "said.h"
#include "sentence.h"
#include "stem.h"
#include "unit.h"
#include <stdio.h>
#include <string.h>

enum { SPELLED_LEAST = 6 };

int query_split_slashes(struct sentence *s, const struct topics *all)
{
	char text[SENTENCE_WORDS * (WORD_SIZE + 1)] = "", who[WORD_SIZE];

	for (size_t i = 0; i < s->nr; i++) {
		char *at = text + strlen(text);
		struct topic t;
		bool is = s->of[i][0] == '/' || !strchr(s->of[i], '/');

		if (!is && name_of_words(all, s->of[i], &t, &is))
			return -1;
		is |= strlen(s->of[i]) >= SPELLED_LEAST && query_nearest(all, s->of[i], true);
		snprintf(at, sizeof(text) - (size_t)(at - text), "%s%s", i ? " " : "", s->of[i]);
		for (; !is && *at; at++)
			*at = *at == '/' ? ' ' : *at;
	}
	strcpy(who, s->who);
	sentence_split(s, text);
	if (who[0])
		strcpy(s->who, who);
	return 0;
}

/* Returns the first unknown word. */
static const char *only_unknown(const struct sentence *s)
{
	size_t i = 0;

	while (!s->unknown[i])
		i++;
	return s->of[i];
}

/* Appends a relation. If there are more than two names, also writes which two it is about. */
static void put_relation(const struct topics *names, size_t one, size_t other, const char *words,
			 char *buf, size_t size)
{
	size_t len = strlen(buf);

	if (strstr(buf, words))
		return;
	if (names->nr > 2)
		snprintf(buf + len, size - len, "%s%s, %s: %s", len ? " " : "", names->of[one].name,
			 names->of[other].name, words);
	else
		snprintf(buf + len, size - len, "%s%s", len ? " " : "", words);
}

/*
 * Writes how the names are related, pair by pair, into buf. Returns false if no relation is known.
 */
static bool relate(const struct topics *names, char *buf, size_t size)
{
	enum { BETWEEN = 200 };

	buf[0] = '\0';
	for (size_t i = 0; i + 1 < names->nr; i++) {
		for (size_t k = i + 1; k < names->nr; k++) {
			char one[RELATION_SIZE];

			if (relation_words(&names->of[i], &names->of[k], one, sizeof(one)) &&
			    strlen(buf) + strlen(one) + BETWEEN < size)
				put_relation(names, i, k, one, buf, size);
		}
	}
	return buf[0];
}

/*
 * Marks words as known that do not matter beside a relation: words of the phrasing, because the
 * relation of two numbers is true however the question is phrased ("hugetlb pages not in RSS"), and
 * words of the relation's own text. If a name is an act, denials stay unknown, because the relation
 * does not say why an act had no effect.
 */
static void skip_phrasing(struct parts *p, const struct sentence *s, const char *relation)
{
	static const char words[] =
		" not pages page part add adds subtract subtracts subtracted deducted excluded charged overlap sum ",
			  of_acts[] =
				  " work works help copy touch reset memory immediately once really ";
	bool is_effect = false;

	for (size_t i = 0; i < p->names.nr; i++)
		is_effect |= relation_is_act(&p->names.of[i]);
	for (size_t i = 0; i < s->nr; i++) {
		p->known[i] |= (word_is_among(s->of[i], words) &&
				!(is_effect && word_denies(s->of[i]))) ||
			       word_is_in_text(s->of[i], relation) ||
			       ((is_effect || sentence_asks(s) == ASKS_WHETHER) &&
				(word_is_change(s->of[i]) || word_is_among(s->of[i], of_acts)));
	}
}

/*
 * True if the sentence only lists names: "ps drs trs", "swap usage per process smem", "X and Y in
 * Z", "what are X and Y". False for "fincore RES column", which asks for one column that the table
 * does not have.
 */
static bool is_list(const struct sentence *s)
{
	bool asks = sentence_has(s, "what");

	for (size_t i = 0; i < s->nr; i++)
		if ((word_is_grammar(s->of[i]) && !word_joins(s->of[i]) && *s->of[i] != '-' &&
		     !(asks && word_asks_what(s->of[i]))) ||
		    !strcmp(s->of[i], "column"))
			return false;
	return true;
}

/*
 * True if the sentence asks for a unit: "is VmRSS in kB or KiB", "statm units". False if the unit
 * is part of a name ("unit peak memory") or of a value ("Dirty: 1843200 kB").
 */
static bool asks_for_unit(const struct sentence *s, const struct parts *p)
{
	size_t units = 0;
	bool offers = false;

	for (size_t i = 0; i < s->nr; i++) {
		units += word_is_unit(s->of[i]) && !p->of[i] &&
			 !(i && word_is_amount(s->of[i - 1]));
		offers |= word_is_among(s->of[i], " or in ") ||
			  (!strncmp(s->of[i], "unit", 4) && !p->of[i]);
	}
	return units > 1 || (units && offers);
}

/* True if two values of one setting are compared: "vfs_cache_pressure 50 vs 100". */
static bool compares_values(const struct sentence *s)
{
	for (size_t i = 1; i + 1 < s->nr; i++)
		if (word_compares(s->of[i]) && word_is_amount(s->of[i - 1]) &&
		    word_is_amount(s->of[i + 1]))
			return true;
	return false;
}

static int take_one_name(struct query *q, const struct topics *all, const struct parts *p)
{
	const struct topic *t = &p->names.of[0];
	int failed;

	q->kind = QUERY_SPELLING;
	snprintf(q->taken_for, sizeof(q->taken_for), "%s", t->name);
	failed = topics_find(&q->found, all, p->joined ? t->name : p->typed[0]);
	return failed || q->found.nr ? failed : topics_find(&q->found, all, t->name);
}

/*
 * A sentence that lists or compares names is about these names ("VmHWM vs VmPeak"), and one with
 * two names is about how they are related, if that is known. Other sentences with several names are
 * not understood: the meanings of their words do not answer them.
 */
static enum query_kind kind_of_names(struct query *q, const struct parts *p,
				     const struct sentence *s)
{
	if (q->relation[0])
		return QUERY_WORDS;
	if (sentence_asks_cause(s))
		return QUERY_NEAR;
	/* "pmap -d shared": the program has no such column, and the word means something else. */
	for (size_t i = 0; i < p->names.nr; i++)
		if (p->names.of[i].kind == TOPIC_GROUP)
			return QUERY_NEAR;
	/* "usage vs cache": one side of the comparison has no name. */
	return p->names.nr > 1 && (sentence_contrasts(s) || is_list(s)) ? QUERY_WORDS : QUERY_NEAR;
}

/*
 * Marks the words of names of several words, such as "docker stats": a question that has only one
 * of these words is about something else.
 */
static void hold_names(struct sentence *s, const struct parts *p)
{
	for (size_t i = 0; i < s->nr; i++)
		s->held[i] = p->of[i] && p->of[i] <= SENTENCE_WORDS &&
			     strchr(p->typed[p->of[i] - 1], ' ') && !word_is_grammar(s->of[i]) &&
			     !word_is_amount(s->of[i]);
}

/* True for "mongodb" of "mongodb cache", which is not the kernel's page cache. */
static bool has_own_number(const struct parts *p, const struct sentence *s, size_t at)
{
	static const char own[] = " cache caches cached buffer buffers private used available free "
				  "total committed ";

	return at + 1 < s->nr && p->of[at + 1] && word_is_among(s->of[at + 1], own);
}

/* True for "MREMAP_FIXED" if the sentence about mremap(2) says nothing about that flag. */
static bool is_other_flag(const struct parts *p, const char *word, const char *relation)
{
	bool is_act = false;

	for (size_t i = 0; i < p->names.nr; i++)
		is_act |= relation_is_act(&p->names.of[i]);
	return is_act && strchr(word, '_') && !word_is_in_text(word, relation);
}

static void mark_unknown(struct sentence *s, const struct parts *p, const char *relation)
{
	for (size_t i = 0; i < s->nr; i++) {
		s->named[i] = (unsigned)p->of[i];
		s->unknown[i] = !p->known[i] && (!p->names.nr || !word_is_program(s->of[i]) ||
						 has_own_number(p, s, i));
		s->unknown[i] |= p->names.nr && !p->of[i] && query_is_used(s, i);
		s->unknown[i] |= relation[0] && !p->of[i] && is_other_flag(p, s->of[i], relation);
	}
	/* How two numbers are related is true however the sentence goes on. */
	if (p->names.nr && !relation[0])
		query_mark_left(s, p);
}

/* "where did 10 GB go, not in cache and not in slab" asks for what is neither. */
static bool asks_for_rest(const struct sentence *s)
{
	return sentence_has(s, "where") || sentence_has(s, "missing") || sentence_has(s, "lost");
}

/* "does top MEM include swap": the meaning of one name does not answer it. */
static bool says_part(const char *word)
{
	return words_are_alike("include", word);
}

static bool asks_whether_part(const struct sentence *s)
{
	return sentence_asks(s) == ASKS_WHETHER && sentence_any(s, says_part);
}

/* Lists the options that no name has: "-t" of "smem -t USS". The answer says nothing about them. */
static void list_options(struct query *q, struct sentence *s, const struct parts *p)
{
	for (size_t i = 0; i < s->nr; i++)
		s->unknown[i] = *s->of[i] == '-' && !p->of[i] && !word_is_grammar(s->of[i]) &&
				!word_is_amount(s->of[i]);
	query_list_unknown(s, q->unknown, sizeof(q->unknown));
}

/* "how much is X for a 100 GB Y without Z": how X and Z are related does not answer it. */
static bool asks_for_amount(const struct sentence *s)
{
	return sentence_asks(s) == ASKS_AMOUNT &&
	       (sentence_any(s, word_is_measure) || sentence_has(s, WORD_NO));
}

/*
 * Names in the relation what a name such as "container_memory_usage_bytes" is read as: the relation
 * calls it memory.current.
 */
static void name_in_relation(struct query *q, const struct parts *p)
{
	for (size_t i = 0; q->relation[0] && i < p->names.nr && i < SENTENCE_WORDS; i++) {
		size_t len = strlen(q->relation);

		if (!strchr(p->typed[i], '_') || strcasestr(p->names.of[i].name, p->typed[i]) ||
		    strcasestr(p->typed[i], p->names.of[i].name) ||
		    word_is_in_text(p->typed[i], q->relation))
			continue;
		snprintf(q->relation + len, sizeof(q->relation) - len, " (%s is read as %s.)",
			 p->typed[i], p->names.of[i].name);
	}
}

int query_find_words(struct query *q, const struct topics *all, struct sentence *s)
{
	struct parts p;
	size_t unknown;
	int failed = parts_find(&p, all, s);
	bool of_unit = !failed && asks_for_unit(s, &p);

	if (!failed)
		hold_names(s, &p);
	for (size_t i = 0; of_unit && i < s->nr; i++)
		p.known[i] |= word_is_unit(s->of[i]);
	if (!failed && !asks_for_rest(s) && !asks_for_amount(s) &&
	    relate(&p.names, q->relation, sizeof(q->relation)))
		skip_phrasing(&p, s, q->relation);
	mark_unknown(s, &p, q->relation);
	if (!failed)
		q->said = said_question(s, &p.names);
	unknown = query_list_unknown(s, q->unknown, sizeof(q->unknown));
	if (failed || !p.names.nr) {
		topics_free(&p.names);
		return failed || unknown != 1 || strlen(only_unknown(s)) < SPELLED_LEAST
			       ? failed
			       : query_find_near(q, all, only_unknown(s), true);
	}
	/* "used_memory vs used_memory_rss": two names of one entry, which explains both. */
	if (!unknown && p.names.nr == 1 && !sentence_asks_cause(s) && !asks_whether_part(s) &&
	    ((!sentence_compares(s) && !sentence_has(s, "than")) || p.spans > 1 ||
	     compares_values(s))) {
		list_options(q, s, &p);
		if (of_unit)
			topic_unit(&p.names.of[0], q->unit, sizeof(q->unit));
		failed = take_one_name(q, all, &p);
		topics_free(&p.names);
		return failed;
	}
	if (unknown)
		q->relation[0] = '\0';
	name_in_relation(q, &p);
	q->kind = unknown ? QUERY_NEAR : kind_of_names(q, &p, s);
	q->found = p.names;
	return 0;
}
