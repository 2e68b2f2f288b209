// SPDX-License-Identifier: MIT
/*
 * What each system call that asks about a page answers, for a page of each kind: move_pages(2) that
 * only asks and that moves, mincore(2), get_mempolicy(2). A call about many pages answers as one
 * about each of them, in any order, and another process is answered the same.
 */
#include "page_kinds.h"
#include <rssck/right.h>
#include <sched.h>

STEP_SYMBOLS(ASK);

enum { NO_NODE = 2 };

/* ---- the calls ---- */

static struct asked {
	const struct kind *kind;
	char *at;
	int says[CALLS];
} pages[MOST_PAGES];
static int nr;

/* Says on which node the mapping has pages. No mapping has pages on both. */
static void read_numa_maps(void)
{
	FILE *f = fopen("/proc/self/numa_maps", "re");
	char line[512], key[8];

	for (int i = 0; i < nr; i++)
		pages[i].says[MAPS] = OUT;
	while (f && fgets(line, sizeof(line), f)) {
		uintptr_t start = strtoull(line, NULL, 16);
		int node = -1;

		for (int n = 0; n < 2; n++) {
			snprintf(key, sizeof(key), " N%d=", n);
			node = strstr(line, key) ? n : node;
		}
		/* The line with the last start before the page is that of its mapping. */
		for (int i = 0; i < nr; i++)
			if ((uintptr_t)pages[i].at - start < table)
				pages[i].says[MAPS] = node < 0 ? OUT : named(node);
	}
	if (f)
		fclose(f);
}

static int differs(const struct asked *p, const char *when, int seen, int expected)
{
	return workload_say(WRONG, "%s, %s: '%s' (%d) instead of '%s'", p->kind->name, when,
			    text_of(seen), seen, text_of(expected));
}

/* ---- each page alone ---- */

static bool make_pages(const struct workload *w)
{
	unsigned long mask = 1UL << here;

	if (syscall(SYS_set_mempolicy, (long)MPOL_BIND, &mask, sizeof(mask) * 8))
		return false;
	for (int i = 0; i < KINDS; i++) {
		pages[nr].kind = &kinds[i];
		pages[nr].at = kinds[i].make(w);
		nr += pages[nr].at != NULL;
	}
	return true;
}

/* A page is where the call says, and one that cannot move stays. */
static int move_alone(struct asked *p)
{
	int then;

	p->says[MOVE] = alone(p->at, (int)!here);
	then = alone(p->at, -1);
	if (then != (p->says[MOVE] == THERE ? THERE : p->says[QUERY]))
		return differs(p, "after the move", then, p->says[MOVE]);
	if (p->says[MOVE] == THERE && alone(p->at, (int)here) != HERE)
		return differs(p, "moved back", alone(p->at, -1), HERE);
	return RIGHT;
}

static int compare(const struct asked *p, enum call first, enum call last)
{
	for (enum call c = first; c <= last; c++)
		if (p->kind->answer[c] != LEARN && p->says[c] != p->kind->answer[c])
			return differs(p, calls[c], p->says[c], p->kind->answer[c]);
	return RIGHT;
}

static int ask_each(void)
{
	int result = RIGHT;

	read_numa_maps();
	for (int i = 0; i < nr && result == RIGHT; i++) {
		pages[i].says[QUERY] = alone(pages[i].at, -1);
		pages[i].says[CORE] = in_core(pages[i].at);
		result = move_alone(&pages[i]);
		if (result == RIGHT)
			result = compare(&pages[i], QUERY, CORE);
	}
	return result;
}

static int ask_nodes(void)
{
	int result = RIGHT;

	for (int i = 0; i < nr && result == RIGHT; i++) {
		pages[i].says[NODE] = node_of(pages[i].at);
		result = compare(&pages[i], NODE, NODE);
	}
	return result;
}

/* ---- many pages ---- */

/* Order number `o` begins with page o; every second goes backwards. */
static int page_of_order(int o, int i)
{
	return o % 2 ? (o + nr - i) % nr : (o + i) % nr;
}

static int call_for_all(int o, pid_t of, int to, int how, bool moved, const char *when)
{
	int status[MOST_PAGES], result;
	void *at[MOST_PAGES];

	for (int i = 0; i < nr; i++)
		at[i] = pages[page_of_order(o, i)].at;
	result = pages_call(of, nr, at, to, how, status);
	if (result)
		return workload_say(WRONG, "move_pages(2) of all pages, %s, returned %d", when,
				    result);
	for (int i = 0; i < nr; i++) {
		const struct asked *p = &pages[page_of_order(o, i)];
		int expected = to < 0 ? p->says[QUERY] : p->says[MOVE];

		if (p->says[MOVE] == THERE)
			expected = moved ? THERE : HERE;
		if (status[i] != expected)
			return differs(p, when, status[i], expected);
	}
	return RIGHT;
}

