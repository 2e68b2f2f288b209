// SPDX-License-Identifier: MIT
/* One try of a case, with its verdict. */
#ifndef RSSCK_ATTEMPT_H
#define RSSCK_ATTEMPT_H

#include "engine.h"
#include "engine/log/log.h"
#include "judge/judge.h"

struct attempt {
	enum verdict verdict;
	bool final; /* not tried again: the kernel may complain only once, or a second try would
		       lack what the kernel has lost */
	char reason[320];
	struct missing missing; /* what was missing, for a skip */
	struct judgement judgement;
	struct log_news news;
};

/*
 * Runs a case once on those CPUs and judges it. Always fills in *a, on which the caller calls
 * judgement_free().
 */
void attempt_make(struct attempt *a, struct engine *e, const struct case_registration *c,
		  const int *cpus, unsigned nr_cpus);

#endif
