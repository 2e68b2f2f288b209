// SPDX-License-Identifier: MIT
/*
 * Capacity planning for a fork server: compares what RSS, Pss and USS predict for one more worker.
 */
#include <rssck/case.h>

enum { SHARED = 2100, OWN = 64, WORKERS = 20, REGION = 0, LEADER = 0 };
STEP_SYMBOLS(FORK_20_WORKERS, LOAD);

#define RAM_KB (16LL << 20)

/*
 * The leader writes the OWN pages before each fork, so that each worker has its own copy of them.
 * All workers share the other pages.
 */
static void fork_workers(struct workload *w)
{
	char *own = (char *)w->slot[REGION] + SHARED * w->page_size;

	for (unsigned i = 1; i <= WORKERS; i++) {
		touch_write(w, own, OWN);
		workload_fork(w, i);
	}
	touch_write(w, own, OWN);
}

/* For the region, in kB: Rss and Pss summed over all processes, and one worker's private pages. */
struct sums {
	int64_t rss, pss, own;
};

static bool sum_up(const struct trial *t, unsigned step, struct sums *s)
{
	uint64_t start = (uint64_t)trial_reported(t, LOAD, "start");

	*s = (struct sums) { 0 };
	for (unsigned i = LEADER; i <= WORKERS; i++) {
		const struct mapping *m = snapshot_mapping(trial_snapshot(t, step, i), start);

		if (!m)
			return false;
		s->rss += mapping_smaps(m, METRIC_SMAPS_RSS);
		s->pss += mapping_smaps(m, METRIC_SMAPS_PSS);
		s->own = mapping_private(m);
	}
	return true;
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t page = t->host->page_size / 1024;
	int64_t memory = (SHARED + (WORKERS + 1) * OWN) * page;
	struct sums s;

	if (!sum_up(t, FORK_20_WORKERS, &s))
		return judge_true(j, FORK_20_WORKERS, false, "every process has the mapping");
	judge_equal(j, FORK_20_WORKERS, "sum of Rss", s.rss / page, (WORKERS + 1) * (SHARED + OWN),
		    "the sum of Rss counts the loaded memory once per process");
	/* smaps rounds each process's Pss down to a kB. */
	judge_true(j, FORK_20_WORKERS, s.pss <= memory && s.pss >= memory - (WORKERS + 1),
		   "the sum of Pss = the memory in use, less at most 1 kB per process");
	judge_equal(j, FORK_20_WORKERS, "the pages that only one worker maps", s.own / page, OWN,
		    "one more worker costs the pages that only it maps: its USS");
	/* If smaps lacks the numbers, a check above has failed already. */
	if (s.rss <= 0 || s.pss <= 0 || s.own <= 0)
		return;
	judge_fact(j, "fork_server.sum_of_rss_over_memory", "%lld.%lld", (long long)(s.rss / s.pss),
		   (long long)(s.rss * 10 / s.pss % 10));
	judge_fact(j, "fork_server.workers_in_16_GiB_by_rss", "%lld",
		   (long long)(RAM_KB * (WORKERS + 1) / s.rss));
	judge_fact(j, "fork_server.workers_in_16_GiB_by_pss", "%lld",
		   (long long)(RAM_KB * (WORKERS + 1) / memory));
	judge_fact(j, "fork_server.workers_in_16_GiB_by_uss", "%lld",
		   (long long)((RAM_KB - SHARED * page) / s.own));
}

CASE(fork_server) {
	.claim =
		"For a fork server with 20 workers that share 97% of their pages, the sum of RSS is 13 times the memory in use; dividing RAM by a worker's RSS gives a 34th of the number of workers that fit",
	.because =
		"Memory that the server loads before it forks exists once. Each RES counts it in "
		"full, each Pss counts a 21st of it. One more worker costs only the pages that "
		"it writes: its USS.",
	.said_by = SAID_BY("ELC: USS and PSS", "Memory part 3: Managing memory"),
	.processes = WORKERS,
	.flags = CASE_ONE_CPU,
	.steps = STEPS(
		STEP_AS(LOAD, "load", step_map, .pages = SHARED + OWN, .written = SHARED,
			.report = "start", MOVES(VIRT_DATA(SHARED + OWN), ANON_WRITE(SHARED))),
		STEP_AS(FORK_20_WORKERS, "fork 20 workers", fork_workers, .flags = STEP_ANY_PAGES)),
	.facts = FACTS(FACT("fork_server.sum_of_rss_over_memory",
			    "The sum of a fork server's RSS, divided by the memory it uses, is",
			    "13.1|13.2"),
		       FACT("fork_server.workers_in_16_GiB_by_rss",
			    "The workers that fit into 16 GiB, estimated from RSS, are", NULL),
		       FACT("fork_server.workers_in_16_GiB_by_pss",
			    "The workers that fit into 16 GiB, estimated from Pss, are", NULL),
		       FACT("fork_server.workers_in_16_GiB_by_uss",
			    "The workers that fit into 16 GiB, estimated from USS, are", NULL)),
	.judge = judge,
};
