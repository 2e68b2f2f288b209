// SPDX-License-Identifier: MIT
/*
 * Decides whether the terms that an answer shows explain every word of the sentence, or nearly
 * every word.
 */
#include "asks.h"
#include "query_private.h"
#include "question_words.h"
#include "rank.h"
#include "sentence.h"
#include <stdio.h>
#include <string.h>

/* Writes the unknown words into buf: "'kubelet', 'jvm'". Returns their number. */
size_t query_list_unknown(const struct sentence *s, char *buf, size_t size)
{
	size_t nr = 0, len = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < s->nr; i++) {
		if (!s->unknown[i])
			continue;
		if (len < size)
			len += (size_t)snprintf(buf + len, size - len, "%s'%s'", nr ? ", " : "",
						strcmp(s->of[i], WORD_WHO) ? s->of[i] : s->who);
		nr++;
	}
	return nr;
}

static const char *text_of(const struct topic *t)
{
	return t->kind == TOPIC_WORD     ? t->word->is
	       : t->kind == TOPIC_FIGURE ? t->figure->is
	       : t->kind == TOPIC_METRIC ? metric(t->metric)->prose
	       : t->kind == TOPIC_COLUMN ? metric(t->metric)->prose
					 : "";
}

static const char *other_names(const struct topic *t)
{
	const char *also = topic_also(t);

	return also ? also : "";
}

static bool is_own_name(const struct topic *t, const char *word)
{
	return word_is_in_text(word, t->name) || word_is_in_text(word, other_names(t));
}

/* True if the text contains the word, or another word for the same thing. */
static bool text_says(const char *text, const char *word)
{
	static const struct {
		const char *word, *said_by;
	} other[] = {
#define OTHER(word, said_by) { word, said_by },
#include "other_words.def"
#undef OTHER
	};

	if (word_is_in_text(word, text))
		return true;
	for (size_t i = 0; i < sizeof(other) / sizeof(*other); i++)
		if (!strcmp(word, other[i].word) && word_is_in_text(other[i].said_by, text))
			return true;
	return false;
}

bool query_topic_names(const struct topic *t, const char *word)
{
	return text_says(t->name, word) || text_says(other_names(t), word) ||
	       text_says(text_of(t), word);
}

/* True if one of the terms is about all names of the sentence, e.g. of "vmstat si so swap". */
static bool one_has_all(const struct topics *found, const struct sentence *s)
{
	for (size_t i = 0; i < found->nr; i++) {
		bool all = true;

		for (size_t k = 0; k < s->nr; k++)
			all &= !s->named[k] || word_says_nothing(s->of[k]) ||
			       query_topic_names(&found->of[i], s->of[k]);
		if (all)
			return true;
	}
	return false;
}

static bool some_topic_has(const struct query *q, const char *word)
{
	for (size_t i = 0; i < q->found.nr && i < TERMS_SHOWN; i++)
		if (query_topic_names(&q->found.of[i], word))
			return true;
	return false;
}

static bool is_explained(const struct query *q, const char *word)
{
	if (q->nearest && question_has(q->nearest, word))
		return true;
	if (word_is_turn(word) || !strcmp(word, WORD_WHO) || !strcmp(word, WORD_ORIGIN) ||
	    (q->nearest && word_is_change(word)))
		return false;
	if (q->nearest && word_is_in_text(word, q->nearest->answer))
		return true;
	return some_topic_has(q, word);
}

static bool is_about(const struct question *nearest, const char *word)
{
	const char *last = strrchr(word, '/'); /* e.g. "/clear_refs" */

	/* In a question the word for "memfree" is "free", as in "memory is free". */
	return question_has(nearest, strcmp(word, "memfree") ? word : "free") ||
	       word_is_in_text(last ? last + 1 : word, nearest->answer);
}

/*
 * True if the question is about one word of a name ("RES" of "top RES"), or if no word of the name
 * has a meaning.
 */
static bool is_about_name(const struct question *nearest, const struct sentence *s, unsigned name)
{
	bool about = false, says_nothing = true;

	for (size_t i = 0; i < s->nr; i++) {
		if (s->named[i] != name)
			continue;
		about |= is_about(nearest, s->of[i]);
		says_nothing &= word_says_nothing(s->of[i]);
	}
	return about || says_nothing;
}

