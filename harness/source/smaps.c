// SPDX-License-Identifier: MIT
/*
 * Reads /proc/PID/smaps, which has a block for each mapping, and smaps_rollup, which has one block.
 * A block is a mapping's line, then lines of "Key: value".
 */
#include "parse.h"
#include <string.h>

_Static_assert(SMAPS_FIELDS <= 64, "smaps_have has a bit for each field");

/*
 * A field begins with a capital letter; a mapping's line begins with an address in lower-case hex.
 */
static bool is_field(struct span line)
{
	return line.p < line.end && *line.p >= 'A' && *line.p <= 'Z';
}

static bool is_vm_flags(struct span key)
{
	return span_len(key) == 7 && memcmp(key.p, "VmFlags", 7) == 0;
}

struct smaps_reader {
	struct maps_builder b;
	struct snapshot *s;
	struct source_error *e;
	enum metric_id hint;
	bool first_ended; /* the first mapping's block had a VmFlags line */
	bool ended;       /* the current mapping's block had a VmFlags line */
	bool is_gate;     /* the current mapping is the gate page */
};

/*
 * Adds a field to the sum over all mappings. The gate page is left out, because no counter of the
 * mm includes it.
 */
static int smaps_sum(struct smaps_reader *r, const struct mapping *m, enum metric_id id)
{
	struct values *v = &r->s->values;

	if (r->is_gate)
		return 0;
	v->have[id] = true;
	if (__builtin_add_overflow(v->of[id], mapping_smaps(m, id), &v->of[id]))
		return source_fail(r->e, SOURCE_SMAPS, 0, "the sum of %s is too large",
				   metric(id)->key);
	return 0;
}

static int smaps_field(struct smaps_reader *r, struct mapping *m, struct span key, struct span text)
{
	enum metric_id id = metric_by_key(SOURCE_SMAPS, key.p, span_len(key), r->hint);
	uint64_t bit;

	if (id == METRIC_NONE) {
		unknown_note(r->s, SOURCE_SMAPS, key, text);
		return 0;
	}
	r->hint = id + 1;
	bit = 1ULL << (id - METRIC_SMAPS_FIRST);
	if (m->smaps_have & bit)
		return source_fail(r->e, SOURCE_SMAPS, 0, "%s occurs twice in one mapping",
				   metric(id)->key);
	if (value_parse(text, id, &m->smaps[id - METRIC_SMAPS_FIRST], r->e))
		return -1;
	m->smaps_have |= bit;
	return smaps_sum(r, m, id);
}

static int smaps_line(struct smaps_reader *r, struct span line, size_t nr)
{
	struct mapping *m = r->b.nr ? &r->b.maps[r->b.nr - 1] : NULL;
	struct span key, text;

	if (!is_field(line)) {
		r->hint = METRIC_SMAPS_FIRST;
		r->ended = false;
		m = maps_add(&r->b, line, r->e);
		r->is_gate = m && mapping_is_gate(m);
		return m ? 0 : -1;
	}
	if (!line_split(line, &key, &text))
		return source_fail(r->e, SOURCE_SMAPS, 0, "line %zu has no colon", nr);
	if (!m)
		return source_fail(r->e, SOURCE_SMAPS, 0, "line %zu belongs to no mapping", nr);
	if (is_vm_flags(key)) {
		m->flags = maps_keep(&r->b, text);
		r->ended = true;
		r->first_ended |= r->b.nr == 1;
		return 0;
	}
	return smaps_field(r, m, key, text);
}

static int smaps_lines(struct smaps_reader *r, struct lines l)
{
	struct span line;
	int more;

	while ((more = line_next(&l, &line)) > 0)
		if (smaps_line(r, line, l.nr))
			return -1;
	if (more < 0)
		return source_fail(r->e, SOURCE_SMAPS, 0, "is cut off in line %zu", l.nr);
	/* show_smap() prints VmFlags as the last line of each block. */
	if (r->first_ended && !r->ended)
		return source_fail(r->e, SOURCE_SMAPS, 0,
				   "is cut off before VmFlags after line %zu", l.nr);
	return maps_some(&r->b, r->e);
}

int smaps_read(const char *data, size_t len, struct snapshot *s, struct source_error *e)
{
	struct smaps_reader r = { .s = s, .e = e, .hint = METRIC_SMAPS_SIZE };

	e->source = SOURCE_SMAPS;
	values_forget(&s->values, METRIC_SMAPS_FIRST, METRIC_SMAPS_LAST);
	if (maps_begin(&r.b, len, e) || smaps_lines(&r, (struct lines) { data, data + len, 0 })) {
		maps_drop(&r.b, s);
		values_forget(&s->values, METRIC_SMAPS_FIRST, METRIC_SMAPS_LAST);
		return -1;
	}
	maps_finish(&r.b, s);
	return 0;
}

static int rollup_field(struct span line, size_t nr, enum metric_id *hint, struct snapshot *s,
			struct source_error *e)
{
	struct span key, text;
	enum metric_id id;
	int64_t value;

	if (!is_field(line) || !line_split(line, &key, &text))
		return source_fail(e, SOURCE_ROLLUP, 0, "line %zu has no key and colon", nr);
	id = metric_by_key(SOURCE_ROLLUP, key.p, span_len(key), *hint);
	if (id == METRIC_NONE) {
		unknown_note(s, SOURCE_ROLLUP, key, text);
		return 0;
	}
	*hint = id + 1;
	if (value_parse(text, id, &value, e))
		return -1;
	return value_set(&s->values, id, value, e);
}

static int rollup_lines(struct lines l, struct snapshot *s, struct source_error *e)
{
	enum metric_id hint = METRIC_ROLLUP_FIRST;
	struct mapping all = { .flags = "" };
	struct span line, name;
	int more;

	while ((more = line_next(&l, &line)) > 0) {
		if (l.nr == 1 ? mapping_parse(line, &all, &name, e)
			      : rollup_field(line, l.nr, &hint, s, e))
			return -1;
	}
	if (more < 0)
		return source_fail(e, SOURCE_ROLLUP, 0, "is cut off in line %zu", l.nr);
	if (l.nr == 0)
		return source_fail(e, SOURCE_ROLLUP, 0, "is empty");
	return 0;
}

int rollup_read(const char *data, size_t len, struct snapshot *s, struct source_error *e)
{
	e->source = SOURCE_ROLLUP;
	values_forget(&s->values, METRIC_ROLLUP_FIRST, METRIC_ROLLUP_LAST);
	if (rollup_lines((struct lines) { data, data + len, 0 }, s, e) == 0)
		return 0;
	values_forget(&s->values, METRIC_ROLLUP_FIRST, METRIC_ROLLUP_LAST);
	return -1;
}
