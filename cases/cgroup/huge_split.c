// SPDX-License-Identifier: MIT
/*
 * anon_thp in memory.stat counts huge pages that a PMD maps. After a split of the mapping only anon
 * counts them.
 */
#include <rssck/case.h>

/* HUGE_PAGES huge pages are more than a CPU keeps in its batch, except on 5.10 (see judge()). */
enum { HUGE_PAGES = 4 };
STEP_SYMBOLS(IN_A_CGROUP);

static void report(struct workload *w, const char *anon, const char *thp)
{
	workload_report(w, anon, workload_cgroup_stat(w, "anon"));
	workload_report(w, thp, workload_cgroup_stat(w, "anon_thp"));
}

/*
 * mprotect(2) of one page splits the huge page's mapping into small pages; the memory stays mapped.
 */
static void split(struct workload *w, char *p)
{
	for (int i = 0; i < HUGE_PAGES; i++)
		workload_protect(w, p + (size_t)i * w->huge_page_size, w->page_size, PROT_READ);
}

static void pay(struct workload *w)
{
	size_t bytes;
	char *p;

	workload_cgroup_enter(w);
	report(w, "anon before", "thp before");
	p = workload_huge_map(w, HUGE_PAGES, -1);
	bytes = HUGE_PAGES * w->huge_page_size;
	workload_huge_write(w, p, HUGE_PAGES);
	touch_write(w, p, bytes / w->page_size);
	report(w, "anon", "thp");
	split(w, p);
	report(w, "anon split", "thp split");
	workload_unmap(w, p, bytes);
	report(w, "anon gone", "thp gone");
	workload_report(w, "pages", HUGE_PAGES * w->huge);
	workload_cgroup_leave(w);
	workload_checked(w);
}

/*
 * 5.10 counts huge pages instead of their small pages. Each CPU keeps up to 32 of them in its batch
 * (MEMCG_CHARGE_BATCH in __mod_memcg_state()), so anon_thp may show none of these few.
 */
static void judge(const struct trial *t, struct judgement *j)
{
	static const char thp[] = "memory.stat anon_thp";
	static const struct {
		const char *before, *reported, *what, *rule;
		bool all;
	} claims[] = {
		{ "anon before", "anon", "memory.stat anon", "anon counts huge pages", true },
		{ "thp before", "thp", thp, "anon_thp counts huge pages that a PMD maps", true },
		{ "anon before", "anon split", "memory.stat anon",
		  "a split of the mapping does not change anon", true },
		{ "thp before", "thp split", thp, "anon_thp does not count pages after the split",
		  false },
		{ "anon before", "anon gone", "memory.stat anon",
		  "anon does not count unmapped pages", false },
		{ "thp before", "thp gone", thp, "anon_thp does not count unmapped pages", false },
	};
	int64_t pages = trial_reported(t, IN_A_CGROUP, "pages");
	bool shown = trial_reported(t, IN_A_CGROUP, "thp") !=
		     trial_reported(t, IN_A_CGROUP, "thp before");

	judge_fact(j, "cgroup.anon_thp_shows_huge_pages", "%s", shown ? "at once" : "in batches");
	for (size_t i = 0; i < sizeof(claims) / sizeof(*claims); i++) {
		int64_t before = trial_reported(t, IN_A_CGROUP, claims[i].before);
		int64_t after = trial_reported(t, IN_A_CGROUP, claims[i].reported);

		if (before >= 0 && after >= 0 && (shown || strcmp(claims[i].what, thp)))
			judge_within(j, IN_A_CGROUP, 0, claims[i].what, after - before,
				     claims[i].all ? pages : 0, 2 * CGROUP_BATCH, claims[i].rule);
	}
}

CASE(cgroup_huge_split) {
	.claim =
		"anon_thp in memory.stat falls when the mapping of a huge page is split into page table entries, anon only when the pages are unmapped",
	.because =
		"NR_ANON_THPS counts PMD mappings. __split_huge_pmd_locked() removes the PMD "
		"mapping and maps each small page, so the number of mapped pages does not change.",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory.stat: anon_thp"),
	.needs = NEEDS("root", "thp"),
	.flags = CASE_THP,
	.steps = STEPS(STEP_AS(IN_A_CGROUP, "in a cgroup", pay, .checks = 1)),
	.facts = FACTS(FACT("cgroup.anon_thp_shows_huge_pages",
			    "anon_thp of memory.stat shows a few huge pages",
			    "at once|in batches")),
	.judge = judge,
};