/* True for a name in "RES or VIRT" if the answer contains the other one, and so denies this one. */
static bool has_alternative(const struct question *nearest, const struct sentence *s, size_t at)
{
	size_t first = at, last = at;

	while (first && s->named[first - 1] == s->named[at])
		first--;
	while (last + 1 < s->nr && s->named[last + 1] == s->named[at])
		last++;
	return (first > 1 && !strcmp(s->of[first - 1], "or") &&
		word_is_in_text(s->of[first - 2], nearest->answer)) ||
	       (last + 2 < s->nr && !strcmp(s->of[last + 1], "or") &&
		word_is_in_text(s->of[last + 2], nearest->answer));
}

/* True if the question has a word before and a word after the "but" at index `but`. */
static bool has_both_sides(const struct question *nearest, const struct sentence *s, size_t but)
{
	bool before = false, after = false;

	for (size_t i = 0; i < s->nr; i++) {
		if (word_is_grammar(s->of[i]) || !question_has(nearest, s->of[i]))
			continue;
		before |= i < but;
		after |= i > but;
	}
	return before && after;
}

static bool nearest_turns(const struct question *nearest, const struct sentence *s)
{
	for (size_t i = 0; i < s->nr; i++)
		if (!question_turns_at(nearest, s, i) &&
		    !(word_turns_like(s->of[i], "but") && has_both_sides(nearest, s, i)))
			return false;
	return true;
}

/*
 * The nearest question is printed first, so it must be about each name of the sentence: "Slab vs
 * slabtop" is not "What are the columns of free?".
 */
static bool nearest_is_about(const struct question *nearest, const struct sentence *s)
{
	for (size_t i = 0; i < s->nr; i++) {
		if (word_alters(s->of[i]) && !question_has(nearest, s->of[i]))
			return false;
		if (s->named[i] && !is_about_name(nearest, s, s->named[i]) &&
		    !has_alternative(nearest, s, i))
			return false;
	}
	return true;
}

/* True if one side of a comparison has no name, as in "RssFile bigger than file size". */
static bool lacks_a_side(const struct sentence *s)
{
	size_t sides = 0;

	for (size_t i = 0; i < s->nr; i++)
		sides += s->named[i] && (!i || s->named[i - 1] != s->named[i]);
	return sides < 2 && sentence_has(s, "than");
}

/* True if the shown answer is about the sentence, even if it does not explain each word. */
static bool is_about_sentence(const struct query *q, const struct sentence *s)
{
	if (s->cut)
		return false;
	return q->nearest ? nearest_turns(q->nearest, s) && question_compares(q->nearest, s) &&
				    nearest_is_about(q->nearest, s)
			  : !lacks_a_side(s);
}

/*
 * True for a phrase like "RSS of redis with TLS", which only asks about a name. "why", "how" and
 * "does" ask for more.
 */
static bool is_phrase(const struct sentence *s)
{
	for (size_t i = 0; i < s->nr; i++)
		if (word_asks_more(s->of[i]))
			return false;
	return true;
}

/*
 * True for a word without which the sentence has another meaning: "not", "larger", or a name like
 * "memfd_secret" or "dma-buf".
 */
static bool is_sense(const char *word)
{
	return word_is_turn(word) || !strcmp(word, WORD_WHO) || !strcmp(word, WORD_ORIGIN) ||
	       word_alters(word) || word_contrasts(word) || word_size(word) || word_moves(word) ||
	       word_stays(word) || word_is_change(word) || word_is_symptom(word) ||
	       strpbrk(word, "_-");
}

/* True if all words that are not explained name nothing, and turn nothing: "plus", "identify". */
static bool rest_is_spare(const struct sentence *s)
{
	for (size_t i = 0; i < s->nr; i++)
		if (s->unknown[i] && !word_is_spare(s->of[i]))
			return false;
	return true;
}

/* True if few words are not explained, and none of them matters. */
static bool rest_is_small(const struct query *q, const struct sentence *s, size_t rest)
{
	enum { BESIDE_QUESTION = 2, BESIDE_NAME = 1 };

	for (size_t i = 0; i < s->nr; i++)
		if (s->unknown[i] &&
		    (is_sense(s->of[i]) || word_is_tool(s->of[i]) || word_is_platform(s->of[i])))
			return false;
	/* The nearest question has all other words. */
	if (q->nearest && rest && rest_is_spare(s))
		return true;
	if (q->nearest)
		return rest && rest <= BESIDE_QUESTION && question_covers_most(q->nearest, s);
	return rest == BESIDE_NAME && is_phrase(s) &&
	       (q->found.nr == 1 ? q->found.of[0].kind != TOPIC_GROUP && !sentence_compares(s)
				 : one_has_all(&q->found, s));
}

/*
 * True if the clause has each name of the sentence except the topic's own, each word that carries
 * the sense, and the value: "-1000 is never killed".
 */
