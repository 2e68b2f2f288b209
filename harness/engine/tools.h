// SPDX-License-Identifier: MIT
#ifndef RSSCK_RUN_TRIAL_TOOLS_H
#define RSSCK_RUN_TRIAL_TOOLS_H

#include <rssck/trial.h>

/*
 * Runs the case's tools on the leader, whose snapshot is in the moment. Reads the leader's files
 * before and after each tool. Returns TRIAL_DONE, also without tools or with STEP_NO_TOOLS;
 * TRIAL_SKIPPED if a tool cannot run here; TRIAL_ERROR if a tool failed, if the leader ended, or if
 * the numbers changed each time a tool ran. The last two have a message in `why`.
 */
enum trial_end tools_look(const struct testcase *c, const struct host *h, struct moment *m,
			  char *why, size_t size);

#endif
