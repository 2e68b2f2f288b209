// SPDX-License-Identifier: MIT
/* Declares the functions that all readers share: numbers, lines, and error messages. */
#ifndef RSSCK_SOURCE_PARSE_H
#define RSSCK_SOURCE_PARSE_H

#include "base/number.h"
#include <rssck/source.h>
#include <string.h>

/*
 * Skips blanks. It compares eight bytes at a time, because up to 19 blanks precede a number in
 * smaps.
 */
static inline const char *skip_blanks(const char *p, const char *end)
{
	static const char eight[] = "        ";

	while (end - p >= 8 && memcmp(p, eight, 8) == 0)
		p += 8;
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	return p;
}

/* A part of a text, without a terminating NUL. */
struct span {
	const char *p;
	const char *end;
};

static inline size_t span_len(struct span s)
{
	return (size_t)(s.end - s.p);
}

/* An iterator over the lines of a text. */
struct lines {
	const char *p;
	const char *end;
	size_t nr; /* number of the line returned last; the first line is 1 */
};

/*
 * Stores the next line, without its newline, in *line. Returns 1 for a line, 0 at the end of the
 * text, and -1 if the last line has no newline. The kernel always prints a newline, so -1 means
 * that the text is cut off.
 */
int line_next(struct lines *l, struct span *line);

/* Splits "Key: 12 kB" into "Key" and "12 kB". Returns false if there is no key or no colon. */
bool line_split(struct span line, struct span *key, struct span *value);

/*
 * Parses the value of "Key: value". Returns 0, or -1 if it is not a number in the metric's own
 * unit.
 */
int value_parse(struct span value, enum metric_id id, int64_t *out, struct source_error *e);

/* Sets a metric that may occur only once in the file. A second occurrence is an error. */
int value_set(struct values *v, enum metric_id id, int64_t value, struct source_error *e);

/* Marks the metrics [first, last] as absent. */
void values_forget(struct values *v, enum metric_id first, enum metric_id last);

/*
 * Reads columns separated by blanks; `column` is the number of the first column in `text`. A column
 * is stored if its number is the key of a metric in [first, last]. A column after `known` is added
 * to the unknown fields of s, if s is not NULL.
 */
int columns_read(struct span text, unsigned column, unsigned known, enum metric_id first,
		 enum metric_id last, struct values *v, struct snapshot *s, struct source_error *e);

/*
 * Adds a field that metrics.def does not have to the unknown fields of s. Each key is added once. A
 * full list drops the field.
 */
void unknown_note(struct snapshot *s, enum source source, struct span key, struct span value);

/* Fills in *e and returns -1. */
int source_fail(struct source_error *e, enum source source, int number, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/*
 * Like stat_read() and so on. All but oom_score_parse() add unknown fields to s, if s is not NULL.
 */
int stat_parse(struct span text, struct values *v, struct snapshot *s, struct source_error *e);
int statm_parse(struct span text, struct values *v, struct snapshot *s, struct source_error *e);
int status_parse(struct span text, struct values *v, struct snapshot *s, struct source_error *e);
int oom_score_parse(struct span text, struct values *v, struct snapshot *s, struct source_error *e);

/*
 * Parses the first line of a mapping, which is the same in maps and smaps. *name points into that
 * line.
 */
int mapping_parse(struct span line, struct mapping *m, struct span *name, struct source_error *e);

/* Collects mappings and their strings while a file is read. */
struct maps_builder {
	struct mapping *maps;
	size_t nr, capacity;
	char *strings;
	size_t used;
};

/* maps_begin() allocates room for the strings of a text of `len` bytes. Returns 0 or -1. */
int maps_begin(struct maps_builder *b, size_t len, struct source_error *e);
struct mapping *maps_add(struct maps_builder *b, struct span line, struct source_error *e);
const char *maps_keep(struct maps_builder *b, struct span text);

/* Returns 0, or -1 if the file had no mapping. */
int maps_some(const struct maps_builder *b, struct source_error *e);

/*
 * maps_finish() hands the mappings to the snapshot. After an error, maps_drop() frees them and
 * leaves the snapshot without mappings.
 */
void maps_finish(struct maps_builder *b, struct snapshot *s);
void maps_drop(struct maps_builder *b, struct snapshot *s);

#endif
