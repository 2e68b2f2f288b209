// SPDX-License-Identifier: MIT
/*
 * Numbers below 0. The kernel prints them as 0, but a write to /proc/sys/vm/stat_refresh names them
 * in the kernel's log: "vmstat_refresh: nr_isolated_anon -32" (mm/vmstat.c, vmstat_refresh()).
 */
#ifndef CASES_MACHINE_NEGATIVE_H
#define CASES_MACHINE_NEGATIVE_H

#include "ledger.h"

enum { NEGATIVES = 16, NEGATIVE_TRIES = 4 };

struct negatives {
	int log; /* from workload_open_log() */
	size_t nr;
	struct negative {
		char name[48];
		int64_t value; /* pages, or the number's own unit */
	} of[NEGATIVES];
};

static inline struct negative *negative_find(struct negatives *n, const char *name)
{
	for (size_t i = 0; i < n->nr; i++)
		if (!strcmp(n->of[i].name, name))
			return &n->of[i];
	return NULL;
}

/* Refreshes the numbers, and finds those below 0. Finds none if the log cannot be read. */
static inline void negatives_read(struct workload *w, struct negatives *n)
{
	char text[256];

	n->nr = 0;
	if (n->log < 0 || lseek(n->log, 0, SEEK_END) < 0)
		return;
	workload_set(w, "/proc/sys/vm/stat_refresh", "1");
	while (n->nr < NEGATIVES && workload_next_of_log(n->log, text, sizeof(text))) {
		struct negative *one = &n->of[n->nr];

		if (sscanf(text, "vmstat_refresh: %47s %" SCNd64, one->name, &one->value) == 2 &&
		    one->value < 0 && !negative_find(n, one->name))
			n->nr++;
	}
}

static inline void negatives_open(struct workload *w, struct negatives *n)
{
	n->log = workload_open_log();
	negatives_read(w, n);
}

/*
 * Fails if a number is below 0, and lower than at the start, in each of several readings. A single
 * reading may show a number below 0, because the CPUs add their parts one after the other. `known`
 * are kinds that a known bug leaves below 0.
 */
static inline void negatives_close(struct workload *w, struct negatives *before, uint64_t known)
{
	struct negatives all = { .log = before->log }, now = all;

	negatives_read(w, &all);
	for (int i = 1; all.nr && i < NEGATIVE_TRIES; i++) {
		usleep(50000);
		negatives_read(w, &now);
		for (size_t k = 0; k < all.nr; k++) {
			const struct negative *again = negative_find(&now, all.of[k].name);

			if (!again || again->value > all.of[k].value)
				all.of[k].value = again ? again->value : 0;
		}
	}
	for (size_t k = 0; k < all.nr; k++) {
		const struct negative *then = negative_find(before, all.of[k].name);
		const struct ledger_kind *row = ledger_row(all.of[k].name);

		if (row && known & KIND(row->kind))
			continue;
		if (all.of[k].value < (then ? then->value : 0))
			workload_fail(w,
				      "%s fell to %" PRId64 ", below 0, which /proc/vmstat prints "
				      "as 0",
				      all.of[k].name, all.of[k].value);
	}
	if (before->log >= 0)
		close(before->log);
}

#endif
