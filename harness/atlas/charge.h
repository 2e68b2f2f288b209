// SPDX-License-Identifier: MIT
/* What the worker's own cgroup is charged for. */
#ifndef RSSCK_ATLAS_CHARGE_H
#define RSSCK_ATLAS_CHARGE_H

#include <stdbool.h>
#include <stdint.h>

enum charge_number { CHARGE_ANON, CHARGE_FILE, CHARGE_SHMEM, CHARGE_SWAP, CHARGE_NUMBERS };

struct charge {
	bool known, has_swap;
	int64_t kb[CHARGE_NUMBERS];
};

/* Of memory.stat and memory.swap.current of that folder; not known where there is none. */
void charge_take(struct charge *c, const char *cgroup);

/* What memory.stat lags behind by at the most, in pages: a batch of each CPU's, and of all. */
int64_t charge_lag(int cpus);

struct charge_difference {
	const char *name;
	int64_t before, now; /* kB */
};

/*
 * All is unmapped and closed: whether more is charged than before, by more than memory.stat lags
 * and the worker's own pages, which are charged anew where they are copied. In kB.
 */
bool charge_left_behind(const struct charge *before, const struct charge *now, int64_t more_kb,
			struct charge_difference *d);

/* Whether less is charged than this: anonymous memory, and swap, since then; in kB. */
bool charge_falls_short(const struct charge *before, const struct charge *now, int64_t anon_kb,
			int64_t swap_kb, struct charge_difference *d);

#endif
