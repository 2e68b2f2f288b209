// SPDX-License-Identifier: MIT
/* Ranks the questions by the words that they share with a sentence. */
#include "rank.h"
#include "asks.h"
#include "base/list.h"
#include "question.h"
#include "question_words.h"
#include "sentence.h"
#include "stem.h"
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { GROUP_SIZE = 1024 };
enum {
	WHOLE = 1000,
	SENTENCE_LEAST = 700,
	NEAR_LEAST = 600,
	TITLE_LEAST = 550,
	STATED_LEAST = 800,
	WEIGHT_MOST = 40,
	VAGUE = 4 /* a vague word has a quarter of its weight */
};

unsigned share_score(struct share of_sentence, struct share of_title)
{
	unsigned long long one, other;

	if (!of_sentence.part || !of_title.part)
		return 0;
	one = (unsigned long long)of_sentence.part * of_title.whole;
	other = (unsigned long long)of_title.part * of_sentence.whole;
	return (unsigned)(2ULL * WHOLE * of_sentence.part * of_title.part / (one + other));
}

unsigned rarity(size_t with, size_t all)
{
	unsigned weight = 1;

	/* A step is a fifth: about three steps for half as many questions. */
	for (with = with ? with : 1; with < all && weight < WEIGHT_MOST; with += with / 5 + 1)
		weight++;
	return weight;
}

/* A word of the sentence. */
struct word {
	const char *text;
	struct stems stems;
	bool vague;   /* weighs less */
	bool spare;   /* helps if a question has it, and is not missed */
	bool program; /* stands where a program's name does, and no question has it */
	unsigned weight;
};

enum { PAIRS = 1024 };

struct words {
	struct word of[SENTENCE_WORDS];
	size_t nr;
	bool begin[PAIRS]; /* how the stems of any word begin (pair_of()) */
};

/* Which words of the sentence, one a bit, the texts of a question have. */
struct covered {
	uint64_t asks, with, look_up, answer;
};

_Static_assert(SENTENCE_WORDS <= 64, "each word of a sentence has a bit");

bool word_is_spare(const char *word)
{
	static const char spare[] =
#include "vague.def"
		;
	char framed[WORD_SIZE + 2];

	snprintf(framed, sizeof(framed), " %s ", word);
	return word_says_little(word) || strstr(spare, framed);
}

static bool word_is_vague(const char *word)
{
	return word_says_nothing(word) || word_is_spare(word);
}

/* True if a text has the word, or a synonym. */
static bool text_has(const char *text, const struct word *w)
{
	char stem[STEM_SIZE];

	while (stem_next(&text, stem))
		if (stems_have(&w->stems, stem))
			return true;
	return false;
}

/* Copies the next group of words that must occur, and moves *groups behind it. */
static bool next_group(const char **groups, char group[GROUP_SIZE])
{
	while (list_next(groups, " ", group, GROUP_SIZE))
		if (*group != '-')
			return true;
	return false;
}

/* Returns how many groups have no word of the sentence. */
static size_t groups_unmet(const char *groups, const struct words *w)
{
	char group[GROUP_SIZE];
	size_t unmet = 0;

	while (next_group(&groups, group)) {
		bool met = false;

		for (size_t i = 0; i < w->nr && !met; i++)
			met = text_has(group, &w->of[i]) ||
			      word_is_of_group(w->of[i].text, group, strlen(group));
		unmet += !met;
	}
	return unmet;
}

/* Maps the first two letters of a word, and of its stem, to the same number. */
static unsigned pair_of(const char *word)
{
	unsigned char one = (unsigned char)word[0], two = (unsigned char)(one ? word[1] : 0);

	return ((unsigned)tolower(one) * 31 + (isalnum(two) ? (unsigned)tolower(two) : 0)) % PAIRS;
}

static void words_add_pairs(struct words *w, const struct stems *stems)
{
	for (size_t i = 0; i < stems->nr; i++)
		w->begin[pair_of(stems->of[i])] = true;
}

static uint64_t words_with_stem(const struct words *w, const char *stem)
{
	uint64_t with = 0;

	for (size_t i = 0; i < w->nr; i++)
		with |= (uint64_t)stems_have(&w->of[i].stems, stem) << i;
	return with;
}

