// SPDX-License-Identifier: MIT
/*
 * The lines of /proc/zoneinfo that the kernel computes: the watermarks of each zone, and the pages
 * that a zone protects against requests for higher zones. Sets each setting they follow from.
 */
#include "zones.h"

STEP_SYMBOLS(CHANGE);

enum { TRIES = 5 };

static struct {
	struct zones zones;
	int64_t managed, lowmem; /* the sum of all zones; of all but Movable and HighMem */
	int64_t min_free, scale, ratio[ZONE_KINDS];
	bool movable_is_low; /* see is_low() */
	const char *setting;
	char wrong[200]; /* the first line that is wrong */
} now;

static int64_t least(const struct zone *z)
{
	int64_t min = z->managed / 1024;

	return min < 32 ? 32 : min > 128 ? 128 : min;
}

/* Only these share min_free_kbytes. Kernels before 6.6 count the Movable zones among them. */
static bool is_low(const struct zone *z)
{
	return zone_shares_min_free(z) || (now.movable_is_low && !strcmp(z->name, "Movable"));
}

/*
 * The min watermark of an empty Movable zone is least() if the kernel does not count the zone as
 * low, and 0 if it does.
 */
static bool movable_is_low(void)
{
	for (int i = 0; i < now.zones.nr; i++)
		if (!strcmp(now.zones.of[i].name, "Movable"))
			return now.zones.of[i].min != least(&now.zones.of[i]);
	return false;
}

static void read_zones(struct workload *w)
{
	if (!zones_read(&now.zones))
		workload_skip(w, "/proc/zoneinfo: %m");
	now.managed = now.lowmem = 0;
	now.movable_is_low = movable_is_low();
	for (int i = 0; i < now.zones.nr; i++) {
		const struct zone *z = &now.zones.of[i];

		now.managed += z->managed;
		now.lowmem += is_low(z) ? z->managed : 0;
	}
}

#define SYSCTL "/proc/sys/vm/"

enum { MIN_FREE, SCALE, RATIO, FILES };

static const char *const files[FILES] = {
	[MIN_FREE] = SYSCTL "min_free_kbytes",
	[SCALE] = SYSCTL "watermark_scale_factor",
	[RATIO] = SYSCTL "lowmem_reserve_ratio",
};

static void read_settings(struct workload *w)
{
	char text[256], *at = text;

	now.min_free = workload_number(files[MIN_FREE], NULL, -1) * 1024 / (int64_t)w->page_size;
	now.scale = workload_number(files[SCALE], NULL, -1);
	workload_read_text(files[RATIO], text, sizeof(text));
	for (int i = 0; i < ZONE_KINDS; i++)
		now.ratio[i] = strtoll(at, &at, 10);
}

static void must_be(const struct zone *z, const char *line, int64_t value, int64_t expected)
{
	if (value < 0 || value == expected || now.wrong[0])
		return;
	snprintf(now.wrong, sizeof(now.wrong),
		 "%s: %s of node %d, zone %s is %" PRId64 ", must be %" PRId64, now.setting, line,
		 z->node, z->name, value, expected);
}

/* __setup_per_zone_wmarks() in mm/page_alloc.c */
static void check_watermarks(const struct zone *z)
{
	int64_t share = now.min_free * z->managed / now.lowmem;
	int64_t scaled = z->managed / 10000 * now.scale + z->managed % 10000 * now.scale / 10000;
	int64_t step = share / 4 > scaled ? share / 4 : scaled, min = share;

	if (!is_low(z))
		min = least(z);
	must_be(z, "min", z->min, min);
	must_be(z, "low", z->low, min + step);
	must_be(z, "high", z->high, min + 2 * step);
	must_be(z, "promo", z->promo, min + 3 * step);
}

/* setup_per_zone_lowmem_reserve() in mm/page_alloc.c; since 5.9 an empty zone protects nothing. */
static void check_protection(const struct zone *z)
{
	int64_t above = 0;

	for (int kind = 0; kind < now.zones.kinds; kind++) {
		bool clear = kind <= z->kind || now.ratio[z->kind] < 1 || !z->managed;

		for (int i = 0; kind > z->kind && i < now.zones.nr; i++)
			if (now.zones.of[i].node == z->node && now.zones.of[i].kind == kind)
				above += now.zones.of[i].managed;
		must_be(z, "protection", z->protection[kind],
			clear ? 0 : above / now.ratio[z->kind]);
	}
}

