// SPDX-License-Identifier: MIT
/* All pages of a new file mapping are soft-dirty until clear_refs 4. */
#include <rssck/case.h>

enum { PAGES = 256, WRITTEN = 77 };
STEP_SYMBOLS(MAP_AND_READ, CLEAR_REFS_4, WRITE_SOME);

static void judge(const struct trial *t, struct judgement *j)
{
	static const unsigned steps[] = { MAP_AND_READ, CLEAR_REFS_4, WRITE_SOME };
	static const int64_t expected[] = { PAGES, 0, WRITTEN };

	for (size_t i = 0; i < 3; i++) {
		const struct mapping *m = trial_mapping(t, steps[i], 0, steps[0], "address");

		if (!i && m && !m->pagemap.soft_dirty)
			return judge_skip(j, "soft-dirty bits (CONFIG_MEM_SOFT_DIRTY)");
		judge_equal(j, steps[i], "soft-dirty", m ? m->pagemap.soft_dirty : -1, expected[i],
			    "soft-dirty = the pages written since clear_refs 4");
		if (m && m->flags[0])
			judge_equal_in(j, "", steps[i], "sd of VmFlags", mapping_has_flag(m, "sd"),
				       !i, "clear_refs 4 clears VM_SOFTDIRTY of every mapping");
	}
}

CASE(file_soft_dirty) {
	.claim = "Every page of a new file mapping is soft-dirty until clear_refs 4; afterwards "
		 "only the written pages are",
	.because = "mmap() sets VM_SOFTDIRTY, and pagemap then shows bit 55 for every page of "
		   "the mapping. clear_refs 4 clears VM_SOFTDIRTY of every mapping and the "
		   "soft-dirty bit of each entry.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/soft-dirty.rst", "proc_pid_clear_refs(5)"),
	.steps = STEPS(STEP_AS(MAP_AND_READ, "map and read", step_map_file, .pages = PAGES,
			       .read = PAGES, .report = "address",
			       MOVES(VIRT_DATA(PAGES), FILE_READ(PAGES))),
		       STEP_AS(CLEAR_REFS_4, "clear_refs 4", step_clear_refs, .refs = '4'),
		       STEP_AS(WRITE_SOME, "write some", step_write, .pages = WRITTEN,
			       MOVES(FILE_TO_ANON(WRITTEN)))),
	.judge = judge,
};
