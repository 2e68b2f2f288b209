// SPDX-License-Identifier: MIT
/* Bit 56 of pagemap, page by page of a huge page of which another process maps a part. */
#include <rssck/case.h>
#include <rssck/source.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { REGION = 0, UNMAPPED = 7 };

/* Lets go of all but some pages in the middle of ours, and waits until the other end is closed. */
static _Noreturn void keep_some(char *p, size_t page, size_t bytes, const int ends[2])
{
	char byte = 1;

	munmap(p, UNMAPPED * page);
	munmap(p + bytes - UNMAPPED * page, UNMAPPED * page);
	if (write(ends[1], &byte, 1) != 1)
		_exit(1);
	pause();
	_exit(0);
}

/* In one step: on kernels where the bit is wrong, no two sources agree while the child is there. */
static void look(struct workload *w)
{
	char byte, *p = w->slot[REGION];
	int ends[2];
	pid_t pid;

	workload_must(w, pipe(ends), "pipe");
	pid = fork();
	workload_must(w, pid, "fork");
	if (pid == 0)
		keep_some(p, w->page_size, w->huge_page_size, ends);
	if (read(ends[0], &byte, 1) != 1)
		workload_die(w, "a child that lets go of some pages");
	workload_report(w, "exclusive",
			workload_pages_marked(w, p, (size_t)w->huge, PAGEMAP_EXCLUSIVE));
	workload_report(w, "private", workload_pages_private(w, p));
	workload_report(w, "all", w->huge);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(ends[0]);
	close(ends[1]);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t exclusive = trial_reported(t, "share a part", "exclusive", -1);
	int64_t private = trial_reported(t, "share a part", "private", -1);
	int64_t all = trial_reported(t, "share a part", "all", 0);

	judge_fact(j, "pagemap.bit_56_of_a_huge_page_shared_in_part", "%s",
		   exclusive == private && private == 2 * UNMAPPED ? "page by page"
		   : exclusive == private && private == 0          ? "of the folio"
		   : exclusive == 0 || exclusive == all            ? "of the first page"
								   : "otherwise");
}

CASE(thp_exclusive_by_page) {
	.claim = "Bit 56 of pagemap (exclusively mapped) holds page by page of a huge page that a "
		 "PMD maps; on most kernels its first page decides for all 512",
	.because = "From 6.11 to 6.15 pagemap_pmd_range() asked for the mapcount of each page of "
		   "the folio, as smaps always has; before and since it asks for that of the first "
		   "one 512 times. Where the kernel keeps no mapcount by page "
		   "(CONFIG_NO_PAGE_MAPCOUNT) both go by the folio.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/pagemap.rst"),
	.needs = NEEDS("thp"),
	.flags = CASE_THP,
	.steps = STEPS(STEP("touch one huge page", step_huge_page), STEP("share a part", look)),
	.posts = POSTS(VIRT_DATA(1), ANON_HUGE(1)),
	.facts = FACTS(FACT("pagemap.bit_56_of_a_huge_page_shared_in_part",
			    "page by page|of the folio|of the first page")),
	.judge = judge,
};
