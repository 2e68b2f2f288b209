// SPDX-License-Identifier: MIT
/* Locked memory that MREMAP_DONTUNMAP puts right beside its old place, with which it could merge.
 */
#include <rssck/case.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Below the smallest RLIMIT_MEMLOCK in use, 64 KiB. */
enum { PAGES = 4, HOLE = 2 * PAGES + 2, LEFT = 16, NOT_HERE = 255 };

/* What is locked after moving, and LEFT times what still is when both mappings are gone. */
static int move_locked(const struct workload *w)
{
	size_t bytes = PAGES * w->page_size;
	char *p = mmap(NULL, HOLE * w->page_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *q = MAP_FAILED;
	int64_t locked;

	if (p == MAP_FAILED)
		return NOT_HERE;
	p += w->page_size;
	/* Never touched: no page has been mapped, so nothing keeps the two apart. */
	if (mmap(p, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
		 0) != MAP_FAILED &&
	    syscall(SYS_mlock2, p, bytes, MLOCK_ONFAULT) == 0)
		q = mremap(p, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP,
			   p + bytes);
	if (q == MAP_FAILED)
		return NOT_HERE;
	locked = workload_status_pages(w, "VmLck");
	munmap(p, 2 * bytes);
	return (int)(locked + LEFT * workload_status_pages(w, "VmLck"));
}

/* In a process of its own: a count that is wrong here stays wrong as long as the process lives. */
static void measure(struct workload *w)
{
	pid_t pid = fork();
	int status = 0;

	if (pid == 0)
		_exit(move_locked(w));
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		workload_die(w, "a process of its own: %m");
	if (WEXITSTATUS(status) == NOT_HERE)
		workload_skip(w, "MREMAP_DONTUNMAP of locked memory (Linux 5.7, RLIMIT_MEMLOCK)");
	workload_report(w, "locked", WEXITSTATUS(status) % LEFT);
	workload_report(w, "left", WEXITSTATUS(status) / LEFT);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t locked = trial_reported(t, "move", "locked", -1);
	int64_t left = trial_reported(t, "move", "left", -1);

	judge_fact(j, "mremap.DONTUNMAP_beside_itself_leaves_locked", "%s",
		   left == 0                              ? "nothing"
		   : left == PAGES && locked == PAGES     ? "all of it, for good"
		   : left == PAGES && locked == 2 * PAGES ? "all of it, counted twice"
		   : left == 2 * PAGES && locked == left  ? "twice as much, for good"
							  : "something else");
}

CASE(anonymous_dontunmap_merged) {
	.claim = "Locked memory that MREMAP_DONTUNMAP puts beside its old place leaves VmLck when "
		 "both are unmapped; on some kernels it never does",
	.because = "Where the new mapping merged with the old one, clearing VM_LOCKED of the old "
		   "one cleared it of both, and munmap(2) subtracts nothing then. copy_vma() may "
		   "not merge the two (since 6.12.114 and 7.3).",
	.said_by = SAID_BY("mremap(2), MREMAP_DONTUNMAP", "proc_pid_status(5), VmLck"),
	.steps = STEPS(STEP("move", measure)),
	.facts = FACTS(FACT("mremap.DONTUNMAP_beside_itself_leaves_locked",
			    "nothing|all of it, for good|all of it, counted twice|"
			    "twice as much, for good")),
	.judge = judge,
};
