// SPDX-License-Identifier: MIT
/* The table of rules. */
#include <rssck/bug_id.h>
#include <rssck/rule.h>
#include <string.h>

/* TERMS(P, A, B) expands to PA, PB, for up to eight terms. */
#define T0(P)
#define T1(P, a)                                 P##a
#define T2(P, a, b)                              P##a, P##b
#define T3(P, a, b, c)                           T2(P, a, b), P##c
#define T4(P, a, b, c, d)                        T3(P, a, b, c), P##d
#define T5(P, a, b, c, d, e)                     T4(P, a, b, c, d), P##e
#define T6(P, a, b, c, d, e, f)                  T5(P, a, b, c, d, e), P##f
#define T7(P, a, b, c, d, e, f, g)               T6(P, a, b, c, d, e, f), P##g
#define T8(P, a, b, c, d, e, f, g, h)            T7(P, a, b, c, d, e, f, g), P##h
#define PICK(_0, a, b, c, d, e, f, g, h, n, ...) n
#define COUNT(...)                               PICK(_0, ##__VA_ARGS__, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define TERMS(P, ...)                            PICK(_0, ##__VA_ARGS__, T8, T7, T6, T5, T4, T3, T2, T1, T0)(P, ##__VA_ARGS__)
#define METRICS(...)                             TERMS(METRIC_, ##__VA_ARGS__)
#define BUGS(...)                                TERMS(BUG_, ##__VA_ARGS__)

#define IDENTITY(id, relation, left, right, bugs, words)                                  \
	[RULE_##id] = { #id,          words,       PLACE_PROCESS,    RELATION_##relation, \
			COUNT left,   COUNT right, { METRICS left }, { METRICS right },   \
			{ BUGS bugs } },
#define RULE(id, place, metrics, bugs, words)                                     \
	[RULE_##id] = { #id,           words, PLACE_##place,       RELATION_NONE, \
			COUNT metrics, 0,     { METRICS metrics }, { 0 },         \
			{ BUGS bugs } },

static const struct rule rules[RULE_COUNT] = {
	[RULE_NONE] = { "", "", PLACE_PROCESS, RELATION_NONE, 0, 0, { 0 }, { 0 }, { 0 } },
#include <rssck/rules.def>
};

const struct rule *rule(enum rule_id id)
{
	return &rules[id];
}

enum rule_id rule_by_name(const char *name)
{
	for (enum rule_id id = RULE_NONE + 1; id < RULE_COUNT; id++)
		if (!strcmp(rules[id].name, name))
			return id;
	return RULE_NONE;
}

unsigned rule_bug(enum rule_id id, size_t i)
{
	static const enum bug_id of_any[] = { BUG_PROT_NONE_HUGE, BUG_POISONED_IN_SMAPS };
	size_t own = 0;

	while (own < RULE_TERMS && rules[id].bugs[own] != BUG_NONE)
		own++;
	if (i < own)
		return rules[id].bugs[i];
	return i - own < sizeof(of_any) / sizeof(*of_any) ? of_any[i - own] : BUG_NONE;
}
