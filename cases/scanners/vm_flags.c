// SPDX-License-Identifier: MIT
/*
 * Checks the two letters that VmFlags of smaps prints for a mapping's protection, type, lock or
 * advice.
 */
#include <rssck/case.h>

STEP_SYMBOLS(MAP);

#define RW        (PROT_READ | PROT_WRITE)
#define ANONYMOUS (MAP_PRIVATE | MAP_ANONYMOUS)

enum { LOCK = -1, LOCK_ON_FAULT = -2, MOST = 32 };

/*
 * Each row maps one page and advises it. `has` lists the flags that VmFlags must then have,
 * `has_not` those that it must not have.
 */
static const struct row {
	int prot, flags, advice[2]; /* of madvise(), LOCK or LOCK_ON_FAULT; 0 for none */
	const char *has, *has_not;
	enum account space;
} rows[] = {
	{ PROT_READ, ANONYMOUS, { 0 }, "rd mr mw me", "wr ex sh ms", ACCOUNT_OTHER },
	{ RW, ANONYMOUS, { 0 }, "rd wr ac", "ex nr", ACCOUNT_PRIVATE_WRITABLE },
	{ PROT_EXEC, ANONYMOUS, { 0 }, "ex", "rd wr", ACCOUNT_EXEC },
	{ RW, MAP_SHARED | MAP_ANONYMOUS, { 0 }, "sh ms", "lo", ACCOUNT_OTHER },
	{ RW, ANONYMOUS, { LOCK }, "lo", "lf", ACCOUNT_PRIVATE_WRITABLE },
	{ RW, ANONYMOUS, { LOCK_ON_FAULT }, "lo", "ht", ACCOUNT_PRIVATE_WRITABLE },
	{ RW, ANONYMOUS, { MADV_SEQUENTIAL }, "sr", "rr", ACCOUNT_PRIVATE_WRITABLE },
	{ RW, ANONYMOUS, { MADV_RANDOM }, "rr", "sr", ACCOUNT_PRIVATE_WRITABLE },
	{ RW, ANONYMOUS, { MADV_DONTFORK }, "dc", "wf", ACCOUNT_PRIVATE_WRITABLE },
	{ RW, ANONYMOUS, { MADV_DONTFORK, MADV_DOFORK }, "wr", "dc", ACCOUNT_PRIVATE_WRITABLE },
	{ RW, ANONYMOUS, { MADV_WIPEONFORK }, "wf", "dc", ACCOUNT_PRIVATE_WRITABLE },
	{ RW,
	  ANONYMOUS,
	  { MADV_WIPEONFORK, MADV_KEEPONFORK },
	  "wr",
	  "wf",
	  ACCOUNT_PRIVATE_WRITABLE },
	{ RW, ANONYMOUS, { MADV_DONTDUMP }, "dd", "io", ACCOUNT_PRIVATE_WRITABLE },
	{ RW, ANONYMOUS, { MADV_DONTDUMP, MADV_DODUMP }, "wr", "dd", ACCOUNT_PRIVATE_WRITABLE },
	{ RW, ANONYMOUS, { MADV_HUGEPAGE }, "hg", "nh", ACCOUNT_PRIVATE_WRITABLE },
	{ RW, ANONYMOUS, { MADV_NOHUGEPAGE }, "nh", "hg", ACCOUNT_PRIVATE_WRITABLE },
	{ RW, ANONYMOUS, { MADV_MERGEABLE }, "mg", "mm", ACCOUNT_PRIVATE_WRITABLE },
};

enum { ROWS = sizeof(rows) / sizeof(*rows) };

/*
 * Advises or locks one page; returns false if madvise(2) fails with EINVAL, because the kernel was
 * built without the feature.
 */
static bool advise(struct workload *w, void *p, int advice)
{
	int failed;

	if (advice == LOCK) {
		failed = mlock(p, w->page_size);
		workload_expect(w, ANON_LOCKED(1), VIRT_LOCKED(1));
	} else if (advice == LOCK_ON_FAULT) {
		failed = mlock2(p, w->page_size, MLOCK_ONFAULT);
		workload_expect(w, VIRT_LOCKED(1));
	} else {
		failed = madvise(p, w->page_size, advice);
		if (failed && errno == EINVAL)
			return false;
	}
	if (failed && (advice == LOCK || advice == LOCK_ON_FAULT))
		workload_skip(w, "a locked page: %m (RLIMIT_MEMLOCK: ulimit -l)");
	if (failed)
		workload_die(w, "advice %d: %m", advice);
	return true;
}

