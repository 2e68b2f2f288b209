// SPDX-License-Identifier: MIT
/*
 * Finds why a number has the value that a sentence says: "SHR is 0", "can Cached be negative",
 * "memory.high is max".
 */
#include "said.h"
#include "asks.h"
#include "base/list.h"
#include "question.h"
#include "question_words.h"
#include "relation.h"
#include "sentence.h"
#include "stem.h"
#include <string.h>

#define SAID(quantity, value, with, asks, answer, look_up) \
	{ asks, "", with, answer, look_up, false },
static const struct question questions[] = {
#include "said.def"
};
#undef SAID

#define SAID(quantity, value, with, asks, answer, look_up) { #quantity, SAID_##value },
static const struct {
	const char *quantity; /* an id of relations.def, or of a class (class_of()) */
	enum said value;
} rows[] = {
#include "said.def"
};
#undef SAID

enum { ROWS = sizeof(rows) / sizeof(*rows) };

const struct question *said_all(size_t *nr)
{
	*nr = ROWS;
	return questions;
}

const char *said_quantity(size_t row)
{
	return rows[row].quantity;
}

enum said said_value(size_t row)
{
	return rows[row].value;
}

/* ---- what is said ---- */

static bool is_zero(const struct sentence *s, size_t at)
{
	return word_turns_like(s->of[at], "0") && sentence_turns_at(s, at);
}

static bool is_unlimited(const char *word)
{
	static const char words[] =
		" max infinity infinite unlimited unlimit 9223372036854771712 9223372036854775807 18446744073709551615 ";

	return word_is_among(word, words);
}

static bool is_growth(const char *word)
{
	static const char words[] = " accumulate accumulates monotonic ";

	return (words_are_alike("grow", word) && strcmp(word, "up") != 0) ||
	       word_is_among(word, words);
}

static bool is_fall(const char *word)
{
	static const char words[] = " reclaimed returned released freed reset lower smaller ";

	return words_are_alike("fall", word) || word_is_among(word, words);
}

static bool is_large(const char *word)
{
	static const char words[] = " huge massive full 100% ";

	return word_size(word) > 0 || word_is_among(word, words);
}

/* True for "memory" and the words around it in "than the physical memory of the machine". */
static bool is_of_memory(const char *word)
{
	static const char words[] =
		" machine's machine machines host's host system's system server's server node's physical total installed real ram memory mem memtotal size amount whole actual computer box main available actually gb ";

	return word_is_among(word, words) || word_is_grammar(word);
}

/* Returns where the amount begins that something is larger than, or s->nr. */
static size_t above_what(const struct sentence *s)
{
	static const char above[] = " exceed exceeds exceeding exceeded above over beyond ";

	for (size_t i = 1; i < s->nr; i++)
		if ((!strcmp(s->of[i], "than") && word_size(s->of[i - 1]) > 0) ||
		    word_is_among(s->of[i], above))
			return i + 1;
	return s->nr;
}

static bool is_above_memory(const struct sentence *s)
{
	static const char memory[] = " ram memory mem memtotal physical ";
	size_t at = above_what(s);
	bool is = false;

	for (; at < s->nr; at++) {
		if (!is_of_memory(s->of[at]))
			return false;
		is |= word_is_among(s->of[at], memory);
	}
	return is;
}

static bool is_negative(const struct sentence *s)
{
	static const char less[] = " less lower smaller below ";

	if (sentence_has(s, "negative"))
		return true;
	for (size_t i = 1; i < s->nr; i++)
		if (word_turns_like(s->of[i], "0") &&
		    (!strcmp(s->of[i - 1], "below") ||
		     (i > 1 && !strcmp(s->of[i - 1], "than") && word_is_among(s->of[i - 2], less))))
			return true;
	return false;
}

