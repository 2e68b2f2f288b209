// SPDX-License-Identifier: MIT
/* Checks KSM's numbers after single scans of a known set of pages, and after the pages are gone. */
#include "rounds.h"
#include <inttypes.h>

enum { EQUAL = 48, UNIQUE = 40, CHANGING = 24, ZEROES = 16, OTHERS = 12, ROUNDS = 8 };
enum { ALL = EQUAL + UNIQUE + CHANGING + ZEROES, OF_EQUAL = 0, OF_UNIQUE, OF_CHANGING, OF_ZEROES };
enum { KEPT = ALL - ZEROES, COMPANION = 0 };

enum number {
	SHARED,
	SHARING,
	UNSHARED,
	VOLATILE,
	SCANNED,
	SKIPPED,
	ZERO_PAGES,
	PROFIT,
	MERGING,
	OWN_ZERO_PAGES,
	ITEMS,
	OWN_PROFIT,
	NUMBERS
};

#define STAT      "/proc/self/ksm_stat"
#define UNCOUNTED INT64_MIN

/* Older kernels lack some: pages_scanned is new in 6.6, and pages_skipped in 6.7. */
static const struct {
	const char *name, *path, *field;
} numbers[NUMBERS] = {
	[SHARED] = { "pages_shared", KSM "pages_shared", NULL },
	[SHARING] = { "pages_sharing", KSM "pages_sharing", NULL },
	[UNSHARED] = { "pages_unshared", KSM "pages_unshared", NULL },
	[VOLATILE] = { "pages_volatile", KSM "pages_volatile", NULL },
	[SCANNED] = { "pages_scanned", KSM "pages_scanned", NULL },
	[SKIPPED] = { "pages_skipped", KSM "pages_skipped", NULL },
	[ZERO_PAGES] = { "ksm_zero_pages of all", KSM "ksm_zero_pages", NULL },
	[PROFIT] = { "general_profit", KSM "general_profit", NULL },
	[MERGING] = { "ksm_merging_pages", "/proc/self/ksm_merging_pages", NULL },
	[OWN_ZERO_PAGES] = { "ksm_zero_pages", STAT, "ksm_zero_pages" },
	[ITEMS] = { "ksm_rmap_items", STAT, "ksm_rmap_items" },
	[OWN_PROFIT] = { "ksm_process_profit", STAT, "ksm_process_profit" },
};

struct reading {
	int64_t of[NUMBERS];
};

static void read_all(struct reading *r)
{
	for (size_t i = 0; i < NUMBERS; i++)
		r->of[i] = workload_number(numbers[i].path, numbers[i].field, UNCOUNTED);
}

/* ---- acts before a scan ---- */

static void fill(struct workload *w, unsigned slot, size_t pages, const char *what)
{
	static unsigned fills;

	fills++;
	for (size_t i = 0; i < pages; i++)
		snprintf((char *)w->slot[slot] + i * w->page_size, 64, "%s %d %u %zu", what,
			 (int)getpid(), fills, i);
}

static void map(struct workload *w, unsigned slot, size_t pages)
{
	w->slot[slot] = workload_anonymous(w, pages);
	workload_advise(w, w->slot[slot], pages * w->page_size, MADV_MERGEABLE);
}

static void begin(struct workload *w)
{
	map(w, OF_EQUAL, EQUAL);
	ksm_write_alike(w, w->slot[OF_EQUAL], EQUAL);
	map(w, OF_UNIQUE, UNIQUE);
	fill(w, OF_UNIQUE, UNIQUE, "unique");
	map(w, OF_CHANGING, CHANGING);
	fill(w, OF_CHANGING, CHANGING, "changing");
	map(w, OF_ZEROES, ZEROES);
	for (size_t i = 0; i < ZEROES; i++)
		*((volatile char *)w->slot[OF_ZEROES] + i * w->page_size) = 0;
}

static void change(struct workload *w)
{
	fill(w, OF_CHANGING, CHANGING, "changing");
}

static void change_half_of_unique(struct workload *w)
{
	fill(w, OF_UNIQUE, UNIQUE / 2, "unique");
}

static void drop_half_of_unique(struct workload *w)
{
	size_t bytes = UNIQUE / 2 * w->page_size;

	workload_must(w, madvise((char *)w->slot[OF_UNIQUE] + bytes, bytes, MADV_DONTNEED),
		      "madvise");
}

