// SPDX-License-Identifier: MIT
/* What people type, and what they mean by it. */
#ifndef RSSCK_QUERY_H
#define RSSCK_QUERY_H

#include "topics.h"

/* A question that people ask in words: questions.def. */
struct question {
	const char *asks;
	const char *words; /* groups that must all be met, of alternatives: "rss|res large|big" */
	const char *with;  /* what else may be said: it does not make another question of it */
	const char *answer;
	const char *look_up; /* names, separated by ", " */
};

enum query_kind {
	QUERY_NONE,     /* no name is like it */
	QUERY_NAME,     /* `found` */
	QUERY_SPELLING, /* one name is near it: `taken_for` */
	QUERY_KERNEL,   /* `release` */
	QUERY_QUESTION, /* `question` */
	QUERY_WORDS,    /* a sentence made of names: `found` */
	QUERY_NEAR,     /* a sentence that is not understood, but some words of it are: `found` */
};

enum { RELEASE_SIZE = 64 };

struct query {
	enum query_kind kind;
	struct topics found; /* owned */
	const struct question *question;
	char release[RELEASE_SIZE];
	char taken_for[96];
	char unknown[256]; /* words of a sentence that are not known: "'kubelet', 'arc'", or "" */
	bool compares;     /* "VmHWM vs VmPeak" */
};

/* What `text` asks for. 0, or -1 where there is no memory. */
int query_resolve(struct query *q, const struct topics *all, const char *text);
void query_free(struct query *q);

/* All questions: [0, *nr). */
const struct question *questions_all(size_t *nr);

/* The distance of a topic's name from a typed one: letters to be changed. */
unsigned topic_nearness(const struct topic *t, const char *name);

#endif
