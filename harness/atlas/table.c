// SPDX-License-Identifier: MIT
#include "table.h"
#include "base/memory.h"
#include "look.h"
#include <stdlib.h>
#include <string.h>

static struct shown *place(const struct atlas_record *r, const char *words)
{
	size_t i = (size_t)(view_hash(words, strlen(words)) >> 1) % r->room;

	while (r->of[i].words && strcmp(r->of[i].words, words) != 0)
		i = (i + 1) % r->room;
	return &r->of[i];
}

static void grow(struct atlas_record *r)
{
	struct shown *old = r->of;
	size_t room = r->room;

	r->room = room ? 2 * room : 1 << 16;
	r->of = calloc(r->room, sizeof(*r->of));
	if (!r->of)
		memory_gone("a record");
	for (size_t i = 0; i < room; i++)
		if (old[i].words)
			*place(r, old[i].words) = old[i];
	free(old);
}

void table_add(struct atlas_record *r, const char *words, const char *text)
{
	struct shown *at;

	if (2 * r->nr >= r->room)
		grow(r);
	at = place(r, words);
	if (!at->words) {
		at->words = strdup(words);
		if (!at->words)
			memory_gone("a record");
		r->nr++;
	}
	at->text = text;
}

const struct shown *table_find(const struct atlas_record *r, const char *words)
{
	const struct shown *at = r->room ? place(r, words) : NULL;

	return at && at->words ? at : NULL;
}

void table_free(struct atlas_record *r)
{
	for (size_t i = 0; i < r->room; i++)
		free(r->of[i].words);
	free(r->of);
}
