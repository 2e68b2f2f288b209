// SPDX-License-Identifier: MIT
/* Everything that has a name and can be explained. */
#ifndef RSSCK_TOPICS_H
#define RSSCK_TOPICS_H

#include <rssck/case.h>
#include <rssck/column.h>
#include <rssck/model.h>

/* A word of the field that is not a metric's name: words.def. */
struct word {
	const char *name;
	const char *also;    /* other names, separated by '|', or NULL */
	const char *is;      /* what it is */
	const char *is_not;  /* the text of "is not", or NULL */
	const char *metrics; /* metrics that measure it, or other names to look up; or NULL */
};

/*
 * A number of the machine or of a container, or another common number that is not a metric:
 * figures.def.
 */
struct figure {
	const char *name;
	const char *also; /* other names, separated by '|', or NULL */
	const char *from; /* where it is read, or how it is computed */
	const char
		*believe; /* whether it can be believed, in a sentence; NULL: see its description */
	const char *is, *is_not;
	const char *instead; /* numbers to read instead; is_not and instead may be NULL */
	const char *
		cases; /* ids of the cases that check it, separated by spaces; or NULL: none does */
	bool outside;  /* not about main memory, but about disks, CPU time, graphics cards */
};

/* Returns all figures; *nr is their number. */
const struct figure *figures_all(size_t *nr);

/* A program or a file with many numbers: "top", "/proc/PID/smaps". */
struct group {
	const char *tool;   /* or NULL */
	enum source source; /* the file, if tool is NULL */
};

enum topic_kind {
	TOPIC_WORD,
	TOPIC_FIGURE,
	TOPIC_GROUP,
	TOPIC_METRIC,
	TOPIC_COLUMN,
	TOPIC_MODEL,
	TOPIC_FACT,
	TOPIC_CASE,
};

struct topic {
	enum topic_kind kind;
	char name[96]; /* the full name: "top RES", "status.VmRSS", "file/private_write" */
	const struct word *word;
	const struct figure *figure;
	struct group group;
	enum metric_id metric;
	const struct column *column;
	enum model_kind model;
	const struct fact_known *fact;
	const struct case_registration *c; /* the case, or the first one that finds the fact */
};

struct topics {
	struct topic *of; /* owned */
	size_t nr;
};

/* True if the topic is a column of the program, or a field of the file. */
bool topic_is_in(const struct topic *t, const struct group *g);

/* Collects all topics, kind by kind in the order above. Returns 0, or -1 if there is no memory. */
int topics_all(struct topics *t);
void topics_free(struct topics *t);

/* Returns a topic's other names, separated by '|', or NULL. */
const char *topic_also(const struct topic *t);

/* Returns the short form that people use ("VmRSS", "RES", "private_write"), or the name itself. */
const char *topic_short_name(const struct topic *t);

/*
 * Finds the topics that a name means, ignoring case: by their full names, and, unless a topic other
 * than a word or a figure has this full name, also by short names and by folders of cases. Returns
 * 0, or -1 if there is no memory.
 */
int topics_find(struct topics *found, const struct topics *all, const char *name);

/* Returns "word", "number", "group", "metric", "column", "model", "fact" or "case". */
const char *topic_kind_word(enum topic_kind kind);

#endif
