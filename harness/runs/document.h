// SPDX-License-Identifier: MIT
/*
 * The sentence: what a document says of a metric, and the rule by which a
 * recorded run decides whether it holds on that kernel.
 *
 * Adding a sentence is adding a row to documents.def.
 */
#ifndef RSSCK_DOCUMENT_H
#define RSSCK_DOCUMENT_H

#include <rssck/verdict.h>

struct sentence {
	const char *document; /* "proc_pid_status(5)" */
	const char *says;     /* the sentence, in our own words */
	const char *about; /* metric names, sentence_column()s or _figure()s; a space between two */
	/*
	 * Conditions, joined by " and ":
	 *   case:ID             holds where the case passes, false where it fails
	 *   not case:ID         false where the case passes; else nothing is known
	 *   fact:NAME=VALUE     also NAME!=VALUE
	 *   model:METRIC=KIND   exact, per-thread or per-cpu; also METRIC!=KIND
	 *   since:RELEASE       first: the Documentation of an older kernel does not say so, and
	 *                       nothing is known
	 */
	const char *rule;
	const char *truth; /* what is true instead, where it is false anywhere, or NULL */
};

enum sentence_holds {
	SENTENCE_HOLDS,   /* every condition does */
	SENTENCE_FALSE,   /* one of them does not */
	SENTENCE_UNKNOWN, /* none is false, and one was not measured by this run */
};

/* All sentences, document by document: [0, *nr). */
const struct sentence *sentences_all(size_t *nr);

/* Whether the sentence holds on the kernel of that run. */
enum sentence_holds sentence_judge(const struct sentence *s, const struct results *r);

/* A tool's column in one word, into buf: "top.RES", "pmap-x.Kbytes" of "pmap -x" and "Kbytes". */
const char *sentence_column(const char *tool, const char *name, char *buf, size_t size);

/* A number of the machine or of a container in one word, into buf: "docker_stats". */
const char *sentence_figure(const char *name, char *buf, size_t size);

/* True if the sentence speaks of the metric, sentence_column() or sentence_figure() of that name.
 */
bool sentence_is_about(const struct sentence *s, const char *name);

/* One condition of a rule, taken apart. */
enum condition_kind {
	CONDITION_CASE,
	CONDITION_NOT_CASE,
	CONDITION_FACT,
	CONDITION_MODEL,
	CONDITION_SINCE
};

struct condition {
	enum condition_kind kind;
	char name[80];  /* of the case, the fact or the metric */
	char value[80]; /* "" of a case */
	bool is_not;    /* != */
};

/*
 * Take the next condition off *rule, which then points behind it. Returns 1;
 * 0 at the end; -1 where the rule is not written as above.
 */
int condition_next(const char **rule, struct condition *c);

#endif
