// SPDX-License-Identifier: MIT
/*
 * Events whose cause is absent: no page is swapped without a swap area, none is sampled while NUMA
 * balancing is off, and so on. A kernel that counts an act as something else shows it here,
 * whatever other processes do.
 */
#include "base/kernel_file.h"
#include "range_acts.h"
#include <inttypes.h>
#include <rssck/right.h>

STEP_SYMBOLS(ACT);

enum { PAGES = 64, NAME = 64, VMSTAT = 32 << 10 };

/* ---- causes ---- */

static bool has_no_swap(void)
{
	return !workload_number("/proc/meminfo", "SwapTotal", 1);
}

static bool has_no_balancing(void)
{
	return !workload_number("/proc/sys/kernel/numa_balancing", NULL, 0);
}

static bool has_one_node(void)
{
	char online[64];

	/* The numbers of nodes may have gaps: a machine can have the nodes 0 and 8. */
	return workload_read_text("/sys/devices/system/node/online", online, sizeof(online)) > 0 &&
	       !strpbrk(online, "-,");
}

static bool has_no_merged_pages(void)
{
	return !workload_number("/sys/kernel/mm/ksm/run", NULL, 0) &&
	       !workload_number("/sys/kernel/mm/ksm/pages_shared", NULL, 0);
}

static bool has_no_zswap(void)
{
	return access("/sys/module/zswap/parameters/enabled", R_OK) ||
	       (!workload_number("/proc/meminfo", "Zswapped", 0) && has_no_swap());
}

static const struct cause {
	const char *what;
	bool (*is_absent)(void);
	const char *events; /* of /proc/vmstat, each after a space */
} causes[] = {
	{ "a swap area", has_no_swap,
	  " pswpin pswpout swpin_zero swpout_zero swap_ra swap_ra_hit thp_swpout "
	  "workingset_refault_anon workingset_activate_anon workingset_restore_anon " },
	{ "NUMA balancing", has_no_balancing,
	  " numa_pte_updates numa_hint_faults numa_hint_faults_local numa_pages_migrated "
	  "pgpromote_success pgpromote_candidate " },
	{ "a second node", has_one_node,
	  " numa_miss numa_foreign numa_other pgdemote_kswapd pgdemote_direct "
	  "pgdemote_khugepaged pgdemote_proactive pgpromote_success " },
	{ "merged pages", has_no_merged_pages, " cow_ksm ksm_swpin_copy " },
	{ "zswap", has_no_zswap, " zswpin zswpout zswpwb " },
};

enum { CAUSES = sizeof(causes) / sizeof(*causes) };

/* ---- acts ---- */

static bool forbid(const struct workload *unused, char *p, size_t bytes)
{
	(void)unused;
	mprotect(p, bytes, PROT_NONE);
	mprotect(p, bytes, PROT_READ | PROT_WRITE);
	p[0] = 2;
	return true;
}

static bool lock(const struct workload *w, char *p, size_t bytes)
{
	return range_lock(w, p, bytes) && range_unlock(w, p, bytes);
}

static bool clear_marks(const struct workload *w, char *p, size_t bytes)
{
	workload_try_to_set("/proc/self/clear_refs", "1");
	return range_clear_soft_dirty(w, p, bytes) && range_write(w, p, bytes);
}

static bool advise(const struct workload *w, char *p, size_t bytes)
{
	static const int advice[] = { MADV_COLD, MADV_PAGEOUT, MADV_FREE, MADV_DONTNEED };

	for (size_t i = 0; i < sizeof(advice) / sizeof(*advice); i++) {
		madvise(p, bytes, advice[i]);
		range_write(w, p, bytes);
	}
	return true;
}

static bool share(const struct workload *w, char *p, size_t bytes)
{
	pid_t pid = fork();

	if (!pid) {
		range_write(w, p, bytes);
		_exit(0);
	}
	if (pid > 0)
		waitpid(pid, NULL, 0);
	return range_write(w, p, bytes);
}

static const struct act {
	const char *name;
	range_act *act;
} acts[] = {
	{ "writes", range_write },
	{ "protects", range_protect },
	{ "protects half of", range_protect_half },
	{ "forbids access to", forbid },
	{ "locks", lock },
	{ "clears the marks of", clear_marks },
	{ "advises of", advise },
	{ "shares with a child", share },
	{ "moves", range_move },
};

/* ---- kinds of memory ---- */

static char *small_memory(const struct workload *w, size_t *bytes)
{
	char *p;

	*bytes = PAGES * w->page_size;
	p = workload_try_map(*bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, -1);
	if (p)
		madvise(p, *bytes, MADV_NOHUGEPAGE);
	return p;
}

