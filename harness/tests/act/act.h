// SPDX-License-Identifier: MIT
/*
 * The proof of the acts: `make check-acts`. Every case that passes is run again with one act of one
 * of its steps left out: the whole step, one call of it, or the second half of the range of a call.
 * Such a run must fail, or report other facts. Two separate programs do this. They differ from
 * rssck and rssck-workload only by functions that the linker wraps (-Wl,--wrap).
 */
#ifndef RSSCK_TESTS_ACT_H
#define RSSCK_TESTS_ACT_H

/*
 * The act that the workload leaves out, "STEP ACT": the number of the step and the workload's name
 * of the act. ACT_HALF at the end of the name means half of the act. ACT_STEP is the whole step.
 * With ACT_NOTHING the workload leaves out nothing and reports its acts.
 */
#define ACT_LEAVE_OUT "RSSCK_TEST_ACT"
#define ACT_NOTHING   ""
#define ACT_STEP      "all"
#define ACT_HALF      "/2"

/* In exceptions.def, a row about a fact has this name in place of a step's name. */
#define ACT_FACT "a fact"

enum { ACT_NAME = 32 };

#endif
