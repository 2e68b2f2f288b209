// SPDX-License-Identifier: MIT
/*
 * Makes every metric of metrics.def wrong by one page, in one snapshot and after one step. The
 * judge must find each error that is not in the lists of exceptions below.
 */
#include "judge/judge.h"
#include "tests/support/made_trial.h"

enum wrong {
	ALONE,     /* one number of one file */
	IN_WALKER, /* one mapping's number and all sums of this walker */
};

/* Returns where a mapping keeps a count of pagemap or PAGEMAP_SCAN that is not a class of pages. */
static int64_t *marked(struct mapping *m, enum metric_id id)
{
	switch ((int)id) {
	case METRIC_PAGEMAP_EXCLUSIVE:
		return &m->pagemap.exclusive;
	case METRIC_PAGEMAP_UFFD_WP:
		return &m->pagemap.uffd_wp;
	case METRIC_PAGEMAP_GUARD:
		return &m->pagemap.guards;
	case METRIC_SCAN_GUARD:
		return &m->scan.guards;
	case METRIC_SCAN_WRITTEN:
		return &m->scan.written;
	case METRIC_SCAN_SOFT_DIRTY:
		return &m->scan.soft_dirty;
	default:
		return NULL;
	}
}

static void put_wrong(struct made_trial *m, size_t moment, enum metric_id id, enum wrong how,
		      int pages)
{
	struct mapping *anon = &m->t.moments[moment].of[0]->maps[MADE_ANON];
	int64_t off = pages * made_page(id);

	*made_value(m, moment, id) += off;
	if (how == ALONE)
		return;
	if (metric(id)->source == SOURCE_SMAPS) {
		anon->smaps[id - METRIC_SMAPS_FIRST] += off;
		if (made_rollup_of(id) != METRIC_NONE)
			*made_value(m, moment, made_rollup_of(id)) += off;
	} else if (metric(id)->source == SOURCE_NUMA) {
		anon->numa[id - METRIC_NUMA_FIRST] += off;
	} else if (metric(id)->source == SOURCE_FRAMES) {
		anon->frames[id - METRIC_FRAMES_FIRST] += off;
	} else if (marked(anon, id)) {
		*marked(anon, id) += off;
	}
}

static bool has_walker(enum metric_id id)
{
	struct mapping none;

	return metric(id)->source == SOURCE_SMAPS || metric(id)->source == SOURCE_NUMA ||
	       metric(id)->source == SOURCE_FRAMES || marked(&none, id);
}

static bool is_found_in_a_snapshot(enum metric_id id, enum wrong how, int pages)
{
	struct made_process p = made_process();
	OWNED(made_trial_end) struct made_trial *m = made_trial();
	OWNED(judgement_free) struct judgement j = { 0 };
	bool failed;

	made_moment(m, "baseline", NULL, &p);
	put_wrong(m, 0, id, how, pages);
	judge_invariants(&m->t, 0, 0, &j);
	failed = j.failed;
	return failed;
}

static const struct step touch = STEP("touch", NULL, MOVES(ANON_WRITE(1)));

/* Judges a whole trial: baseline, the mappings of the case, one page written, all unmapped. */
static bool is_found_after_a_step(enum metric_id id, enum wrong how, int pages)
{
	static const struct step map = { .name = "map", .flags = STEP_ANY_PAGES };
	struct made_process p = made_process(), base = made_baseline();
	OWNED(made_trial_end) struct made_trial *m = made_trial();
	OWNED(judgement_free) struct judgement j = { 0 };
	bool failed;

	made_moment(m, "baseline", NULL, &base);
	made_moment(m, map.name, &map, &p);
	made_put(&p, MADE_ANON, (struct made_pages) { ACCOUNT_ANON, 1, PAGE_DIRTY, 1 });
	made_moment(m, touch.name, &touch, &p);
	made_moment(m, "read the numbers", NULL, &base);
	if (pages)
		put_wrong(m, 2, id, how, pages);
	judge_trial(&m->t, &j);
	failed = j.failed;
	if (!pages)
		assert_nothing_found(&j);
	return failed;
}

/*
 * Errors of one page too many or too few that the judge does not find. The lists are exact: a
 * metric whose error is found must be removed.
 */
