// SPDX-License-Identifier: MIT
#include "views.h"
#include "base/memory.h"
#include "look.h"
#include <inttypes.h>
#include <stdlib.h>

/* Where the hash is, or would be. */
static size_t place(const struct texts *t, uint64_t hash)
{
	size_t i = (size_t)(hash % t->room);

	while (t->known[i] && t->known[i] != hash)
		i = (i + 1) % t->room;
	return i;
}

static void grow(struct texts *t)
{
	struct texts wider = { .room = t->room ? 2 * t->room : 4096, .nr = t->nr, .out = t->out };

	wider.known = calloc(wider.room, sizeof(*wider.known));
	if (!wider.known)
		memory_gone("what sequences have shown");
	for (size_t i = 0; i < t->room; i++)
		if (t->known[i])
			wider.known[place(&wider, t->known[i])] = t->known[i];
	free(t->known);
	*t = wider;
}

void texts_add(struct texts *t, uint64_t hash, const char *text, size_t length)
{
	size_t at;

	if (2 * t->nr >= t->room)
		grow(t);
	at = place(t, hash);
	if (t->known[at])
		return;
	t->known[at] = hash;
	t->nr++;
	if (t->out)
		fprintf(t->out, "%" PRIx64 " %zu\n%.*s", hash, length, (int)length, text);
}

void texts_free(struct texts *t)
{
	free(t->known);
	*t = (struct texts) { .nr = 0 };
}

void texts_each(FILE *in, void (*each)(void *data, uint64_t hash, const char *text), void *data)
{
	static char text[VIEW_TEXT + 1];
	uint64_t hash;
	size_t length;

	rewind(in);
	while (fscanf(in, "%" SCNx64 " %zu", &hash, &length) == 2 && getc(in) == '\n' &&
	       length < sizeof(text) && fread(text, 1, length, in) == length) {
		text[length] = '\0';
		each(data, hash, text);
	}
}
