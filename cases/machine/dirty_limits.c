// SPDX-License-Identifier: MIT
/*
 * Checks nr_dirty_threshold and nr_dirty_background_threshold of /proc/vmstat, which the kernel
 * computes when the file is read, under each pair of settings of a table.
 */
#include "base/kernel_file.h"
#include "zones.h"

#define VM "/proc/sys/vm/"

enum { TEXT = 160, PATIENCE_S = 5 };
STEP_SYMBOLS(AS_IT_IS, EACH_SETTING);

/* Each pair: bytes, then a ratio. */
enum setting { BYTES, RATIO, BACKGROUND_BYTES, BACKGROUND_RATIO, SETTINGS };

static const char *const paths[SETTINGS] = {
	[BYTES] = VM "dirty_bytes",
	[RATIO] = VM "dirty_ratio",
	[BACKGROUND_BYTES] = VM "dirty_background_bytes",
	[BACKGROUND_RATIO] = VM "dirty_background_ratio",
};

/* Bytes count, unless they are 0. A write of bytes sets the ratio to 0, and the other way round. */
struct settings {
	int64_t of[SETTINGS];
};

/* In pages. */
struct limits {
	int64_t dirty, background;
};

static struct settings settings_now(void)
{
	struct settings s;

	for (enum setting i = 0; i < SETTINGS; i++)
		s.of[i] = workload_number(paths[i], NULL, -1);
	return s;
}

/*
 * Returns the limit in pages. A ratio is first rounded down to a fraction of a page
 * (domain_dirty_limits() of mm/page-writeback.c).
 */
static int64_t limit(const struct workload *w, int64_t bytes, int64_t percent, int64_t dirtyable)
{
	int64_t page = (int64_t)w->page_size;

	if (bytes)
		return (bytes + page - 1) / page;
	return percent * page / 100 * dirtyable / page;
}

static struct limits limits_of(const struct workload *w, const struct settings *s,
			       int64_t dirtyable)
{
	struct limits l = {
		limit(w, s->of[BYTES], s->of[RATIO], dirtyable),
		limit(w, s->of[BACKGROUND_BYTES], s->of[BACKGROUND_RATIO], dirtyable),
	};

	if (l.dirty > UINT32_MAX)
		l.dirty = UINT32_MAX;
	if (l.background >= l.dirty)
		l.background = l.dirty / 2;
	return l;
}

static int64_t vmstat(const char *name)
{
	return kernel_number_in(workload_buffer, name, -1);
}

/* global_dirtyable_memory(): free pages above the reserves, and the page cache's lists. */
static int64_t dirtyable(const struct watermarks *z)
{
	int64_t free = vmstat("nr_free_pages");

	free -= free < z->reserve ? free : z->reserve;
	return free + vmstat("nr_inactive_file") + vmstat("nr_active_file") + 1;
}

/*
 * Compares until one reading agrees, since other processes allocate while the kernel adds up.
 * Writes what the last one showed to `wrong`, or an empty text.
 */
static void compare(struct workload *w, char wrong[TEXT])
{
	struct patience p = { .seconds = PATIENCE_S, .pause_us = 1000 };
	struct watermarks z = watermarks_read(w);
	struct settings s = settings_now();

	do {
		struct limits must, is;

		workload_read_text("/proc/vmstat", workload_buffer, WORKLOAD_BUFFER);
		is = (struct limits) { vmstat("nr_dirty_threshold"),
				       vmstat("nr_dirty_background_threshold") };
		must = limits_of(w, &s, dirtyable(&z));
		if (is.dirty == must.dirty && is.background == must.background) {
			wrong[0] = '\0';
			return;
		}
		snprintf(wrong, TEXT,
			 "nr_dirty_threshold %" PRId64 ", must be %" PRId64
			 "; nr_dirty_background_threshold %" PRId64 ", must be %" PRId64,
			 is.dirty, must.dirty, is.background, must.background);
	} while (workload_pause(&p));
}

