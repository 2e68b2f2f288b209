// SPDX-License-Identifier: MIT
/*
 * pgfault in memory.stat counts the page faults of a cgroup's processes, and pgmajfault their major
 * faults.
 */
#include <rssck/case.h>

/* PAGES is a multiple of CGROUP_BATCH, the per-CPU batch by which a number may lag. */
enum { PAGES = 1024, FD = 0, REGION = 0 };
STEP_SYMBOLS(IN_A_CGROUP);

struct faults {
	int64_t all, major;
};

/*
 * Returns the cgroup's faults minus the workload's own, and sets *ours to the workload's own.
 * Settles first, so that memory.stat is up to date; the faults of settling are in both numbers.
 */
static struct faults apart(struct workload *w, struct faults *ours)
{
	struct rusage self;

	workload_cgroup_settle(w);
	self = workload_getrusage(RUSAGE_SELF);
	*ours = (struct faults) { self.ru_minflt + self.ru_majflt, self.ru_majflt };
	return (struct faults) { workload_cgroup_events(w, "pgfault") - ours->all,
				 workload_cgroup_events(w, "pgmajfault") - ours->major };
}

static void touch_anonymous(struct workload *w)
{
	touch_write(w, w->slot[REGION], PAGES);
}

/*
 * Reads instead of writing, because 5.10 retries a write fault on shared memory, and a retried
 * fault counts as major.
 */
static void touch_shmem(struct workload *w)
{
	touch_read(w, w->slot[REGION], PAGES);
}

/* Without read-ahead each page takes a fault, unless the file system reads larger blocks. */
static void read_file(struct workload *w)
{
	size_t bytes = PAGES * w->page_size;
	void *p = workload_map(w, bytes, PROT_READ, MAP_SHARED, w->fd[FD], 0);

	madvise(p, bytes, MADV_RANDOM);
	touch_read(w, p, PAGES);
	workload_unmap(w, p, bytes);
}

static void read_swap(struct workload *w)
{
	workload_must_hold(w, w->slot[REGION], PAGES, true);
}

/* The act and both readings are in one step, because the cgroup exists only in that step. */
static void count(struct workload *w, const char *what, void (*act)(struct workload *w))
{
	struct faults before, after, was = apart(w, &before), is;

	act(w);
	is = apart(w, &after);
	workload_report_of(w, what, "pgfault", is.all - was.all);
	workload_report_of(w, what, "pgmajfault", is.major - was.major);
	workload_report_of(w, what, "major", after.major - before.major);
}

static void swap_in(struct workload *w, const char *what, bool shared)
{
	size_t bytes = PAGES * w->page_size;

	w->slot[REGION] = workload_map(w, bytes, PROT_READ | PROT_WRITE,
				       MAP_ANONYMOUS | (shared ? MAP_SHARED : MAP_PRIVATE), -1, 0);
	madvise(w->slot[REGION], bytes, MADV_NOHUGEPAGE);
	if (shared) {
		count(w, "shmem", touch_shmem);
		touch_write(w, w->slot[REGION], PAGES);
		workload_page_out_shmem(w, w->slot[REGION], PAGES);
	} else {
		count(w, "anonymous", touch_anonymous);
		workload_page_out(w, w->slot[REGION], PAGES);
	}
	workload_report_of(w, what, "emptied",
			   workload_cgroup_events(w, "swapcached") >= 0 &&
				   workload_cgroup_empties_swap_cache(w));
	count(w, what, read_swap);
	workload_unmap(w, w->slot[REGION], bytes);
}

static void pay(struct workload *w)
{
	w->fd[FD] = workload_file(w, PAGES);
	workload_cgroup_enter(w);
	swap_in(w, "swap", false);
	swap_in(w, "shmem on swap", true);
	count(w, "file", read_file);
	workload_cgroup_leave(w);
}

/* `reads`: the fault reads from a file or from swap, and the kernel may retry it. */
static const struct {
	const char *what;
	bool reads;
} parts[] = {
	{ "anonymous", false },    { "swap", true }, { "shmem", false },
	{ "shmem on swap", true }, { "file", true },
};

static void judge(const struct trial *t, struct judgement *j)
{
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		const char *what = parts[i].what;
		int64_t major = trial_reported_of(t, IN_A_CGROUP, what, "major");
		bool of_swap = parts[i].reads && strcmp(what, "file") != 0;

		judge_within(j, IN_A_CGROUP, 0, "memory.stat pgmajfault",
			     trial_reported_of(t, IN_A_CGROUP, what, "pgmajfault"), 0, CGROUP_BATCH,
			     "pgmajfault = the major faults of the cgroup's process");
		if (!parts[i].reads)
			judge_within(j, IN_A_CGROUP, 0, "memory.stat pgfault",
				     trial_reported_of(t, IN_A_CGROUP, what, "pgfault"), 0,
				     CGROUP_BATCH, "pgfault = the faults of the cgroup's process");
		/*
		 * The swap cache is empty, so each page must be read from swap. One fault may read
		 * several.
		 */
		if (of_swap && trial_reported_of(t, IN_A_CGROUP, what, "emptied") > 0)
			judge_true(
				j, IN_A_CGROUP, major > 0 && major <= PAGES,
				"reading pages back from swap takes at least one major fault, and at most one per page");
		else if (!of_swap)
			judge_within(
				j, IN_A_CGROUP, 0, "majflt", major, parts[i].reads ? PAGES : 0, 0,
				parts[i].reads
					? "each page of the file takes a major fault"
					: "first touches of anonymous memory and shmem are minor faults");
	}
	if (trial_reported_of(t, IN_A_CGROUP, "file", "major") == PAGES)
		judge_fact(j, "cgroup.pgfault_of_a_fault_that_reads_a_file", "%s",
			   trial_reported_of(t, IN_A_CGROUP, "file", "pgfault") > PAGES / 2
				   ? "counts twice"
				   : "counts once");
}

CASE(cgroup_fault_events) {
	.claim =
		"pgfault in memory.stat counts the faults of the cgroup's processes (checked for anonymous memory and shmem); pgmajfault counts their major faults, also on files and on swapped pages",
	.because = "handle_mm_fault() counts pgfault; up to 6.4 it counts a retried fault twice. "
		   "filemap_fault(), do_swap_page() and shmem_swapin_folio() count pgmajfault "
		   "when they must read a page.",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory.stat: pgfault"),
	.needs = NEEDS("root", "swap"),
	.flags = CASE_ONE_CPU,
	.steps = STEPS(STEP_AS(IN_A_CGROUP, "in a cgroup", pay, .checks = 2)),
	.facts = FACTS(FACT("cgroup.pgfault_of_a_fault_that_reads_a_file",
			    "When a fault has to read a file, pgfault of memory.stat",
			    "counts twice|counts once")),
	.judge = judge,
};
