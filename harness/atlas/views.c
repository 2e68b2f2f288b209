// SPDX-License-Identifier: MIT
#include "views.h"
#include "base/memory.h"
#include "look.h"
#include <inttypes.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>

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
		memory_gone("the texts of sequences");
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
		fprintf(t->out, "%" PRIx64 " %zu\n%.*s%c", hash, length, (int)length, text, '\0');
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
	       length < sizeof(text) && fread(text, 1, length, in) == length && !getc(in)) {
		text[length] = '\0';
		each(data, hash, text);
	}
}

static struct text_at *at_hash(const struct texts_index *x, uint64_t hash)
{
	size_t i = (size_t)(hash % x->room);

	while (x->of[i].hash && x->of[i].hash != hash)
		i = (i + 1) % x->room;
	return &x->of[i];
}

static void widen(struct texts_index *x)
{
	struct texts_index wider = *x;

	wider.room = x->room ? 2 * x->room : 4096;
	wider.of = calloc(wider.room, sizeof(*wider.of));
	if (!wider.of)
		memory_gone("the texts of sequences");
	for (size_t i = 0; i < x->room; i++)
		if (x->of[i].hash)
			*at_hash(&wider, x->of[i].hash) = x->of[i];
	free(x->of);
	*x = wider;
}

static void index_file(struct texts_index *x, const char *p, const char *end)
{
	while (p < end) {
		char *rest;
		uint64_t hash = strtoull(p, &rest, 16);
		size_t length = strtoul(rest, &rest, 10);

		if (2 * x->nr >= x->room)
			widen(x);
		x->nr += !at_hash(x, hash)->hash;
		*at_hash(x, hash) = (struct text_at) { hash, rest + 1 };
		p = rest + 1 + length + 1;
	}
}

void texts_index(struct texts_index *x, FILE *const *files, unsigned nr)
{
	*x = (struct texts_index) { .nr_maps = nr };
	x->maps = calloc(nr + 1U, sizeof(*x->maps));
	x->sizes = calloc(nr + 1U, sizeof(*x->sizes));
	if (!x->maps || !x->sizes)
		memory_gone("the texts of sequences");
	for (unsigned i = 0; i < nr; i++) {
		struct stat st;

		fflush(files[i]);
		if (fstat(fileno(files[i]), &st) < 0 || !st.st_size)
			continue;
		x->sizes[i] = (size_t)st.st_size;
		x->maps[i] = mmap(NULL, x->sizes[i], PROT_READ, MAP_SHARED, fileno(files[i]), 0);
		if (x->maps[i] == MAP_FAILED)
			memory_gone("the texts of sequences");
		index_file(x, x->maps[i], x->maps[i] + x->sizes[i]);
	}
}

const char *texts_find(const struct texts_index *x, uint64_t hash)
{
	return x->room && hash ? at_hash(x, hash)->text : NULL;
}

void texts_index_free(struct texts_index *x)
{
	for (size_t i = 0; i < x->nr_maps; i++)
		if (x->maps[i])
			munmap(x->maps[i], x->sizes[i]);
	free(x->maps);
	free(x->sizes);
	free(x->of);
}
