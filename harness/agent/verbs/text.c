// SPDX-License-Identifier: MIT
/* Prints and parses acts. */
#include "base/number.h"
#include "verbs.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

unsigned option_count(const char *list)
{
	unsigned n = 1;

	for (; list && *list; list++)
		n += *list == '|';
	return n;
}

const char *option_word(const char *list, unsigned number, char *buf, size_t size)
{
	for (; list && number; number--) {
		list = strchr(list, '|');
		list = list ? list + 1 : NULL;
	}
	snprintf(buf, size, "%.*s", list ? (int)strcspn(list, "|") : 0, list ? list : "");
	return buf;
}

static void add(char buf[ACT_TEXT], const char *word)
{
	size_t len = strlen(buf);

	if (*word)
		snprintf(buf + len, ACT_TEXT - len, "%s%s", len ? " " : "", word);
}

const char *act_print(const struct act *a, char buf[ACT_TEXT])
{
	const struct verb *v = &verbs[a->verb];
	char word[40];

	*buf = '\0';
	snprintf(word, sizeof(word), "p%u", a->process);
	add(buf, a->process ? word : "");
	add(buf, v->name);
	if (v->operands == OPERAND_PROCESS)
		snprintf(word, sizeof(word), "p%u", a->to);
	else if (v->operands & OPERAND_RANGE)
		snprintf(word, sizeof(word), "r%u %u..%u", a->region, a->first,
			 a->first + a->pages - 1);
	else
		*word = '\0';
	add(buf, word);
	add(buf, v->mode);
	if (v->operands & OPERAND_RANGE && v->operands & (OPERAND_REGION | OPERAND_PROCESS)) {
		snprintf(word, sizeof(word), "to %c%u", v->operands & OPERAND_REGION ? 'r' : 'p',
			 a->to);
		add(buf, word);
	}
	add(buf, option_word(v->options, a->option, word, sizeof(word)));
	return buf;
}

static const char *after_blanks(const char *p)
{
	while (isblank((unsigned char)*p))
		p++;
	return p;
}

/* If the text continues with these words, moves *p past them. */
static bool take_words(const char **p, const char *words)
{
	size_t len = strlen(words);

	if (strncmp(*p, words, len) || (len && (*p)[len] && !isblank((unsigned char)(*p)[len])))
		return false;
	*p = after_blanks(*p + len);
	return true;
}

/* Parses "r3" or "p1". The number must be below `most`. */
static bool take_numbered(const char **p, char letter, unsigned most, uint8_t *number)
{
	const char *digits = *p + 1;
	uint64_t value;

	if (**p != letter || !isdigit((unsigned char)*digits) ||
	    number_unsigned(&digits, digits + strlen(digits), &value) != NUMBER_OK ||
	    value >= most || (*digits && !isblank((unsigned char)*digits)))
		return false;
	*number = (uint8_t)value;
	*p = after_blanks(digits);
	return true;
}

static bool take_range(const char **p, struct act *a)
{
	const char *end = *p + strlen(*p);
	uint64_t first, last;

	if (number_unsigned(p, end, &first) != NUMBER_OK || strncmp(*p, "..", 2) != 0)
		return false;
	*p += 2;
	if (number_unsigned(p, end, &last) != NUMBER_OK || last < first || last >= ACT_REGION_PAGES)
		return false;
	a->first = (uint32_t)first;
	a->pages = (uint32_t)(last - first + 1);
	*p = after_blanks(*p);
	return true;
}

static bool take_option(const char **p, const struct verb *v, struct act *a)
{
	char word[40];

	for (unsigned i = 0; v->options && i < option_count(v->options); i++) {
		const char *at = *p;

		if (!take_words(&at, option_word(v->options, i, word, sizeof(word))) || *at)
			continue;
		*p = at;
		a->option = (uint8_t)i;
		return true;
	}
	return !v->options && !**p;
}

/* Parses the words after the verb's name. Returns false if they belong to another row. */
static bool parse_row(const struct verb *v, const char *p, struct act *a)
{
	if (v->operands == OPERAND_PROCESS)
		return take_numbered(&p, 'p', ACT_PROCESSES, &a->to) && !*p;
	if (v->operands & OPERAND_RANGE &&
	    (!take_numbered(&p, 'r', ACT_REGIONS, &a->region) || !take_range(&p, a)))
		return false;
	if (!take_words(&p, v->mode))
		return false;
	if (v->operands & OPERAND_REGION &&
	    (!take_words(&p, "to") || !take_numbered(&p, 'r', ACT_REGIONS, &a->to)))
		return false;
	if (v->operands & OPERAND_PROCESS &&
	    (!take_words(&p, "to") || !take_numbered(&p, 'p', ACT_PROCESSES, &a->to)))
		return false;
	return take_option(&p, v, a);
}

int act_parse(struct act *a, const char *text, char *why, size_t size)
{
	const char *p = after_blanks(text);
	bool named = false;

	*a = (struct act) { 0 };
	take_numbered(&p, 'p', ACT_PROCESSES, &a->process);
	for (size_t i = 0; i < nr_verbs; i++) {
		const char *rest = p;
		struct act row = { .process = a->process, .verb = (uint16_t)i };

		if (!take_words(&rest, verbs[i].name))
			continue;
		named = true;
		if (!parse_row(&verbs[i], rest, &row))
			continue;
		*a = row;
		return 0;
	}
	snprintf(why, size, named ? "\"%.60s\": wrong operands" : "\"%.60s\": unknown verb", text);
	return -1;
}