/* Like text_has(), for all words at the same time. */
static uint64_t text_covers(const char *text, const struct words *w)
{
	char stem[STEM_SIZE];
	uint64_t has = 0;

	while (*(text = stem_word_begin(text))) {
		if (!w->begin[pair_of(text)])
			text = stem_word_end(text);
		else if (stem_next(&text, stem))
			has |= words_with_stem(w, stem);
	}
	return has;
}

/* Like text_covers(), for the groups of a question. */
static uint64_t groups_cover(const char *groups, const struct words *w)
{
	char group[GROUP_SIZE];
	uint64_t has = 0;

	while (next_group(&groups, group))
		has |= text_covers(group, w);
	return has;
}

static struct covered question_covered(const struct question *q, const struct words *w)
{
	return (struct covered) {
		.asks = text_covers(q->asks, w) | groups_cover(q->words, w),
		.with = text_covers(q->with, w),
		.look_up = text_covers(q->look_up, w),
		.answer = text_covers(q->answer, w),
	};
}

/* Returns in eighths how much of a word's weight is covered, by where the question has the word. */
static unsigned covers_word(const struct covered *c, size_t at)
{
	uint64_t bit = UINT64_C(1) << at;

	return c->asks & bit      ? 8
	       : c->with & bit    ? 6
	       : c->look_up & bit ? 5
	       : c->answer & bit  ? 4
				  : 0;
}

/* True for "agree" of "does not agree", which means "differ". */
static bool is_denied_match(const struct sentence *s, size_t at)
{
	return at && word_denies(s->of[at - 1]) &&
	       (words_are_alike("equal", s->of[at]) || !strcmp(s->of[at], "agree"));
}

/* True for "foo" of "how much memory does foo use" and "memory usage of foo": some program. */
static bool is_place_of_program(const struct sentence *s, size_t at)
{
	static const char before[] = " does do of by my for ";
	static const char uses[] = " use uses take takes need needs consume consumes ";

	return at && word_is_among(s->of[at - 1], before) &&
	       (at + 1 == s->nr || word_is_among(s->of[at + 1], uses));
}

/* Splits the sentence, and finds the stems of its words. */
static void words_find(struct words *w, const struct sentence *s)
{
	*w = (struct words) { .nr = s->nr };
	for (size_t i = 0; i < s->nr; i++) {
		struct word *one = &w->of[i];

		*one = (struct word) { .text = s->of[i],
				       .vague = word_is_vague(s->of[i]),
				       .spare = word_is_spare(s->of[i]) ||
						word_evaluates(s->of[i]) };
		if (i + 1 < s->nr && is_denied_match(s, i + 1))
			continue;
		stems_of_word(&one->stems, is_denied_match(s, i) ? "differ" : s->of[i]);
		words_add_pairs(w, &one->stems);
	}
}

/* Counts for each word the questions that have it. Returns the number of all questions. */
static size_t words_count(const struct words *w, size_t with[SENTENCE_WORDS])
{
	size_t nr;
	const struct question *all = questions_all(&nr);

	memset(with, 0, SENTENCE_WORDS * sizeof(*with));
	for (size_t i = 0; i < nr; i++) {
		uint64_t asks = text_covers(all[i].asks, w) | groups_cover(all[i].words, w);

		for (size_t k = 0; k < w->nr; k++)
			with[k] += asks >> k & 1;
	}
	return nr;
}

static void words_weigh(struct words *w, const struct sentence *s)
{
	size_t with[SENTENCE_WORDS], all;

	words_find(w, s);
	all = words_count(w, with);
	for (size_t i = 0; i < s->nr; i++) {
		struct word *one = &w->of[i];

		if (!one->stems.nr || word_is_grammar(s->of[i]) || word_is_amount(s->of[i]))
			continue;
		one->weight = rarity(with[i], all);
		one->program = !one->vague && !with[i] && is_place_of_program(s, i);
		if (one->program) {
			stems_of_word(&one->stems, "process");
			words_add_pairs(w, &one->stems);
		}
		one->weight /= one->vague || one->program ? VAGUE : 1;
	}
}

