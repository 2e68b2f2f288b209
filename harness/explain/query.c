// SPDX-License-Identifier: MIT
/*
 * Interprets what was typed, step by step: as a name, as a variant of a name ("/proc/12/smaps",
 * "pages", "what is RSS?"), as a kernel, as a question, as a misspelt name.
 */
#include "query.h"
#include "asks.h"
#include "field.h"
#include "machine/numbers.h"
#include "pageflags.h"
#include "parts.h"
#include "query_private.h"
#include "question_words.h"
#include "rank.h"
#include "sentence.h"
#include "typo.h"
#include "wrapped.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- a kernel ---- */

/*
 * Recognizes a kernel, "6.1", "linux 6.12.43", "kernel 5.10.0-46-amd64" or "v6.1", and writes its
 * release.
 */
static bool is_kernel(const char *text, char *release)
{
	static const char *const before[] = { "linux ", "kernel ", "linux-", "v", "version " };
	const char *p = text;
	size_t digits;

	for (size_t i = 0; i < sizeof(before) / sizeof(*before); i++)
		if (!strncasecmp(p, before[i], strlen(before[i])))
			p += strlen(before[i]);
	digits = strspn(p, "0123456789");
	if (!digits || digits > 2 || p[digits] != '.' || !isdigit((unsigned char)p[digits + 1]) ||
	    strchr(p, ' '))
		return false;
	snprintf(release, RELEASE_SIZE, "%.*s", RELEASE_SIZE - 1, p);
	return true;
}

/* ---- a sentence ---- */

enum { NEAR_WORDS = 3 };

/*
 * True if the sentence asks for the meaning of a name ("process_resident_memory_bytes prometheus
 * meaning"), not of a value ("what does 1.2g mean").
 */
static bool asks_meaning(const struct sentence *s)
{
	bool asks = false;

	for (size_t i = 0; i < s->nr; i++) {
		if (word_is_amount(s->of[i]))
			return false;
		asks |= word_asks_meaning(s->of[i]);
	}
	return asks;
}

/*
 * True for "process_resident_memory_bytes prometheus", which is only a number's name and a program,
 * beside a question whose text does not have that name.
 */
static bool is_name_of_other(const struct question *asked, const struct sentence *s)
{
	bool other = false;

	for (size_t i = 0; i < s->nr; i++) {
		if (!s->named[i] && !word_is_program(s->of[i]) && !word_is_background(s->of[i]))
			return false;
		other |= s->named[i] && strchr(s->of[i], '_') &&
			 !word_is_in_text(s->of[i], asked->asks) &&
			 !word_is_in_text(s->of[i], asked->answer);
	}
	return other;
}

/* True for "buff/cache high, available low": it compares two numbers. */
static bool says_two_sizes(const struct sentence *s)
{
	bool large = false, small = false;

	for (size_t i = 0; i < s->nr; i++) {
		large |= word_size(s->of[i]) > 0;
		small |= word_size(s->of[i]) < 0;
	}
	return large && small;
}

/*
 * Returns the question that the sentence asks, or NULL. Returns NULL if the sentence asks for the
 * meaning of a name, but the question that it asks is not about a meaning.
 */
static const struct question *asked_question(const struct query *q, const struct sentence *s)
{
	const struct question *asked = question_for(s);

	if (asked && q->relation[0] && says_two_sizes(s) && !question_title_contrasts(asked))
		return NULL;
	return asked && q->kind == QUERY_SPELLING && !asked->of_meaning &&
			       (asks_meaning(s) || is_name_of_other(asked, s))
		       ? NULL
		       : asked;
}

/*
 * True if the rank may answer: no single name does, and the sentence does not only ask what its
 * names mean, which are all known.
 */
static bool may_rank(const struct query *q, const struct sentence *s)
{
	enum asks asks = sentence_asks(s);

	return q->kind == QUERY_NONE ||
	       (q->kind == QUERY_NEAR &&
		(q->unknown[0] || !q->found.nr || (asks != ASKS_ANY && asks != ASKS_WHAT)));
}

