// SPDX-License-Identifier: MIT
/* Tells by its question words what kind of question a sentence asks: "how do I" or "why". */
#include "asks.h"
#include "sentence.h"
#include <string.h>

static enum asks asks_how(const char *next, const char *after)
{
	static const char amounts[] = " much many large big small long often far fast ";
	static const char acts[] = " do to should must ";
	static const char people[] = " i we you one a ";

	if (!strcmp(next, "come"))
		return ASKS_CAUSE;
	if (word_is_among(next, amounts))
		return ASKS_AMOUNT;
	if (word_is_among(next, acts) || (word_is_among(after, people) && !strcmp(next, "can")))
		return ASKS_ACT;
	return ASKS_MANNER;
}

static enum asks asks_by_word(const struct sentence *s, size_t at)
{
	const char *word = s->of[at], *next = at + 1 < s->nr ? s->of[at + 1] : "";
	static const struct {
		const char *word;
		enum asks asks;
	} words[] = {
		{ "which", ASKS_WHICH }, { "who", ASKS_WHICH },  { WORD_WHO, ASKS_WHICH },
		{ "where", ASKS_WHERE }, { "what", ASKS_WHAT },  { "what's", ASKS_WHAT },
		{ "command", ASKS_ACT }, { "whats", ASKS_WHAT },
	};

	if (!strcmp(word, "how"))
		return asks_how(next, at + 2 < s->nr ? s->of[at + 2] : "");
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strcmp(words[i].word, word) && (words[i].asks != ASKS_ACT || !at))
			return words[i].asks;
	return ASKS_ANY;
}

enum asks sentence_asks(const struct sentence *s)
{
	static const char whether[] = " is are was does do did can could may must has should will ";
	enum asks asks = ASKS_ANY;

	if (sentence_has(s, "why") || sentence_has(s, "reason"))
		return ASKS_CAUSE;
	if (s->nr && !strcmp(s->of[0], "when"))
		return ASKS_WHEN;
	if (s->nr && word_is_among(s->of[0], whether))
		return ASKS_WHETHER;
	for (size_t i = 0; i < s->nr && asks == ASKS_ANY; i++)
		asks = asks_by_word(s, i);
	return asks;
}

bool asks_fit(enum asks sentence, enum asks title)
{
	static const bool other[][ASKS_WHAT + 1] = {
		[ASKS_CAUSE] = { [ASKS_MANNER] = true, [ASKS_WHETHER] = true, [ASKS_WHAT] = true },
		[ASKS_ACT] = { [ASKS_MANNER] = true, [ASKS_WHICH] = true },
		[ASKS_MANNER] = { [ASKS_CAUSE] = true,
				  [ASKS_ACT] = true,
				  [ASKS_WHETHER] = true,
				  [ASKS_WHAT] = true },
		[ASKS_AMOUNT] = { [ASKS_WHAT] = true, [ASKS_WHETHER] = true },
		[ASKS_WHETHER] = { [ASKS_CAUSE] = true,
				   [ASKS_WHICH] = true,
				   [ASKS_WHAT] = true,
				   [ASKS_WHEN] = true },
		[ASKS_WHICH] = { [ASKS_WHAT] = true, [ASKS_WHETHER] = true, [ASKS_ACT] = true },
		[ASKS_WHEN] = { [ASKS_WHAT] = true, [ASKS_CAUSE] = true },
		[ASKS_WHERE] = { [ASKS_WHICH] = true, [ASKS_WHAT] = true, [ASKS_CAUSE] = true },
		[ASKS_WHAT] = { [ASKS_CAUSE] = true,
				[ASKS_WHICH] = true,
				[ASKS_WHEN] = true,
				[ASKS_MANNER] = true,
				[ASKS_AMOUNT] = true,
				[ASKS_WHETHER] = true },
	};

	return sentence == ASKS_ANY || title == ASKS_ANY || sentence == title ||
	       other[sentence][title];
}
