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

#endif
