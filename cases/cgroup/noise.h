// SPDX-License-Identifier: MIT
/* Turns zswap on, and fills memory for it. */
#ifndef CASES_CGROUP_NOISE_H
#define CASES_CGROUP_NOISE_H

#include <rssck/case.h>

static char zswap_was[8];

#define ZSWAP_ENABLED "/sys/module/zswap/parameters/enabled"

/* zswap counts pages as zswpout, and writes them to swap later or never. */
static inline bool zswap_is_on(void)
{
	char text[4];

	workload_read_text(ZSWAP_ENABLED, text, sizeof(text));
	return *text == 'Y';
}

static inline void zswap_restore(void)
{
	workload_try_to_set(ZSWAP_ENABLED, zswap_was);
}

/* Turns zswap on until the guard ends. Skips the case if the kernel has no zswap. */
static inline struct workload_guard zswap_begin(struct workload *w)
{
	struct workload_guard g;

	workload_read_text(ZSWAP_ENABLED, zswap_was, sizeof(zswap_was));
	if (!*zswap_was)
		workload_skip(w, "zswap (CONFIG_ZSWAP)");
	g = workload_guard_begin(w, zswap_restore);
	workload_try_to_set(ZSWAP_ENABLED, "Y");
	return g;
}

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
