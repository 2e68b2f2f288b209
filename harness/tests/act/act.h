// SPDX-License-Identifier: MIT
/*
 * The proof of the act: `make check-acts`. Every case that passes is run again
 * with one act of one of its steps left out: the whole step, one call of it, or
 * the second half of what one call is for. Such a run must not pass with the
 * same facts. It is done by two programs of their own, which differ from rssck
 * and rssck-workload by what the linker wraps (-Wl,--wrap): those know nothing
 * of it.
 */
#ifndef RSSCK_TESTS_ACT_H
#define RSSCK_TESTS_ACT_H

/*
 * What the workload leaves out, "STEP ACT": the number of the step and the name
 * that the workload has given to the act, with ACT_HALF behind it for half of
 * it. ACT_STEP is the step's function itself. ACT_NOTHING leaves out nothing: the
 * workload reports what there is.
 */
#define ACT_LEAVE_OUT "RSSCK_TEST_ACT"
#define ACT_NOTHING   ""
#define ACT_STEP      "all"
#define ACT_HALF      "/2"

/* In the table of exceptions: the step of a fact. */
#define ACT_FACT "a fact"

enum { ACT_NAME = 32 };

#endif
