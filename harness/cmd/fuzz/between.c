// SPDX-License-Identifier: MIT
/* The cases that fuzz runs between programs, one after another. */
#include "fuzz.h"
#include <rssck/bug.h>
#include <rssck/case.h>
#include <sys/prctl.h>

enum { EACH = 6 }; /* a case runs before the program of every 6th seed */

/*
 * Cases that test what random programs do not. Most of them need a new process or change the whole
 * machine.
 */
static const char *const ids[] = {
	"hugetlb/shared_tables",  "virtual/io_uring",
	"anonymous/pinned_perf",  "file/mincore",
	"virtual/text_writable",  "shmem/huge_eligible",
	"cgroup/kernel_stack",    "hugetlb/poisoned",
	"anonymous/poisoned",     "cgroup/ksm_swapped",
	"cgroup/swapped",         "cgroup/unmapped_on_swap",
	"fork/exec_resets",       "fork/rusage_grandchildren",
	"scanners/nothing_there", "counters/fresh_process",
	"anonymous/memfd_secret",
};

const struct case_registration *between_case(uint64_t seed)
{
	return seed % EACH ? NULL : case_by_id(ids[seed / EACH % (sizeof(ids) / sizeof(*ids))]);
}

bool between_run(struct engine *e, const struct case_registration *c, FILE *out)
{
	struct result r = { .verdict = VERDICT_SKIP };
	bool fails;
	char words[256];

	/* cmd_fuzz() disables huge pages for its own process, and children would inherit that. */
	prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0);
	engine_run(e, c, &r);
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	fails = r.verdict == VERDICT_FAIL;
	if (fails)
		fprintf(out, "# the case %s fails: %s\n", r.id, r.reason);
	for (size_t i = 0; i < r.nr_facts; i++)
		if (bug_of_fact(&r.facts[i]))
			fprintf(out, "%s\n",
				bug_words(bug_of_fact(&r.facts[i]), words, sizeof(words)));
	result_free(&r);
	return fails;
}