static bool is_at_rest(void)
{
	for (int i = 0; i < now.zones.nr; i++) {
		const struct zone *z = &now.zones.of[i];

		if (z->nr_free >= 0 && z->nr_free != z->free)
			return false;
	}
	return true;
}

static void check(struct workload *w)
{
	/* The two lines of free pages are read one after the other. */
	for (int i = 0; i < TRIES; i++) {
		read_zones(w);
		if (is_at_rest())
			break;
	}
	read_settings(w);
	for (int i = 0; i < now.zones.nr; i++) {
		const struct zone *z = &now.zones.of[i];

		must_be(z, "nr_free_pages", z->nr_free, z->free);
		must_be(z, "present beyond spanned", z->present > z->spanned, 0);
		must_be(z, "managed beyond present", z->managed > z->present, 0);
		must_be(z, "free beyond managed", z->free > z->managed, 0);
		check_watermarks(z);
		check_protection(z);
	}
	if (!now.wrong[0] && now.managed * (int64_t)w->page_size / 1024 !=
				     workload_number("/proc/meminfo", "MemTotal", -1))
		snprintf(now.wrong, sizeof(now.wrong),
			 "%s: MemTotal is not the managed pages of all zones", now.setting);
}

/* NULL: the value that was there. It is written, too, so that the kernel computes anew. */
static const struct setting {
	const char *name;
	const char *value[FILES];
} settings[] = {
	{ "as the settings are", { NULL } },
	{ "min_free_kbytes 4000", { [MIN_FREE] = "4000" } },
	{ "watermark_scale_factor 300", { [SCALE] = "300" } },
	{ "both", { [MIN_FREE] = "3000", [SCALE] = "100" } },
	{ "lowmem_reserve_ratio 1 to 9", { [RATIO] = "9 7 5 3 1" } },
	{ "lowmem_reserve_ratio 0", { [RATIO] = "0 0 0 0 0" } },
};

enum { SETTINGS = sizeof(settings) / sizeof(*settings) };

static void set(char old[FILES][64], const struct setting *s)
{
	for (int i = 0; i < FILES; i++) {
		const char *value = s && s->value[i] ? s->value[i] : old[i];

		workload_try_to_set(files[i], value);
		if (workload_number(files[i], NULL, -1) != strtoll(value, NULL, 10) &&
		    !now.wrong[0])
			snprintf(now.wrong, sizeof(now.wrong), "%s cannot be set", files[i]);
	}
}

static void try_all(struct workload *w)
{
	static char old[FILES][64];

	for (int i = 0; i < FILES; i++)
		if (workload_read_text(files[i], old[i], sizeof(old[i])) < 0)
			workload_skip(w, "%s: %m", files[i]);
	for (int i = 0; i < SETTINGS && !now.wrong[0]; i++) {
		now.setting = settings[i].name;
		set(old, &settings[i]);
		check(w);
	}
	set(old, NULL);
	if (now.wrong[0])
		workload_fail(w, "%s", now.wrong);
	workload_report(w, "movable", now.movable_is_low);
	workload_checked(w);
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_fact(j, "zone.min_of_Movable_is", "%s",
		   trial_reported(t, CHANGE, "movable") ? "a share" : "small");
}

CASE(machine_watermarks) {
	.claim =
		"/proc/zoneinfo shows each zone's watermarks and protected pages as they follow from its managed pages and the settings; all zones' managed pages are MemTotal",
	.because =
		"Each watermark is the one below plus the same distance: a quarter of the zone's share of min_free_kbytes, or watermark_scale_factor 10,000ths of its pages, whichever is more (__setup_per_zone_wmarks()). A zone protects the managed pages of the zones above it, divided by its lowmem_reserve_ratio.",
	.said_by = SAID_BY("Documentation/admin-guide/sysctl/vm.rst, watermark_scale_factor",
			   "Documentation/admin-guide/sysctl/vm.rst, lowmem_reserve_ratio"),
	.needs = NEEDS("root", "guest"),
	.steps = STEPS(STEP_AS(CHANGE, "change the settings", try_all, .checks = 1)),
	.facts = FACTS(FACT(
		"zone.min_of_Movable_is",
		"Is the min watermark of a Movable zone a share of the minimum, or small (32 to 128 pages)?",
		"a share|small")),
	.judge = judge,
};