static char *huge_memory(const struct workload *w, size_t *bytes)
{
	char *p;

	*bytes = w->huge_page_size;
	p = *bytes ? workload_try_aligned_map(*bytes, *bytes, -1) : NULL;
	if (p)
		madvise(p, *bytes, MADV_HUGEPAGE);
	return p;
}

static char *shared_memory(const struct workload *w, size_t *bytes)
{
	*bytes = PAGES * w->page_size;
	return workload_try_map(*bytes, PROT_READ | PROT_WRITE, MAP_SHARED, -1);
}

static const struct kind {
	const char *name;
	char *(*map)(const struct workload *w, size_t *bytes);
} kinds[] = {
	{ "anonymous memory", small_memory },
	{ "a huge page", huge_memory },
	{ "shared memory", shared_memory },
};

/* ---- the case ---- */

static char before[VMSTAT], now[VMSTAT]; /* /proc/vmstat */

static int compare(const struct cause *c, const struct act *a, const struct kind *k)
{
	size_t len;

	for (const char *at = c->events; *(at += strspn(at, " ")); at += len) {
		char name[NAME];
		int64_t rose;

		len = strcspn(at, " ");
		snprintf(name, sizeof(name), "%.*s", (int)len, at);
		rose = kernel_number_in(now, name, 0) - kernel_number_in(before, name, 0);
		if (rose)
			return workload_say(WRONG,
					    "%s of /proc/vmstat rises by %" PRId64
					    " without %s, when a process %s %s",
					    name, rose, c->what, a->name, k->name);
	}
	return RIGHT;
}

static int act_and_compare(const struct workload *w, const struct act *a, const struct kind *k)
{
	bool absent[CAUSES];
	size_t bytes = 0;
	char *p = k->map(w, &bytes);
	int result = RIGHT;

	if (!p)
		return RIGHT;
	range_write(w, p, bytes);
	for (size_t i = 0; i < CAUSES; i++)
		absent[i] = causes[i].is_absent();
	workload_read_whole("/proc/vmstat", before, sizeof(before));
	a->act(w, p, bytes);
	workload_read_whole("/proc/vmstat", now, sizeof(now));
	for (size_t i = 0; i < CAUSES && result == RIGHT; i++)
		if (absent[i] && causes[i].is_absent())
			result = compare(&causes[i], a, k);
	munmap(p, bytes);
	return result;
}

static int64_t huge_updates(void)
{
	return workload_number("/proc/vmstat", "numa_huge_pte_updates", -1);
}

static int act_all(const struct workload *w)
{
	int64_t updates = huge_updates();
	int result = RIGHT, absent = 0;

	for (size_t i = 0; i < CAUSES; i++)
		absent += causes[i].is_absent();
	for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++)
		for (size_t a = 0; a < sizeof(acts) / sizeof(*acts) && result == RIGHT; a++)
			result = act_and_compare(w, &acts[a], &kinds[k]);
	if (result != RIGHT)
		return result;
	return workload_say(RIGHT, "%d %d", absent,
			    updates < 0 || !has_no_balancing() ? -1 : huge_updates() > updates);
}

static void act(struct workload *w)
{
	workload_report_if_right(w, act_all, "a second process", "absent", "updates");
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t updates = trial_reported(t, ACT, "updates");

	if (!trial_reported(t, ACT, "absent"))
		judge_skip(j, "a machine without swap, NUMA balancing, a second node or KSM");
	else if (updates >= 0 && t->host->huge_page_size)
		judge_yes_no(j, "events.mprotect_of_a_huge_page_counts_as_sampling", updates);
}

CASE(machine_without_cause) {
	.claim =
		"Events of /proc/vmstat do not occur without their cause: none of swap without a swap area, none of NUMA balancing while it is off, none of other nodes on a machine with one node, none of KSM without merged pages",
	.because =
		"Only swap_readpage() and its like count an event of swap, only change_prot_numa() and do_numa_page() one of NUMA balancing. Acts on memory of several kinds reach neither. change_pmd_range() however counts each huge page that mprotect(2) changes in numa_huge_pte_updates.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/numa_memory_policy.rst"),
	.flags = CASE_THP | CASE_ONE_CPU,
	.steps = STEPS(STEP_AS(ACT, "act on memory of each kind", act, .checks = 1)),
	.facts = FACTS(FACT(
		"events.mprotect_of_a_huge_page_counts_as_sampling",
		"Are huge pages that mprotect(2) protects counted as sampled, while NUMA balancing is off?",
		"yes|no")),
	.judge = judge,
};