static void map_rows(struct workload *w)
{
	char *region = workload_map_pages(w, 2 * MOST, PROT_NONE, ANONYMOUS | MAP_NORESERVE, -1);
	int64_t known = 0;

	for (size_t i = 0; i < ROWS; i++) {
		const struct row *r = &rows[i];
		void *p = mmap(region + (2 * i + 1) * w->page_size, w->page_size, r->prot,
			       r->flags | MAP_FIXED, -1, 0);
		bool taken = true;

		if (p == MAP_FAILED)
			workload_die(w, "mapping %zu: %m", i);
		for (int k = 0; k < 2 && r->advice[k]; k++)
			taken &= advise(w, p, r->advice[k]);
		known |= (int64_t)taken << i;
		workload_expect(w, POSTING(r->space, 0, 1));
	}
	workload_expect(w, VIRT_OTHER(2 * MOST - ROWS));
	workload_report(w, "region", (int64_t)(uintptr_t)region);
	workload_report(w, "known", known);
}

static void judge_row(const struct mapping *m, const struct row *r, struct judgement *j)
{
	char rule[96], flag[3] = "";

	for (const char *p = r->has; *p; p += p[2] ? 3 : 2) {
		memcpy(flag, p, 2);
		snprintf(rule, sizeof(rule), "VmFlags \"%.60s\" have %s", m->flags, flag);
		judge_true(j, MAP, mapping_has_flag(m, flag), rule);
	}
	for (const char *p = r->has_not; *p; p += p[2] ? 3 : 2) {
		memcpy(flag, p, 2);
		snprintf(rule, sizeof(rule), "VmFlags \"%.60s\" lack %s", m->flags, flag);
		judge_true(j, MAP, !mapping_has_flag(m, flag), rule);
	}
}

static void judge_stack(const struct snapshot *s, struct judgement *j)
{
	for (size_t i = 0; s && i < s->nr_maps; i++)
		if (!strcmp(s->maps[i].name, "[stack]") && s->maps[i].flags[0])
			judge_true(j, MAP, mapping_has_flag(&s->maps[i], "gd"),
				   "VmFlags of [stack] have gd");
}

static void judge(const struct trial *t, struct judgement *j)
{
	const struct snapshot *s = trial_snapshot(t, MAP, 0);
	uint64_t region = (uint64_t)trial_reported(t, MAP, "region");
	int64_t known = trial_reported(t, MAP, "known");

	judge_stack(s, j);
	for (size_t i = 0; i < ROWS; i++) {
		const struct mapping *m = snapshot_mapping(
			s, region + (2 * i + 1) * (uint64_t)t->host->page_size);

		if (!m || !m->flags[0] || !(known & 1LL << i))
			continue;
		judge_row(m, &rows[i], j);
		if (rows[i].advice[0] == LOCK_ON_FAULT)
			judge_fact(j, "vm_flags.of_MLOCK_ONFAULT", "%s",
				   mapping_has_flag(m, "lf")   ? "lf"
				   : mapping_has_flag(m, "??") ? "??"
							       : "none");
	}
}

CASE(scanners_vm_flags) {
	.claim = "VmFlags shows whether a mapping is readable, writable, executable, shared, "
		 "locked or growing down, and which advice about read-ahead, fork, core dumps, "
		 "huge pages and KSM it was given",
	.because = "show_smap_vma_flags() prints the letters of each bit in vm_flags.",
	.said_by = SAID_BY("proc_pid_smaps(5), VmFlags", "madvise(2)"),
	.steps = STEPS(STEP_AS(MAP, "map", map_rows)),
	.facts = FACTS(FACT("vm_flags.of_MLOCK_ONFAULT",
			    "The letters in VmFlags of memory locked by MLOCK_ONFAULT are",
			    "lf|??")),
	.judge = judge,
};