/* How much of the sentence the question covers. */
static struct share share_of_sentence(const struct covered *c, const struct words *w)
{
	struct share share = { 0, 0 };

	for (size_t i = 0; i < w->nr; i++) {
		unsigned covers = w->of[i].weight ? covers_word(c, i) : 0;

		if (covers || !w->of[i].spare)
			share.whole += 8 * w->of[i].weight;
		share.part += covers * w->of[i].weight;
	}
	return share;
}

/* True if the sentence has a word of a title, a synonym, or another word of the same group. */
static bool sentence_has_like(const struct question *q, const struct words *w, const char *word)
{
	int group = question_group(q, word);
	char stem[STEM_SIZE];

	stem_of(word, stem);
	for (size_t i = 0; i < w->nr; i++)
		if (w->of[i].weight && (stems_have(&w->of[i].stems, stem) ||
					(group >= 0 && question_group(q, w->of[i].text) == group)))
			return true;
	return false;
}

/* How much of the title the sentence covers. */
static struct share share_of_title(const struct question *q, const struct words *w)
{
	struct share share = { 0, 0 };
	const char *title = q->asks;
	char word[STEM_SIZE];

	while (stem_next_word(&title, word)) {
		unsigned weight = word_is_vague(word) ? 1 : 2;
		bool has;

		if (word_is_grammar(word) || word_is_amount(word))
			continue;
		has = sentence_has_like(q, w, word);
		share.whole += weight;
		share.part += has ? weight : 0;
	}
	return share;
}

/* ---- what makes it another question ---- */

/* True for a word that decides what is asked: "not", "falls", "larger". Not "up" of "show up". */
static bool carries_sense(const struct sentence *s, size_t at)
{
	static const char loose[] = " up down go goes free frees change changes ";
	static const char goes[] = " go goes going went gone comes ";
	const char *word = s->of[at];

	if (word_is_among(word, loose) && !(at && word_is_among(s->of[at - 1], goes)))
		return false;
	return word_alters(word) || word_is_turn(word) || word_contrasts(word) || word_size(word) ||
	       word_moves(word) || word_is_change(word) || word_is_symptom(word);
}

static bool sentence_may_deny(const struct sentence *s)
{
	return sentence_any(s, word_denies) || sentence_any(s, word_stays);
}

static bool asks_alike(const struct question *q, const struct sentence *s)
{
	struct sentence title;

	sentence_split(&title, q->asks);
	return asks_fit(sentence_asks(s), sentence_asks(&title));
}

/* True if the question asks something else, or a word that decides it is missing in either. */
static bool is_other_question(const struct question *q, const struct sentence *s,
			      const struct words *w, const struct covered *c)
{
	enum { OWN = 6 /* in the title, the groups or the other words */, LOOK_UP = 5 };

	struct sentence title;

	sentence_split(&title, q->asks);
	if (!asks_fit(sentence_asks(s), sentence_asks(&title)) || !question_compares(q, s) ||
	    !question_turns(q, s) || (sentence_denies(&title) && !sentence_may_deny(s)) ||
	    question_denied(q, s) || question_loses_side(q, s))
		return true;
	for (size_t i = 0; i < title.nr; i++)
		if ((word_size(title.of[i]) || word_moves(title.of[i])) &&
		    !sentence_has_like(q, w, title.of[i]))
			return true;
	for (size_t i = 0; i < s->nr; i++) {
		bool matters = s->named[i] || carries_sense(s, i) || word_is_tool(s->of[i]) ||
			       word_is_platform(s->of[i]) || word_is_other_system(s->of[i]);

		if (matters && !(s->named[i] && w->of[i].vague) && w->of[i].stems.nr &&
		    covers_word(c, i) < (s->named[i] ? LOOK_UP : OWN))
			return true;
	}
	return false;
}

/* Marks the words that the question leaves out, and that name something. Returns their number. */
static size_t mark_left(const struct question *q, struct sentence *s, const struct words *w)
{
	struct covered c = question_covered(q, w);
	size_t left = 0;

	for (size_t i = 0; i < s->nr; i++) {
		s->unknown[i] = w->of[i].program || (w->of[i].weight && !w->of[i].vague &&
						     !w->of[i].spare && !covers_word(&c, i));
		left += s->unknown[i];
	}
	return left;
}

