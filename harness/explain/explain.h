// SPDX-License-Identifier: MIT
/*
 * Explanations: all that the tables, a measurement of this kernel and the recorded runs of others
 * say about one name.
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
	struct kernels kernels;      /* recorded runs, sorted; none where nr is 0 */
	const struct models *models; /* measured here, or those of `run`, or NULL */
	const struct results *run;   /* the recorded kernel that is asked for, or NULL: this one */
	const char *where;           /* "Linux 6.1.0"; NULL: this kernel */
	const char *release;         /* the release that was asked for: "6.6", recorded or not; or
				      * NULL */
	const char *not_measured;    /* then: why */
	const char *process;         /* "1234 (nginx)", or NULL */
	unsigned threads;            /* of the process in question; without one 1 */
	unsigned cpus;               /* --cpus: `models` are computed for so many; or 0 */
	long page_size;
};

/*
 * The answer first: "top RES: do not believe it to the page. ...", and in a line of its own what
 * to read instead.
 */
void explain_answer(const struct explanation *e, const char *name, enum metric_id id);

void explain_word(const struct explanation *e, const struct topic *t);
void explain_figure(const struct explanation *e, const struct figure *f);
void explain_group(const struct explanation *e, const struct topic *group);
void explain_kernel(const struct explanation *e, const char *asked);
void explain_question(const struct explanation *e, const struct question *q);
void explain_metric(const struct explanation *e, enum metric_id id);
void explain_metric_place(const struct explanation *e, enum metric_id id); /* without its answer */
void explain_column(const struct explanation *e, const struct column *c);
void explain_model(const struct explanation *e, enum model_kind kind);
void explain_fact(const struct explanation *e, const struct topic *t);
void explain_case(const struct explanation *e, const struct case_registration *c);
void explain_topic(const struct explanation *e, const struct topic *t);

/* A name with several meanings: lists them; explains them all if they are one number. */
void explain_found(const struct explanation *e, const char *name, const struct topics *found);

/* The manual page of all metrics, in man(7)'s macros. Returns 0, or -1 with errno. */
int explain_manual(const struct kernels *k, FILE *out);

/* Explain what a query was understood to ask; `asked` is its text. */
void explain_query(const struct explanation *e, const char *asked, const struct query *q);

/* The same as a JSON object of schema rssck-explain/1's `answers`. */
json_t *explain_query_json(const struct explanation *e, const char *asked, const struct query *q);

/* The newest recorded kernel of that release ("6.1", "6.12.43"), or NULL. */
const struct results *kernel_by_release(const struct kernels *k, const char *asked);

/* Kernels that count in one way, by the commits that changed it. */
enum range_kind { RANGE_UNKNOWN, RANGE_PER_THREAD, RANGE_PER_CPU, RANGE_SUMMED };

struct range {
	unsigned first; /* version */
	enum range_kind kind;
	const char *since;
};

/* The range of a release; NULL if its series ("6.12") changed within itself. */
const struct range *range_of(const char *release);
const struct range *range_change(const char *release);

/* The commits that it is based on: a clause. */
const char *range_words(enum range_kind kind);

/*
 * The models of a kernel that is not recorded, from one that counts in the same way; false: there
 * is none.
 */
bool range_models(const struct kernels *k, const char *release, struct models *m);

/* Its counter models, with all that their bounds need. */
struct models kernel_models(const struct results *r);

/* What the same kernel would hold back on a machine of so many CPUs. */
void models_scale(struct models *m, unsigned cpus);

/* "5.10.0, 6.1.0 ...", or why there are none, into buf. */
const char *kernels_recorded(const struct kernels *k, char *buf, size_t size);

/* ---- parts that the above share ---- */

/* "this kernel", "Linux 6.1.0". */
const char *where_words(const struct explanation *e);

/* "believe it. On Linux 6.1.0 ...", to be freed; and what to read instead, or NULL. */
char *metric_answer_words(const struct explanation *e, enum metric_id id);
const char *metric_instead(const struct explanation *e, enum metric_id id);

/* "Proved by     ID: what it claims", or that such a case is not here. */
void explain_proof_line(const struct explanation *e, const char *label, const char *id);

/*
 * How wrong a metric can be: on this kernel, for so many threads, by the model that was measured;
 * or why it cannot be wrong. To be freed.
 */
char *metric_error_words(const struct explanation *e, enum metric_id id);

/* What a counter model is, and how far off a counter of it may be. */
const char *model_words(enum model_kind kind);
const char *model_bound_words(enum model_kind kind);

/*
 * The modelled counter that a metric is computed from: itself, stat.rss for a peak; or METRIC_NONE.
 */
enum metric_id metric_counted_as(enum metric_id id);

/* "186 pages (744 kB)", into buf. */
const char *pages_words(int64_t pages, long page_size, char *buf, size_t size);

/*
 * The values of a row on the recorded kernels: "exact on 6.12.43 and later", `what` before it or
 * NULL; and why, where they differ.
 */
void explain_by_kernel(const struct explanation *e, const char *label, const char *what,
		       cell_fn *cell, const void *row, const char *why);

/*
 * Sentences of documents that are wrong about that metric or column on some recorded kernel; a
 * column as sentence_column() names it.
 */
void explain_sentences(const struct explanation *e, const char *name);

/*
 * The cases that say most about a metric, best first, into of[0..most), NULL after the last;
 * returns how many cases check how it moves.
 */
size_t metric_cases(enum metric_id id, long page_size, const struct case_registration **of,
		    size_t most);

/* The first sentence of a text, into buf. */
const char *first_sentence(const char *text, char *buf, size_t size);

#endif
