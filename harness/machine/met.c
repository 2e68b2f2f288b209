// SPDX-License-Identifier: MIT
/* A set of identifiers, as a hash table. */
#include "met.h"
#include "base/memory.h"
#include <stdlib.h>

enum { ROOM = 256 };

struct met *met_begin(void)
{
	struct met *m = calloc(1, sizeof(*m));

	if (!m)
		memory_gone("a set of counted objects");
	return m;
}

void met_free(struct met *m)
{
	if (m)
		free(m->of);
	free(m);
}

static struct met_one *find(struct met *m, uint64_t id)
{
	size_t at = (size_t)(id * 0x9e3779b97f4a7c15ULL >> 20) & (m->room - 1);

	while (m->of[at].id && m->of[at].id != id)
		at = (at + 1) & (m->room - 1);
	return &m->of[at];
}

static void grow(struct met *m)
{
	struct met old = *m;

	m->room = old.room ? 2 * old.room : ROOM;
	m->of = calloc(m->room, sizeof(*m->of));
	if (!m->of)
		memory_gone("a set of counted objects");
	for (size_t i = 0; i < old.room; i++)
		if (old.of[i].id)
			*find(m, old.of[i].id) = old.of[i];
	free(old.of);
}

struct met_one *met_of(struct met *m, uint64_t id)
{
	struct met_one *one;

	if (2 * m->nr >= m->room)
		grow(m);
	one = find(m, id ? id : UINT64_MAX);
	m->nr += !one->id;
	one->id = id ? id : UINT64_MAX;
	return one;
}

bool met_add(struct met *m, uint64_t id)
{
	size_t before = m->nr;

	met_of(m, id);
	return m->nr > before;
}
