// SPDX-License-Identifier: MIT
/* VmFlags tells what madvise(2) was told of a mapping, and stops telling it when it is undone. */
#include <rssck/case.h>
#include <rssck/judge.h>
#include <rssck/workload.h>
#include <stdio.h>
#include <sys/mman.h>

enum { PAGES = 16 };

static const struct {
	int advice, undone;
	const char *flag;
} advices[] = {
	{ MADV_SEQUENTIAL, MADV_NORMAL, "sr" },     { MADV_RANDOM, MADV_NORMAL, "rr" },
	{ MADV_DONTFORK, MADV_DOFORK, "dc" },       { MADV_DONTDUMP, MADV_DODUMP, "dd" },
	{ MADV_WIPEONFORK, MADV_KEEPONFORK, "wf" }, { MADV_HUGEPAGE, MADV_NOHUGEPAGE, "hg" },
	{ MADV_NOHUGEPAGE, MADV_HUGEPAGE, "nh" },   { MADV_MERGEABLE, MADV_UNMERGEABLE, "mg" },
};

enum { ADVICES = sizeof(advices) / sizeof(*advices) };

static void map(struct workload *w)
{
	for (int i = 0; i < ADVICES; i++) {
		w->slot[i] = workload_map(w, PAGES * w->page_size, PROT_READ | PROT_WRITE,
					  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		workload_tell(w, advices[i].flag, (int64_t)(uintptr_t)w->slot[i]);
	}
}

/* What this kernel was built without is refused, and is not asked for. */
static void advise(struct workload *w)
{
	for (int i = 0; i < ADVICES; i++)
		workload_tell(w, advices[i].flag,
			      madvise(w->slot[i], PAGES * w->page_size, advices[i].advice) == 0);
}

static void undo(struct workload *w)
{
	for (int i = 0; i < ADVICES; i++)
		madvise(w->slot[i], PAGES * w->page_size, advices[i].undone);
}

static void judge(const struct trial *t, struct judgement *j)
{
	static const char *const steps[] = { "map", "advise", "undo" };

	for (size_t i = 0; i < 3 * ADVICES; i++) {
		const char *step = steps[i / ADVICES], *flag = advices[i % ADVICES].flag;
		uint64_t at = (uint64_t)trial_told(t, "map", flag, 0);
		const struct mapping *m = snapshot_mapping(trial_snapshot(t, step, 0), at);
		bool advised = i / ADVICES == 1 && trial_told(t, "advise", flag, 0);
		char what[32];

		snprintf(what, sizeof(what), "%s in VmFlags", flag);
		judge_equal(j, step, what, m ? mapping_has_flag(m, flag) : -1, advised,
			    "VmFlags = what madvise(2) was told, until it was undone");
	}
}

CASE(virtual_vm_flags) {
	.claim =
		"VmFlags shows what madvise(2) was told of a mapping; advice alone moves no number",
	.because = "madvise_update_vma() changes vm_flags, and splits or merges mappings as it "
		   "must; show_smap_vma_flags() prints two letters for each flag.",
	.said_by = SAID_BY("proc_pid_smaps(5), VmFlags"),
	.steps = STEPS(STEP("map", map, VIRT_DATA(ADVICES *PAGES)), STEP("advise", advise),
		       STEP("undo", undo)),
	.judge = judge,
};
