// SPDX-License-Identifier: MIT
/* A question that a forked process answers: right, wrong, or that it cannot tell. */
#ifndef RSSCK_RIGHT_H
#define RSSCK_RIGHT_H

#include <rssck/workload.h>

/* What fn() of workload_must_be_right() returns. */
enum { RIGHT, WRONG, CANNOT };

/*
 * Runs fn() by workload_in_child_that_says(). Fails the case with the text if the result is WRONG.
 * Skips it if the result is CANNOT, with the text or, if there is none, with `needs`.
 */
void workload_must_be_right(struct workload *w, int (*fn)(const struct workload *w), char *text,
			    size_t size, const char *needs);

/*
 * Like workload_must_be_right(), for an fn() that says numbers if the result is RIGHT, such as
 * "12 0". Reports them under the names that follow, and counts one check.
 */
#define workload_report_if_right(w, fn, needs, ...) \
	workload_report_if_right_(w, fn, needs, (const char *const[]) { __VA_ARGS__, NULL })
void workload_report_if_right_(struct workload *w, int (*fn)(const struct workload *w),
			       const char *needs, const char *const *names);

#endif