/* ---- the best ---- */

enum { RANKED = 4 };

struct ranked {
	const struct question *question;
	unsigned score;
	struct share of_sentence, of_title;
	size_t unmet; /* groups of the question without a word of the sentence */
};

static void keep_best(struct ranked best[RANKED], size_t *nr, const struct ranked *r)
{
	size_t at = *nr;

	while (at && best[at - 1].score < r->score)
		at--;
	if (at == RANKED)
		return;
	*nr += *nr < RANKED;
	memmove(&best[at + 1], &best[at], (*nr - at - 1) * sizeof(*best));
	best[at] = *r;
}

/* Stores the questions that fit best, the best first. Returns their number. */
static size_t rank(const struct sentence *s, const struct words *w, struct ranked best[RANKED])
{
	size_t all, nr = 0;
	const struct question *questions = questions_all(&all);

	for (size_t i = 0; i < all; i++) {
		struct ranked r = { .question = &questions[i] };
		struct covered c = question_covered(r.question, w);

		r.of_sentence = share_of_sentence(&c, w);
		if (2 * r.of_sentence.part < r.of_sentence.whole ||
		    question_refuses(r.question, s) || is_other_question(r.question, s, w, &c))
			continue;
		r.of_title = share_of_title(r.question, w);
		r.unmet = groups_unmet(r.question->words, w);
		r.score = share_score(r.of_sentence, r.of_title);
		if (r.score)
			keep_best(best, &nr, &r);
	}
	return nr;
}

static bool share_is_least(struct share share, unsigned least)
{
	return WHOLE * share.part >= least * share.whole;
}

bool question_covers_most(const struct question *q, const struct sentence *s)
{
	struct covered c;
	struct words w;

	words_weigh(&w, s);
	c = question_covered(q, &w);
	return asks_alike(q, s) && share_is_least(share_of_sentence(&c, &w), NEAR_LEAST) &&
	       share_is_least(share_of_title(q, &w), TITLE_LEAST);
}

/*
 * True if the question has enough of the words that name something. A sentence without a question
 * word may be a label and its value.
 */
static bool names_enough(const struct question *q, const struct sentence *s, const struct words *w)
{
	enum { ASKED = 2, DENIED = 3, STATED = 3 };
	struct covered c = question_covered(q, w);
	size_t names = 0;

	for (size_t i = 0; i < w->nr; i++)
		if (w->of[i].program)
			names += ASKED;
		else
			names += w->of[i].weight && !w->of[i].vague &&
				 !word_denies(w->of[i].text) && covers_word(&c, i);
	if (sentence_asks(s) == ASKS_ANY)
		return names >= STATED && !groups_unmet(q->words, w) &&
		       share_is_least(share_of_title(q, w), STATED_LEAST);
	return names >= (sentence_denies(s) ? DENIED : ASKED);
}

/* True if it covers most of both, lacks at most one group, and the next one covers clearly less. */
static bool leads(const struct ranked best[RANKED], size_t nr)
{
	enum { LEAST = 700, LEAST_LACKING = 820, LEAD = 30 };
	const struct ranked *first = &best[0];

	return first->unmet <= 1 && first->score >= (first->unmet ? LEAST_LACKING : LEAST) &&
	       share_is_least(first->of_sentence, SENTENCE_LEAST) &&
	       share_is_least(first->of_title, TITLE_LEAST) &&
	       (nr < 2 || first->score >= best[1].score + LEAD);
}

const struct question *question_by_rank(struct sentence *s)
{
	enum { LEFT_MOST = 2 };
	struct ranked best[RANKED];
	struct words w;
	size_t nr;
	const struct question *q;

	if (s->cut)
		return NULL;
	words_weigh(&w, s);
	nr = rank(s, &w, best);
	if (!nr || !leads(best, nr))
		return NULL;
	q = best[0].question;
	return names_enough(q, s, &w) && mark_left(q, s, &w) <= LEFT_MOST ? q : NULL;
}