static void write_half_of_equal(struct workload *w)
{
	fill(w, OF_EQUAL, EQUAL / 2, "apart");
}

static void unmap_changing(struct workload *w)
{
	workload_unmap(w, w->slot[OF_CHANGING], CHANGING * w->page_size);
}

static void unmerge_equal(struct workload *w)
{
	workload_advise(w, w->slot[OF_EQUAL], EQUAL * w->page_size, MADV_UNMERGEABLE);
}

static void write_zeroes(struct workload *w)
{
	fill(w, OF_ZEROES, ZEROES, "no zeroes");
}

/*
 * The forked process unmaps its copies of the mergeable pages, and writes OTHERS mergeable pages.
 */
static int64_t other_process(const struct workload *w)
{
	char *p = workload_try_map(OTHERS * w->page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, -1);

	if (!p || munmap(w->slot[OF_UNIQUE], UNIQUE * w->page_size) ||
	    munmap(w->slot[OF_ZEROES], ZEROES * w->page_size))
		return -errno;
	for (int i = 0; i < OTHERS; i++)
		snprintf(p + (size_t)i * w->page_size, 64, "other %d %d", (int)getpid(), i);
	return madvise(p, OTHERS * w->page_size, MADV_MERGEABLE) ? -errno : 0;
}

static void other_begins(struct workload *w)
{
	int64_t error;

	w->number[COMPANION] = workload_companion(w, other_process, &error);
	if (error)
		workload_die(w, "another process: %s", strerror((int)-error));
}

static void other_exits(struct workload *w)
{
	workload_companion_ends((pid_t)w->number[COMPANION]);
}

/* ---- single scans ---- */

/*
 * With these settings ksmd scans only when it is woken. `was` is the old value; -1: this kernel
 * does not have the setting.
 */
static struct setting {
	const char *path;
	int64_t value, was;
} settings[] = {
	{ KSM "run", 2, 0 }, /* unmerges all */
	{ KSM "sleep_millisecs", 3600000, 0 },
	{ KSM "pages_to_scan", 1000000, 0 },
	{ KSM "smart_scan", 0, 0 },
	{ KSM "use_zero_pages", 1, 0 },
};

enum { RUN, SLEEP, TO_SCAN, SMART, SETTINGS = sizeof(settings) / sizeof(*settings) };

static void settings_restore(void)
{
	for (size_t i = SETTINGS; i-- > 0;)
		if (settings[i].was >= 0)
			workload_try_to_set_number(settings[i].path, settings[i].was);
}

static struct workload_guard settings_begin(struct workload *w)
{
	struct workload_guard g;

	ksm_needs_sharing(w, EQUAL);
	for (size_t i = 0; i < SETTINGS; i++)
		settings[i].was = workload_number(settings[i].path, NULL, -1);
	g = workload_guard_begin(w, settings_restore);
	for (size_t i = 0; i < SETTINGS; i++)
		if (settings[i].was >= 0)
			workload_set_number(w, settings[i].path, settings[i].value);
	return g;
}

static int64_t full_scans(void)
{
	return workload_number(KSM "full_scans", NULL, -1);
}

/*
 * Lets ksmd scan all pages once. A write to sleep_millisecs wakes ksmd, which scans and then sleeps
 * for an hour. The write is made while run is 0, and is repeated, because ksmd may miss a wakeup.
 * Returns false if no scan ends in time.
 */
static bool scan(struct workload *w)
{
	static int64_t sleep_ms = 3600000;
	struct patience all = { .seconds = PATIENCE_S, .pause_us = 1 };
	int64_t before = full_scans();

	do {
		workload_set(w, KSM "run", "0");
		if (full_scans() > before)
			return true;
		workload_set_number(w, KSM "sleep_millisecs", ++sleep_ms);
		workload_set(w, KSM "run", "1");
		for (int i = 0; i < 200 && full_scans() == before; i++)
			usleep(1000);
	} while (workload_pause(&all));
	workload_set(w, KSM "run", "0");
	return full_scans() > before;
}

/* ---- what the numbers must be ---- */

