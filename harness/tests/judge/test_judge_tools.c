// SPDX-License-Identifier: MIT
/* A case fails if a column of a tool shows another number than the metric that the table names. */
#include "judge/judge.h"
#include "judge/private.h"
#include "tests/support/made_trial.h"

/*
 * Every metric has a different value, so that no two columns can be confused. No value is so large
 * that htop rounds it.
 */
static void make_own(struct tool_facts *own)
{
	*own = (struct tool_facts) {
		.text_bytes = 700000, .gate_kb = 4, .mem_total_kb = 1 << 20, .page_size = PAGE_BYTES
	};
	for (int id = 0; id < METRIC_COUNT; id++) {
		own->values.have[id] = true;
		own->values.of[id] = 30000 + 500 * id;
		if (metric(id)->unit == UNIT_BYTES)
			own->values.of[id] *= 1024;
		if (metric(id)->unit == UNIT_PAGES)
			own->values.of[id] /= PAGE_BYTES / 1024;
	}
}

/* Fills in what the tool prints if the table of columns is right. */
static void make_reading(struct tool_reading *r, const char *tool)
{
	size_t nr;
	const struct column *all = columns_all(&nr);

	*r = (struct tool_reading) { .tool = tool_by_name(tool) };
	make_own(&r->own);
	for (size_t i = 0; i < nr; i++) {
		struct tool_value *v = &r->values.of[r->values.nr];

		if (strcmp(all[i].tool, tool))
			continue;
		v->column = &all[i];
		if (!tool_expect(&all[i], &r->own, v->text))
			strcpy(v->text, "0.5");
		r->values.nr++;
	}
}

static bool fails(struct tool_reading *r)
{
	struct moment m = { .name = "step", .readings = r, .nr_readings = 1 };
	OWNED(judgement_free) struct judgement j = { 0 };
	bool failed;

	judge_tools(&m, &j);
	failed = j.failed;
	return failed;
}

TEST(a_tool_that_agrees_with_the_table_passes)
{
	size_t nr;
	const struct tool *all = tools_all(&nr);
	struct tool_reading r;

	for (size_t i = 0; i < nr; i++) {
		make_reading(&r, all[i].name);
		assert_true(r.values.nr > 0);
		assert_false(fails(&r));
	}
}

TEST(a_column_that_shows_the_wrong_metric_fails)
{
	size_t nr, checked = 0;
	const struct tool *all = tools_all(&nr);
	struct tool_reading r;

	for (size_t i = 0; i < nr; i++) {
		make_reading(&r, all[i].name);
		for (size_t k = 0; k < r.values.nr; k++) {
			const struct column *c = r.values.of[k].column;

			if (c->shape == COLUMN_GROWTH || c->shape == COLUMN_RATE ||
			    c->shape == COLUMN_NOTHING || c->shape == COLUMN_TEXT)
				continue;
			/* The metric is changed by an eighth, because percentages are coarse. */
			r.own.values.of[c->metric] += r.own.values.of[c->metric] / 8;
			if (!fails(&r))
				fail_msg("%s %s with another metric passes", c->tool, c->name);
			make_own(&r.own);
			checked++;
		}
	}
	assert_true(checked > 100);
}

TEST(an_error_of_a_page_is_found_in_every_column_in_kB)
{
	size_t nr;
	const struct tool *all = tools_all(&nr);
	struct tool_reading r;

	for (size_t i = 0; i < nr; i++) {
		if (!strcmp(all[i].name, "busybox ps"))
			continue;
		make_reading(&r, all[i].name);
		for (size_t k = 0; k < r.values.nr; k++) {
			const struct column *c = r.values.of[k].column;

			if (c->shape != COLUMN_KB)
				continue;
			r.own.values.of[c->metric] -= made_page(c->metric);
			if (!fails(&r))
				fail_msg("%s %s passes with a page less", c->tool, c->name);
			make_own(&r.own);
		}
	}
}

/* The message contains both numbers, or text if one of them is not a whole number. */
TEST(a_wrong_column_is_reported_with_both_numbers)
{
	struct tool_reading r;
	struct moment m = { .name = "step", .readings = &r, .nr_readings = 1 };
	OWNED(judgement_free) struct judgement j = { 0 };
	const struct tool_value *v = r.values.of;

	make_reading(&r, "pmap -x");
	while (v->column->shape != COLUMN_KB)
		v++;
	r.own.values.of[v->column->metric] -= made_page(v->column->metric);
	judge_tools(&m, &j);
	assert_true(j.nr_discrepancies > 0);
	assert_int_equal(j.discrepancies[0].counter - j.discrepancies[0].precise, PAGE_KB);
	assert_string_equal(j.discrepancies[0].unit, "kB");
}

TEST(a_missing_column_fails_if_the_kernel_has_the_metric)
{
	struct tool_reading r;

	make_reading(&r, "pmap -x");
	r.values.nr--;
	assert_true(fails(&r));
	r.own.values.have[r.values.of[r.values.nr].column->metric] = false;
	assert_false(fails(&r));
}

TEST(a_metric_that_moved_by_itself_is_not_compared)
{
	struct tool_reading r;

	make_reading(&r, "pmap -X");
	r.own.values.of[METRIC_SMAPS_REFERENCED]++;
	r.own.values.have[METRIC_SMAPS_REFERENCED] = false;
	assert_false(fails(&r));
}
