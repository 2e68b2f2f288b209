// SPDX-License-Identifier: MIT
/* Describes two numbers that differ. */
#include <rssck/discrepancy.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void discrepancy_set(struct discrepancy *d, enum rule_id id, const char *unit, int64_t seen,
		     int64_t expected, const char *number, ...)
{
	va_list args;

	*d = (struct discrepancy) {
		.rule = id, .counter = seen, .precise = expected, .fails = true
	};
	va_start(args, number);
	vsnprintf(d->metric, sizeof(d->metric), number, args);
	va_end(args);
	d->id = metric_by_name(d->metric);
	snprintf(d->unit, sizeof(d->unit), "%s", unit);
	snprintf(d->text, sizeof(d->text), "%s", rule(id)->words);
}

void discrepancy_describe(struct discrepancy *d, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(d->text, sizeof(d->text), format, args);
	va_end(args);
}

bool discrepancy_is_kb(const struct discrepancy *d)
{
	return !strcmp(d->unit, "kB");
}

bool discrepancy_is_pages(const struct discrepancy *d)
{
	return !strcmp(d->unit, "pages");
}

bool discrepancy_is_same(const struct discrepancy *a, const struct discrepancy *b)
{
	return a->rule == b->rule && !strcmp(a->metric, b->metric) && !strcmp(a->text, b->text);
}

bool discrepancy_is_same_kind(const struct discrepancy *a, const struct discrepancy *b)
{
	enum rule_place place = rule(a->rule)->place;

	return a->rule == b->rule && a->id == b->id &&
	       (place == PLACE_MAPPING || place == PLACE_PAGE || !strcmp(a->metric, b->metric));
}
