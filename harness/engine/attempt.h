// SPDX-License-Identifier: MIT
/* One try of one case, judged. */
#ifndef RSSCK_ATTEMPT_H
#define RSSCK_ATTEMPT_H

#include "engine.h"
#include "engine/log/log.h"
#include "judge/judge.h"

struct attempt {
	enum verdict verdict;
	bool final; /* the kernel has complained, which it may do only once, so no further try can
		     * change the verdict */
	char reason[320];
	struct missing missing; /* of a skip */
	struct judgement judgement;
	struct log_news news;
};

/*
 * Runs a case once on those CPUs and judges it. Always fills in *a; the caller calls
 * judgement_free().
 */
void attempt_make(struct attempt *a, struct engine *e, const struct case_registration *c,
		  const int *cpus, unsigned nr_cpus);

#endif
