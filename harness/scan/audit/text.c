// SPDX-License-Identifier: MIT
/* Writes the audit of one process as text. */
#include "base/print/style.h"
#include "base/print/words.h"
#include "print.h"
#include "scan/process/user.h"

static void title(const struct reading *p, FILE *out)
{
	char user[64];

	line_put(p->who.name, out);
	fprintf(out, ", process %d of ", p->who.pid);
	line_put(user_name(p->who.uid, user, sizeof(user)), out);
	fprintf(out, ", %u thread%s", p->who.threads, p->who.threads == 1 ? "" : "s");
	/* The word size is printed only if it is not the usual one. */
	if (p->bits && p->bits != 8 * sizeof(long))
		fprintf(out, ", a program of %u bits", p->bits);
	fputs("\n\n", out);
}

static enum style style_of_row(const struct audit_row *row)
{
	if (row->says == row->tables)
		return STYLE_GOOD;
	return row->off ? STYLE_BAD : STYLE_NOTED;
}

static const char *bound_words(const struct audit_row *row, char *buf, size_t size)
{
	if (row->bound < 0)
		return row->id == METRIC_NONE ? "-" : "?";
	return number_words(row->bound, buf, size);
}

static void print_row(const struct audit_row *row, bool moved, const struct measured *m, FILE *out,
		      bool colour)
{
	char n[4][32], model[128] = "";

	if (row->id != METRIC_NONE && m->known)
		model_describe(&m->models, row->id, model, sizeof(model));
	fprintf(out, "%-18s %12s %12s ", row->name, number_words(row->says, n[0], sizeof(n[0])),
		number_words(row->tables, n[1], sizeof(n[1])));
	if (row->id == METRIC_NONE || moved) {
		fprintf(out, "%10s %14s  %s\n", "-", bound_words(row, n[3], sizeof(n[3])), model);
		return;
	}
	style_begin(style_of_row(row), out, colour);
	fprintf(out, "%10s", difference_words(row->says - row->tables, n[2], sizeof(n[2])));
	style_end(out, colour);
	fprintf(out, " %14s  %s\n", bound_words(row, n[3], sizeof(n[3])), model);
}

static void print_rows(const struct audit *a, const struct reading *p, const struct measured *m,
		       FILE *out, bool colour)
{
	fprintf(out, "%-18s %12s %12s %10s %14s\n", "", "value", "page tables", "off by",
		"may be off by");
	fprintf(out, "%-18s %12s %12s %10s %14s%s\n", "counter", "kB", "kB", "kB", "kB",
		m->known ? "  model" : "");
	for (size_t i = 0; i < a->nr_rows; i++)
		print_row(&a->rows[i], p->moved, m, out, colour);
	putc('\n', out);
}

struct part {
	const char *name;
	enum metric_id id;
};

/*
 * Writes a total and its parts: "resident (RSS) 104,416 kB anonymous 103,540, in huge pages 876".
 */
static void print_total(const char *name, int64_t kb, const struct part *parts,
			const struct values *v, FILE *out)
{
	char n[32];
	const char *separator = "   ";

	fprintf(out, "%-26s %12s kB", name, number_words(kb, n, sizeof(n)));
	for (; parts && parts->name; parts++) {
		if (!v->have[parts->id] || !v->of[parts->id])
			continue;
		fprintf(out, "%s%s %s", separator, parts->name,
			number_words(v->of[parts->id], n, sizeof(n)));
		separator = ", ";
	}
	putc('\n', out);
}

static void print_totals(const struct reading *p, FILE *out)
{
	static const struct part rss[] = { { "anonymous", METRIC_ROLLUP_ANONYMOUS },
					   { "in huge pages", METRIC_ROLLUP_ANONHUGEPAGES },
					   { "lazily freed", METRIC_ROLLUP_LAZYFREE },
					   { NULL, 0 } };
	static const struct part pss[] = { { "anonymous", METRIC_ROLLUP_PSS_ANON },
					   { "file", METRIC_ROLLUP_PSS_FILE },
					   { "shmem", METRIC_ROLLUP_PSS_SHMEM },
					   { NULL, 0 } };
	static const struct part swap[] = { { "its share (SwapPss)", METRIC_ROLLUP_SWAPPSS },
					    { NULL, 0 } };
	const struct values *v = &p->tables;
	int64_t hugetlb = table_kb(v, METRIC_ROLLUP_SHARED_HUGETLB) +
			  table_kb(v, METRIC_ROLLUP_PRIVATE_HUGETLB);

	print_total("resident (RSS)", table_kb(v, METRIC_ROLLUP_RSS), rss, v, out);
	print_total("proportional share (PSS)", table_kb(v, METRIC_ROLLUP_PSS), pss, v, out);
	print_total("in no other process (USS)", table_uss(v), NULL, v, out);
	print_total("on swap", table_kb(v, METRIC_ROLLUP_SWAP), swap, v, out);
	if (hugetlb)
		print_total("hugetlb, not in the above", hugetlb, NULL, v, out);
	putc('\n', out);
}

