// SPDX-License-Identifier: MIT
/*
 * Explains a name from the tables, a measurement of this kernel, and the recorded runs of others.
 */
#ifndef RSSCK_EXPLAIN_H
#define RSSCK_EXPLAIN_H

#include "base/print/prose.h"
#include "query.h"
#include "runs/document.h"
#include "runs/kernels.h"
#include <jansson.h>
#include <rssck/model.h>

struct explanation {
	struct prose prose;
	struct kernels kernels;      /* recorded runs, sorted; nr is 0 if there are none */
	const struct models *models; /* models measured here, or those of `run`, or NULL */
	const struct results *run;   /* the recorded kernel that the answer is about, or NULL: this
				      * one */
	const char *where;           /* "Linux 6.1.0"; NULL: this kernel */
	const char *release;         /* the requested release ("6.6"), recorded or not; or NULL */
	const char *not_measured;    /* why nothing was measured, if `models` is NULL */
	const char *process;         /* "1234 (nginx)", or NULL */
	unsigned threads; /* number of threads of the process in question; by default 1 */
	unsigned cpus;    /* --cpus: `models` are for this many CPUs; or 0 */
	long page_size;
};

/*
 * Prints the answer, e.g. "top RES: do not believe it to the page. ...", and on another line what
 * to read instead.
 */
void explain_answer(const struct explanation *e, const char *name, enum metric_id id);

/* The same for a column, which may be the sum of two metrics. */
void explain_column_answer(const struct explanation *e, const char *name, const struct column *c);

void explain_figure(const struct explanation *e, const struct figure *f);
void explain_group(const struct explanation *e, const struct topic *group);
void explain_kernel(const struct explanation *e, const char *asked);
void explain_metric(const struct explanation *e, enum metric_id id);
void explain_metric_place(const struct explanation *e, enum metric_id id); /* the same without the
									    * answer */
void explain_column(const struct explanation *e, const struct column *c);
void explain_model(const struct explanation *e, enum model_kind kind);
void explain_fact(const struct explanation *e, const struct topic *t);
void explain_case(const struct explanation *e, const struct case_registration *c);
void explain_topic(const struct explanation *e, const struct topic *t);

/*
 * Explains a name with several meanings: lists them, or explains the number if all are the same
 * number.
 */
void explain_found(const struct explanation *e, const char *name, const struct topics *found);

/* Writes the manual page of all metrics, in man(7)'s macros. Returns 0, or -1 with errno. */
int explain_manual(const struct kernels *k, FILE *out);

/* Explains the topic that a query was resolved to; `asked` is the query's text. */
void explain_query(const struct explanation *e, const char *asked, const struct query *q);

/* The same as a JSON object, an element of `answers` in schema rssck-explain/1. */
json_t *explain_query_json(const struct explanation *e, const char *asked, const struct query *q);

/*
 * Returns the newest recorded kernel of a release ("6.1", "6.12.43"), or NULL. A no-page-mapcount
 * kernel is returned only if there is no other.
 */
const struct results *kernel_by_release(const struct kernels *k, const char *asked);

/* How a range of kernel versions counts resident pages; range_words() names the commits. */
enum range_kind { RANGE_UNKNOWN, RANGE_PER_THREAD, RANGE_PER_CPU, RANGE_SUMMED };

struct range {
	unsigned first; /* version */
	enum range_kind kind;
	const char *since;
};

/*
 * Returns the range of a release. range_change(): for a series such as "6.12", the range that
 * begins within it; NULL if none does, or for a full release ("6.12.15").
 */
const struct range *range_of(const char *release);
const struct range *range_change(const char *release);

/* True if the OOM killer of that release adds up the CPUs' parts. */
bool range_oom_is_summed(const char *release);

/* Returns a clause with the commits from which this way of counting is known. */
const char *range_words(enum range_kind kind);

/*
 * Gets the models of a kernel without a recorded run from a recorded kernel that counts in the same
 * way. Returns false if there is none.
 */
bool range_models(const struct kernels *k, const char *release, struct models *m);

/* Returns a recorded kernel's counter models, with everything that their bounds need. */
struct models kernel_models(const struct results *r);

/* Converts models to a machine with that many CPUs. */
void models_scale(struct models *m, unsigned cpus);

/* Writes "5.10.0, 6.1.0 ...", or why no kernel is recorded, into buf. */
const char *kernels_recorded(const struct kernels *k, char *buf, size_t size);

/* ---- parts that the above share ---- */

/* Returns "this kernel", or a name like "Linux 6.1.0". */
const char *where_words(const struct explanation *e);

/*
 * metric_answer_words() returns a text like "believe it. On Linux 6.1.0 ...", which the caller
 * frees. metric_instead() returns what to read instead, or NULL.
 */
char *metric_answer_words(const struct explanation *e, enum metric_id id);
const char *metric_instead(const struct explanation *e, enum metric_id id);

/* Prints "Proved by     ID: what it claims", or that this rssck has no such case. */
void explain_proof_line(const struct explanation *e, const char *label, const char *id);

/*
 * Returns how wrong a metric can be on the kernel of the answer with e->threads threads, by its
 * counter model, or why it cannot be wrong. The caller frees the text.
 */
char *metric_error_words(const struct explanation *e, enum metric_id id);

/* Return what a counter model is, and how far such a counter may be off. */
const char *model_words(enum model_kind kind);
const char *model_bound_words(enum model_kind kind);

/*
 * Returns the modelled counter from which a metric is computed: itself, another one (stat.rss for a
 * peak), or METRIC_NONE.
 */
enum metric_id metric_counted_as(enum metric_id id);
/*
 * The same for the kernel of the answer. Since 7.0 oom_score is computed from the sum over the
 * CPUs, as statm.resident is.
 */
enum metric_id metric_computed_as(const struct explanation *e, enum metric_id id);

/* Writes "186 pages (744 kB)" into buf. */
const char *pages_words(int64_t pages, long page_size, char *buf, size_t size);

/*
 * Prints the values of a row on the recorded kernels: "exact on 6.12.43 and later", after `what`
 * if it is not NULL; and the reason if they differ.
 */
void explain_by_kernel(const struct explanation *e, const char *label, const char *what,
		       cell_fn *cell, const void *row, const char *why);

/*
 * Prints sentences of documents that are wrong about that metric or column on some recorded
 * kernel; a column has the name that sentence_column() gives it.
 */
void explain_sentences(const struct explanation *e, const char *name);

/*
 * Stores the most informative cases about a metric in of[0..most), best first; unused elements
 * become NULL. Returns how many cases check how the metric moves.
 */
size_t metric_cases(enum metric_id id, long page_size, const struct case_registration **of,
		    size_t most);

#endif