/* ---- the nearest ---- */

/* True if the words that deny, move or compare are the same in the sentence and in the question. */
static bool turns_alike(const struct question *q, const struct sentence *s,
			const struct sentence *title)
{
	bool denies = sentence_denies(title) || question_group(q, WORD_NOT) >= 0 ||
		      question_group(q, WORD_NO) >= 0;

	if ((sentence_denies(s) && !denies) || (sentence_denies(title) && !sentence_may_deny(s)))
		return false;
	return question_turns(q, s) && question_compares(q, s) && !question_denied(q, s) &&
	       !question_loses_side(q, s);
}

bool question_fits_turns(const struct question *q, const struct sentence *s)
{
	struct sentence title;

	static const char selects[] = " peak sum largest smallest ";

	for (size_t i = 0; i < s->nr; i++)
		if ((word_alters(s->of[i]) || word_is_among(s->of[i], selects)) &&
		    question_group(q, s->of[i]) < 0)
			return false;
	sentence_split(&title, q->asks);
	return turns_alike(q, s, &title) && asks_fit(sentence_asks(s), sentence_asks(&title));
}

/* True if a title says that a number moves, or is large, and the sentence says the opposite. */
static bool is_opposite(const struct sentence *s, const struct sentence *title)
{
	for (size_t i = 0; i < title->nr; i++) {
		for (size_t k = 0; k < s->nr; k++)
			if (word_size(title->of[i]) * word_size(s->of[k]) < 0)
				return true;
	}
	return false;
}

/* True for a word of the sentence without which it asks something else. */
static bool is_needed(const struct sentence *s, size_t at)
{
	const char *word = s->of[at];

	if (word_evaluates(word) || word_size(word))
		return false;
	return (word_is_turn(word) && !word_is_loose(word) && !word_denies(word)) ||
	       !strcmp(word, WORD_WHO) || !strcmp(word, WORD_ORIGIN) || word_alters(word) ||
	       word_moves(word) || word_is_symptom(word) || word_is_tool(word) ||
	       word_is_platform(word) || word_is_other_system(word);
}

/* True if the question has each name of the sentence and each word that decides what is asked. */
static bool has_needed(const struct question *q, const struct sentence *s, const struct words *w,
		       const struct covered *c)
{
	enum { ANSWER = 4, WITH = 6 };

	for (size_t i = 0; i < s->nr; i++) {
		bool named = s->named[i] && (!w->of[i].vague || s->held[i]);

		if (!w->of[i].stems.nr || word_is_amount(s->of[i]))
			continue;
		if ((named && covers_word(c, i) < WITH) ||
		    (is_needed(s, i) && covers_word(c, i) < ANSWER))
			return false;
	}
	return !sentence_contrasts(s) || question_contrasts(q);
}

static bool is_own_side(const struct question *q, const struct sentence *s, size_t at)
{
	return question_has(q, s->of[at]) && !word_is_loose(s->of[at]);
}

/* True if the question has both sides of each "X vs Y". */
static bool has_sides(const struct question *q, const struct sentence *s)
{
	for (size_t i = 1; i + 1 < s->nr; i++)
		if (word_compares(s->of[i]) &&
		    !(is_own_side(q, s, i - 1) && is_own_side(q, s, i + 1)))
			return false;
	return true;
}

/* Returns how many names, and other words that name something, the question has as its own. */
static size_t names_shared(const struct sentence *s, const struct words *w, const struct covered *c)
{
	enum { WITH = 6 };
	size_t names = 0;

	for (size_t i = 0; i < s->nr; i++)
		names += !(i && s->named[i] && s->named[i] == s->named[i - 1]) && w->of[i].weight &&
			 !w->of[i].vague && !word_is_loose(s->of[i]) && !word_denies(s->of[i]) &&
			 covers_word(c, i) >= WITH;
	return names;
}

