// SPDX-License-Identifier: MIT
/*
 * Reads the missing requirements, the tries and the remarks of a case. Older files lack these
 * members.
 */
#include "load_private.h"
#include <string.h>

static void try_load(const json_t *j, struct try *t)
{
	const char *verdict = json_string_value(json_object_get(j, "verdict"));
	const char *reason = json_string_value(json_object_get(j, "reason"));
	const json_t *cpu = json_object_get(j, "cpu");

	t->verdict = VERDICT_ERROR;
	for (enum verdict v = 0; v < VERDICT_COUNT; v++)
		if (verdict && !strcmp(verdict, verdict_name(v)))
			t->verdict = v;
	t->cpu = json_is_integer(cpu) ? (int)load_within(json_integer_value(cpu), -1, INT32_MAX)
				      : -1;
	load_words(reason ? reason : "", t->reason, sizeof(t->reason));
}

/*
 * Reads the missing requirements. An older file has only the reason in words, which contains "CPU"
 * if the case needs a second CPU.
 */
static void missing_load(const json_t *j, struct result *r)
{
	const json_t *list = json_object_get(j, "missing");

	if (!list && r->verdict == VERDICT_SKIP && strstr(r->reason, "CPU"))
		missing_add(&r->missing, MISSING_CPUS, "%s", r->reason);
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *thing = json_array_get(list, i);
		const char *id = json_string_value(json_object_get(thing, "id"));
		const char *what = json_string_value(json_object_get(thing, "what"));
		char words[160];

		load_words(what ? what : "", words, sizeof(words));
		missing_add(&r->missing, missing_by_name(id ? id : ""), "%s", words);
	}
}

void history_load(const json_t *j, struct result *r)
{
	const json_t *tries = json_object_get(j, "tries");
	const json_t *remarks = json_object_get(j, "remarks");

	missing_load(j, r);
	for (size_t i = 0; i < json_array_size(tries) && i < TRIES_KEPT; i++)
		try_load(json_array_get(tries, i), &r->tries[r->nr_tries++]);
	for (size_t i = 0; i < json_array_size(remarks) && i < REMARKS_MAX; i++) {
		const char *words = json_string_value(json_array_get(remarks, i));

		load_words(words ? words : "", r->remarks[r->nr_remarks++], REMARK_SIZE);
	}
}
