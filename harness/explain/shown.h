// SPDX-License-Identifier: MIT
/* The names by which tools and exporters show a number of another file: shown.def. */
#ifndef RSSCK_SHOWN_H
#define RSSCK_SHOWN_H

#include <stdbool.h>
#include <stddef.h>

/* What a tool makes of the number. */
enum shown_as {
	SHOWN_KB,         /* in kB */
	SHOWN_BYTES,      /* in bytes */
	SHOWN_PAGES,      /* in pages */
	SHOWN_PAGES_HUGE, /* in huge pages */
	SHOWN_AS_IS,      /* in the unit of the file */
	SHOWN_TOTAL,      /* a count since boot, or since the cgroup or process began */
	SHOWN_SECONDS,    /* seconds since boot, or since the cgroup began */
	SHOWN_GROWTH,     /* what it grew by since the last sample */
	SHOWN_RATE,    /* what it grew by since the last sample, divided by the seconds between */
	SHOWN_KB_RATE, /* the same, in kB */
};

struct shown {
	const char *tool; /* the command: "sar -r ALL" */
	const char *name; /* the tool's name of it; "*" stands for a line of the file */
	const char *of;   /* the topic: "meminfo.AnonPages", "memory.stat anon" */
	enum shown_as as;
};

/* Returns all rows; *nr is their number. */
const struct shown *shown_all(size_t *nr);

/*
 * Finds the row of a name, alone ("kbanonpg") or after the tool's ("sar -r kbanonpg"), and writes
 * the name of its topic into `topic`. Returns NULL if there is none.
 */
const struct shown *shown_find(const char *name, char *topic, size_t size);

/* The same for a text that has such a name as a word; writes it, with `size` too, into `name`. */
const struct shown *shown_in(const char *text, char *name, char *topic, size_t size);

/* Returns words like "in kB". */
const char *shown_words(enum shown_as as);

#endif
