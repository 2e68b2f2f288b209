// SPDX-License-Identifier: MIT
/* Compares the VmRSS of many processes with their page tables. */
#include "census.h"
#include <stdio.h>

/*
 * True if VmRSS differs although the process did not change. A difference in one sample is usually
 * caused by a change during the reading.
 */
static bool differs_standing(pid_t pid, struct reader *r, long page_size)
{
	static const struct measured unknown;
	struct reading p;
	struct audit a;

	audit_process(&a, &p, pid, r, &unknown, page_size);
	return p.sight == SIGHT_SEEN && !p.moved &&
	       p.counters.of[METRIC_STATUS_VMRSS] != p.tables.of[METRIC_ROLLUP_RSS];
}

static void judge_member(struct census *c, struct member *m, struct reader *r,
			 const struct measured *measured, long page_size)
{
	struct reading p;
	struct audit a;

	audit_process(&a, &p, m->pid, r, measured, page_size);
	m->off = a.verdict == AUDIT_OFF;
	if (m->off && c->nr_off++ == 0)
		snprintf(c->off, sizeof(c->off), "%.600s", a.sentence);
}

void census_judge(struct census *c, struct measured *m, void (*measure)(struct measured *m),
		  long page_size)
{
	struct reader r = { .stat = { .data = NULL } };

	for (size_t i = 0; i < c->nr_members; i++) {
		struct member *member = &c->members[i];

		if (member->vmrss < 0 || member->vmrss == member->rss ||
		    !differs_standing(member->pid, &r, page_size))
			continue;
		if (!m->known && measure)
			measure(m);
		measure = NULL;
		if (m->known)
			judge_member(c, member, &r, m, page_size);
	}
	reader_free(&r);
}