struct exception {
	enum metric_id id;
	bool more, less; /* an error of a page too many, or too few, is found nevertheless */
	const char *because;
};

#define NO_MEMORY "is no size, so no other number equals it"
#define PEAK      "is a peak: any value from the current one upwards is possible"
#define ROUNDED_DOWN \
	"each mapping rounds down, so the sum may be short of the rollup by a kB a mapping"
#define ROUNDED_ONCE "may exceed the sum of smaps by a kB a mapping"
#define SUM_OF_OUR_OWN \
	"is a sum that no file prints; each mapping's number is checked, see IN_WALKER"
#define NO_OTHER_SOURCE "no other source counts these pages; after a step double entry finds it"
#define AFTER_ITS_TIME  "is known only after the process has ended; no snapshot contains it"
#define GIVEN_UP_DIRTY  "counts no dirty page, even if MADV_FREE was called on it"
#define FREE            "may move at any time"

static const struct exception alone_in_a_snapshot[] = {
	{ METRIC_STAT_MINFLT, false, false, NO_MEMORY },
	{ METRIC_STAT_MAJFLT, false, false, NO_MEMORY },
	{ METRIC_STAT_RSSLIM, false, false, NO_MEMORY },
	{ METRIC_STATUS_VMPEAK, false, false, PEAK },
	{ METRIC_STATUS_VMPIN, false, false, NO_OTHER_SOURCE },
	{ METRIC_STATUS_VMHWM, false, false, PEAK },
	{ METRIC_STATUS_VMPTE, false, false, NO_OTHER_SOURCE },
	{ METRIC_STATUS_THP_ENABLED, false, false, NO_MEMORY },
	{ METRIC_SMAPS_KERNELPAGESIZE, false, false, NO_MEMORY },
	{ METRIC_SMAPS_MMUPAGESIZE, false, false, NO_MEMORY },
	{ METRIC_SMAPS_PSS, true, false, ROUNDED_DOWN },
	{ METRIC_SMAPS_PSS_DIRTY, true, false, ROUNDED_DOWN },
	{ METRIC_SMAPS_SWAPPSS, true, false, ROUNDED_DOWN },
	{ METRIC_SMAPS_LOCKED, true, false, ROUNDED_DOWN },
	{ METRIC_SMAPS_THPELIGIBLE, false, false, NO_MEMORY },
	{ METRIC_SMAPS_PROTECTIONKEY, false, false, NO_MEMORY },
	{ METRIC_ROLLUP_PSS_DIRTY, false, true, ROUNDED_ONCE },
	{ METRIC_ROLLUP_SWAPPSS, false, true, ROUNDED_ONCE },
	{ METRIC_ROLLUP_LOCKED, false, true, ROUNDED_ONCE },
	{ METRIC_PAGEMAP_SOFT_DIRTY, false, true, NO_OTHER_SOURCE }, /* found if negative */
	{ METRIC_SCAN_WPALLOWED, false, true, NO_OTHER_SOURCE },
	{ METRIC_SCAN_SOFT_DIRTY, false, true, SUM_OF_OUR_OWN },
	{ METRIC_NUMA_DIRTY, false, false, SUM_OF_OUR_OWN },
	{ METRIC_NUMA_SWAPCACHE, false, true, NO_OTHER_SOURCE },
	{ METRIC_FRAMES_SWAPBACKED, false, false, NO_OTHER_SOURCE },
	{ METRIC_FRAMES_THP, false, true, NO_OTHER_SOURCE },
	{ METRIC_FRAMES_MLOCKED, false, true, NO_OTHER_SOURCE },
	{ METRIC_FRAMES_IDLE, false, true, NO_OTHER_SOURCE },
	{ METRIC_OOM_SCORE, false, false, NO_MEMORY },
	{ METRIC_RUSAGE_MAXRSS, false, false, AFTER_ITS_TIME },
	{ METRIC_PAGEMAP_UFFD_WP, true, false, NO_OTHER_SOURCE },
	{ METRIC_SCAN_WRITTEN, true, false, NO_OTHER_SOURCE },
	{ METRIC_FRAMES_KSM, false, true, NO_OTHER_SOURCE },
	{ METRIC_NONE, false, false, NULL },
};

