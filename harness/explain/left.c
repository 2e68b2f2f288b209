// SPDX-License-Identifier: MIT
/*
 * Decides which words of a sentence an answer may not leave out silently: a product, a symptom
 * ("missing", "larger"), an amount that is no value of a name, one side of "X vs Y", a "why". An
 * answer that has none of them is printed with a line that says so.
 */
#include "query_private.h"
#include "question_words.h"
#include "sentence.h"
#include "stem.h"
#include <string.h>

/* True for one side of "X vs Y" or, beside names, of "X or Y". */
static bool is_side(const struct sentence *s, size_t at, bool of_names)
{
	const char *before = at ? s->of[at - 1] : "", *after = at + 1 < s->nr ? s->of[at + 1] : "";

	if (word_is_grammar(s->of[at]) || word_is_unit(s->of[at]) || word_is_amount(s->of[at]) ||
	    word_is_background(s->of[at]))
		return false;
	return word_compares(before) || word_compares(after) ||
	       (of_names && (!strcmp(before, "or") || !strcmp(after, "or")));
}

static bool sentence_asks_meaning(const struct sentence *s)
{
	return sentence_any(s, word_asks_meaning) || sentence_has(s, "kind");
}

/* True for "8gb" in "htop shows 8gb", but not for the value of a name, "RSS 8gb". */
static bool is_loose_measure(const struct sentence *s, const struct parts *p, size_t at)
{
	return word_is_measure(s->of[at]) && !(at && p->of[at - 1]);
}

/* True for the ">" of "> 20s", which stands for "larger than". */
static bool is_limit(const struct sentence *s, size_t at)
{
	return at + 2 < s->nr && !strcmp(s->of[at + 1], "than") && word_is_amount(s->of[at + 2]);
}

/* True for the "too" of "how much is too much". */
static bool is_too_much(const struct sentence *s, size_t at)
{
	return at + 1 < s->nr && !strcmp(s->of[at], "too") &&
	       word_is_among(s->of[at + 1], " much many ");
}

/*
 * True for a word that asks for more than a name means: a definition of RSS does not answer "why is
 * RSS high". A program or file is the answer only if nothing but it, or its columns, is asked for.
 */
static bool name_leaves(const struct parts *p, const struct sentence *s, size_t at)
{
	const char *word = s->of[at];
	bool group = p->names.nr == 1 && p->names.of[0].kind == TOPIC_GROUP;

	if (word_is_among(word, " default defaults recommended range formula "))
		return true;
	if (word_is_symptom(word) || word_tells_size(word) || is_too_much(s, at))
		return !sentence_asks_meaning(s) && !is_limit(s, at);
	if (word_is_amount(word) || *word == '-')
		return group && is_loose_measure(s, p, at);
	return is_side(s, at, true) ||
	       (group && !word_is_grammar(word) && !word_is_background(word));
}

/* Marks the release in "VmallocUsed on kernel 5.10", and not "kernel". */
static void mark_release(struct sentence *s)
{
	for (size_t i = 0; i + 1 < s->nr; i++)
		if (s->unknown[i] && !strcmp(s->of[i], "kernel") && word_is_amount(s->of[i + 1])) {
			s->unknown[i] = false;
			s->unknown[i + 1] = true;
		}
}

void query_mark_left(struct sentence *s, const struct parts *p)
{
	mark_release(s);
	for (size_t i = 0; i < s->nr; i++) {
		bool said = false;

		if (p->of[i] || s->unknown[i] || !name_leaves(p, s, i))
			continue;
		for (size_t k = 0; k < p->names.nr; k++)
			said |= query_topic_names(&p->names.of[k], s->of[i]);
		s->unknown[i] = !said || (i && !strcmp(s->of[i - 1], "too"));
	}
}

/* True for the "why" of a sentence if the question asks which one or how much. */
static bool is_other_why(const struct question *q, const char *word)
{
	static const char *const asks[] = { WORD_WHO, "which", "much", "many" };
	bool other = false;

	for (size_t i = 0; i < sizeof(asks) / sizeof(*asks); i++)
		other |= question_title_has(q, asks[i]);
	return other && !strcmp(word, "why");
}

/*
 * True for "larger" and "differ" if the question compares nothing, and is about no act; and for
 * "less" of "X vs Y, which uses less".
 */
static bool is_other_comparison(const struct question *q, const struct sentence *s, size_t at)
{
	const char *word = s->of[at];

	if (word_tells_size(word) && sentence_has(s, "which"))
		return true;
	return (word_tells_size(word) || word_contrasts(word)) && !word_is_grammar(word) &&
	       !sentence_has(s, "how") && !question_contrasts(q) && !q->of_meaning;
}

/*
 * True for a word, or another form of it, that a sentence may have without asking something else
 * only if the question says it too: "buff/cache high, available low" is not "Is cached memory
 * free?".
 */
static bool word_qualifies(const char *word)
{
	static const char *const qualify[] = {
#include "qualify.def"
	};
	static const char loose[] =
		" up more much above over beyond below under back give given down drop another ";

	for (size_t i = 0; i < sizeof(qualify) / sizeof(*qualify); i++)
		if (words_are_alike(qualify[i], word))
			return !word_is_among(word, loose);
	return false;
}

bool query_is_used(const struct sentence *s, size_t at)
{
	static const char before[] = " top top's htop free free's as ";

	return !strcmp(s->of[at], "used") &&
	       ((at && (word_is_among(s->of[at - 1], before) || word_compares(s->of[at - 1]))) ||
		(at + 1 < s->nr && (word_contrasts(s->of[at + 1]) || word_size(s->of[at + 1]))));
}

bool query_question_unsaid(const struct question *q, const struct sentence *s, size_t at)
{
	const char *word = s->of[at];

	if (!(word_qualifies(word) || query_is_used(s, at)) || s->named[at] ||
	    (at && !strcmp(s->of[at - 1], "how")))
		return false;
	return !question_says(q, word);
}

/* True for "anon" of "memory.stat anon vs rss" if the question is about another line of the file.
 */
static bool is_other_part(const struct question *q, const struct sentence *s, size_t at)
{
	return at && s->named[at] && s->named[at - 1] == s->named[at] && is_side(s, at, false) &&
	       question_group(q, s->of[at]) < 0 && !question_title_has(q, s->of[at]) &&
	       !strstr(q->words, " *");
}

bool query_question_leaves(const struct question *q, const struct sentence *s, size_t at)
{
	const char *word = s->of[at];

	if (is_other_part(q, s, at))
		return true;
	if (question_has(q, word) || word_is_in_text(word, q->answer) || strstr(q->words, " *"))
		return false;
	return is_other_why(q, word) || is_other_comparison(q, s, at) || is_side(s, at, false) ||
	       (word_is_symptom(word) && !word_evaluates(word));
}