static bool has_highmem(void)
{
	struct zones zones;

	zones_read(&zones);
	for (int i = 0; i < zones.nr && i < ZONES; i++)
		if (!strcmp(zones.of[i].name, "HighMem"))
			return true;
	return false;
}

static void as_it_is(struct workload *w)
{
	struct settings s = settings_now();
	char wrong[TEXT];

	if (has_highmem())
		workload_skip(w, "a machine without high memory, which is left out of the limits");
	for (enum setting i = 0; i < SETTINGS; i++)
		if (s.of[i] < 0)
			workload_skip(w, "%s", paths[i]);
	/* A write ends raised watermarks (setup_per_zone_wmarks()). */
	workload_try_to_set_number(min_free, workload_number(min_free, NULL, 0));
	compare(w, wrong);
	if (wrong[0])
		workload_fail(w, "%s", wrong);
	workload_checked(w);
}

static const struct row {
	enum setting dirty;
	int64_t dirty_value;
	enum setting background;
	int64_t background_value;
} rows[] = {
	{ RATIO, 100, BACKGROUND_RATIO, 99 },
	{ RATIO, 1, BACKGROUND_RATIO, 0 },
	{ RATIO, 33, BACKGROUND_RATIO, 7 },
	{ RATIO, 10, BACKGROUND_RATIO, 90 },
	{ RATIO, 40, BACKGROUND_BYTES, 1000001 },
	{ BYTES, 64 << 20, BACKGROUND_RATIO, 1 },
	{ BYTES, 3000001, BACKGROUND_BYTES, 1500001 },
	{ BYTES, 1 << 20, BACKGROUND_BYTES, 2 << 20 },
};

static struct settings before;

static void restore(void)
{
	for (enum setting bytes = BYTES; bytes < SETTINGS; bytes += 2) {
		enum setting i = before.of[bytes] ? bytes : bytes + 1;

		workload_try_to_set_number(paths[i], before.of[i]);
	}
}

static bool set(const struct row *r)
{
	return workload_try_to_set_number(paths[r->dirty], r->dirty_value) &&
	       workload_try_to_set_number(paths[r->background], r->background_value);
}

static void each_setting(struct workload *w)
{
	const struct row *r, *end = rows + sizeof(rows) / sizeof(*rows);
	struct workload_guard g;
	char wrong[TEXT] = "";

	before = settings_now();
	g = workload_guard_begin(w, restore);
	for (r = rows; r < end && !wrong[0]; r++) {
		if (!set(r))
			break;
		compare(w, wrong);
	}
	workload_guard_end(w, &g);
	if (wrong[0])
		workload_fail(w, "%s = %" PRId64 ", %s = %" PRId64 ": %s", paths[r[-1].dirty],
			      r[-1].dirty_value, paths[r[-1].background], r[-1].background_value,
			      wrong);
	if (r < end)
		workload_skip(w, "%s and %s that can be set", paths[r->dirty],
			      paths[r->background]);
	workload_checked(w);
}

CASE(machine_dirty_limits) {
	.claim =
		"nr_dirty_threshold and nr_dirty_background_threshold are the set bytes, or the set percentage of the free pages above the reserves plus the page cache's lists; a background limit that is not below the other is half of it",
	.because = "global_dirtyable_memory() adds up the pages, and domain_dirty_limits() takes "
		   "the percentages (mm/page-writeback.c).",
	.said_by = SAID_BY("Documentation/admin-guide/sysctl/vm.rst, dirty_ratio"),
	.needs = NEEDS("root", "guest"),
	.flags = CASE_ONE_CPU,
	.limit_s = 120,
	.steps = STEPS(STEP_AS(AS_IT_IS, "as it is set", as_it_is, .checks = 1),
		       STEP_AS(EACH_SETTING, "each setting of the table", each_setting,
			       .checks = 1)),
};
