// SPDX-License-Identifier: MIT
#include "data.h"

uint32_t data_check(const struct data *d, const struct worker *k, uint32_t *page, uint64_t *seen,
		    uint64_t *expected)
{
	uint32_t wrong = 0;

	for (unsigned i = 0; i < DATA_REGIONS; i++)
		for (uint32_t n = 0; n < d->of[i].used; n++) {
			uint64_t stamp = data_expected(d, i, n), now;

			/* An access that raises a signal says nothing about the data. */
			if (!stamp || !act_load(k->regions[i].at + n * k->page + DATA_AT, &now) ||
			    now == stamp || wrong++)
				continue;
			*page = n;
			*seen = now;
			*expected = stamp;
		}
	return wrong;
}
