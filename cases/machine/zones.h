// SPDX-License-Identifier: MIT
/* Reads the zones of /proc/zoneinfo, in pages. */
#ifndef RSSCK_CASES_MACHINE_ZONES_H
#define RSSCK_CASES_MACHINE_ZONES_H

#include <inttypes.h>
#include <rssck/case.h>

static const char min_free[] = "/proc/sys/vm/min_free_kbytes";

enum { ZONES = 64, ZONE_KINDS = 8 };

/* A line that this kernel does not print is -1. */
struct zone {
	int node, kind; /* the kind is its place among the zones of its node */
	char name[16];
	int64_t free, min, low, high, promo, spanned, present, managed, nr_free;
	int64_t protection[ZONE_KINDS];
};

struct zones {
	int nr, kinds; /* `kinds` is the length of each list of protected pages */
	struct zone of[ZONES];
};

static const struct zone_line {
	const char *name;
	size_t at;
} zone_lines[] = {
	{ "pages free", offsetof(struct zone, free) },
	{ "min", offsetof(struct zone, min) },
	{ "low", offsetof(struct zone, low) },
	{ "high", offsetof(struct zone, high) },
	{ "promo", offsetof(struct zone, promo) },
	{ "spanned", offsetof(struct zone, spanned) },
	{ "present", offsetof(struct zone, present) },
	{ "managed", offsetof(struct zone, managed) },
	{ "nr_free_pages", offsetof(struct zone, nr_free) },
};

enum { ZONE_LINES = sizeof(zone_lines) / sizeof(*zone_lines) };

static inline int64_t *zone_value(struct zone *z, size_t line)
{
	return (int64_t *)((char *)z + zone_lines[line].at);
}

/* Reads "protection: (0, 2955, 3935)". Returns the length of the list. */
static inline int zone_take_protection(struct zone *z, const char *text)
{
	int n = 0;

	while (n < ZONE_KINDS && strchr("(,", *text)) {
		char *end;

		z->protection[n++] = strtoll(text + 1, &end, 10);
		text = end;
	}
	return n;
}

static inline void zone_take_line(struct zones *list, struct zone *z, const char *line)
{
	static const char protection[] = "protection: ";
	const char *text = line + strspn(line, " ");

	for (size_t i = 0; i < ZONE_LINES; i++) {
		size_t len = strlen(zone_lines[i].name);
		int64_t *value = zone_value(z, i);

		/* "high:" and the like of the CPUs' page sets have a colon, and come later. */
		if (*value < 0 && !strncmp(text, zone_lines[i].name, len) && text[len] == ' ')
			*value = strtoll(text + len, NULL, 10);
	}
	if (!strncmp(text, protection, strlen(protection)))
		list->kinds = zone_take_protection(z, text + strlen(protection));
}

/* Returns false with errno if the file cannot be read, or has too many zones. */
static inline bool zones_read(struct zones *list)
{
	FILE *f = fopen("/proc/zoneinfo", "re");
	struct zone *z = NULL, new = { .kind = 0 };
	char line[256];

	list->nr = list->kinds = 0;
	while (f && list->nr <= ZONES && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "Node %d, zone %15s", &new.node, new.name) != 2) {
			if (z)
				zone_take_line(list, z, line);
			continue;
		}
		if (list->nr++ == ZONES)
			continue;
		new.kind = z && z->node == new.node ? z->kind + 1 : 0;
		z = &list->of[list->nr - 1];
		*z = new;
		for (size_t i = 0; i < ZONE_LINES; i++)
			*zone_value(z, i) = -1;
	}
	if (!f)
		return false;
	fclose(f);
	errno = E2BIG;
	return list->nr <= ZONES;
}

/* Returns false for zones with their own minimum (__setup_per_zone_wmarks()). */
static inline bool zone_shares_min_free(const struct zone *z)
{
	return strcmp(z->name, "Movable") && strcmp(z->name, "HighMem");
}

/*
 * Sums over all zones: the watermarks (`min` only of zones that share min_free_kbytes), and the
 * reserves as calculate_totalreserve_pages() adds them up.
 */
struct watermarks {
	int64_t min, low, reserve;
};

static inline struct watermarks watermarks_now(void)
{
	struct watermarks sum = { 0 };
	struct zones zones;

	zones_read(&zones);
	for (int i = 0; i < zones.nr && i < ZONES; i++) {
		const struct zone *z = &zones.of[i];
		int64_t kept = 0;

		for (int kind = 0; kind < zones.kinds; kind++)
			kept = z->protection[kind] > kept ? z->protection[kind] : kept;
		kept += z->high;
		sum.min += zone_shares_min_free(z) ? z->min : 0;
		sum.low += z->low;
		sum.reserve += kept < z->managed ? kept : z->managed;
	}
	return sum;
}

/*
 * Waits until no zone has raised watermarks. The kernel raises those of a fragmented zone until
 * kswapd has reclaimed (boost_watermark()); the reserves do not change.
 */
static inline struct watermarks watermarks_read(struct workload *w)
{
	int64_t min_kb = workload_number(min_free, NULL, 0);
	struct patience p = { .seconds = 10 };
	struct watermarks sum;

	while ((sum = watermarks_now()).min * (int64_t)w->page_size / 1024 > min_kb)
		workload_wait(w, &p, "zones without raised watermarks");
	if (!sum.low)
		workload_skip(w, "watermarks in /proc/zoneinfo");
	return sum;
}

#endif
