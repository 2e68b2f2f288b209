// SPDX-License-Identifier: MIT
/*
 * The kernel refuses hugetlb pages: a reservation for lack of pages, a reservation for which it has
 * allocated some pages already, and a fault. Afterwards each number must be as before.
 */
#include <rssck/case.h>

enum { HELD = 2, SURPLUS = 2 };
STEP_SYMBOLS(REFUSE);

#define OVERCOMMIT "/proc/sys/vm/nr_overcommit_hugepages"

/* nr_hugetlb counts pages of w->page_size in use, and is too large for a CPU to hold it back. */
static const struct {
	const char *file, *line;
} numbers[] = {
	{ "/proc/vmstat", "nr_hugetlb" },      { "/proc/meminfo", "HugePages_Total" },
	{ "/proc/meminfo", "HugePages_Free" }, { "/proc/meminfo", "HugePages_Rsvd" },
	{ "/proc/meminfo", "HugePages_Surp" }, { "/proc/meminfo", "Hugetlb" },
};

enum { NUMBERS = sizeof(numbers) / sizeof(*numbers), NR_HUGETLB = 0 };

static void read_numbers(int64_t seen[NUMBERS])
{
	for (size_t i = 0; i < NUMBERS; i++)
		seen[i] = workload_number(numbers[i].file, numbers[i].line, -1);
}

/* Returns whether a mapping of `pages` huge pages is refused. */
static bool is_refused(size_t pages, size_t bytes)
{
	void *p = workload_try_map(pages * bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_HUGETLB,
				   -1);

	if (p)
		munmap(p, pages * bytes);
	return !p && errno == ENOMEM;
}

static bool refuse_reservation(struct workload *w, size_t free, size_t bytes)
{
	workload_set(w, OVERCOMMIT, "0");
	return is_refused(free + 1, bytes);
}

/* gather_surplus_pages() (mm/hugetlb.c) allocates two pages, gets no third, and frees the two. */
static bool refuse_surplus(struct workload *w, size_t free, size_t bytes)
{
	workload_set_number(w, OVERCOMMIT, SURPLUS);
	return is_refused(free + SURPLUS + 1, bytes);
}

static void touch_more(size_t free, size_t bytes)
{
	static const struct rlimit none = { 0 };
	char *p = workload_try_map((free + 1) * bytes, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_HUGETLB | MAP_NORESERVE, -1);

	setrlimit(RLIMIT_CORE, &none);
	for (size_t i = 0; p && i <= free; i++)
		p[i * bytes] = 1;
	_exit(0);
}

static bool refuse_fault(struct workload *w, size_t free, size_t bytes)
{
	int status = 0;
	pid_t pid;

	workload_set(w, OVERCOMMIT, "0");
	pid = fork();
	if (pid == 0)
		touch_more(free, bytes);
	return pid > 0 && waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) &&
	       WTERMSIG(status) == SIGBUS;
}

static const struct way {
	const char *name;
	bool (*refuse)(struct workload *w, size_t free, size_t bytes);
	bool known; /* of this one nr_hugetlb is a fact */
} ways[] = {
	{ .name = "a reservation of one page too many", .refuse = refuse_reservation },
	{ .name = "a reservation that needs surplus pages",
	  .refuse = refuse_surplus,
	  .known = true },
	{ .name = "a fault on one page too many", .refuse = refuse_fault },
};

static void try(struct workload *w, const struct way *way, size_t bytes)
{
	int64_t before[NUMBERS], after[NUMBERS];

	read_numbers(before);
	if (!way->refuse(w, (size_t)(before[2] - before[3]), bytes))
		workload_skip(w, "%s, which is refused", way->name);
	read_numbers(after);
	if (way->known)
		workload_report(w, "lower", before[NR_HUGETLB] - after[NR_HUGETLB]);
	for (size_t i = way->known; i < NUMBERS; i++)
		if (before[i] != after[i])
			workload_fail(w, "%s: %s is %lld before and %lld after", way->name,
				      numbers[i].line, (long long)before[i], (long long)after[i]);
}

static void refuse(struct workload *w)
{
	size_t bytes = workload_hugetlb_bytes();
	int64_t at_start = workload_number("/proc/vmstat", "nr_hugetlb", -1);
	int64_t pages = (int64_t)(bytes / w->page_size), overcommit;
	char *p = workload_hugetlb_map(w, HELD * bytes, -1);

	overcommit = workload_number(OVERCOMMIT, NULL, -1);
	if (overcommit < 0)
		workload_skip(w, "%s", OVERCOMMIT);
	workload_report(w, "pages", pages);
	for (size_t i = 0; i < HELD; i++)
		p[i * bytes] = 1;
	workload_report(w, "counted", workload_number("/proc/vmstat", "nr_hugetlb", -1) - at_start);
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++)
		try(w, &ways[i], bytes);
	workload_set_number(w, OVERCOMMIT, overcommit);
	workload_unmap(w, p, HELD * bytes);
	workload_checked(w);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t pages = trial_reported(t, REFUSE, "pages");

	/* nr_hugetlb is missing before 6.14. If earlier cases left it below 0, it is printed as 0.
	 */
	if (trial_reported(t, REFUSE, "counted") == HELD * pages)
		judge_fact_of(j, "hugetlb.nr_hugetlb_after_a_refused_reservation",
			      trial_reported(t, REFUSE, "lower"), SURPLUS * pages, "as before",
			      "lower", "otherwise");
}

CASE(hugetlb_refused) {
	.claim =
		"The pool's numbers are as before after a reservation or a fault of hugetlb pages is refused",
	.because =
		"gather_surplus_pages() frees the surplus pages that it allocated if it gets too "
		"few of them, and hugetlb_no_page() returns what it took. But free_huge_folio() "
		"subtracts each page from nr_hugetlb, which alloc_hugetlb_folio() alone "
		"adds to, so pages that were never handed out are subtracted, too.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/hugetlbpage.rst, HugePages_Surp"),
	.needs = NEEDS("hugetlb", "guest"),
	.steps = STEPS(STEP_AS(REFUSE, "let the kernel refuse hugetlb pages", refuse, .checks = 1)),
	.facts =
		FACTS(FACT("hugetlb.nr_hugetlb_after_a_refused_reservation",
			   "After a reservation of surplus hugetlb pages is refused, nr_hugetlb is",
			   "as before|lower")),
	.judge = judge,
};
