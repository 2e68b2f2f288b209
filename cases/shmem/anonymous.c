// SPDX-License-Identifier: MIT
/* Shared anonymous memory is shmem: it is counted in RES and SHR, and not in RssAnon. */
#include <rssck/case.h>

enum { BYTES = 8 << 20, REGION = 0 };
STEP_SYMBOLS(MAP_8_MIB);

static void map(struct workload *w)
{
	w->slot[REGION] = workload_map(w, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
				       -1, 0);
	workload_expect(w, VIRT_OTHER((int64_t)(BYTES / w->page_size)));
	workload_report(w, "address", (int64_t)(uintptr_t)w->slot[REGION]);
}

static void write_all(struct workload *w)
{
	int64_t pages = (int64_t)(BYTES / w->page_size);

	touch_write(w, w->slot[REGION], (size_t)pages);
	workload_expect(w, SHMEM_WRITE(pages));
}

static void judge(const struct trial *t, struct judgement *j)
{
	const struct mapping *m = trial_mapping(t, MAP_8_MIB, 0, MAP_8_MIB, "address");

	judge_true(j, MAP_8_MIB, m && !strcmp(m->name, "/dev/zero (deleted)"),
		   "maps names the mapping /dev/zero (deleted)");
	judge_fact(j, "shared_anonymous.name", "%s", m ? m->name : "");
}

CASE(shmem_anonymous) {
	.claim = "RES, SHR and RssShmem count shared anonymous memory; RssAnon does not",
	.because = "The kernel backs shared anonymous memory with a tmpfs file that is in no "
		   "directory; /proc/PID/maps shows it as /dev/zero (deleted). So the pages are "
		   "page cache of tmpfs. Before it is touched, such a mapping is only address "
		   "space.",
	.said_by = SAID_BY("Memory part 2: Understanding Process memory", "top(1), SHR"),
	.flags = CASE_ONE_CPU,
	.steps = STEPS(STEP_AS(MAP_8_MIB, "map 8 MiB", map), STEP("write all", write_all)),
	.facts = FACTS(FACT("shared_anonymous.name",
			    "The name of shared anonymous memory in maps is",
			    "/dev/zero (deleted)")),
	.judge = judge,
};
