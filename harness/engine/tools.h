// SPDX-License-Identifier: MIT
#ifndef RSSCK_RUN_TRIAL_TOOLS_H
#define RSSCK_RUN_TRIAL_TOOLS_H

#include <rssck/trial.h>

/*
 * Runs the case's tools on the leader, whose snapshot is in the moment, and takes another snapshot
 * after each. Returns TRIAL_DONE, or with a sentence in `why`: TRIAL_SKIPPED if a tool cannot be
 * used here at all, TRIAL_ERROR if a tool failed or the numbers changed each time it ran.
 */
enum trial_end tools_look(const struct testcase *c, const struct host *h, struct moment *m,
			  char *why, size_t size);

#endif