static bool clause_says(const struct query *q, const char *clause, const struct topic *t,
			const struct sentence *s)
{
	bool denies = sentence_denies(s), about = false;

	/* "-1000 is never killed" is no answer to "-1000 killed anyway". */
	if (denies != (text_says(clause, WORD_NOT) || text_says(clause, WORD_NO)))
		return false;
	for (size_t i = 0; i < s->nr; i++) {
		const char *word = s->of[i];
		bool own = s->named[i] && is_own_name(t, word), said = text_says(clause, word);
		bool value = denies && word[strspn(word, "-0123456789")] == '\0';
		bool option = *word == '-' && word_says_nothing(word);
		bool matters = s->named[i] || (is_sense(word) && !option) || value;

		if (matters && !said && !own)
			return false;
		about |= matters && said && !word_denies(word) && (!own || q->found.nr > 1);
	}
	return about;
}

/* True if a clause of the topic's text says what the sentence says. */
static bool topic_says(const struct query *q, const struct topic *t, const struct sentence *s)
{
	static const char end[] = ".;";
	char clause[512];

	for (const char *p = text_of(t); *p;) {
		size_t len = strcspn(p, end);

		/* a point within "memory.swap.max" does not end the clause */
		while (p[len] && p[len + 1] && p[len + 1] != ' ')
			len += 1 + strcspn(p + len + 1, end);
		snprintf(clause, sizeof(clause), "%.*s", (int)len, p);
		if (clause_says(q, clause, t, s))
			return true;
		p += len + (p[len] != '\0');
	}
	return false;
}

static bool some_topic_says(const struct query *q, const struct sentence *s)
{
	for (size_t i = 0; i < q->found.nr && i < TERMS_SHOWN; i++)
		if (topic_says(q, &q->found.of[i], s))
			return true;
	return false;
}

/*
 * Drops a nearest question that is about something else, unless it is one of the similar questions
 * or no name was found.
 */
static void drop_other_nearest(struct query *q, const struct sentence *s)
{
	for (size_t i = 0; i < q->nr_similar; i++)
		if (q->similar[i] == q->nearest)
			return;
	if (q->nearest && q->found.nr && !is_about_sentence(q, s))
		q->nearest = NULL;
}

/*
 * True for "what does X mean and how to reset it with Y" or "how to measure X with Y": the meanings
 * of the names answer it, if each of its words is known. "why", "does" and "than" ask how the names
 * are related.
 */
static bool asks_for_parts(const struct query *q, const struct sentence *s)
{
	enum asks asks = sentence_asks(s);

	if (q->found.nr < 2 || (asks != ASKS_WHAT && asks != ASKS_ACT))
		return false;
	for (size_t i = 0; i < s->nr; i++)
		if (word_contrasts(s->of[i]) || (is_sense(s->of[i]) && !s->named[i]) ||
		    !strcmp(s->of[i], "or"))
			return false;
	return true;
}

/* True for "vmstat si vs so": the only term is about both sides. */
static bool one_has_sides(const struct query *q, const struct sentence *s)
{
	for (size_t i = 1; q->found.nr == 1 && i + 1 < s->nr; i++)
		if (word_compares(s->of[i]))
			return query_topic_names(&q->found.of[0], s->of[i - 1]) &&
			       query_topic_names(&q->found.of[0], s->of[i + 1]);
	return false;
}

void query_judge(struct query *q, struct sentence *s)
{
	bool any = q->unknown[0], said = some_topic_says(q, s);
	/* "huge_pages on, RES small": one term is about both. */
	bool of_one = q->found.nr > 1 && !sentence_has(s, "than") && one_has_all(&q->found, s);
	size_t rest;

	drop_other_nearest(q, s);
	if (said && q->nearest && !is_about_sentence(q, s))
		q->nearest = NULL;
	for (size_t i = 0; i < s->nr; i++)
		if ((q->nearest && word_is_loose(s->of[i]) && !word_tells_size(s->of[i])) ||
		    is_explained(q, s->of[i]) || (said && is_sense(s->of[i])) ||
		    (of_one && word_tells_size(s->of[i])))
			s->unknown[i] = false;
	rest = query_list_unknown(s, q->unknown, sizeof(q->unknown));
	if (!is_about_sentence(q, s) || (!said && !q->nearest && sentence_asks_cause(s)))
		return;
	q->nearly = rest_is_small(q, s, rest);
	q->explained = !rest &&
		       (said || q->nearest || (any && q->found.nr == 1) || one_has_sides(q, s) ||
			(q->found.nr > 1 && one_has_all(&q->found, s)) || asks_for_parts(q, s));
}
