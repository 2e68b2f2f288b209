// SPDX-License-Identifier: MIT
/* Judges the page frames of all processes together. */
#include "audit.h"
#include "find.h"
#include "frames.h"
#include "paid.h"
#include <stdio.h>
#include <time.h>

enum { LOOKS = 4, PAUSE_MS = 2 };

/* True if the processes share one address space, after vfork(2) or clone(2) with CLONE_VM. */
static bool is_same_space(const struct snapshot *a, const struct snapshot *b)
{
	if (a->nr_maps != b->nr_maps ||
	    a->values.of[METRIC_STATM_SIZE] != b->values.of[METRIC_STATM_SIZE] ||
	    a->maps[0].start != b->maps[0].start)
		return false;
	return find_is_same_memory(a->pid, b->pid);
}

/* Moves the first snapshot of each address space to the front, and returns their number. */
static size_t spaces(struct snapshot **s, size_t nr)
{
	size_t n = 0;

	for (size_t i = 0; i < nr; i++) {
		size_t k = 0;

		while (k < n && !is_same_space(s[i], s[k]))
			k++;
		if (k == n) {
			struct snapshot *one = s[i];

			s[i] = s[n];
			s[n++] = one;
		}
	}
	return n;
}

static void find(struct auditor *a, enum rule_id rule, int64_t frames, const char *what)
{
	struct discrepancy d;

	discrepancy_set(&d, rule, "frames", frames, 0, "%s", what);
	snprintf(d.step, sizeof(d.step), "audit");
	auditor_find(a, CHECK_FRAMES, a->command, "all processes", &d);
}

static void judge_frames(struct auditor *a, struct point *p, struct snapshot **s, size_t n)
{
	struct frames_found found;

	for (int look = 0;; look++) {
		bool read = frames_compare(s, n, a->host, &found) == 0;

		if (read && !found.mapped_more && !found.lost)
			break;
		if (!read || (look == LOOKS && found.moved)) {
			a->unseen[UNSEEN_FRAMES]++;
			return;
		}
		if (look == LOOKS)
			break;
		nanosleep(&(struct timespec) { .tv_nsec = (PAUSE_MS << look) * 1000000L }, NULL);
	}
	a->numbers[CHECK_FRAMES] += found.compared;
	p->numbers += found.compared;
	if (found.mapped_more)
		find(a, RULE_FRAMES_MORE, found.mapped_more,
		     "frames mapped more often than counted");
	if (found.lost)
		find(a, RULE_FRAMES_LOST, found.lost,
		     "anonymous frames mapped less often than counted");
}

void together_judge(struct auditor *a, struct point *p, struct snapshot **s, size_t nr)
{
	size_t n;

	if (!a->host->sees_pfns || a->host->kpagecount < 0)
		return;
	n = spaces(s, nr);
	judge_frames(a, p, s, n);
	paid_judge(a, p, s, n);
}