static const struct exception walker_in_a_snapshot[] = {
	{ METRIC_SMAPS_MMUPAGESIZE, true, false, "0 is not printed" },
	{ METRIC_SMAPS_PSS_DIRTY, true, false, NO_OTHER_SOURCE },
	{ METRIC_SMAPS_REFERENCED, false, false, NO_OTHER_SOURCE },
	{ METRIC_SMAPS_LAZYFREE, true, false, GIVEN_UP_DIRTY },
	{ METRIC_SMAPS_SWAP, false, false,
	  NO_OTHER_SOURCE }, /* these pages of shmem are in no page table */
	{ METRIC_SMAPS_SWAPPSS, false, false, NO_OTHER_SOURCE },
	{ METRIC_SMAPS_THPELIGIBLE, false, false, NO_MEMORY },
	{ METRIC_SMAPS_PROTECTIONKEY, false, false, NO_MEMORY },
	{ METRIC_NUMA_SWAPCACHE, false, true, NO_OTHER_SOURCE },
	{ METRIC_FRAMES_SWAPBACKED, true, false, GIVEN_UP_DIRTY },
	{ METRIC_FRAMES_THP, false, true, NO_OTHER_SOURCE },
	{ METRIC_FRAMES_MLOCKED, false, true, NO_OTHER_SOURCE },
	{ METRIC_FRAMES_IDLE, false, true, NO_OTHER_SOURCE },
	{ METRIC_SMAPS_KSM, true, false, NO_OTHER_SOURCE },
	{ METRIC_FRAMES_KSM, false, true, NO_OTHER_SOURCE },
	{ METRIC_NONE, false, false, NULL },
};

static const struct exception alone_after_a_step[] = {
	{ METRIC_STATUS_VMHWM, false, false, FREE },
	{ METRIC_STATUS_VMPTE, false, false, FREE },
	{ METRIC_SMAPS_KERNELPAGESIZE, false, false, FREE },
	{ METRIC_SMAPS_MMUPAGESIZE, false, false, FREE },
	{ METRIC_SMAPS_PSS, true, false, ROUNDED_DOWN },
	{ METRIC_SMAPS_PSS_DIRTY, true, false, ROUNDED_DOWN },
	{ METRIC_SMAPS_SWAPPSS, true, false, ROUNDED_DOWN },
	{ METRIC_SMAPS_LOCKED, true, false, ROUNDED_DOWN },
	{ METRIC_SMAPS_THPELIGIBLE, false, false, FREE },
	{ METRIC_SMAPS_PROTECTIONKEY, false, false, FREE },
	{ METRIC_ROLLUP_PSS_DIRTY, false, true, ROUNDED_ONCE },
	{ METRIC_ROLLUP_SWAPPSS, false, true, ROUNDED_ONCE },
	{ METRIC_ROLLUP_LOCKED, false, true, ROUNDED_ONCE },
	{ METRIC_PAGEMAP_SOFT_DIRTY, false, true, FREE },
	{ METRIC_OOM_SCORE, false, false, FREE },
	{ METRIC_RUSAGE_MAXRSS, false, false, AFTER_ITS_TIME },
	{ METRIC_SCAN_SOFT_DIRTY, false, true, FREE },
	{ METRIC_NUMA_DIRTY, false, false, SUM_OF_OUR_OWN },
	{ METRIC_SCAN_WPALLOWED, false, true, FREE },
	{ METRIC_NUMA_SWAPCACHE, false, true, FREE },
	{ METRIC_FRAMES_THP, false, true, FREE },
	{ METRIC_FRAMES_MLOCKED, false, true, FREE },
	{ METRIC_FRAMES_IDLE, false, true, FREE },
	{ METRIC_SCAN_WRITTEN, true, false, FREE },
	{ METRIC_FRAMES_KSM, false, true, FREE },
	{ METRIC_NONE, false, false, NULL },
};

