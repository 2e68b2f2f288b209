// SPDX-License-Identifier: MIT
/*
 * For a shared mapping of a file opened read-only, maps shows 's', but VmFlags does not show 'sh'.
 */
#include <rssck/case.h>

enum { PAGES = 64 };
STEP_SYMBOLS(MAP_AND_READ);

static void map_and_read(struct workload *w)
{
	char path[32];
	void *p;
	int fd;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", workload_file(w, PAGES));
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		workload_skip(w, "%s: %m", path);
	p = workload_map_pages(w, PAGES, PROT_READ, MAP_SHARED, fd);
	close(fd);
	touch_read(w, p, PAGES);
	workload_report(w, "at", (int64_t)(uintptr_t)p);
}

static void judge(const struct trial *t, struct judgement *j)
{
	const struct mapping *m = trial_mapping(t, MAP_AND_READ, 0, MAP_AND_READ, "at");

	if (!m || !m->flags[0])
		return judge_skip(j, "VmFlags");
	judge_true(j, MAP_AND_READ, m->shared, "maps shows 's' for the mapping");
	judge_true(j, MAP_AND_READ, mapping_has_flag(m, "ms"), "VmFlags has ms");
	judge_yes_no(j, "shared_read_only.VmFlags_have_sh", mapping_has_flag(m, "sh"));
}

CASE(file_shared_read_only) {
	.claim =
		"A shared mapping of a file opened read-only has 's' in maps; its VmFlags contain 'ms' and not 'sh'",
	.because = "No process can write through this mapping, so do_mmap() clears VM_SHARED. It "
		   "leaves VM_MAYSHARE, which maps shows as 's'.",
	.said_by = SAID_BY("proc_pid_smaps(5), VmFlags"),
	.steps = STEPS(STEP_AS(MAP_AND_READ, "map and read", map_and_read,
			       MOVES(VIRT_OTHER(PAGES), FILE_READ(PAGES)))),
	.facts = FACTS(FACT("shared_read_only.VmFlags_have_sh",
			    "Do the VmFlags of a shared mapping of a file opened read-only "
			    "contain sh?",
			    "no")),
	.judge = judge,
};
