// SPDX-License-Identifier: MIT
/* Runs cases on the running kernel and judges them. */
#ifndef RSSCK_ENGINE_H
#define RSSCK_ENGINE_H

#include "engine/workload/state.h"
#include <rssck/verdict.h>

/*
 * Probes the host, finds the workload program and a directory for files, and measures the counter
 * models. If `directory` is NULL, it uses the first of $TMPDIR, /tmp, /var/tmp and . whose files
 * are neither shmem nor hugetlbfs. `limit_s` is the time limit of a step in seconds; 0 means 30. A
 * model that cannot be measured is not an error. Returns 0, or -1 with a message in `why`.
 */
int engine_open(struct engine *e, const char *directory, unsigned limit_s, char *why, size_t size);
void engine_close(struct engine *e);

/* Runs a case as often as needed until its verdict is certain. Always fills in *r. */
void engine_run(struct engine *e, const struct case_registration *c, struct result *r);

/*
 * Waits for late messages of the kernel; call it after the last case. A late complaint, such as
 * "Bad rss-counter state", fails the last case in `r`. Returns 1 if that case had not failed
 * before, otherwise 0.
 */
size_t engine_drain_log(struct engine *e, struct results *r);

/* Fills in the fields of *r about the host and the models. */
void engine_describe(const struct engine *e, struct results *r);

#endif
