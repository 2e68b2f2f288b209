// SPDX-License-Identifier: MIT
/* Interprets what users type. */
#ifndef RSSCK_QUERY_H
#define RSSCK_QUERY_H

#include "question.h"
#include "relation.h"
#include "row.h"
#include "topics.h"

enum query_kind {
	QUERY_NONE,     /* no similar name */
	QUERY_NAME,     /* `found` */
	QUERY_SPELLING, /* one name is similar: `taken_for` */
	QUERY_KERNEL,   /* `release` */
	QUERY_QUESTION, /* `question` */
	QUERY_ROW,      /* pasted rows: `rows` */
	QUERY_WORDS,    /* names, listed or compared: `found` */
	QUERY_NEAR,     /* a sentence that was not understood, but has names (`found`), `nearest` or
			   `similar` */
};

/* How many names of a sentence that was not understood are explained. */
enum { TERMS_SHOWN = 5 };

enum { RELEASE_SIZE = 64 };

struct query {
	enum query_kind kind;
	struct topics found; /* owned */
	const struct question *question;
	bool by_rank; /* of QUERY_QUESTION: found by rank.h or said.h, and all of the answer */
	const struct question *said;    /* why its number has the value that the sentence says; or
					   NULL */
	const struct question *nearest; /* of QUERY_NEAR: lacks at most three words; or NULL */
	const struct question *similar[SIMILAR]; /* of QUERY_NEAR */
	size_t nr_similar;
	struct pasted rows[ROWS_MOST];
	size_t nr_rows;
	char release[RELEASE_SIZE];
	char taken_for[96];
	char relation[3 * RELATION_SIZE]; /* how two names of QUERY_WORDS are related, or "" */
	char unit[128];                   /* of a question about a unit: the answer, or "" */
	bool outside;                     /* of QUERY_NEAR: its names are not about main memory */
	bool explained;  /* of QUERY_NEAR: the terms shown explain each of its words */
	bool nearly;     /* they explain all words but one or two (`unknown`) that do not change the
			    sense */
	char values[96]; /* values of the sentence that the answer says nothing about, or "" */
	char read_as[128]; /* misspelt words of the sentence, corrected: "process, memory", or "" */
	char system[64]; /* of QUERY_NEAR: another system than Linux that the sentence names, or ""
			  */
	/*
	 * Unknown words of a sentence; for QUERY_QUESTION, the words that the question leaves
	 * out: "'kubelet', 'arc'", or "".
	 */
	char unknown[256];
};

/* Interprets `text`. Returns 0, or -1 if there is no memory. */
int query_resolve(struct query *q, const struct topics *all, const char *text);
void query_free(struct query *q);

/* Returns the edit distance between a topic's name and a typed one. */
unsigned topic_nearness(const struct topic *t, const char *name);

#endif