/*
 * True if the relation of two names answers "does MADV_FREE lower RSS" or "ps rss vs top RES", and
 * the question leaves a word of it out.
 */
static bool relation_is_better(const struct query *q, const struct sentence *s)
{
	if (!q->relation[0] || q->kind != QUERY_WORDS ||
	    (sentence_asks(s) != ASKS_WHETHER && !sentence_compares(s)))
		return false;
	for (size_t i = 0; i < s->nr; i++)
		if (question_leaves(q->question, s, i) ||
		    query_question_leaves(q->question, s, i) ||
		    query_question_unsaid(q->question, s, i))
			return true;
	return false;
}

/*
 * Finds the question of a sentence: the one that it asks, else the one that shares most with it.
 * Marks the words that the answer leaves out.
 */
static void find_question(struct query *q, struct sentence *s)
{
	struct sentence marked = *s;

	q->question = asked_question(q, s);
	if (q->question && relation_is_better(q, s))
		q->question = NULL;
	if (!q->question && q->said) {
		q->question = q->said;
		q->by_rank = true;
		for (size_t i = 0; i < s->nr; i++)
			s->unknown[i] = false;
	}
	if (!q->question && may_rank(q, s)) {
		q->question = question_by_rank(&marked);
		if (q->question)
			*s = marked;
		q->by_rank = q->question != NULL;
	}
}

/*
 * Marks a sentence about another system, where the words have another meaning: "freebsd wired
 * memory".
 */
static void mark_system(struct query *q, const struct sentence *s)
{
	for (size_t i = 0; i < s->nr; i++) {
		if (!word_is_other_system(s->of[i]) || !s->unknown[i])
			continue;
		snprintf(q->system, sizeof(q->system), "%s", s->of[i]);
		q->kind = QUERY_NEAR;
		topics_free(&q->found);
		q->found = (struct topics) { NULL, 0 };
		q->nearest = NULL;
		q->nr_similar = 0;
		return;
	}
}

/*
 * Drops questions that are not about a meaning, because a pasted line of a tool can only ask what
 * its label means.
 */
static void keep_meanings(struct query *q)
{
	size_t kept = 0;

	for (size_t i = 0; i < q->nr_similar; i++)
		if (q->similar[i]->of_meaning)
			q->similar[kept++] = q->similar[i];
	q->nr_similar = kept;
	if (q->nearest && !q->nearest->of_meaning)
		q->nearest = NULL;
	if (q->question && !q->question->of_meaning)
		q->question = NULL;
	if (q->kind == QUERY_NEAR && !q->found.nr && !kept && !q->nearest)
		q->kind = QUERY_NONE;
}

/*
 * True for a label that other tools print, too, and that is not a line of /proc/meminfo:
 * "Available", but not "Active".
 */
