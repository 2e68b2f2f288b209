// SPDX-License-Identifier: MIT
/*
 * Reads /proc/PID/numa_maps. It has one line for each mapping: "7f12a000 default file=/x mapped=3
 * N0=3 kernelpagesize_kB=4". The kernel leaves out numbers that are 0, and some that equal another
 * number.
 */
#include "parse.h"
#include <string.h>

struct numa_line {
	int64_t of[NUMA_FIELDS];
	int node[NODES_KEPT];
	int64_t on_node[NODES_KEPT];
	unsigned nr_nodes;
	int64_t page_kb;
	bool has_mapped, huge;
};

static int64_t *field(struct numa_line *l, enum metric_id id)
{
	return &l->of[id - METRIC_NUMA_FIRST];
}

static bool is_node(struct span key, uint64_t *node)
{
	const char *p = key.p + 1;

	return key.p < key.end && *key.p == 'N' &&
	       number_unsigned(&p, key.end, node) == NUMBER_OK && p == key.end;
}

static void keep_node(struct numa_line *l, uint64_t node, int64_t pages)
{
	if (l->nr_nodes < NODES_KEPT) {
		l->node[l->nr_nodes] = (int)node;
		l->on_node[l->nr_nodes] = pages;
	}
	l->nr_nodes++;
}

/* Returns false if the sum over all nodes overflows. */
static bool take_number(struct numa_line *l, struct span key, int64_t value)
{
	static const char page_size[] = "kernelpagesize_kB";
	enum metric_id id;
	uint64_t node;

	if (is_node(key, &node)) {
		keep_node(l, node, value);
		return !__builtin_add_overflow(*field(l, METRIC_NUMA_PAGES), value,
					       field(l, METRIC_NUMA_PAGES));
	}
	if (span_len(key) == strlen(page_size) && !memcmp(key.p, page_size, span_len(key)))
		l->page_kb = value;
	id = metric_by_key(SOURCE_NUMA, key.p, span_len(key), METRIC_NUMA_ANON);
	if (id == METRIC_NONE)
		return true; /* ignored: mapmax, active, writeback, and kernelpagesize_kB, which is
			      * taken above */
	*field(l, id) = value;
	l->has_mapped |= id == METRIC_NUMA_MAPPED;
	return true;
}

/*
 * Takes one word: "key=number", "huge", or the name of a mapping or a policy. Returns false if a
 * number overflows.
 */
static bool take_word(struct numa_line *l, struct span word)
{
	const char *equals = memchr(word.p, '=', span_len(word)), *p;
	uint64_t value = 0;
	enum number n;

	if (!equals) {
		l->huge |= span_len(word) == 4 && !memcmp(word.p, "huge", 4);
		return true;
	}
	p = equals + 1;
	n = number_unsigned(&p, word.end, &value);
	if (n == NUMBER_NONE || p != word.end)
		return true;
	return n == NUMBER_OK && value <= INT64_MAX &&
	       take_number(l, (struct span) { word.p, equals }, (int64_t)value);
}

/*
 * Fills in `mapped`, which show_numa_map() leaves out if it equals anon or dirty. A hugetlb mapping
 * keeps only one number: its pages, converted to pages of `page_size`. Returns false if that
 * overflows.
 */
static bool fill_in(struct numa_line *l, long page_size)
{
	int64_t pages = *field(l, METRIC_NUMA_PAGES), each;

	if (!l->huge) {
		if (!l->has_mapped)
			*field(l, METRIC_NUMA_MAPPED) = pages;
		return true;
	}
	memset(l->of, 0, sizeof(l->of));
	return !__builtin_mul_overflow(l->page_kb, 1024, &each) &&
	       !__builtin_mul_overflow(pages, each / page_size, field(l, METRIC_NUMA_HUGETLB));
}

static struct mapping *mapping_at(struct snapshot *s, uint64_t start, size_t *hint)
{
	for (; *hint < s->nr_maps; ++*hint)
		if (s->maps[*hint].start == start)
			return &s->maps[*hint];
	return NULL;
}

/*
 * Stores the numbers of a line in its mapping, and adds them to the sums of the process. Returns
 * false if a sum overflows.
 */
static bool keep_line(const struct numa_line *l, struct mapping *m, struct values *sums)
{
	memcpy(m->numa, l->of, sizeof(m->numa));
	m->nr_nodes = l->nr_nodes;
	for (unsigned i = 0; i < NODES_KEPT; i++) {
		m->on_node[i].node = l->node[i];
		m->on_node[i].pages = l->on_node[i];
	}
	m->numa_read = true;
	for (int i = 0; i < NUMA_FIELDS; i++)
		if (__builtin_add_overflow(sums->of[METRIC_NUMA_PAGES + i], l->of[i],
					   &sums->of[METRIC_NUMA_PAGES + i]))
			return false;
	return true;
}

static int numa_line(struct span line, size_t nr, long page_size, size_t *hint, struct snapshot *s,
		     struct source_error *e)
{
	struct numa_line l = { .page_kb = page_size / 1024 };
	const char *p = line.p;
	struct mapping *m;
	uint64_t start;
	bool fits = true;

	if (number_hex(&p, line.end, &start) != NUMBER_OK)
		return source_fail(e, SOURCE_NUMA, 0, "line %zu does not begin with an address",
				   nr);
	m = mapping_at(s, start, hint);
	if (!m)
		return source_fail(e, SOURCE_NUMA, 0,
				   "line %zu is about a mapping that smaps "
				   "does not have",
				   nr);
	for (p = skip_blanks(p, line.end); p < line.end; p = skip_blanks(p, line.end)) {
		struct span word = { p, p };

		while (word.end < line.end && *word.end != ' ')
			word.end++;
		fits &= take_word(&l, word);
		p = word.end;
	}
	if (fits && fill_in(&l, page_size) && keep_line(&l, m, &s->values))
		return 0;
	return source_fail(e, SOURCE_NUMA, 0, "line %zu has numbers that are too large", nr);
}

static int numa_lines(struct lines l, long page_size, struct snapshot *s, struct source_error *e)
{
	struct span line;
	size_t hint = 0;
	int more;

	while ((more = line_next(&l, &line)) > 0)
		if (numa_line(line, l.nr, page_size, &hint, s, e))
			return -1;
	if (more < 0)
		return source_fail(e, SOURCE_NUMA, 0, "is cut off in line %zu", l.nr);
	return 0;
}

int numa_read(const char *data, size_t len, long page_size, struct snapshot *s,
	      struct source_error *e)
{
	int error;

	values_forget(&s->values, METRIC_NUMA_FIRST, METRIC_NUMA_LAST);
	error = numa_lines((struct lines) { data, data + len, 0 }, page_size, s, e);
	if (error)
		values_forget(&s->values, METRIC_NUMA_FIRST, METRIC_NUMA_LAST);
	for (unsigned id = METRIC_NUMA_FIRST; id <= METRIC_NUMA_LAST; id++)
		s->values.have[id] = !error;
	return error;
}
