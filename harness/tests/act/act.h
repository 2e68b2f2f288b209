// SPDX-License-Identifier: MIT
/*
 * The proof of the acts: `make check-acts`. Every case that passes is run again with one
 * act of one of its steps left out: the whole step, one call of it, or the second half of
 * one call's range. Such a run must not pass with the same facts. Two separate programs
 * do this. They differ from rssck and rssck-workload only by functions that the linker
 * wraps (-Wl,--wrap).
 */
#ifndef RSSCK_TESTS_ACT_H
#define RSSCK_TESTS_ACT_H

/*
 * The act that the workload leaves out, "STEP ACT": the number of the step and the
 * workload's name of the act, followed by ACT_HALF for half of it. ACT_STEP is the step's
 * function itself. ACT_NOTHING leaves out nothing: the workload reports its acts.
 */
#define ACT_LEAVE_OUT "RSSCK_TEST_ACT"
#define ACT_NOTHING   ""
#define ACT_STEP      "all"
#define ACT_HALF      "/2"

/* In the table of exceptions: the step of a fact. */
#define ACT_FACT "a fact"

enum { ACT_NAME = 32 };

#endif
