// SPDX-License-Identifier: MIT
/* Functions that the readers share: numbers, lines, and error messages. */
#ifndef RSSCK_SOURCE_PARSE_H
#define RSSCK_SOURCE_PARSE_H

#include "base/number.h"
#include <rssck/source.h>
#include <string.h>

/* Numbers in smaps follow up to 28 blanks; comparing eight bytes at a time skips them fast. */
static inline const char *skip_blanks(const char *p, const char *end)
{
	static const char eight[] = "        ";

	while (end - p >= 8 && memcmp(p, eight, 8) == 0)
		p += 8;
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	return p;
}

/* A part of a text, not terminated. */
struct span {
	const char *p;
	const char *end;
};

static inline size_t span_len(struct span s)
{
	return (size_t)(s.end - s.p);
}

/* A text, line by line. */
struct lines {
	const char *p;
	const char *end;
	size_t nr; /* number of the line that was returned last; the first is 1 */
};

/*
 * Returns the next line without its newline. 1: there is one, 0: the text is over, -1:
 * the last line has no newline, which the kernel never prints.
 */
int line_next(struct lines *l, struct span *line);

/* Splits "Key:   12 kB" into the key and what follows the colon, trimmed. */
bool line_split(struct span line, struct span *key, struct span *value);

/* Converts the value of "Key: value" into the metric's own unit. */
int value_parse(struct span value, enum metric_id id, int64_t *out, struct source_error *e);

/* Sets a metric that the file must name only once; the second time is an error. */
int value_set(struct values *v, enum metric_id id, int64_t value, struct source_error *e);

/* Marks the metrics [first, last] as absent. */
void values_forget(struct values *v, enum metric_id first, enum metric_id last);

/*
 * Reads blank-separated columns; `column` is the number of the first one in `text`.
 * Columns whose number is the key of a metric in [first, last] are stored. Columns beyond
 * `known` are listed in s, if s is not NULL.
 */
int columns_read(struct span text, unsigned column, unsigned known, enum metric_id first,
		 enum metric_id last, struct values *v, struct snapshot *s, struct source_error *e);

/*
 * Notes a field that the table does not have. Each key is noted once; if the list is full, the
 * field is dropped.
 */
void unknown_note(struct snapshot *s, enum source source, struct span key, struct span value);

/* Fills in *e and returns -1. */
int source_fail(struct source_error *e, enum source source, int number, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Like stat_read() and so on, but list unknown fields in s, if s is not NULL. */
int stat_parse(struct span text, struct values *v, struct snapshot *s, struct source_error *e);
int statm_parse(struct span text, struct values *v, struct snapshot *s, struct source_error *e);
int status_parse(struct span text, struct values *v, struct snapshot *s, struct source_error *e);
int oom_score_parse(struct span text, struct values *v, struct snapshot *s, struct source_error *e);

/* Parses the line of a mapping, which is the same in maps and smaps; *name points into the line. */
int mapping_parse(struct span line, struct mapping *m, struct span *name, struct source_error *e);

/* Mappings and their strings while a file is read. */
struct maps_builder {
	struct mapping *maps;
	size_t nr, capacity;
	char *strings;
	size_t used;
};

/* maps_begin() makes room for the strings of a text of `len` bytes; returns 0 or -1. */
int maps_begin(struct maps_builder *b, size_t len, struct source_error *e);
struct mapping *maps_add(struct maps_builder *b, struct span line, struct source_error *e);
const char *maps_keep(struct maps_builder *b, struct span text);

/* It is an error if there is no mapping at all. */
int maps_some(const struct maps_builder *b, struct source_error *e);

/*
 * maps_finish() hands the mappings to the snapshot; maps_drop() frees them after an error
 * and leaves the snapshot without any.
 */
void maps_finish(struct maps_builder *b, struct snapshot *s);
void maps_drop(struct maps_builder *b, struct snapshot *s);

#endif
