// SPDX-License-Identifier: MIT
/* Decides which sentences of documents are true in a recorded run. */
#include "base/list.h"
#include "document.h"
#include "release.h"
#include <stdio.h>
#include <string.h>

#define SENTENCE(...) { __VA_ARGS__ },
static const struct sentence table[] = {
#include "documents.def"
};
#undef SENTENCE

const struct sentence *sentences_all(size_t *nr)
{
	*nr = sizeof(table) / sizeof(table[0]);
	return table;
}

const char *sentence_column(const char *tool, const char *name, char *buf, size_t size)
{
	size_t n = 0;

	snprintf(buf, size, "%s.%s", tool, name);
	for (const char *p = buf; *p; p++)
		if (*p != ' ')
			buf[n++] = *p;
	if (size)
		buf[n] = '\0';
	return buf;
}

const char *sentence_figure(const char *name, char *buf, size_t size)
{
	snprintf(buf, size, "%s", name);
	for (char *p = buf; *p; p++)
		*p = *p == ' ' ? '_' : *p;
	return buf;
}

bool sentence_is_about(const struct sentence *s, const char *name)
{
	return list_has(s->about, " ", name);
}

static int copy(char *to, size_t size, const char *from, size_t len)
{
	if (len == 0 || len >= size)
		return -1;
	memcpy(to, from, len);
	to[len] = '\0';
	return 0;
}

/* Parses "NAME=VALUE" or "NAME!=VALUE". */
static int comparison_parse(struct condition *c, const char *text, size_t len)
{
	const char *equals = memchr(text, '=', len);

	if (!equals || equals == text)
		return -1;
	c->is_not = equals[-1] == '!';
	return copy(c->name, sizeof(c->name), text, (size_t)(equals - text) - c->is_not) ||
			       copy(c->value, sizeof(c->value), equals + 1,
				    (size_t)(text + len - equals - 1))
		       ? -1
		       : 1;
}

int condition_next(const char **rule, struct condition *c)
{
	static const char *const prefixes[] = {
		[CONDITION_CASE] = "case:",   [CONDITION_NOT_CASE] = "not case:",
		[CONDITION_FACT] = "fact:",   [CONDITION_MODEL] = "model:",
		[CONDITION_SINCE] = "since:",
	};
	static const char joint[] = " and ";
	const char *text = *rule, *end = strstr(text, joint);
	size_t len = end ? (size_t)(end - text) : strlen(text);

	*c = (struct condition) { 0 };
	if (len == 0)
		return end ? -1 : 0;
	*rule = end ? end + strlen(joint) : text + len;
	if (end && !**rule)
		return -1;
	for (enum condition_kind k = CONDITION_CASE; k <= CONDITION_SINCE; k++) {
		size_t prefix = strlen(prefixes[k]);

		if (strncmp(text, prefixes[k], prefix))
			continue;
		c->kind = k;
		text += prefix;
		len -= prefix;
		if (k == CONDITION_FACT || k == CONDITION_MODEL)
			return comparison_parse(c, text, len);
		return copy(c->name, sizeof(c->name), text, len) ? -1 : 1;
	}
	return -1;
}

static enum verdict verdict_of(const struct results *r, const char *id)
{
	for (size_t i = 0; i < r->nr; i++)
		if (!strcmp(r->of[i].id, id))
			return r->of[i].verdict;
	return VERDICT_SKIP;
}

static const char *value_of(const struct results *r, const char *fact)
{
	for (size_t i = 0; i < r->nr; i++)
		for (size_t k = 0; k < r->of[i].nr_facts; k++)
			if (!strcmp(r->of[i].facts[k].name, fact))
				return r->of[i].facts[k].value;
	return NULL;
}

static const char *model_of(const struct results *r, const char *name)
{
	enum metric_id id = metric_by_name(name);
	enum model_kind kind = id == METRIC_NONE ? MODEL_ABSENT : r->models.of[id].kind;

	return kind == MODEL_ABSENT || kind == MODEL_UNKNOWN ? NULL : model_kind_name(kind);
}

static enum sentence_holds compare(const struct condition *c, const char *seen)
{
	if (!seen)
		return SENTENCE_UNKNOWN;
	return !strcmp(seen, c->value) != c->is_not ? SENTENCE_HOLDS : SENTENCE_FALSE;
}

static enum sentence_holds condition_judge(const struct condition *c, const struct results *r)
{
	enum verdict v;

	switch (c->kind) {
	case CONDITION_FACT:
		return compare(c, value_of(r, c->name));
	case CONDITION_MODEL:
		return compare(c, model_of(r, c->name));
	case CONDITION_CASE:
		v = verdict_of(r, c->name);
		if (v == VERDICT_PASS)
			return SENTENCE_HOLDS;
		return v == VERDICT_FAIL ? SENTENCE_FALSE : SENTENCE_UNKNOWN;
	case CONDITION_SINCE:
		return SENTENCE_HOLDS;
	case CONDITION_NOT_CASE:
		break;
	}
	return verdict_of(r, c->name) == VERDICT_PASS ? SENTENCE_FALSE : SENTENCE_UNKNOWN;
}

enum sentence_holds sentence_judge(const struct sentence *s, const struct results *r)
{
	enum sentence_holds all = SENTENCE_HOLDS;
	const char *rest = s->rule;
	struct condition c;
	int got;

	while ((got = condition_next(&rest, &c)) > 0) {
		enum sentence_holds one = condition_judge(&c, r);

		if (c.kind == CONDITION_SINCE && release_compare(r->kernel_release, c.name) < 0)
			return SENTENCE_UNKNOWN;
		if (one == SENTENCE_FALSE)
			return SENTENCE_FALSE;
		if (one == SENTENCE_UNKNOWN)
			all = SENTENCE_UNKNOWN;
	}
	return got < 0 ? SENTENCE_UNKNOWN : all;
}
