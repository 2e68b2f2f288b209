// SPDX-License-Identifier: MIT
/* MREMAP_DONTUNMAP leaves an unlocked mapping behind, which some kernels keep in VmLck for good. */
#include <rssck/case.h>
#include <sys/wait.h>
#include <unistd.h>

/* Below the smallest RLIMIT_MEMLOCK in use, 64 KiB. */
enum { PAGES = 4, LEFT = 16, NOT_HERE = 255 };

/* What is locked after moving, and LEFT times what still is when both mappings are gone. */
static int move_locked(const struct workload *w)
{
	size_t bytes = PAGES * w->page_size;
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	void *q = MAP_FAILED;
	int64_t locked;

	if (p != MAP_FAILED && mlock(p, bytes) == 0)
		q = mremap(p, bytes, bytes, MREMAP_MAYMOVE | MREMAP_DONTUNMAP, NULL);
	if (q == MAP_FAILED)
		return NOT_HERE;
	locked = workload_status_pages(w, "VmLck");
	munmap(p, bytes);
	munmap(q, bytes);
	return (int)(locked + LEFT * workload_status_pages(w, "VmLck"));
}

/* In a process of its own: a count that is wrong here stays wrong as long as the process lives. */
static int in_child(struct workload *w)
{
	pid_t pid = fork();
	int status = 0;

	if (pid == 0)
		_exit(move_locked(w));
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		workload_die(w, "a process of its own: %m");
	return WEXITSTATUS(status);
}

static void measure(struct workload *w)
{
	int locked = in_child(w);

	if (locked == NOT_HERE)
		workload_skip(w, "MREMAP_DONTUNMAP of locked memory (Linux 5.7, RLIMIT_MEMLOCK)");
	workload_report(w, "locked", locked % LEFT);
	workload_report(w, "left", locked / LEFT);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t locked = trial_reported(t, "move", "locked", -1);

	judge_fact(j, "mremap.DONTUNMAP_counts_locked_memory", "%s",
		   locked == PAGES       ? "once"
		   : locked == 2 * PAGES ? "twice"
					 : "otherwise");
	judge_equal(j, "move", "status.VmLck when both are unmapped",
		    trial_reported(t, "move", "left", -1), locked - PAGES,
		    "munmap(2) takes back what mremap(2) has moved");
}

CASE(anonymous_dontunmap_locked) {
	.claim = "What MREMAP_DONTUNMAP leaves behind is not locked; VmLck counts the moved memory "
		 "once (on some kernels twice, for good)",
	.because = "The new mapping is locked, and the old one loses VM_LOCKED without its pages "
		   "being subtracted from locked_vm. So nothing may be added for the new one; "
		   "kernels from 6.16 to 7.1 do add it, because they call vrm_stat_account() "
		   "before dontunmap_complete().",
	.said_by = SAID_BY("mremap(2), MREMAP_DONTUNMAP"),
	.steps = STEPS(STEP("move", measure)),
	.facts = FACTS(FACT("mremap.DONTUNMAP_counts_locked_memory", "once|twice")),
	.judge = judge,
};
