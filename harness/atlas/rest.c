// SPDX-License-Identifier: MIT
#include "rest.h"
#include "snapshot/snapshot.h"
#include <stdlib.h>
#include <unistd.h>

/* Not RssFile: reclaim takes page cache, and text is read in again. */
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

/* In kB. Settling does not bring out what the CPUs keep of swap. */
static int64_t lag(const struct models *m, enum metric_id id, bool settled)
{
	enum model_kind kind = model_for(m, id)->kind;
	bool kept = id == METRIC_STATUS_VMSWAP && kind == MODEL_PER_CPU;

	if (metric(id)->kind != KIND_COUNTER || (settled && !kept && kind != MODEL_UNKNOWN))
		return 0;
	return model_bound(m, id, 1) * (sysconf(_SC_PAGESIZE) / 1024);
}

bool rest_differs(const struct values *before, pid_t pid, const struct models *m, bool settled,
		  struct rest_difference *d)
{
	struct values now;

	if (rest_take(&now, pid) < 0)
		return false;
	for (unsigned i = 0; i < REST_NUMBERS; i++) {
		enum metric_id id = numbers[i];

		if (!before->have[id] || llabs(now.of[id] - before->of[id]) <= lag(m, id, settled))
			continue;
		*d = (struct rest_difference) { id, before->of[id], now.of[id] };
		return true;
	}
	return false;
}
