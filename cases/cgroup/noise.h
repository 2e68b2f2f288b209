// SPDX-License-Identifier: MIT
/* Memory for zswap. */
#ifndef CASES_CGROUP_NOISE_H
#define CASES_CGROUP_NOISE_H

#include <rssck/case.h>

/* Half of each page is noise, so that it compresses to more than nothing and less than a page. */
static inline void write_noise(const struct workload *w, char *p, size_t pages)
{
	uint64_t x = 88172645463325252ULL;

	for (size_t i = 0; i < pages; i++) {
		uint64_t *word = (uint64_t *)(void *)(p + i * w->page_size);

		for (size_t k = 0; k < w->page_size / 16; k++) {
			x ^= x << 13;
			x ^= x >> 7;
			x ^= x << 17;
			word[k] = x;
		}
	}
}

#endif
