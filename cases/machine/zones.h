// SPDX-License-Identifier: MIT
/* Reads the zones' watermarks and reserves from /proc/zoneinfo, in pages. */
#ifndef RSSCK_CASES_MACHINE_ZONES_H
#define RSSCK_CASES_MACHINE_ZONES_H

#include <inttypes.h>
#include <rssck/case.h>

static const char min_free[] = "/proc/sys/vm/min_free_kbytes";

static inline int64_t largest(const char *list)
{
	int64_t most = 0, one;
	int n;

	for (; sscanf(list, "%*[(, ]%" SCNd64 "%n", &one, &n) == 1; list += n)
		most = one > most ? one : most;
	return most;
}

/*
 * Sums over all zones: the watermarks (`min` only of zones that share min_free_kbytes), and the
 * reserves as calculate_totalreserve_pages() adds them up.
 */
struct zones {
	int64_t min, low, reserve;
};

/* Returns false for zones with their own minimum (__setup_per_zone_wmarks()). */
static inline bool shares_min_free(const char *zone)
{
	return strcmp(zone, "Movable") && strcmp(zone, "HighMem");
}

static inline struct zones zones_now(void)
{
	FILE *f = fopen("/proc/zoneinfo", "re");
	int64_t value, high = 0, managed = 0;
	struct zones z = { 0 };
	char text[256], name[32], zone[32] = "";

	while (f && fgets(text, sizeof(text), f)) {
		const char *list = strstr(text, "protection:");

		if (list) {
			int64_t kept = largest(list + strlen("protection:")) + high;

			z.reserve += kept < managed ? kept : managed;
		} else if (sscanf(text, "Node %*d, zone %31s", zone) != 1 &&
			   sscanf(text, " %31s %" SCNd64, name, &value) == 2) {
			z.min += strcmp(name, "min") || !shares_min_free(zone) ? 0 : value;
			z.low += strcmp(name, "low") ? 0 : value;
			high = strcmp(name, "high") ? high : value;
			managed = strcmp(name, "managed") ? managed : value;
		}
	}
	if (f)
		fclose(f);
	return z;
}

/*
 * Waits until no zone has raised watermarks. The kernel raises those of a fragmented zone until
 * kswapd has reclaimed (boost_watermark()); the reserves do not change.
 */
static inline struct zones read_zones(struct workload *w)
{
	int64_t min_kb = workload_number(min_free, NULL, 0);
	struct patience p = { .seconds = 10 };
	struct zones z;

	while ((z = zones_now()).min * (int64_t)w->page_size / 1024 > min_kb)
		workload_wait(w, &p, "zones without raised watermarks");
	if (!z.low)
		workload_skip(w, "watermarks in /proc/zoneinfo");
	return z;
}

#endif