/* The pages in each state after the act and a scan. */
static const struct state {
	const char *name;
	void (*act)(struct workload *w);
	int64_t merged, unshared, changed, zeroes, scanned, of_others;
} moments[] = {
	{ "the first scan", begin, 0, 0, ALL, 0, ALL, 0 },
	/* ksmd frees the items of zero pages in its next scan. */
	{ "the second scan", change, EQUAL, UNIQUE, CHANGING + ZEROES, ZEROES, ALL, 0 },
	{ "the third scan", change, EQUAL, UNIQUE, CHANGING, ZEROES, KEPT, 0 },
	{ "a scan without changes", NULL, EQUAL, UNIQUE + CHANGING, 0, ZEROES, KEPT, 0 },
	{ "writing half of the unique pages", change_half_of_unique, EQUAL, UNIQUE / 2 + CHANGING,
	  UNIQUE / 2, ZEROES, KEPT, 0 },
	{ "MADV_DONTNEED of the other half", drop_half_of_unique, EQUAL, UNIQUE / 2 + CHANGING, 0,
	  ZEROES, KEPT - UNIQUE / 2, 0 },
	{ "writing half of the equal pages", write_half_of_equal, EQUAL / 2, UNIQUE / 2 + CHANGING,
	  EQUAL / 2, ZEROES, KEPT - UNIQUE / 2, 0 },
	{ "munmap", unmap_changing, EQUAL / 2, UNIQUE / 2 + EQUAL / 2, 0, ZEROES,
	  KEPT - UNIQUE / 2 - CHANGING, 0 },
	{ "MADV_UNMERGEABLE", unmerge_equal, 0, UNIQUE / 2, 0, ZEROES, UNIQUE / 2, 0 },
	{ "writing the pages of zeroes", write_zeroes, 0, UNIQUE / 2, ZEROES, 0,
	  UNIQUE / 2 + ZEROES, 0 },
	{ "another process", other_begins, 0, UNIQUE / 2 + ZEROES, OTHERS, 0,
	  UNIQUE / 2 + ZEROES + OTHERS, OTHERS },
	{ "another scan", NULL, 0, UNIQUE / 2 + ZEROES + OTHERS, 0, 0, UNIQUE / 2 + ZEROES + OTHERS,
	  OTHERS },
	{ "the exit of that process", other_exits, 0, UNIQUE / 2 + ZEROES, 0, 0,
	  UNIQUE / 2 + ZEROES, 0 },
};

static const struct state unmerged = { .name = "writing 2 to ksm/run" };

enum { MOMENTS = sizeof(moments) / sizeof(*moments), LEFT = UNIQUE / 2 + ZEROES };

static char wrong[200];

static bool is_wrong(const struct state *m, enum number n, int64_t is, int64_t must)
{
	if (is == UNCOUNTED || is == must)
		return false;
	snprintf(wrong, sizeof(wrong), "%s after %s is %" PRId64 ", but must be %" PRId64,
		 numbers[n].name, m->name, is, must);
	return true;
}

/* A kernel without a number of skipped pages skips none. */
static int64_t skipped(const struct reading *r)
{
	return r->of[SKIPPED] == UNCOUNTED ? 0 : r->of[SKIPPED];
}

/*
 * Compares the profits with the pages. The size of an item is computed from the first
 * ksm_process_profit.
 */
static bool is_profit_wrong(const struct workload *w, const struct state *m,
			    const struct reading *r, int64_t items)
{
	static int64_t item;
	int64_t page = (int64_t)w->page_size, gain = m->merged + m->zeroes;
	int64_t own = items - m->of_others;

	if (r->of[OWN_PROFIT] == UNCOUNTED || r->of[PROFIT] == UNCOUNTED ||
	    r->of[ZERO_PAGES] == UNCOUNTED)
		return false;
	item = item || !own ? item : (gain * page - r->of[OWN_PROFIT]) / own;
	return is_wrong(m, OWN_PROFIT, r->of[OWN_PROFIT], gain * page - own * item) ||
	       is_wrong(m, PROFIT, r->of[PROFIT], (gain - (m->merged > 0)) * page - items * item);
}

