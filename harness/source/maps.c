// SPDX-License-Identifier: MIT
/* Reads /proc/PID/maps. Each of its lines is also the first line of a mapping's block in smaps. */
#include "parse.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool expect(const char **p, const char *end, char c)
{
	if (*p == end || **p != c)
		return false;
	++*p;
	return true;
}

static int field_fails(struct source_error *e, const char *field, enum number n)
{
	return source_fail(e, e->source, 0, "%s of a mapping %s", field, number_complaint(n));
}

static int parse_range(const char **p, const char *end, struct mapping *m, struct source_error *e)
{
	enum number n = number_hex(p, end, &m->start);

	if (n != NUMBER_OK || !expect(p, end, '-'))
		return field_fails(e, "start", n);
	n = number_hex(p, end, &m->end);
	if (n != NUMBER_OK || !expect(p, end, ' '))
		return field_fails(e, "end", n);
	if (m->end < m->start)
		return source_fail(e, e->source, 0, "a mapping ends before it starts");
	return 0;
}

static bool one_of(char c, const char *either)
{
	return c == either[0] || c == either[1];
}

static int parse_rights(const char **p, const char *end, struct mapping *m, struct source_error *e)
{
	const char *r = *p;

	if (end - r < 5 || !one_of(r[0], "r-") || !one_of(r[1], "w-") || !one_of(r[2], "x-") ||
	    !one_of(r[3], "sp") || r[4] != ' ')
		return source_fail(
			e, e->source, 0,
			"permissions of a mapping do not have the form [r-][w-][x-][sp]");
	m->readable = r[0] == 'r';
	m->writable = r[1] == 'w';
	m->executable = r[2] == 'x';
	m->shared = r[3] == 's';
	*p += 5;
	return 0;
}

static int parse_file(const char **p, const char *end, struct mapping *m, struct source_error *e)
{
	uint64_t major, minor;
	enum number n = number_hex(p, end, &m->offset);

	if (n != NUMBER_OK || !expect(p, end, ' '))
		return field_fails(e, "offset", n);
	n = number_hex(p, end, &major);
	if (n != NUMBER_OK || major > UINT32_MAX || !expect(p, end, ':'))
		return field_fails(e, "device", n);
	n = number_hex(p, end, &minor);
	if (n != NUMBER_OK || minor > UINT32_MAX || !expect(p, end, ' '))
		return field_fails(e, "device", n);
	n = number_unsigned(p, end, &m->inode);
	/* show_vma_header_prefix() prints a blank after the inode even if there is no name. */
	if (n != NUMBER_OK || !expect(p, end, ' '))
		return field_fails(e, "inode", n);
	m->dev_major = (unsigned)major;
	m->dev_minor = (unsigned)minor;
	return 0;
}

/*
 * The name is the rest of the line after the padding. The kernel prints a newline in a path as \012
 * and all other characters (blanks, ESC, " (deleted)") unchanged. No name begins with a blank.
 */
int mapping_parse(struct span line, struct mapping *m, struct span *name, struct source_error *e)
{
	const char *p = line.p;

	if (parse_range(&p, line.end, m, e) || parse_rights(&p, line.end, m, e) ||
	    parse_file(&p, line.end, m, e))
		return -1;
	*name = (struct span) { skip_blanks(p, line.end), line.end };
	return 0;
}

int maps_begin(struct maps_builder *b, size_t len, struct source_error *e)
{
	*b = (struct maps_builder) { .nr = 0 };
	/*
	 * Each string with its NUL is no longer than its part of the line with the newline, so
	 * `len` bytes are enough.
	 */
	b->strings = malloc(len + 1);
	if (!b->strings)
		return source_fail(e, e->source, ENOMEM, "is too large for memory");
	return 0;
}

const char *maps_keep(struct maps_builder *b, struct span text)
{
	char *kept = b->strings + b->used;

	if (text.p == text.end)
		return "";
	memcpy(kept, text.p, span_len(text));
	kept[span_len(text)] = '\0';
	b->used += span_len(text) + 1;
	return kept;
}

static int maps_reserve(struct maps_builder *b, struct source_error *e)
{
	size_t capacity = b->capacity ? b->capacity * 2 : 64;
	struct mapping *maps;

	if (b->nr < b->capacity)
		return 0;
	maps = reallocarray(b->maps, capacity, sizeof(*maps));
	if (!maps)
		return source_fail(e, e->source, ENOMEM, "is too large for memory");
	b->maps = maps;
	b->capacity = capacity;
	return 0;
}

struct mapping *maps_add(struct maps_builder *b, struct span line, struct source_error *e)
{
	struct mapping *m;
	struct span name;

	if (maps_reserve(b, e))
		return NULL;
	m = &b->maps[b->nr];
	memset(m, 0, sizeof(*m));
	m->flags = "";
	if (mapping_parse(line, m, &name, e))
		return NULL;
	m->name = maps_keep(b, name);
	b->nr++;
	return m;
}

int maps_some(const struct maps_builder *b, struct source_error *e)
{
	if (b->nr)
		return 0;
	return source_fail(e, e->source, 0, "is empty: a zombie or a kernel thread has no memory");
}

static void maps_replace(struct snapshot *s, struct mapping *maps, size_t nr, char *strings)
{
	free(s->maps);
	free(s->strings);
	s->maps = maps;
	s->nr_maps = nr;
	s->strings = strings;
}

void maps_finish(struct maps_builder *b, struct snapshot *s)
{
	maps_replace(s, b->maps, b->nr, b->strings);
}

void maps_drop(struct maps_builder *b, struct snapshot *s)
{
	free(b->maps);
	free(b->strings);
	maps_replace(s, NULL, 0, NULL);
}

static int maps_lines(struct lines l, struct maps_builder *b, struct source_error *e)
{
	struct span line;
	int more;

	while ((more = line_next(&l, &line)) > 0)
		if (!maps_add(b, line, e))
			return -1;
	if (more < 0)
		return source_fail(e, e->source, 0, "is cut off in line %zu", l.nr);
	return maps_some(b, e);
}

int maps_read(const char *data, size_t len, struct snapshot *s, struct source_error *e)
{
	struct maps_builder b;

	/* maps has no source id of its own, because no metric is read from it. */
	e->source = SOURCE_SMAPS;
	if (maps_begin(&b, len, e) || maps_lines((struct lines) { data, data + len, 0 }, &b, e)) {
		maps_drop(&b, s);
		return -1;
	}
	maps_finish(&b, s);
	return 0;
}
