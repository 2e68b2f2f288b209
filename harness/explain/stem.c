// SPDX-License-Identifier: MIT
/* Splits texts into words, and reduces these to stems. */
#include "stem.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* A table rather than strcspn(3): the texts of all questions are read for each sentence. */
static bool is_between(char c)
{
	switch (c) {
	case ' ':
	case '\t':
	case '\n':
	case '|':
	case ',':
	case ':':
	case ';':
	case '?':
	case '!':
	case '"':
	case '(':
	case ')':
	case '[':
	case ']':
	case '=':
	case '+':
	case '~':
		return true;
	default:
		return false;
	}
}

static size_t word_length(const char *text)
{
	size_t len = 0;

	while (text[len] && !is_between(text[len]))
		len++;
	return len;
}

const char *stem_word_begin(const char *text)
{
	while (is_between(*text))
		text++;
	return text;
}

const char *stem_word_end(const char *text)
{
	return text + word_length(text);
}

bool stem_next_word(const char **text, char word[STEM_SIZE])
{
	const char *p = stem_word_begin(*text);
	size_t len = word_length(p), n = len < STEM_SIZE ? len : STEM_SIZE - 1;

	*text = p + len;
	while (n && strchr(".'`", p[n - 1]))
		n--;
	for (size_t i = 0; i < n; i++)
		word[i] = (char)tolower((unsigned char)p[i]);
	word[n] = '\0';
	return len > 0;
}

static bool has_vowel(const char *word, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (strchr("aeiouy", word[i]))
			return true;
	return false;
}

/* Removes an ending if a word with a vowel is left. */
static bool cut(char *word, const char *end)
{
	enum { LEFT_LEAST = 3 };
	size_t len = strlen(word), n = strlen(end);

	if (len < n + LEFT_LEAST || strcmp(word + len - n, end) || !has_vowel(word, len - n))
		return false;
	word[len - n] = '\0';
	return true;
}

/* "dropp" of "dropped" becomes "drop", but "fall" and "miss" stay. */
static void undouble(char *word)
{
	size_t len = strlen(word);

	if (len > 3 && word[len - 1] == word[len - 2] && !strchr("aeiouls", word[len - 1]))
		word[len - 1] = '\0';
}

static bool is_name(const char *word)
{
	return strpbrk(word, "_/.0123456789%") != NULL;
}

void stem_of(const char *word, char stem[STEM_SIZE])
{
	snprintf(stem, STEM_SIZE, "%.*s", STEM_SIZE - 1, word);
	*strchrnul(stem, '\'') = '\0'; /* "process's", "MADV_FREE'd" */
	if (is_name(stem))
		return;
	if (cut(stem, "ies"))
		strcat(stem, "y");
	else if (cut(stem, "sses"))
		strcat(stem, "ss");
	else if (strlen(stem) > 3 && stem[strlen(stem) - 2] != 's')
		cut(stem, "s");
	if (cut(stem, "ing") || cut(stem, "ed"))
		undouble(stem);
	cut(stem, "e");
}

bool stem_next(const char **text, char stem[STEM_SIZE])
{
	char word[STEM_SIZE];

	if (!stem_next_word(text, word))
		return false;
	stem_of(word, stem);
	return true;
}

bool stems_have(const struct stems *s, const char *stem)
{
	for (size_t i = 0; i < s->nr; i++)
		if (*s->of[i] == *stem && !strcmp(s->of[i], stem))
			return true;
	return false;
}

static void add_stem(struct stems *s, const char *stem)
{
	if (s->nr < STEMS_MOST && !stems_have(s, stem))
		strcpy(s->of[s->nr++], stem);
}

static bool row_has(const char *row, const char *stem)
{
	char one[STEM_SIZE];

	while (*(row = stem_word_begin(row))) {
		if (*row != *stem)
			row = stem_word_end(row);
		else if (stem_next(&row, one) && !strcmp(one, stem))
			return true;
	}
	return false;
}

void stems_of_word(struct stems *s, const char *word)
{
	static const char *const rows[] = {
#include "synonyms.def"
	};
	char own[STEM_SIZE], one[STEM_SIZE];

	s->nr = 0;
	stem_of(word, own);
	add_stem(s, own);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const char *row = rows[i];

		if (!row_has(row, own))
			continue;
		while (stem_next(&row, one))
			add_stem(s, one);
	}
}

bool words_are_alike(const char *one, const char *other)
{
	struct stems s;
	char stem[STEM_SIZE];

	stems_of_word(&s, one);
	stem_of(other, stem);
	return stems_have(&s, stem);
}
