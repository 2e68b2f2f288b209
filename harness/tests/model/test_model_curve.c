// SPDX-License-Identifier: MIT
/* Curves: points come in any order, and a thinned curve is the same curve. */
#include "tests/support/test.h"
#include <rssck/curve.h>

static const struct curve_axes axes = { "lag by threads", "threads", "pages" };

struct list {
	struct curve *of;
	size_t nr;
};

static struct curve *new_curve(struct list *l)
{
	return curve_have(&l->of, &l->nr, &axes);
}

static void list_free(struct list *l)
{
	curves_free(&l->of, &l->nr);
	assert_null(l->of);
	assert_int_equal(l->nr, 0);
}

/* Returns the value of a series at x, read off the straight lines between the points. */
static int64_t at(const struct curve *c, const struct series *s, int64_t x)
{
	for (size_t i = 0; i < c->nr; i++) {
		if (c->at[i] == x)
			return s->of[i];
		if (i && c->at[i] > x)
			return s->of[i - 1] + (s->of[i] - s->of[i - 1]) * (x - c->at[i - 1]) /
						      (c->at[i] - c->at[i - 1]);
	}
	fail_msg("nothing at %lld", (long long)x);
	return 0;
}

TEST(points_are_sorted_by_x)
{
	OWNED(list_free) struct list l = { 0 };
	struct curve *c = new_curve(&l);

	curve_add(c, 4, "stat.rss", 40);
	curve_add(c, 1, "stat.rss", 10);
	curve_add(c, 2, CURVE_TRUTH, 20);
	curve_add(c, 4, CURVE_TRUTH, 41);
	assert_int_equal(c->nr, 3);
	assert_int_equal(c->at[0], 1);
	assert_int_equal(c->at[1], 2);
	assert_int_equal(c->at[2], 4);
	assert_int_equal(curve_series(c, "stat.rss")->of[0], 10);
	assert_int_equal(curve_series(c, "stat.rss")->of[2], 40);
	assert_int_equal(curve_series(c, CURVE_TRUTH)->of[2], 41);
	assert_true(curve_series(c, "stat.rss")->of[1] == CURVE_NO_POINT);
	assert_true(curve_series(c, CURVE_TRUTH)->of[0] == CURVE_NO_POINT);
	assert_null(curve_series(c, "statm.resident"));
}

TEST(a_curve_name_exists_only_once)
{
	OWNED(list_free) struct list l = { 0 };

	curve_add(new_curve(&l), 1, "a", 1);
	curve_add(new_curve(&l), 2, "a", 2);
	assert_int_equal(l.nr, 1);
	assert_int_equal(l.of[0].nr, 2);
	assert_ptr_equal(curve_by_name(l.of, l.nr, "lag by threads"), l.of);
	assert_null(curve_by_name(l.of, l.nr, "staircase"));
}

static void rise(struct curve *c, int64_t pages, int64_t batch)
{
	for (int64_t x = 0; x <= pages; x++) {
		curve_add(c, x, "stat.rss", 90 + x / batch * batch);
		curve_add(c, x, CURVE_TRUTH, 100 + x);
		curve_add(c, x, "statm.resident", 100 + x);
	}
}

TEST(a_thinned_staircase_has_the_same_value_at_every_page)
{
	static const int64_t batches[] = { 1, 2, 3, 32, 66, 500 };

	for (size_t b = 0; b < sizeof(batches) / sizeof(*batches); b++) {
		OWNED(list_free) struct list l = { 0 };
		struct curve *c = new_curve(&l);

		rise(c, 2000, batches[b]);
		curve_thin(c);
		assert_true(batches[b] == 2 || c->nr <= 2 + 2 * 2000 / (size_t)batches[b]);
		for (int64_t x = 0; x <= 2000; x++) {
			assert_int_equal(at(c, curve_series(c, CURVE_TRUTH), x), 100 + x);
			assert_int_equal(at(c, curve_series(c, "stat.rss"), x),
					 90 + x / batches[b] * batches[b]);
		}
	}
}

TEST(a_missing_point_is_kept_as_a_corner)
{
	OWNED(list_free) struct list l = { 0 };
	struct curve *c = new_curve(&l);

	for (int64_t x = 0; x < 10; x++) {
		curve_add(c, x, CURVE_TRUTH, x);
		if (x < 5)
			curve_add(c, x, "stat.rss", x);
	}
	curve_thin(c);
	assert_int_equal(c->nr, 4);
	assert_int_equal(c->at[1], 4);
	assert_int_equal(c->at[2], 5);
}

TEST(short_curves_stay_as_they_are)
{
	OWNED(list_free) struct list l = { 0 };
	struct curve *c = new_curve(&l);

	curve_thin(c);
	assert_int_equal(c->nr, 0);
	curve_add(c, 7, CURVE_TRUTH, 1);
	curve_thin(c);
	assert_int_equal(c->nr, 1);
	curve_add(c, 8, CURVE_TRUTH, 2);
	curve_thin(c);
	assert_int_equal(c->nr, 2);
}

TEST(a_copy_is_independent_and_a_moved_list_is_empty)
{
	struct list l = { 0 }, copy = { 0 }, moved = { 0 };

	rise(new_curve(&l), 8, 4);
	curves_copy(&copy.of, &copy.nr, l.of, l.nr);
	copy.of[0].series[1].of[0] = -1;
	copy.of[0].at[0] = -1;
	assert_int_equal(l.of[0].series[1].of[0], 100);
	assert_int_equal(l.of[0].at[0], 0);
	curves_move(&moved.of, &moved.nr, &l.of, &l.nr);
	curves_move(&moved.of, &moved.nr, &copy.of, &copy.nr);
	assert_null(l.of);
	assert_int_equal(l.nr + copy.nr, 0);
	assert_int_equal(moved.nr, 2);
	assert_int_equal(moved.of[0].series[1].of[8], 108);
	list_free(&moved);
}