static int move_all(int o)
{
	int result = call_for_all(o, 0, (int)!here, MPOL_MF_MOVE, true, "moved with others");

	if (result == RIGHT)
		result = call_for_all(o, 0, -1, 0, true, "asked with others after the move");
	for (int i = 0; i < nr && result == RIGHT; i++)
		if (pages[i].says[MOVE] == THERE && alone(pages[i].at, (int)here) != HERE)
			result = differs(&pages[i], "moved back", alone(pages[i].at, -1), HERE);
	return result;
}

static int ask_all(void)
{
	int result = RIGHT;

	for (int o = 0; o < nr && result == RIGHT; o++)
		result = call_for_all(o, 0, -1, 0, false, "asked with others");
	for (int o = 0; o < nr && result == RIGHT; o += 7)
		result = move_all(o);
	return result;
}

/* A child is told the same about its parent's pages, of which it shares some. */
static int ask_from_child(void)
{
	pid_t pid = fork();

	if (!pid)
		_exit(call_for_all(0, getppid(), -1, 0, false, "asked by another process"));
	return workload_result_of(pid, CANNOT);
}

/* ---- calls that are refused ---- */

static int must_return(const char *name, long result, int expected)
{
	if (result < 0)
		result = -errno;
	return result == expected
		       ? RIGHT
		       : workload_say(WRONG, "move_pages(2) with %s returned %ld, not %d", name,
				      result, expected);
}

/* A page before the refused one is moved, and the page itself has no status. */
static int stop_in_the_middle(void)
{
	void *at[2] = { pages[0].at, pages[1].at };
	int node[2] = { (int)!here, NO_NODE }, status[2] = { -EDOM, -EDOM }, result;

	result = must_return("a second node that is not there",
			     syscall(SYS_move_pages, 0L, 2L, at, node, status, (long)MPOL_MF_MOVE),
			     -ENODEV);
	if (result != RIGHT)
		return result;
	if (named(status[0]) != THERE || status[1] != -EDOM || alone(at[0], -1) != THERE)
		return workload_say(WRONG, "refused in the middle: status %d, %d", status[0],
				    status[1]);
	return alone(at[0], (int)here) == HERE ? RIGHT : CANNOT;
}

static int try_refused(void)
{
	static const struct refused {
		const char *name;
		pid_t pid;
		long n;
		int node, how, answer;
		bool no_pages, no_status;
	} refused[] = {
		{ "no pages", 0, 0, 0, MPOL_MF_MOVE, 0, false, false },
		{ "a node that is not there", 0, 1, NO_NODE, MPOL_MF_MOVE, -ENODEV, false, false },
		{ "node -1", 0, 1, -1, MPOL_MF_MOVE, -ENODEV, false, false },
		{ "MPOL_MF_STRICT", 0, 1, 0, MPOL_MF_STRICT, -EINVAL, false, false },
		{ "PID 2^30", 1 << 30, 1, 0, MPOL_MF_MOVE, -ESRCH, false, false },
		{ "pages at NULL", 0, 1, 0, MPOL_MF_MOVE, -EFAULT, true, false },
		{ "status at NULL", 0, 1, 0, MPOL_MF_MOVE, -EFAULT, false, true },
	};
	int result = RIGHT, status;

	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused) && result == RIGHT; i++) {
		const struct refused *r = &refused[i];
		int node = r->node ? r->node : (int)here; /* the last row's page would move */
		void *at[1] = { pages[0].at };

		result = must_return(r->name,
				     syscall(SYS_move_pages, (long)r->pid, r->n,
					     r->no_pages ? NULL : at, &node,
					     r->no_status ? NULL : &status, (long)r->how),
				     r->answer);
		if (result == RIGHT && alone(at[0], -1) != HERE)
			result = differs(&pages[0], r->name, alone(at[0], -1), HERE);
	}
	return result == RIGHT ? stop_in_the_middle() : result;
}

/* ---- the case ---- */

/* Answers that depend on the kernel. */
static const struct learned {
	char *(*make)(const struct workload *w);
	enum call call;
	const char *report, *fact;
} learned[] = {
	{ untouched, QUERY, "untouched", "move_pages.untouched_page" },
	{ no_access, QUERY, "no access", "move_pages.page_without_access" },
	{ vdso, QUERY, "vdso", "move_pages.vdso" },
	{ pool_tail, MOVE, "tail", "move_pages.moves_a_hugetlb_page_by_an_inner_address" },
};

