// SPDX-License-Identifier: MIT
/* pgfault and pgmajfault of a cgroup are the faults of its processes, on any kind of memory. */
#include "events.h"

/* A multiple of the part of a number that each CPU may hold back. */
enum { PAGES = 1024, FD = 0, REGION = 0 };

struct faults {
	int64_t all, major;
};

/*
 * The cgroup's faults less our own, which reading takes, too. Settled first: then no other process
 * is in the cgroup.
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

/* Read, not written: on 5.10 a write would be a major fault, and such a fault is tried twice. */
static void touch_shmem(struct workload *w)
{
	touch_read(w, w->slot[REGION], PAGES);
}

/* At random: without readahead each page is a fault of its own. */
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

/* Parts of the only step in which the cgroup exists. */
static void count(struct workload *w, const char *what, void (*act)(struct workload *w))
{
	struct faults before, after, was = apart(w, &before), is;

	act(w);
	is = apart(w, &after);
	event_report(w, what, "pgfault", is.all - was.all);
	event_report(w, what, "pgmajfault", is.major - was.major);
	event_report(w, what, "major", after.major - before.major);
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
	event_report(w, what, "emptied",
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

/* A fault that reads from a disk may be tried twice. */
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
		int64_t major = event_reported(t, what, "major");

		judge_within(j, IN_A_CGROUP, 0, "memory.stat pgmajfault",
			     event_reported(t, what, "pgmajfault"), 0, CGROUP_BATCH,
			     "the major faults of the cgroup's one process, and no others");
		if (!parts[i].reads)
			judge_within(j, IN_A_CGROUP, 0, "memory.stat pgfault",
				     event_reported(t, what, "pgfault"), 0, CGROUP_BATCH,
				     "the faults of the cgroup's one process, and no others");
		/* Pages that are only on swap must be read, with their neighbours or one by one. */
		if (event_reported(t, what, "emptied") > 0)
			judge_true(j, IN_A_CGROUP, major > 0 && major <= PAGES,
				   "each page read back from swap is one major fault");
		else if (!parts[i].reads || !strcmp(what, "file"))
			judge_within(j, IN_A_CGROUP, 0, "majflt", major, parts[i].reads ? PAGES : 0,
				     0, what);
	}
	if (event_reported(t, "file", "major") == PAGES)
		judge_fact(j, "cgroup.pgfault_of_a_fault_that_reads_a_file", "%s",
			   event_reported(t, "file", "pgfault") > PAGES / 2 ? "counts twice"
									    : "counts once");
}

CASE(cgroup_fault_events) {
	.claim = "pgfault and pgmajfault in memory.stat are the faults of the cgroup's processes: "
		 "on anonymous memory, a file and shmem, and on anonymous memory and shmem read "
		 "back from swap",
	.because = "handle_mm_fault() counts pgfault, and up to 6.4 again when it is retried; a "
		   "fault that has to read counts pgmajfault: filemap_fault(), do_swap_page(), "
		   "shmem_swapin_folio().",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory.stat: pgfault"),
	.needs = NEEDS("root", "swap"),
	.flags = CASE_ONE_CPU,
	.steps = STEPS(STEP_AS(IN_A_CGROUP, "in a cgroup", pay, .checks = 2)),
	.facts = FACTS(FACT("cgroup.pgfault_of_a_fault_that_reads_a_file",
			    "pgfault of memory.stat, a fault that has to read a file:",
			    "counts twice|counts once")),
	.judge = judge,
};