static bool is_nonzero(const struct sentence *s)
{
	bool denied = sentence_has(s, "nonzero");

	for (size_t i = 0; i < s->nr; i++) {
		if (is_zero(s, i) && (denied || (i && word_is_among(s->of[i - 1], " than above "))))
			return true;
		denied |= word_denies(s->of[i]);
	}
	return sentence_has(s, "nonzero");
}

static bool stays_as_it_is(const char *word)
{
	return words_are_alike("stay", word) || words_are_alike("remain", word) ||
	       !strcmp(word, "still");
}

/* True for "does not fall", "never shrinks", "stays high". */
static bool sentence_stays(const struct sentence *s)
{
	bool denied = false, stays = false, high = false, falls = false;

	for (size_t i = 0; i < s->nr; i++) {
		denied |= word_denies(s->of[i]) && strcmp(s->of[i], WORD_NO) != 0;
		stays |= stays_as_it_is(s->of[i]);
		high |= is_large(s->of[i]);
		falls |= is_fall(s->of[i]);
	}
	return (denied && falls) || (stays && high);
}

/* True for "does not grow", "never goes back up", "stays low". */
static bool stays_low(const struct sentence *s)
{
	static const char ups[] = " up recover recovers back ";
	bool denied = false, stays = false, rises = false, low = false;

	for (size_t i = 0; i < s->nr; i++) {
		denied |= word_denies(s->of[i]) && strcmp(s->of[i], WORD_NO) != 0;
		stays |= stays_as_it_is(s->of[i]);
		rises |= denied && (is_growth(s->of[i]) || word_is_among(s->of[i], ups));
		low |= word_size(s->of[i]) < 0;
	}
	return rises || (stays && low);
}

/* True for "0 and large", which says no value; "0 but large" is about two numbers. */
static bool is_contradictory(const struct sentence *s)
{
	bool large = false, but = false;

	for (size_t i = 0; i < s->nr; i++) {
		large |= is_large(s->of[i]);
		but |= word_turns_like(s->of[i], "but") || word_is_among(s->of[i], " while when ");
	}
	return large && !but;
}

enum said sentence_says(const struct sentence *s)
{
	enum said said = SAID_NOTHING;
	bool measured = false;

	if (is_negative(s))
		return SAID_NEGATIVE;
	if (is_nonzero(s))
		return SAID_NONZERO;
	if (is_above_memory(s))
		return SAID_ABOVE_MEMORY;
	if (sentence_stays(s))
		return SAID_STAYS;
	if (stays_low(s))
		return SAID_STAYS_LOW;
	for (size_t i = 0; i < s->nr; i++) {
		if (is_zero(s, i))
			return is_contradictory(s) ? SAID_NOTHING : SAID_ZERO;
		if (is_unlimited(s->of[i]) && !s->named[i])
			return SAID_UNLIMITED;
		if (is_growth(s->of[i]))
			said = SAID_GROWS;
		else if (said == SAID_NOTHING && is_large(s->of[i]))
			said = SAID_LARGE;
		else if (said == SAID_NOTHING && word_size(s->of[i]) < 0)
			said = SAID_SMALL;
		measured |= word_is_measure(s->of[i]) ||
			    (i && word_is_amount(s->of[i - 1]) && word_is_unit(s->of[i]));
	}
	return said == SAID_NOTHING && measured ? SAID_LARGE : said;
}

/* ---- of which number ---- */

/* True for a line of /proc/vmstat that counts events, and never falls. */
static bool is_event(const char *line)
{
	static const char *const begins[] = {
#include "events.def"
		NULL
	};

	for (const char *const *p = begins; *p; p++)
		if (!strncmp(line, *p, strlen(*p)))
			return true;
	return false;
}

