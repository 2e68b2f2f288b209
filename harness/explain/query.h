// SPDX-License-Identifier: MIT
/* What people type, and what they mean by it. */
#ifndef RSSCK_QUERY_H
#define RSSCK_QUERY_H

#include "question.h"
#include "topics.h"

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

/* The distance of a topic's name from a typed one: letters to be changed. */
unsigned topic_nearness(const struct topic *t, const char *name);

#endif