/* True if the title says a direction that the sentence lacks: "Why does X fall?" is not "X". */
static bool title_says_more(const struct question *q, const struct words *w,
			    const struct sentence *s, const struct sentence *title)
{
	for (size_t i = 0; i < title->nr; i++)
		if ((word_moves(title->of[i]) ||
		     (word_is_symptom(title->of[i]) && !word_evaluates(title->of[i])) ||
		     (!strcmp(title->of[i], "nothing") && !sentence_denies(s)) ||
		     (word_size(title->of[i]) && !sentence_evaluates(s))) &&
		    !sentence_has_like(q, w, title->of[i]))
			return true;
	return false;
}

bool question_is_fit(const struct question *q, const struct sentence *s)
{
	enum { OF_SENTENCE = 600 };
	struct sentence title;
	struct covered c;
	struct words w;

	words_weigh(&w, s);
	c = question_covered(q, &w);
	sentence_split(&title, q->asks);
	if (!question_fits_turns(q, s) || is_opposite(s, &title) ||
	    title_says_more(q, &w, s, &title) || question_refuses(q, s) || !has_sides(q, s) ||
	    !has_needed(q, s, &w, &c))
		return false;
	for (size_t i = 0; i < title.nr; i++)
		if (sentence_turns_at(&title, i) && !sentence_has_like(q, &w, title.of[i]))
			return false;
	return share_is_least(share_of_sentence(&c, &w), OF_SENTENCE);
}

/* True if a group of a question only says how it is asked: "grow|high|full", "bad|problem". */
static bool group_is_loose(const char *group)
{
	char word[WORD_SIZE];

	while (list_next(&group, "|", word, sizeof(word)))
		if (*word == '#' || word_is_grammar(word) || word_evaluates(word) ||
		    word_size(word) || word_is_turn(word) ||
		    (word_is_change(word) && !word_is_program(word)))
			return true;
	return false;
}

/* True if the sentence has a word of each group that names something. */
static bool subjects_are_met(const char *groups, const struct words *w)
{
	char group[GROUP_SIZE];

	while (next_group(&groups, group))
		if (!group_is_loose(group) && groups_unmet(group, w))
			return false;
	return true;
}

/* True if a question is about what the sentence is about, and says nothing against it. */
static bool is_about_same(const struct question *q, const struct sentence *s, const struct words *w,
			  const struct covered *c)
{
	enum { NAMES = 2 };
	struct sentence title;
	enum asks asks = sentence_asks(s);

	if (asks == ASKS_WHETHER && sentence_evaluates(s))
		asks = ASKS_ANY;
	sentence_split(&title, q->asks);
	return asks_fit(asks, sentence_asks(&title)) && turns_alike(q, s, &title) &&
	       !is_opposite(s, &title) && !title_says_more(q, w, s, &title) &&
	       has_needed(q, s, w, c) && has_sides(q, s) &&
	       names_shared(s, w, c) + (sentence_evaluates(s) && sentence_evaluates(&title)) >=
		       NAMES;
}

const struct question *question_about(struct sentence *s)
{
	enum { LEFT_MOST = 1, OF_SENTENCE = 550, OF_TITLE = 500, LEAST = 560, UNMET_MOST = 2 };
	struct ranked best = { .question = NULL };
	size_t nr;
	const struct question *all = questions_all(&nr);
	struct words w;

	if (s->cut)
		return NULL;
	words_weigh(&w, s);
	for (size_t i = 0; i < w.nr; i++)
		w.of[i].spare |= word_is_loose(s->of[i]);
	for (size_t i = 0; i < nr; i++) {
		struct ranked r = { .question = &all[i] };
		struct covered c = question_covered(r.question, &w);

		r.of_sentence = share_of_sentence(&c, &w);
		r.of_title = share_of_title(r.question, &w);
		r.score = share_score(r.of_sentence, r.of_title);
		if (r.score < LEAST || r.score <= best.score ||
		    !share_is_least(r.of_sentence, OF_SENTENCE) ||
		    !share_is_least(r.of_title, OF_TITLE) || question_refuses(r.question, s) ||
		    groups_unmet(r.question->words, &w) > UNMET_MOST ||
		    !subjects_are_met(r.question->words, &w) ||
		    !is_about_same(r.question, s, &w, &c))
			continue;
		best = r;
	}
	return best.question && mark_left(best.question, s, &w) <= LEFT_MOST ? best.question : NULL;
}
