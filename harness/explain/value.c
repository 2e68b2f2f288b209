// SPDX-License-Identifier: MIT
/*
 * Finds the values of a sentence that its answer says nothing about: the 64gb of "min_free_kbytes
 * recommended value 64gb", the 2 of "ksm run 2".
 */
#include "query_private.h"
#include "sentence.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static size_t digits_of(const char *word)
{
	return strspn(word, "0123456789.");
}

/* True if a text has this number: "60" of "by default 60.", but not of "160". */
static bool text_has_number(const char *text, const char *number)
{
	size_t len = digits_of(number);

	for (const char *p = text; (p = strpbrk(p, "0123456789")); p += digits_of(p)) {
		size_t other = digits_of(p);

		while (other > 1 && p[other - 1] == '.')
			other--;
		if (other == len && !strncmp(p, number, len))
			return true;
	}
	return false;
}

/* True for the "2" of "order 2" or "kernel 6": it names something, and is no value. */
static bool is_number_of_name(const struct sentence *s, size_t at)
{
	static const char before[] =
		" kernel linux version exit code status order node zone cpu procps signal cgroup systemd python php bit avg top than ";

	return at && word_is_among(s->of[at - 1], before);
}

/* True if the sentence asks whether a value is right: "is 90% ok", "recommended value". */
static bool asks_for_value(const struct sentence *s)
{
	static const char listed[] = " recommended value values best optimal set should ";

	for (size_t i = 0; i < s->nr; i++)
		if (word_evaluates(s->of[i]) || word_is_among(s->of[i], listed))
			return true;
	return false;
}

/* True if one of the names is a setting of the kernel, in a file below /proc/sys or /sys. */
static bool names_setting(const struct topics *found)
{
	for (size_t i = 0; i < found->nr; i++) {
		const struct figure *f = found->of[i].kind == TOPIC_FIGURE ? found->of[i].figure
									   : NULL;

		if (f && f->from &&
		    (!strncmp(f->from, "/proc/sys/", strlen("/proc/sys/")) ||
		     !strncmp(f->from, "/sys/", strlen("/sys/"))))
			return true;
	}
	return false;
}

/* True if a question has the number, or is asked about any amount. */
static bool question_has_number(const struct question *q, const char *number)
{
	return text_has_number(q->asks, number) || text_has_number(q->words, number) ||
	       text_has_number(q->answer, number) || strstr(q->words, " *");
}

static bool some_text_has(const struct question *q, const struct topics *found, const char *number)
{
	if (q && (question_has_number(q, number) || strchr(q->words, '#')))
		return true;
	for (size_t i = 0; !q && i < found->nr; i++) {
		const struct figure *f = found->of[i].kind == TOPIC_FIGURE ? found->of[i].figure
									   : NULL;

		if (!f || text_has_number(f->is, number) || text_has_number(f->name, number) ||
		    (f->believe && text_has_number(f->believe, number)) ||
		    (f->is_not && text_has_number(f->is_not, number)))
			return true;
	}
	return false;
}

/* True for the 0 of "VSZ 0": it makes another question of one that is asked about any amount. */
static bool is_zero_left(const struct question *q, const char *word)
{
	return q && !strcmp(word, "0") && !question_has_number(q, word);
}

void query_list_values(const struct sentence *s, const struct question *q,
		       const struct topics *found, char *buf, size_t size)
{
	bool asked = asks_for_value(s) || names_setting(found);
	size_t len = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < s->nr; i++) {
		const char *word = s->of[i];
		bool left = is_zero_left(q, word) || (asked && !some_text_has(q, found, word));

		if (!left || !isdigit((unsigned char)*word) || !word_is_amount(word) ||
		    is_number_of_name(s, i) || len >= size)
			continue;
		len += (size_t)snprintf(buf + len, size - len, "%s'%s'", len ? ", " : "", word);
	}
}
