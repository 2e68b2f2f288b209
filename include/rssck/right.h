// SPDX-License-Identifier: MIT
/* A question that a forked process answers: right, wrong, or that it cannot tell. */
#ifndef RSSCK_RIGHT_H
#define RSSCK_RIGHT_H

#include <rssck/workload.h>

/* What fn() of workload_must_be_right() returns. */
enum { RIGHT, WRONG, CANNOT };

/*
 * Runs fn() by workload_in_child_that_says(). Fails the case with the text if the result is WRONG.
 * Skips it if the result is CANNOT, with the text or, if there is none, with what `needs` says.
 */
void workload_must_be_right(struct workload *w, int (*fn)(const struct workload *w), char *text,
			    size_t size, const char *needs, ...)
	__attribute__((format(printf, 5, 6)));

#endif
