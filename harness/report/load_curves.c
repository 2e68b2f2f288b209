// SPDX-License-Identifier: MIT
/* Reads the curves of a results file. */
#include "load_private.h"
#include <stdlib.h>

static int points_load(const struct loading *l, const json_t *points, const struct curve *c,
		       const char *series, int64_t *to)
{
	if (!json_is_array(points) || json_array_size(points) != c->nr)
		return load_bad(l, record_again, "\"%.40s\" of curve %s does not have %zu points",
				series, c->name, c->nr);
	for (size_t i = 0; i < c->nr; i++) {
		const json_t *point = json_array_get(points, i);

		if (!json_is_integer(point) && !json_is_null(point))
			return load_bad(l, record_again, "\"%.40s\" of curve %s is not a number",
					series, c->name);
		to[i] = json_is_null(point)
				? CURVE_NO_POINT
				: load_within(json_integer_value(point), -LOADED_MAX, LOADED_MAX);
	}
	return 0;
}

static int at_load(const struct loading *l, const json_t *j, struct curve *c)
{
	const json_t *at = load_member(l, j, c->name, "at", JSON_ARRAY);

	if (!at)
		return -1;
	c->nr = json_array_size(at);
	c->at = calloc(c->nr + 1, sizeof(*c->at));
	if (!c->at)
		return load_bad(l, "free some memory", "out of memory");
	if (points_load(l, at, c, "at", c->at))
		return -1;
	for (size_t i = 0; i < c->nr; i++)
		if (c->at[i] == CURVE_NO_POINT || (i && c->at[i] <= c->at[i - 1]))
			return load_bad(l, record_again, "\"at\" of curve %s does not ascend",
					c->name);
	return 0;
}

static int series_load(const struct loading *l, const char *name, const json_t *points,
		       struct curve *c)
{
	struct series *s = &c->series[c->nr_series];

	if (c->nr_series == CURVE_SERIES_MAX)
		return load_bad(l, "a newer rssck may support it",
				"curve %s has more than %d series", c->name, CURVE_SERIES_MAX);
	if (load_name(l, "a series", name, s->name, sizeof(s->name)))
		return -1;
	s->of = calloc(c->nr + 1, sizeof(*s->of));
	if (!s->of)
		return load_bad(l, "free some memory", "out of memory");
	c->nr_series++;
	return points_load(l, points, c, name, s->of);
}

static int curve_load(const struct loading *l, const json_t *j, struct curve *c)
{
	const json_t *series, *name;

	if (!json_is_object(j))
		return load_bad(l, record_again, "a curve is not an object");
	name = load_member(l, j, "a curve", "name", JSON_STRING);
	if (!name || load_name(l, "a curve", json_string_value(name), c->name, sizeof(c->name)) ||
	    load_string(l, j, c->name, "x", c->x, sizeof(c->x)) ||
	    load_string(l, j, c->name, "y", c->y, sizeof(c->y)) || at_load(l, j, c))
		return -1;
	series = load_member(l, j, c->name, "series", JSON_OBJECT);
	if (!series)
		return -1;
	for (void *i = json_object_iter((json_t *)series); i;
	     i = json_object_iter_next((json_t *)series, i))
		if (series_load(l, json_object_iter_key(i), json_object_iter_value(i), c))
			return -1;
	return 0;
}

int curves_load(const struct loading *l, const json_t *root, struct results *r)
{
	const json_t *list = json_object_get(root, "curves");
	struct curve *curves;
	size_t nr = 0;
	int failed = 0;

	if (!list)
		return 0;
	if (!json_is_array(list))
		return load_bad(l, record_again, "\"curves\" of the file has the wrong type");
	curves = calloc(json_array_size(list) + 1, sizeof(*curves));
	if (!curves)
		return load_bad(l, "free some memory", "out of memory");
	while (nr < json_array_size(list) && !failed) {
		failed = curve_load(l, json_array_get(list, nr), &curves[nr]);
		nr++;
	}
	if (failed)
		curves_free(&curves, &nr);
	curves_move(&r->curves, &r->nr_curves, &curves, &nr);
	return failed;
}
