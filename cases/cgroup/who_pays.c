// SPDX-License-Identifier: MIT
/*
 * A cgroup is charged for page cache that its processes read first, whether they map it or not. RSS
 * counts pages that a process maps, whether its cgroup is charged or not.
 */
#include <rssck/case.h>

enum { PAGES = 1024, PAID = 0, FREE = 1 };
STEP_SYMBOLS(IN_A_CGROUP);

static void report(struct workload *w, const char *when)
{
	static const char *const fields[] = { "file", "file_mapped", "slab" };

	workload_cgroup_settle(w);
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++)
		workload_report_of(w, when, fields[i],
				   workload_cgroup_pages(w, "memory.stat", fields[i]));
	workload_report_of(w, when, "current", workload_cgroup_pages(w, "memory.current", NULL));
}

static void read_file(int fd)
{
	while (read(fd, workload_buffer, WORKLOAD_BUFFER) > 0)
		;
}

static void touch_file(struct workload *w, int fd)
{
	touch_read(w, workload_map_pages(w, PAGES, PROT_READ, MAP_SHARED, fd), PAGES);
}

/* Leaves the cgroup in the same step, so that no cgroup remains if the case ends between steps. */
static void pay(struct workload *w)
{
	w->fd[FREE] = workload_file(w, PAGES);
	w->fd[PAID] = workload_file(w, PAGES);
	read_file(w->fd[FREE]);
	workload_cgroup_enter(w);
	report(w, "empty");
	read_file(w->fd[PAID]);
	report(w, "read");
	touch_file(w, w->fd[PAID]);
	report(w, "mapped");
	touch_file(w, w->fd[FREE]);
	report(w, "unpaid");
	workload_cgroup_leave(w);
}

static int64_t reported(const struct trial *t, const char *name)
{
	return trial_reported(t, IN_A_CGROUP, name);
}

/*
 * Before 5.13 each CPU keeps up to a batch of each number; the workload runs on one CPU.
 * memory.current may include a batch that is charged in advance, and includes the page cache's tree
 * (slab).
 */
static void judge(const struct trial *t, struct judgement *j)
{
	static const struct {
		const char *reported;
		int64_t pages;
		const char *rule;
	} claims[] = {
		{ "read: file", PAGES, "page cache that read(2) fills is charged" },
		{ "read: file_mapped", 0, "no process maps page cache that read(2) fills" },
		{ "mapped: file", PAGES, "mapping the file charges nothing more" },
		{ "mapped: file_mapped", PAGES, "mapping the file raises file_mapped" },
		{ "unpaid: file", PAGES,
		  "page cache that another cgroup has read is not charged again" },
		{ "unpaid: file_mapped", PAGES,
		  "page cache that another cgroup has read is not in file_mapped here, but in RSS" },
	};
	int64_t tree = reported(t, "read: slab") - reported(t, "empty: slab"), off = 0;

	for (size_t i = 0; i < sizeof(claims) / sizeof(*claims); i++) {
		off += llabs(reported(t, claims[i].reported) - claims[i].pages);
		judge_within(j, IN_A_CGROUP, 0, claims[i].reported, reported(t, claims[i].reported),
			     claims[i].pages, CGROUP_BATCH, claims[i].rule);
	}
	judge_within(j, IN_A_CGROUP, 0, "memory.current",
		     reported(t, "read: current") - reported(t, "empty: current"), PAGES + tree,
		     2 * CGROUP_BATCH, "memory.current rises by the charged memory");
	judge_fact(j, "cgroup.memory_stat_is", "%s", off ? "off by less than a batch" : "exact");
}

CASE(cgroup_who_pays) {
	.claim =
		"A cgroup is charged for page cache that its processes read first, mapped or not. RSS also counts mapped page cache that another cgroup read first, so memory.stat is not a sum of RSS",
	.because = "A page is charged once, to the cgroup of the process that reads it or faults "
		   "it in first. memory.stat's file counts the charged page cache, and "
		   "file_mapped its mapped part. RSS counts what a process maps, whichever "
		   "cgroup is charged.",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory.stat"),
	.needs = NEEDS("root"),
	.steps = STEPS(STEP_AS(IN_A_CGROUP, "in a cgroup", pay,
			       MOVES(VIRT_OTHER(2 * PAGES), FILE_READ(2 * PAGES)))),
	.facts = FACTS(FACT("cgroup.memory_stat_is",
			    "A number of memory.stat, read without waiting, is",
			    "exact|off by less than a batch")),
	.judge = judge,
};
