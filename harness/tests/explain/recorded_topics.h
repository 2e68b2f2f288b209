// SPDX-License-Identifier: MIT
/* The recorded runs of results/ and all topics of explain, which the tests of one program share. */
#ifndef RSSCK_TEST_RECORDED_TOPICS_H
#define RSSCK_TEST_RECORDED_TOPICS_H

#include "cmd/recorded.h"
#include "explain/explain.h"
#include "tests/support/test.h"

static struct recordings recorded;
static struct topics all;

FIXTURE(setup)
{
	return recorded_load(&recorded, "results") || topics_all(&all);
}

FIXTURE(teardown)
{
	topics_free(&all);
	recordings_free(&recorded);
	return 0;
}

TESTS_SHARE(setup, teardown);

/* Interprets a question; query_free() frees the result. */
static inline struct query resolved(const char *text)
{
	struct query q;

	assert_int_equal(query_resolve(&q, &all, text), 0);
	return q;
}

/* Returns the question that answers, or the first name that is explained. */
static inline const char *first_of(const struct query *q)
{
	if (q->kind == QUERY_QUESTION)
		return q->question->asks;
	return q->found.nr ? q->found.of[0].name : "nothing";
}

/* Returns true if the exit status of explain says that the question was answered. */
static inline bool is_answered(const struct query *q)
{
	return q->kind != QUERY_NONE && (q->kind != QUERY_NEAR || q->explained);
}

/* Explains for a process of 7 threads, in lines of 80 columns. `models` may be NULL. */
static inline struct explanation explanation_to(FILE *out, const struct models *models)
{
	return (struct explanation) {
		.prose = { .out = out, .width = 80 },
		.kernels = { recorded.of, recorded.nr },
		.models = models,
		.not_measured = "it was not asked for",
		.threads = 7,
		.page_size = 4096,
	};
}

#endif
