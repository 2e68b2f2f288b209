// SPDX-License-Identifier: MIT
/* Finds the field of /proc/PID/stat or statm that a sentence asks for by its number. */
#include "field.h"
#include "question_words.h"
#include "sentence.h"
#include <stdio.h>
#include <string.h>

#define FIELD(file, number, name, is, look_up)                         \
	{ "What is field " number " of /proc/PID/" file ", " name "?", \
	  file " " number,                                             \
	  "",                                                          \
	  is,                                                          \
	  look_up,                                                     \
	  true },
#define STAT(...)  FIELD("stat", __VA_ARGS__)
#define STATM(...) FIELD("statm", __VA_ARGS__)
static const struct question fields[] = {
#include "fields.def"
};
#undef STATM
#undef STAT
#undef FIELD

const struct question *fields_all(size_t *nr)
{
	*nr = sizeof(fields) / sizeof(*fields);
	return fields;
}

/*
 * Returns the file's name for "stat", "/proc/PID/statm" or "/proc/[pid]/stat"; NULL for other words
 * and for "/proc/stat".
 */
static const char *file_of(const char *word)
{
	const char *last = strrchr(word, '/');
	const char *name = last ? last + 1 : word;

	if (!strcmp(word, "/proc/stat"))
		return NULL;
	return word_is_among(name, " stat statm ") ? name : NULL;
}

/* Returns "3" for "third"; NULL for a word that the table does not have. */
static const char *ordinal(const char *word)
{
	static const struct {
		const char *word, *number;
	} table[] = {
		{ "first", "1" }, { "second", "2" }, { "third", "3" },   { "fourth", "4" },
		{ "fifth", "5" }, { "sixth", "6" },  { "seventh", "7" },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)
		if (!strcmp(table[i].word, word))
			return table[i].number;
	return NULL;
}

/*
 * Stores the number of "24", "24th", "third", "#24" or awk's "$24". Returns false for other words.
 */
static bool number_of_field(const char *word, char number[4])
{
	static const char *const ends[] = { "", "st", "nd", "rd", "th" };
	const char *p = ordinal(word) ? ordinal(word) : word + (*word == '#' || *word == '$');
	size_t digits = strspn(p, "0123456789");

	if (!digits || digits > 2)
		return false;
	snprintf(number, 4, "%.*s", (int)digits, p);
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		if (!strcmp(p + digits, ends[i]))
			return true;
	return false;
}

static bool names_field(const char *word)
{
	return word_is_among(
		word,
		" field fields column columns col number position entry value item awk cut -f word no ");
}

/*
 * True if the word at `at` says how many fields there are ("7 columns", "the 52 fields"), and so
 * asks for none of them.
 */
static bool counts_fields(const struct sentence *s, size_t at)
{
	static const char
		plural[] = " fields columns numbers entries values items words positions ";

	return at + 1 < s->nr && word_is_among(s->of[at + 1], plural) &&
	       s->of[at][strspn(s->of[at], "0123456789")] == '\0';
}

/*
 * True if each word that names no file or field either carries no meaning (word_says_nothing()) or
 * occurs in the question or its answer. Such words may follow a field's name: "in pages or kb".
 */
static bool answers_rest(const struct question *q, const struct sentence *s)
{
	for (size_t i = 0; i < s->nr; i++) {
		const char *word = s->of[i];
		char number[4];

		if (file_of(word) || number_of_field(word, number) || names_field(word) ||
		    word_says_nothing(word) || !strcmp(word, "proc") || !strncmp(word, "/proc/", 6))
			continue;
		if (word_is_turn(word) ||
		    (!word_is_in_text(word, q->answer) && !word_is_in_text(word, q->asks)))
			return false;
	}
	return true;
}

const struct question *field_for(const struct sentence *s)
{
	const char *file = NULL;
	char number[4] = "", other[4], key[16];
	bool is_field = false;

	for (size_t i = 0; i < s->nr; i++) {
		const char *word = s->of[i];

		/* "the first 3 fields" */
		if (counts_fields(s, i) || (ordinal(word) && counts_fields(s, i + 1)))
			continue;
		if (file_of(word))
			file = file_of(word);
		else if (!number[0] && number_of_field(word, number))
			is_field |= word[strlen(number)] || *word == '$';
		else if (number_of_field(word, other) && strcmp(other, number))
			return NULL; /* "fields 14 and 15" */
		else if (names_field(word))
			is_field = true;
	}
	if (!file || !is_field)
		return NULL;
	snprintf(key, sizeof(key), "%s %s", file, number);
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++)
		if (!strcmp(fields[i].words, key) && answers_rest(&fields[i], s))
			return &fields[i];
	return NULL;
}