static bool are_wrong(const struct workload *w, const struct state *m, const struct reading *then,
		      const struct reading *r)
{
	int64_t items = m->merged + m->unshared + m->changed;

	return is_wrong(m, SHARED, r->of[SHARED], m->merged > 0) ||
	       is_wrong(m, SHARING, r->of[SHARING], m->merged - (m->merged > 0)) ||
	       is_wrong(m, UNSHARED, r->of[UNSHARED], m->unshared) ||
	       is_wrong(m, VOLATILE, r->of[VOLATILE], m->changed) ||
	       is_wrong(m, MERGING, r->of[MERGING], m->merged) ||
	       is_wrong(m, ITEMS, r->of[ITEMS], items - m->of_others) ||
	       is_wrong(m, ZERO_PAGES, r->of[ZERO_PAGES], m->zeroes) ||
	       is_wrong(m, OWN_ZERO_PAGES, r->of[OWN_ZERO_PAGES], m->zeroes) ||
	       (r->of[SCANNED] != UNCOUNTED &&
		is_wrong(m, SCANNED, r->of[SCANNED],
			 then->of[SCANNED] + m->scanned - (skipped(r) - skipped(then)))) ||
	       is_profit_wrong(w, m, r, items);
}

/*
 * Returns true if ksmd has scanned and the numbers are those of the state; sets wrong[] if a number
 * is wrong.
 */
static bool go_on(struct workload *w, const struct state *m, struct reading *r)
{
	struct reading then = *r;

	if (m->act)
		m->act(w);
	if (!scan(w)) {
		read_all(r);
		if (then.of[SCANNED] != r->of[SCANNED])
			snprintf(wrong, sizeof(wrong),
				 "pages_scanned rises, but full_scans stays the same");
		return false;
	}
	read_all(r);
	return !are_wrong(w, m, &then, r);
}

/*
 * With smart_scan ksmd skips pages that earlier scans could not merge. It takes them from the tree,
 * so pages_volatile counts them until they are scanned again.
 */
static bool skip(struct workload *w, struct reading *r)
{
	int64_t skipped_before = skipped(r);

	if (r->of[SKIPPED] == UNCOUNTED)
		return true;
	workload_set(w, KSM "smart_scan", "1");
	for (int i = 0; i < ROUNDS; i++) {
		struct reading then = *r;
		struct state m = { .name = "a scan with smart_scan", .scanned = LEFT };

		if (!scan(w))
			return false;
		read_all(r);
		m.changed = skipped(r) - skipped(&then);
		m.unshared = LEFT - m.changed;
		if (are_wrong(w, &m, &then, r))
			return false;
	}
	if (skipped(r) > skipped_before)
		return true;
	snprintf(wrong, sizeof(wrong),
		 "pages_skipped stays the same during %d scans with smart_scan, but should rise",
		 ROUNDS);
	return false;
}

static bool scan_each(struct workload *w)
{
	struct reading r, then;

	read_all(&r);
	for (size_t i = 0; i < MOMENTS; i++)
		if (!go_on(w, &moments[i], &r))
			return false;
	if (!skip(w, &r))
		return false;
	workload_set(w, KSM "run", "2");
	then = r;
	read_all(&r);
	return !are_wrong(w, &unmerged, &then, &r);
}

static void scan_by_scan(struct workload *w)
{
	struct workload_guard g = settings_begin(w);
	bool done = scan_each(w);

	workload_guard_end(w, &g);
	if (*wrong)
		workload_fail(w, "%s", wrong);
	if (!done)
		workload_skip(w, "a ksmd that completes a scan in %d s", PATIENCE_S);
	workload_checked(w);
}

CASE(ksm_unshared) {
	.claim =
		"After each full scan pages_unshared counts the pages without an equal page, and pages_volatile the pages that are new, changed or skipped by smart_scan; pages_scanned plus pages_skipped rises by the number of mergeable pages",
	.because = "cmp_and_merge_page() leaves a page whose checksum has changed in no tree, and "
		   "puts any other page without an equal into the unstable tree. pages_volatile "
		   "is the number of items minus those in a tree.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/ksm.rst, pages_unshared",
			   "Documentation/admin-guide/mm/ksm.rst, pages_volatile"),
	.needs = NEEDS("root", "guest", "ksm"),
	.limit_s = 60,
	.steps = STEPS(STEP("scan by scan", scan_by_scan, .flags = STEP_ANY_PAGES, .checks = 1)),
};
