// SPDX-License-Identifier: MIT
/*
 * A sentence that a document says of a metric, and the rule by which a recorded run
 * decides whether it holds on that kernel.
 *
 * Adding a sentence means adding a row to documents.def.
 */
#ifndef RSSCK_DOCUMENT_H
#define RSSCK_DOCUMENT_H

#include <rssck/verdict.h>

struct sentence {
	const char *document; /* "proc_pid_status(5)" */
	const char *says;     /* the sentence, in our own words */
	const char *about; /* names of metrics, sentence_column() or sentence_figure(), separated by
			    * spaces */
	/*
	 * Conditions, joined by " and ":
	 *   case:ID             holds if the case passes, false if it fails
	 *   not case:ID         false if the case passes; otherwise unknown
	 *   fact:NAME=VALUE     also NAME!=VALUE
	 *   model:METRIC=KIND   exact, per-thread or per-cpu; also METRIC!=KIND
	 *   since:RELEASE       must come first: the Documentation of an older kernel lacks
	 *                       the sentence, so it is unknown there
	 */
	const char *rule;
	const char *truth; /* the true sentence, if it is false on any kernel, or NULL */
};

enum sentence_holds {
	SENTENCE_HOLDS,   /* every condition holds */
	SENTENCE_FALSE,   /* one of them does not hold */
	SENTENCE_UNKNOWN, /* none is false, but this run has not measured all */
};

/* All sentences, document by document: [0, *nr). */
const struct sentence *sentences_all(size_t *nr);

/* Returns whether the sentence is true on the kernel of that run. */
enum sentence_holds sentence_judge(const struct sentence *s, const struct results *r);

/*
 * Writes a tool's column as one word into buf: "top.RES"; "pmap-x.Kbytes" for "Kbytes" of "pmap
 * -x".
 */
const char *sentence_column(const char *tool, const char *name, char *buf, size_t size);

/* Writes a number of the machine or of a container as one word into buf: "docker_stats". */
const char *sentence_figure(const char *name, char *buf, size_t size);

/* True if the sentence is about the metric, column or figure with that name. */
bool sentence_is_about(const struct sentence *s, const char *name);

/* A parsed condition of a rule. */
enum condition_kind {
	CONDITION_CASE,
	CONDITION_NOT_CASE,
	CONDITION_FACT,
	CONDITION_MODEL,
	CONDITION_SINCE
};

struct condition {
	enum condition_kind kind;
	char name[80];  /* name of the case, the fact or the metric */
	char value[80]; /* "" of a case */
	bool is_not;    /* != */
};

/*
 * Parses the next condition of *rule, and moves *rule behind it. Returns 1; 0 at the end;
 * -1 if the rule is malformed.
 */
int condition_next(const char **rule, struct condition *c);

#endif