/* Returns the class of a number that has no row of its own. */
static const char *class_of(const struct topic *t)
{
	static const char stat[] = "memory.stat";
	static const char vmstat[] = "vmstat.";
	static const char cgroup[] = "memory.";
	const char *from;

	if (t->kind == TOPIC_METRIC || t->kind == TOPIC_COLUMN) {
		enum metric_kind kind = metric(t->metric)->kind;

		return kind == KIND_EVENT     ? "ANY_EVENT"
		       : kind == KIND_VMA     ? "ANY_ADDRESSES"
		       : kind == KIND_PRECISE ? "ANY_WALKED"
					      : "ANY_COUNTER";
	}
	if (t->kind != TOPIC_FIGURE || t->figure->outside)
		return NULL;
	from = t->figure->from ? t->figure->from : "";
	if (!strncmp(t->name, stat, strlen(stat)) && t->name[strlen(stat)])
		return is_event(t->name + strlen(stat) + 1) ? "ANY_EVENT" : "ANY_STAT";
	if (!strncmp(t->name, vmstat, strlen(vmstat)))
		return is_event(t->name + strlen(vmstat)) ? "ANY_EVENT" : "ANY_LINE";
	if (!strncmp(t->name, cgroup, strlen(cgroup)))
		return "ANY_STAT";
	return !strncmp(from, "/proc/meminfo", strlen("/proc/meminfo")) ? "ANY_LINE" : NULL;
}

/* True for a name that only says where the number is: a program, a file, the machine's memory. */
static bool is_beside(const struct topic *t, enum said value)
{
	static const char places[] = " free cgroup /proc/meminfo memory.stat vmstat ";

	return t->kind == TOPIC_GROUP || word_is_among(t->name, places) ||
	       (value == SAID_ABOVE_MEMORY && !strcmp(t->name, "meminfo.MemTotal"));
}

static bool is_word_of_value(const char *word, enum said value)
{
	switch (value) {
	case SAID_NEGATIVE:
		return word_is_among(word, " negative below ") || word_size(word) < 0;
	case SAID_NONZERO:
		return word_denies(word) || word_size(word) > 0;
	case SAID_ABOVE_MEMORY:
		return is_of_memory(word) || word_size(word) > 0 || !strcmp(word, "exceeding");
	case SAID_UNLIMITED:
		return is_unlimited(word);
	case SAID_STAYS:
		return word_denies(word) || is_fall(word) || is_large(word) || word_stays(word) ||
		       word_is_among(word, " go goes going ");
	case SAID_STAYS_LOW:
		return word_denies(word) || is_growth(word) || word_size(word) < 0 ||
		       word_stays(word) || word_is_among(word, " up recover goes ");
	case SAID_GROWS:
		return is_growth(word) || is_large(word) || word_is_among(word, " up goes keeps ");
	case SAID_LARGE:
		return is_large(word);
	case SAID_SMALL:
		return word_size(word) < 0 && strcmp(word, "below") != 0;
	default:
		return false;
	}
}

/* A number of the sentence, whose value the sentence may say. */
struct subject {
	const struct topics *names;
	const struct topic *number;
	enum said value;
};

/* True for "free" that is not the program: in "hugepages free" it is a part of another name. */
static bool is_state(const struct sentence *s, size_t at)
{
	static const char before[] = " in of from on by with does ";
	static const char after[] = " show shows says reports output command column ";

	return !strcmp(s->of[at], "free") && at && !word_is_among(s->of[at - 1], before) &&
	       !(at + 1 < s->nr && (word_is_among(s->of[at + 1], after) || *s->of[at + 1] == '-'));
}

/* True for a word that is a part of the number's name, of another name of it, or of its place. */
static bool is_subject(const struct subject *of, unsigned named)
{
	const struct topic *t = named && named <= of->names->nr ? &of->names->of[named - 1] : NULL;
	const char *one = t ? relation_quantity(t) : NULL, *other = relation_quantity(of->number);

	return t && (t == of->number || is_beside(t, of->value) ||
		     (one && other && !strcmp(one, other)));
}

