// SPDX-License-Identifier: MIT
#ifndef RSSCK_RUN_TRIAL_TOOLS_H
#define RSSCK_RUN_TRIAL_TOOLS_H

#include <rssck/trial.h>

/*
 * Run the case's tools on the leader, whose snapshot the moment holds, and
 * take another snapshot after each. Returns 0, or -1 with a sentence in `why`:
 * a tool printed nothing, or the books moved each time that it was run.
 */
int tools_look(const struct testcase *c, const struct host *h, struct moment *m, char *why,
	       size_t size);

#endif