/* After a step, an error may go unnoticed only in the walkers' unconstrained numbers. */
static const struct exception walker_after_a_step[] = {
	{ METRIC_SMAPS_MMUPAGESIZE, true, false, FREE },
	{ METRIC_SMAPS_REFERENCED, false, false, FREE },
	{ METRIC_SMAPS_THPELIGIBLE, false, false, FREE },
	{ METRIC_SMAPS_PROTECTIONKEY, false, false, FREE },
	{ METRIC_NUMA_SWAPCACHE, false, true, FREE },
	{ METRIC_FRAMES_THP, false, true, FREE },
	{ METRIC_FRAMES_MLOCKED, false, true, FREE },
	{ METRIC_FRAMES_IDLE, false, true, FREE },
	{ METRIC_FRAMES_KSM, false, true, FREE },
	{ METRIC_NONE, false, false, NULL },
};

static const struct exception *exception_of(const struct exception *list, enum metric_id id)
{
	static const struct exception none = { METRIC_NONE, true, true, "it is always found" };

	while (list->because && list->id != id)
		list++;
	return list->because ? list : &none;
}

static unsigned assert_found_as_listed(const struct exception *list, enum metric_id id,
				       enum wrong how,
				       bool (*is_found)(enum metric_id, enum wrong, int))
{
	const struct exception *x = exception_of(list, id);
	bool more = is_found(id, how, 1), less = is_found(id, how, -1);

	if (more != x->more || less != x->less)
		fail_msg(
			"%s: a page more is %sfound, a page less is %sfound, but the reason is \"%s\".\n"
			"An IDENTITY() with it in include/rssck/rules.def makes the error found; an "
			"error that no identity can find needs a line in %s[] of " __FILE__,
			metric(id)->name, more ? "" : "not ", less ? "" : "not ", x->because,
			is_found == is_found_in_a_snapshot
				? how == ALONE ? "alone_in_a_snapshot" : "walker_in_a_snapshot"
			: how == ALONE ? "alone_after_a_step"
				       : "walker_after_a_step");
	return more + less;
}

static void judge_all(const struct exception *list, enum wrong how,
		      bool (*is_found)(enum metric_id, enum wrong, int))
{
	unsigned found = 0, put = 0;

	for (int id = 0; id < METRIC_COUNT; id++) {
		if (how == IN_WALKER && !has_walker(id))
			continue;
		found += assert_found_as_listed(list, id, how, is_found);
		put += 2;
	}
	print_message("%u of %u errors of one page found\n", found, put);
}

TEST(an_error_of_a_page_in_one_file_is_found_in_a_snapshot)
{
	judge_all(alone_in_a_snapshot, ALONE, is_found_in_a_snapshot);
}

TEST(an_error_of_a_page_in_one_walker_is_found_in_a_snapshot)
{
	judge_all(walker_in_a_snapshot, IN_WALKER, is_found_in_a_snapshot);
}

TEST(an_error_of_a_page_in_one_file_is_found_after_a_step)
{
	judge_all(alone_after_a_step, ALONE, is_found_after_a_step);
}

TEST(an_error_of_a_page_in_one_walker_is_found_after_a_step)
{
	judge_all(walker_after_a_step, IN_WALKER, is_found_after_a_step);
}

TEST(a_correct_step_is_no_finding)
{
	assert_false(is_found_after_a_step(METRIC_STAT_RSS, ALONE, 0));
}

TEST(the_unconstrained_metrics_are_the_known_ones)
{
	static const char *const names =
		" stat.minflt stat.majflt status.VmPeak status.VmHWM status.VmPTE "
		"smaps.KernelPageSize smaps.MMUPageSize smaps.Referenced smaps.THPeligible "
		"smaps.ProtectionKey smaps_rollup.Referenced pagemap.soft_dirty scan.written kpageflags.ksm "
		"scan.wpallowed scan.soft_dirty numa_maps.swapcache "
		"kpageflags.thp kpageflags.mlocked kpageflags.idle "
		"oom_score rusage.ru_maxrss ";
	char name[64];

	for (int id = 0; id < METRIC_COUNT; id++) {
		snprintf(name, sizeof(name), " %s ", metric(id)->name);
		if (metric(id)->unconstrained != !!strstr(names, name))
			fail_msg("%s is %sunconstrained in include/rssck/metrics.def, %s the list "
				 "in " __FILE__,
				 metric(id)->name, metric(id)->unconstrained ? "" : "not ",
				 metric(id)->unconstrained ? "and not in" : "but in");
	}
}