/* True if the row says something about the word, or the word changes nothing. */
static bool row_allows(size_t row, const struct sentence *s, size_t at, const struct subject *of)
{
	const char *word = s->of[at];
	const char *with = questions[row].with;

	while (*with == '+') {
		size_t len = strcspn(with, " ");

		if (word_is_of_group(word, with + 1, len - 1))
			return true;
		with += len + (with[len] == ' ');
	}
	if ((is_subject(of, s->named[at]) && !is_state(s, at)) || is_zero(s, at) ||
	    word_is_of_group(word, with, strlen(with)))
		return true;
	if (s->named[at] && !word_says_nothing(word) && !is_word_of_value(word, of->value))
		return false;
	if (is_word_of_value(word, of->value))
		return true;
	if (word_turns_like(word, "but") || word_is_turn(word) || word_alters(word) ||
	    word_size(word) || (word_contrasts(word) && strcmp(word, "than") != 0) ||
	    is_growth(word) || is_fall(word) || is_unlimited(word) || sentence_turns_at(s, at))
		return false;
	return word_is_loose(word) || word_is_program(word);
}

/* True if the sentence has a word of each group of the row that begins with '+'. */
static bool has_required(const char *with, const struct sentence *s)
{
	char group[256];

	while (list_next(&with, " ", group, sizeof(group))) {
		bool has = *group != '+';

		for (size_t i = 0; i < s->nr && !has; i++)
			has = word_is_of_group(s->of[i], group + 1, strlen(group + 1));
		if (!has)
			return false;
	}
	return true;
}

static bool row_fits(size_t row, const struct sentence *s, const struct subject *of)
{
	if (!has_required(questions[row].with, s))
		return false;
	for (size_t i = 0; i < s->nr; i++)
		if (!row_allows(row, s, i, of))
			return false;
	return true;
}

static const struct question *row_of(const char *quantity, enum said value,
				     const struct sentence *s, const struct subject *of)
{
	for (size_t i = 0; quantity && i < ROWS; i++)
		if (rows[i].value == value && list_has(rows[i].quantity, "|", quantity) &&
		    row_fits(i, s, of))
			return &questions[i];
	return NULL;
}

static const struct question *why_of(const struct sentence *s, const struct subject *of)
{
	const char *quantity = relation_quantity(of->number);
	const struct question *q = row_of(quantity, of->value, s, of);

	if (!q && of->value == SAID_GROWS)
		q = row_of(quantity, SAID_LARGE, s, of);
	return q ? q : row_of(class_of(of->number), of->value, s, of);
}

/* True if the sentence says more than a label and its value: "Dirty: 0 kB". */
static bool says_more(const struct sentence *s)
{
	static const char
		says[] = " is are be shows show says shown stays stay stuck always gets keeps not ";

	for (size_t i = 0; i < s->nr; i++)
		if (word_is_among(s->of[i], says) || is_growth(s->of[i]) || is_large(s->of[i]))
			return true;
	if (sentence_has(s, "meaning") || sentence_has(s, "mean"))
		return true;
	return sentence_asks(s) != ASKS_ANY || is_negative(s) || sentence_evaluates(s);
}

static bool asks_for_value(const struct sentence *s)
{
	enum asks asks = sentence_asks(s);

	return asks != ASKS_ACT && asks != ASKS_AMOUNT && asks != ASKS_MANNER &&
	       asks != ASKS_WHICH && asks != ASKS_WHERE && asks != ASKS_WHEN;
}

const struct question *said_question(const struct sentence *s, const struct topics *names)
{
	struct subject of = { names, NULL, sentence_says(s) };
	const struct question *q = NULL;

	if (of.value == SAID_NOTHING || s->cut || !asks_for_value(s) || !says_more(s))
		return NULL;
	for (size_t i = 0; i < names->nr && !q; i++) {
		of.number = &names->of[i];
		q = is_beside(of.number, of.value) ? NULL : why_of(s, &of);
	}
	return q;
}