static bool is_any_tools(const char *label)
{
	char lower[LABEL_SIZE];

	snprintf(lower, sizeof(lower), "%.*s", LABEL_SIZE - 1, label);
	for (char *p = lower; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	return word_is_common_name(lower) &&
	       machine_by_key(MACHINE_MEMINFO, label, strlen(label), MACHINE_NONE) == MACHINE_NONE;
}

/*
 * Drops what a pasted label cannot mean: cases, facts, and lines of memory.stat, which has bytes
 * and no colon ("active_anon:12kB" is a line of the kernel's log). Returns false if nothing else
 * was found.
 */
static bool keep_lines(struct query *q)
{
	static const char file[] = "memory.stat";
	struct topics *found = &q->found;
	size_t kept = 0, all = found->nr;

	for (size_t i = 0; i < all; i++)
		if (found->of[i].kind != TOPIC_CASE && found->of[i].kind != TOPIC_FACT &&
		    (strncmp(found->of[i].name, file, strlen(file)) != 0 ||
		     found->of[i].name[strlen(file)] != ' '))
			found->of[kept++] = found->of[i];
	found->nr = kept;
	if (kept && !strncmp(q->taken_for, file, strlen(file)))
		snprintf(q->taken_for, sizeof(q->taken_for), "%s", found->of[0].name);
	return kept || !all;
}

/*
 * For pasted lines of a tool, such as "Lost RAM: 287,420K": only a whole label may be a name,
 * because a word of a label is not what the tool counts.
 */
static int keep_to_labels(struct query *q, const struct topics *all, const char *text)
{
	char of[LABELS_MOST][LABEL_SIZE];
	size_t nr = text_labels(text, of);
	bool are_names = !nr || keep_lines(q);

	for (size_t i = 0; i < nr && are_names; i++) {
		struct topic t;

		if (is_any_tools(of[i]))
			are_names = false;
		else if (strchr(of[i], ' ') && name_of_words(all, of[i], &t, &are_names))
			return -1;
	}
	if (!are_names) {
		topics_free(&q->found);
		q->found = (struct topics) { NULL, 0 };
		q->kind = QUERY_NEAR;
		q->relation[0] = '\0';
	}
	if (nr)
		keep_meanings(q);
	return 0;
}

/* Marks a sentence whose names are not about main memory: "df shows the disk full". */
static void mark_outside(struct query *q)
{
	if (q->kind != QUERY_NEAR || !q->found.nr || (q->nearest && (q->explained || q->nearly)))
		return;
	for (size_t i = 0; i < q->found.nr; i++)
		if (q->found.of[i].kind != TOPIC_FIGURE || !q->found.of[i].figure->outside)
			return;
	q->outside = true;
	q->explained = false;
	q->nearly = false;
	q->nearest = NULL;
	q->nr_similar = 0;
}

/*
 * True for a place where numbers are read, such as "sar" or "/proc/vmstat". It seldom changes what
 * is asked.
 */
static bool says_where(const struct topics *all, const char *word)
{
	/* All other programs and files are groups. */
	struct topics found = { NULL, 0 };
	bool is = strchr(word, '/') || word_is_among(word, " free meminfo sar vmstat ");

	if (!is && topics_find(&found, all, word) == 0 && found.nr)
		is = found.of[0].kind == TOPIC_GROUP;
	topics_free(&found);
	return is;
}

/*
 * False for "does X ...", "when ..." and "why ..." beside a title like "How is X emptied?", which
 * tells what to do.
 */
static bool asks_for_same(const struct question *q, const struct sentence *s)
{
	enum asks asks = sentence_asks(s), of_title;
	struct sentence title;

	sentence_split(&title, q->asks);
	of_title = sentence_asks(&title);
	return (of_title != ASKS_ACT && of_title != ASKS_MANNER) ||
	       (asks != ASKS_WHETHER && asks != ASKS_WHEN &&
		(asks != ASKS_CAUSE || title.nr < 2 || strcmp(title.of[1], "is") != 0)) ||
	       sentence_evaluates(s);
}

static bool is_after_in(const struct sentence *s, size_t at)
{
	return at && word_is_among(s->of[at - 1], " in of ");
}

/*
 * Lists the words of a sentence that its question leaves out, as in "default kubelet eviction
 * threshold". If one of them makes it another question ("kubectl top differs from free"), this one
 * is only the nearest.
 */
static void mark_left_out(struct query *q, const struct topics *all, struct sentence *s)
{
	bool contrasts = sentence_contrasts(s), other = !asks_for_same(q->question, s);

	for (size_t i = 0; i < s->nr; i++) {
		bool leaves = question_leaves(q->question, s, i) && !word_evaluates(s->of[i]);
		bool where = leaves && says_where(all, s->of[i]);
		bool matters = query_question_leaves(q->question, s, i) ||
			       (where && contrasts && !is_after_in(s, i));

		s->unknown[i] = matters || (leaves && !where) ||
				query_question_unsaid(q->question, s, i);
		other |= matters;
	}
	query_list_unknown(s, q->unknown, sizeof(q->unknown));
	if (!other)
		return;
	q->kind = QUERY_NEAR;
	q->nearest = q->question;
	q->question = NULL;
	q->nr_similar = 0;
	q->relation[0] = '\0';
	topics_free(&q->found);
}

/* Keeps only the question that the rank has found, and lists the words that it leaves out. */
static void show_question_alone(struct query *q, struct sentence *s)
{
	for (size_t i = 0; i < s->nr; i++)
		s->unknown[i] |= query_question_unsaid(q->question, s, i);
	query_list_unknown(s, q->unknown, sizeof(q->unknown));
	topics_free(&q->found);
	q->found = (struct topics) { NULL, 0 };
	q->nearest = NULL;
	q->nr_similar = 0;
}

/* Names the words without which the nearest question is another one. */
static void name_unsaid(struct query *q, struct sentence *s)
{
	if (!q->explained || !q->nearest)
		return;
	for (size_t i = 0; i < s->nr; i++)
		s->unknown[i] = query_question_unsaid(q->nearest, s, i);
	q->nearly = query_list_unknown(s, q->unknown, sizeof(q->unknown)) > 0;
	q->explained = !q->nearly;
}

/*
 * Takes a question that does not answer the whole sentence, but is about it. `s`: the words that it
 * leaves out are marked in it.
 */
static void take_nearest(struct query *q, const struct question *nearest, struct sentence *s)
{
	for (size_t i = 0; i < s->nr; i++)
		s->unknown[i] |= query_question_unsaid(nearest, s, i);
	query_list_unknown(s, q->unknown, sizeof(q->unknown));
	topics_free(&q->found);
	q->found = (struct topics) { NULL, 0 };
	q->kind = QUERY_NEAR;
	q->nearest = nearest;
	q->nearly = true;
	q->relation[0] = '\0';
}

/* Finds the question that a sentence is about, if nothing else answers the sentence. */
static void find_question_about(struct query *q, const struct sentence *s)
{
	struct sentence marked = *s, own = *s;
	const struct question *about;

	if ((q->kind != QUERY_NONE && q->kind != QUERY_NEAR) || q->explained || q->nearly ||
	    q->system[0] || q->outside)
		return;
	about = question_about(&marked);
	if (about)
		take_nearest(q, about, &marked);
	else if (q->nearest && !q->unknown[0] && question_fits_turns(q->nearest, s))
		take_nearest(q, q->nearest, &own);
	else if (!q->nearest && q->nr_similar && question_is_fit(q->similar[0], s))
		take_nearest(q, q->similar[0], &own);
}

static int interpret_sentence(struct query *q, struct sentence *s, const struct topics *all,
			      const char *text)
{
	const struct question *field;
	bool is_row = text_is_row(text);

	sentence_split(s, text);
	if (s->nr > 1 && !is_row && typos_correct(s, all, q->read_as, sizeof(q->read_as)))
		return -1;
	if (query_split_slashes(s, all) || (s->nr > 1 && query_find_words(q, all, s)))
		return -1;
	/* "available 1011248" may be a line of any tool. */
	if (s->nr == 2 && q->kind == QUERY_SPELLING && word_is_common_name(s->of[0]) &&
	    isdigit((unsigned char)s->of[1][0]) && word_is_amount(s->of[1]))
		q->kind = QUERY_NEAR;
	/* The row has an unknown shape, and a name in it does not explain its numbers. */
	if (is_row && (q->kind == QUERY_SPELLING || q->kind == QUERY_WORDS))
		q->kind = QUERY_NEAR;
	if (q->kind == QUERY_NONE || q->kind == QUERY_NEAR)
		q->nr_similar = questions_similar(s, q->similar);
	if (q->nr_similar)
		q->kind = QUERY_NEAR;
	q->nearest = q->kind == QUERY_NONE || q->kind == QUERY_NEAR ? question_nearest(s) : NULL;
	if (q->nearest)
		q->kind = QUERY_NEAR;
	q->question = field = is_row ? NULL : field_for(s);
	if (!is_row && !field)
		find_question(q, s);
	if (keep_to_labels(q, all, text))
		return -1;
	if (q->question) {
		q->kind = QUERY_QUESTION;
		q->unknown[0] = '\0';
		if (q->by_rank)
			show_question_alone(q, s);
		else if (!field)
			mark_left_out(q, all, s);
		return 0;
	}
	mark_system(q, s);
	if (q->kind == QUERY_NEAR && !is_row && !q->system[0])
		query_judge(q, s);
	mark_outside(q);
	name_unsaid(q, s);
	if (!is_row)
		find_question_about(q, s);
	return q->kind == QUERY_NONE && s->nr <= NEAR_WORDS
		       ? query_find_near(q, all, text, s->nr > 1)
		       : 0;
}

static int resolve_sentence(struct query *q, const struct topics *all, const char *text)
{
	struct topics none = { NULL, 0 };
	struct sentence s;
	int failed = interpret_sentence(q, &s, all, text);
	const struct question *answer = q->question ? q->question : q->nearest;

	if (!failed && s.nr > 1 && (answer || q->kind == QUERY_SPELLING))
		query_list_values(&s, answer, answer && !q->found.nr ? &none : &q->found, q->values,
				  sizeof(q->values));
	return failed;
}

/*
 * Takes a name and a whole number, "anon 734003200", as a line of memory.stat. Elsewhere the same
 * name means another number.
 */
static int find_stat_line(struct query *q, const struct topics *all, const char *text)
{
	enum { DIGITS_LEAST = 4 };
	size_t len = strspn(text, "abcdefghijklmnopqrstuvwxyz_"), skip = strspn(text + len, " \t");
	const char *number = text + len + skip;
	char name[TEXT_SIZE + 16];

	if (q->kind != QUERY_NONE || !len || !skip || strlen(number) < DIGITS_LEAST ||
	    strspn(number, "0123456789") < strlen(number))
		return 0;
	snprintf(name, sizeof(name), "memory.stat %.*s", (int)len, text);
	if (topics_find(&q->found, all, name))
		return -1;
	if (!q->found.nr)
		return 0;
	q->kind = QUERY_SPELLING;
	snprintf(q->taken_for, sizeof(q->taken_for), "%s", q->found.of[0].name);
	return 0;
}

/* Only numa_maps prints "anon=" and "dirty=". */
static int find_numa_word(struct query *q, const struct topics *all, const char *text)
{
	size_t len = strlen(text);
	char name[TEXT_SIZE + 16];

	if (len < 2 || text[len - 1] != '=' || strchr(text, ' '))
		return 0;
	snprintf(name, sizeof(name), "numa_maps.%.*s", (int)len - 1, text);
	if (topics_find(&q->found, all, name))
		return -1;
	if (q->found.nr)
		q->kind = QUERY_NAME;
	return 0;
}

static int find_value(struct query *q, const struct topics *all, const char *text)
{
	bool is;

	if (pageflags_decode(all, text, &q->found, &is, q->relation, sizeof(q->relation)))
		return -1;
	if (is)
		q->kind = QUERY_WORDS;
	return 0;
}

static int resolve(struct query *q, const struct topics *all, const char *text)
{
	char trimmed[TEXT_SIZE];

	*q = (struct query) { .kind = QUERY_NONE };
	copy_text(trimmed, text, strlen(text));
	query_trim(trimmed);
	if (!trimmed[0])
		return 0;
	q->nr_rows = rows_find(text, q->rows);
	if (q->nr_rows)
		q->kind = QUERY_ROW;
	else if (find_numa_word(q, all, text) ||
		 (q->kind == QUERY_NONE && query_find_variant(q, all, text)) ||
		 find_stat_line(q, all, trimmed) ||
		 (q->kind == QUERY_NONE && find_value(q, all, trimmed)))
		return -1;
	if (q->kind != QUERY_NONE)
		return 0;
	if (is_kernel(trimmed, q->release)) {
		q->kind = QUERY_KERNEL;
		return 0;
	}
	q->question = question_for_line(trimmed);
	if (q->question) {
		q->kind = QUERY_QUESTION;
		return 0;
	}
	return resolve_sentence(q, all, trimmed);
}

/* If the text has a negative value that was printed as unsigned, asks about that value instead. */
int query_resolve(struct query *q, const struct topics *all, const char *text)
{
	if (text_has_wrapped(text))
		text = strcasestr(text, "hugepages_rsvd") ? "why is HugePages_Rsvd negative"
							  : "memory usage is negative";
	return resolve(q, all, text);
}

void query_free(struct query *q)
{
	topics_free(&q->found);
}