enum { LEARNED = sizeof(learned) / sizeof(*learned) };

static int learned_of(char *(*make)(const struct workload *w), enum call c)
{
	for (int i = 0; i < nr; i++)
		if (pages[i].kind->make == make)
			return pages[i].says[c];
	return 0;
}

/* Both untouched pages are answered alike, whether there is a page table or not. */
static int compare_untouched(void)
{
	for (int i = 0; i < nr; i++)
		for (enum call c = QUERY; c <= MOVE; c++)
			if (pages[i].kind->make == beside_written &&
			    pages[i].says[c] != learned_of(untouched, QUERY))
				return differs(&pages[i], calls[c], pages[i].says[c],
					       learned_of(untouched, QUERY));
	return RIGHT;
}

static int try_all(const struct workload *w)
{
	unsigned cpu;
	int result;

	page = w->page_size;
	table = workload_table_bytes(w);
	hugetlb = workload_hugetlb_bytes();
	if (!workload_may_use_node(0) || !workload_may_use_node(1) ||
	    !access("/sys/devices/system/node/node2/numastat", F_OK) || getcpu(&cpu, &here) ||
	    here > 1)
		return workload_say(CANNOT, "memory on the nodes 0 and 1, and no third node");
	if (!make_pages(w))
		return workload_say(CANNOT, "memory policies");
	result = ask_each();
	if (result == RIGHT)
		result = compare_untouched();
	if (result == RIGHT)
		result = ask_all();
	if (result == RIGHT)
		result = ask_from_child();
	if (result == RIGHT)
		result = try_refused();
	if (result == RIGHT)
		result = ask_nodes();
	if (result != RIGHT)
		return result;
	workload_say(RIGHT, "%d", nr);
	for (int i = 0; i < LEARNED; i++)
		workload_say(RIGHT, " %d", learned_of(learned[i].make, learned[i].call));
	return RIGHT;
}

static void ask(struct workload *w)
{
	char text[320], *next = text;

	w->fd[0] = workload_file(w, FILE_PAGES);
	w->fd[1] = workload_file(w, 1);
	workload_must_be_right(w, try_all, text, sizeof(text), "move_pages(2)");
	workload_report(w, "kinds", strtoll(text, &next, 10));
	for (int i = 0; i < LEARNED; i++)
		workload_report(w, learned[i].report, strtoll(next, &next, 10));
	workload_checked(w);
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_true(j, ASK, trial_reported(t, ASK, "kinds") > KINDS / 2,
		   "more than half of the kinds of pages can be made");
	for (int i = 0; i < LEARNED; i++) {
		int64_t says = trial_reported(t, ASK, learned[i].report);

		if (!says) /* there is no such page */
			continue;
		if (learned[i].call == MOVE)
			judge_yes_no(j, learned[i].fact, says == THERE);
		else
			judge_fact(j, learned[i].fact, "%s",
				   says == HERE      ? "its node"
				   : says == -ENOENT ? "ENOENT"
				   : says == -EFAULT ? "EFAULT"
						     : "another answer");
	}
}

CASE(machine_pages_asked) {
	.claim =
		"For a page of each kind move_pages(2), numa_maps, mincore(2) and get_mempolicy(2) give the documented answer. move_pages(2) of all these pages, in any order and from another process, answers as a call for each of them, and each page is where its status says",
	.because =
		"do_pages_stat() and do_pages_move() decide about each page alone: absent (ENOENT), a zero page or no mapping (EFAULT), mapped more than once (EACCES). Kernels differ in what their page table walk finds: 6.1 does not find pages with PROT_NONE.",
	.said_by = SAID_BY("move_pages(2)", "mincore(2)", "get_mempolicy(2)",
			   "Documentation/filesystems/proc.rst, numa_maps"),
	.needs = NEEDS("root"),
	.flags = CASE_THP | CASE_ONE_CPU,
	.steps = STEPS(STEP_AS(ASK, "ask about each page", ask, .checks = 1)),
	.facts = FACTS(
		FACT("move_pages.untouched_page",
		     "The status of an untouched page of anonymous memory is", "ENOENT|EFAULT"),
		FACT("move_pages.page_without_access",
		     "The status of a page after mprotect(PROT_NONE) is", "its node|ENOENT"),
		FACT("move_pages.vdso", "The status of the vdso is", "its node|ENOENT"),
		FACT("move_pages.moves_a_hugetlb_page_by_an_inner_address",
		     "Does move_pages(2) move a hugetlb page if it is passed an address inside?",
		     "yes|no")),
	.judge = judge,
};
