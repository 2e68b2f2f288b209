// SPDX-License-Identifier: MIT
/*
 * The misbehaving workload: the environment names the step that goes wrong, and how, so one program
 * serves every test.
 */
#ifndef RSSCK_MISBEHAVING_H
#define RSSCK_MISBEHAVING_H

/*
 * "write:exit": a step and how it misbehaves, see misbehaviours[]. If it is not set, no step
 * misbehaves.
 */
#define MISBEHAVE_HOW "RSSCK_TEST_MISBEHAVE"
/*
 * Number of a descriptor: a step that waits writes its PID to it; a step with a script reads the
 * script from it.
 */
#define MISBEHAVE_TELL "RSSCK_TEST_TELL"
/* A file of numbers, for the step that reads some. */
#define MISBEHAVE_FILE "RSSCK_TEST_FILE"

enum { MISBEHAVING_PAGES = 8, MISBEHAVING_CHILD = 1, MISBEHAVING_STATUS = 3 };

/* The steps: the third one forks, the fourth one is run by the forked process. */
#define MISBEHAVING_STEPS(map_it, write_it, fork_it, child_it, unmap_it)                      \
	STEPS(STEP("map", map_it, MOVES(VIRT_DATA(MISBEHAVING_PAGES))),                       \
	      STEP("write", write_it, MOVES(ANON_WRITE(MISBEHAVING_PAGES))),                  \
	      STEP("fork", fork_it, .flags = STEP_ANY_PAGES),                                 \
	      STEP("child", child_it, .process = MISBEHAVING_CHILD, .flags = STEP_ANY_PAGES), \
	      STEP("unmap", unmap_it, .flags = STEP_ANY_PAGES))

#endif
