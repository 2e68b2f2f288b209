// SPDX-License-Identifier: MIT
/* Verbs: KSM, in a guest, where ksmd runs while an act waits for it, and at no other time. */
#include "agent/agent.h"
#include "verbs.h"
#include <errno.h>
#include <rssck/source.h>

#define KSM "/sys/kernel/mm/ksm/"

static int64_t number(const char *path, const char *field)
{
	return workload_number(path, field, -1);
}

/* Two rounds: a page must have been met before it is merged. */
static bool ksmd_goes_its_rounds(void)
{
	struct patience patience = { .seconds = 10 };
	int64_t enough = number(KSM "full_scans", NULL) + 3;
	bool done = workload_try_to_set(KSM "sleep_millisecs", "1") &&
		    workload_try_to_set(KSM "pages_to_scan", "10000") &&
		    workload_try_to_set(KSM "run", "1");

	while (done && number(KSM "full_scans", NULL) < enough)
		done = workload_pause(&patience);
	return workload_try_to_set(KSM "run", "0") && done;
}

bool act_merge_all(void *p, size_t bytes)
{
	return !madvise(p, bytes, MADV_MERGEABLE) && ksmd_goes_its_rounds();
}

/*
 * Pages that hold the same become one, each still counted as its process's; with "zeroes" those
 * that hold nothing become the zero page.
 */
void verb_ksm_merge(struct worker *k, const struct act *a)
{
	bool zeroes = k->verb->value, done = true;

	if (!act_is_in_guest(k))
		return;
	act_result(k, madvise(act_address(k, a), act_bytes(k, a), MADV_MERGEABLE));
	k->regions[a->region].merged = true;
	if (k->outcome.error)
		return;
	if (zeroes)
		done = workload_try_to_set(KSM "use_zero_pages", "1");
	done = done && ksmd_goes_its_rounds();
	if (zeroes)
		workload_try_to_set(KSM "use_zero_pages", "0");
	errno = EBUSY;
	act_result(k, done ? 0 : -1);
}

/*
 * KSM lets go of all pages of all processes: then it keeps no item of any. What a child counts
 * it has inherited (dup_mm(), until 4d6fc29f3634, 6.18).
 */
void verb_ksm_unmerge(struct worker *k, const struct act *a)
{
	static const char stat[] = "/proc/self/ksm_stat";
	int64_t items = number(stat, "ksm_rmap_items");

	if (!act_is_in_guest(k))
		return;
	errno = ECHILD;
	act_result(k, a->process ? -1 : 0);
	if (k->outcome.error)
		return;
	errno = ENOENT;
	act_result(k, items < 0 || !workload_try_to_set(KSM "run", "2") ? -1 : 0);
	workload_try_to_set(KSM "run", "0");
	if (k->outcome.error)
		return;
	k->outcome.seen = number(stat, "ksm_rmap_items") +
			  number("/proc/self/ksm_merging_pages", NULL) +
			  workload_number(stat, "ksm_zero_pages", 0);
}