static void print_sharing(const struct reading *p, FILE *out)
{
	const struct values *v = &p->tables;
	static const struct {
		const char *name;
		enum metric_id clean, dirty;
	} rows[] = {
		{ "private", METRIC_ROLLUP_PRIVATE_CLEAN, METRIC_ROLLUP_PRIVATE_DIRTY },
		{ "shared", METRIC_ROLLUP_SHARED_CLEAN, METRIC_ROLLUP_SHARED_DIRTY },
	};

	fprintf(out, "%-26s %12s %12s %12s\n", "of RSS, in kB", "clean", "dirty", "together");
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		int64_t clean = table_kb(v, rows[i].clean), dirty = table_kb(v, rows[i].dirty);
		char n[3][32];

		fprintf(out, "%-26s %12s %12s %12s\n", rows[i].name,
			number_words(clean, n[0], sizeof(n[0])),
			number_words(dirty, n[1], sizeof(n[1])),
			number_words(clean + dirty, n[2], sizeof(n[2])));
	}
	putc('\n', out);
}

static void print_range(const char *name, int64_t low, int64_t high, FILE *out)
{
	char n[2][32];

	fprintf(out, "%-26s %12s to %s kB\n", name, number_words(low, n[0], sizeof(n[0])),
		number_words(high, n[1], sizeof(n[1])));
}

static void print_ranges(const struct reading *p, FILE *out)
{
	static const struct part rows[] = { { "resident (RSS)", METRIC_ROLLUP_RSS },
					    { "  anonymous", METRIC_ROLLUP_ANONYMOUS },
					    { "proportional share (PSS)", METRIC_ROLLUP_PSS },
					    { "private, clean", METRIC_ROLLUP_PRIVATE_CLEAN },
					    { "private, dirty", METRIC_ROLLUP_PRIVATE_DIRTY },
					    { "shared, clean", METRIC_ROLLUP_SHARED_CLEAN },
					    { "shared, dirty", METRIC_ROLLUP_SHARED_DIRTY },
					    { "on swap", METRIC_ROLLUP_SWAP } };

	fprintf(out, "In %u readings, while %s:\n", p->nr,
		p->moved || p->running ? "the process changed"
				       : "other processes mapped or unmapped its pages");
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		print_range(rows[i].name, p->low.of[rows[i].id], p->high.of[rows[i].id], out);
	putc('\n', out);
}

static void print_counters_alone(const struct reading *p, FILE *out)
{
	char n[32];

	if (p->sight == SIGHT_DENIED && p->counters.have[METRIC_STATUS_VMRSS])
		fprintf(out, "Its counters show VmRSS %s kB.\n",
			number_words(p->counters.of[METRIC_STATUS_VMRSS], n, sizeof(n)));
}

void audit_print(const struct audit *a, const struct reading *p, const struct measured *m,
		 FILE *out, bool colour)
{
	static const enum style styles[] = {
		[AUDIT_EXACT] = STYLE_GOOD,    [AUDIT_LAGS] = STYLE_NOTED,
		[AUDIT_DIFFERS] = STYLE_NOTED, [AUDIT_MOVING] = STYLE_NOTED,
		[AUDIT_OFF] = STYLE_BAD,       [AUDIT_UNSEEN] = STYLE_NOTED,
	};

	if (p->sight == SIGHT_SEEN) {
		title(p, out);
		print_rows(a, p, m, out, colour);
		if (a->verdict == AUDIT_MOVING || p->reshared) {
			print_ranges(p, out);
		} else {
			print_totals(p, out);
			print_sharing(p, out);
		}
	}
	style_begin(styles[a->verdict], out, colour);
	line_put(a->sentence, out);
	style_end(out, colour);
	putc('\n', out);
	print_counters_alone(p, out);
	if (!m->known && m->why[0])
		fprintf(out, "The counter models were not measured: %s.\n", m->why);
}
