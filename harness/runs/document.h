// SPDX-License-Identifier: MIT
/*
 * A statement of a document about a metric, and the rule that decides from a recorded run whether
 * the statement is true on that kernel.
 *
 * To add a statement, add a row to documents.def.
 */
#ifndef RSSCK_DOCUMENT_H
#define RSSCK_DOCUMENT_H

#include <rssck/verdict.h>

struct sentence {
	const char *document; /* e.g. "proc_pid_status(5)" */
	const char *says;     /* the statement, in our own words */
	const char *about;    /* the numbers that it is about, separated by spaces: names of
			       * metrics, sentence_column(), or sentence_figure() */
	/*
	 * Conditions, joined by " and ":
	 *   case:ID             holds if the case passes, false if it fails
	 *   not case:ID         false if the case passes; otherwise unknown
	 *   fact:NAME=VALUE     also NAME!=VALUE
	 *   model:METRIC=KIND   exact, per-thread or per-cpu; also METRIC!=KIND
	 *   since:RELEASE       unknown on an older kernel, whose Documentation lacks the
	 *                       sentence; must come first, because the first false condition
	 *                       decides
	 */
	const char *rule;
	const char *truth; /* the true statement if this one is false on any kernel, or NULL */
};

enum sentence_holds {
	SENTENCE_HOLDS,   /* every condition holds */
	SENTENCE_FALSE,   /* a condition does not hold */
	SENTENCE_UNKNOWN, /* no condition is false, but the run has not measured all of them, or the
			   * kernel is older than a since: condition */
};

/* All sentences, grouped by document; *nr is their number. */
const struct sentence *sentences_all(size_t *nr);

/* Decides whether the sentence is true on the kernel of the run. */
enum sentence_holds sentence_judge(const struct sentence *s, const struct results *r);

/*
 * Writes the name of a tool's column as one word into buf: "top.RES", or "pmap-x.Kbytes" for column
 * "Kbytes" of "pmap -x".
 */
const char *sentence_column(const char *tool, const char *name, char *buf, size_t size);

/*
 * Writes the name of a number of the machine or of a container as one word into buf:
 * "docker_stats".
 */
const char *sentence_figure(const char *name, char *buf, size_t size);

/* True if the sentence is about the metric, column or figure called `name`. */
bool sentence_is_about(const struct sentence *s, const char *name);

enum condition_kind {
	CONDITION_CASE,
	CONDITION_NOT_CASE,
	CONDITION_FACT,
	CONDITION_MODEL,
	CONDITION_SINCE
};

struct condition {
	enum condition_kind kind;
	char name[80];  /* the name of the case, fact or metric */
	char value[80]; /* "" for a case */
	bool is_not;    /* the operator is != */
};

/*
 * Parses the next condition of *rule and moves *rule past it. Returns 1; 0 at the end of the rule;
 * -1 if the rule is malformed.
 */
int condition_next(const char **rule, struct condition *c);

#endif
