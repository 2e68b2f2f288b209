// SPDX-License-Identifier: MIT
#include "rest.h"
#include "agent/agent.h"
#include "base/kernel_file.h"
#include "snapshot/snapshot.h"
#include <stdlib.h>
#include <unistd.h>

/* RssFile is left out, because reclaim drops page cache, and program text is read again. */
static const enum metric_id numbers[REST_NUMBERS] = {
	METRIC_STATUS_VMSIZE,  METRIC_STATUS_VMLCK,    METRIC_STATUS_VMPIN,  METRIC_STATUS_VMDATA,
	METRIC_STATUS_VMSTK,   METRIC_STATUS_VMPTE,    METRIC_STATUS_VMSWAP, METRIC_STATUS_HUGETLB,
	METRIC_STATUS_RSSANON, METRIC_STATUS_RSSSHMEM,
};

int rest_take(struct values *v, pid_t pid)
{
	struct source_error ignored;

	*v = (struct values) { .have = { false } };
	return counters_take(v, pid, &ignored) ? -1 : 0;
}

/* The lag of a counter whose model is unknown. The sum of two must not overflow. */
#define ANY_LAG (INT64_MAX / 2)

/* Returns the possible lag in kB. Settling does not flush the CPUs' parts of the swap counter. */
static int64_t lag(const struct models *m, enum metric_id id, bool settled)
{
	enum model_kind kind = model_for(m, id)->kind;
	bool kept = id == METRIC_STATUS_VMSWAP && kind == MODEL_PER_CPU;
	int64_t pages;

	if (metric(id)->kind != KIND_COUNTER || (settled && !kept && kind != MODEL_UNKNOWN))
		return 0;
	pages = model_bound(m, id, 1);
	return pages < 0 ? ANY_LAG : pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static bool has_moved(const struct values *before, const struct values *now, enum metric_id id,
		      int64_t most)
{
	return before->have[id] && llabs(now->of[id] - before->of[id]) > most;
}

/* Anonymous pages that went to swap leave RssAnon + VmSwap unchanged. */
static bool has_gone_to_swap(const struct values *before, const struct values *now, int64_t most)
{
	int64_t swap = now->of[METRIC_STATUS_VMSWAP] - before->of[METRIC_STATUS_VMSWAP];
	int64_t anon = now->of[METRIC_STATUS_RSSANON] - before->of[METRIC_STATUS_RSSANON];

	return swap > 0 && llabs(swap + anon) <= most;
}

bool rest_differs(const struct values *before, const struct values *now, const struct models *m,
		  bool settled, bool reclaimed, struct rest_difference *d)
{
	int64_t both = lag(m, METRIC_STATUS_VMSWAP, settled && !reclaimed) +
		       lag(m, METRIC_STATUS_RSSANON, settled && !reclaimed);
	bool swapped = reclaimed && has_gone_to_swap(before, now, both);

	for (unsigned i = 0; i < REST_NUMBERS; i++) {
		enum metric_id id = numbers[i];

		if (!has_moved(before, now, id, lag(m, id, settled && !reclaimed)) ||
		    (swapped && (id == METRIC_STATUS_VMSWAP || id == METRIC_STATUS_RSSANON)))
			continue;
		*d = (struct rest_difference) { id, before->of[id], now->of[id] };
		return true;
	}
	return false;
}

int64_t rest_scanned(void)
{
	struct numbered n[] = { { .field = "pgscan_kswapd", .value = -1 },
				{ .field = "pgscan_direct", .value = -1 } };

	kernel_numbers("/proc/vmstat", n, 2);
	return n[0].value < 0 || n[1].value < 0 ? -1 : n[0].value + n[1].value;
}
