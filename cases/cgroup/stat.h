// SPDX-License-Identifier: MIT
/*
 * One line of memory.stat, moved by a process in a cgroup of its own, and all others, which must
 * not move. stat_pay() is the step, stat_judge() the judge.
 */
#ifndef CASES_CGROUP_STAT_H
#define CASES_CGROUP_STAT_H

#include <errno.h>
#include <linux/membarrier.h>
#include <rssck/case.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	STAT_PAGES = 2048, /* that the line is moved by */
	/* What one process more takes of any line: its stack, its tables, its slabs. */
	STAT_OWN = 128,
	STAT_BOUND = 2 * CGROUP_BATCH + STAT_OWN,
	STAT_PATIENCE_S = 20,
	STAT_GRACE_PERIODS = 3,
	STAT_MISSING = -1, /* this kernel has no such line */
};

static const char *const stat_fields[] = {
	"anon",      "file",     "shmem",       "file_mapped", "file_dirty",   "anon_thp",
	"shmem_thp", "file_thp", "swapcached",  "pagetables",  "kernel_stack", "percpu",
	"sock",      "vmalloc",  "unevictable", "slab",
};

enum { STAT_FIELDS = sizeof(stat_fields) / sizeof(*stat_fields) };

static inline void stat_lines_read(struct workload *w, int64_t *of)
{
	workload_cgroup_settle(w);
	for (size_t i = 0; i < STAT_FIELDS; i++)
		of[i] = workload_cgroup_pages(w, "memory.stat", stat_fields[i]);
}

/* What is freed by RCU is given back a while after its process has ended. */
static inline bool stat_is_given_back(struct workload *w, const char *field, int64_t before)
{
	struct patience p = { .seconds = STAT_PATIENCE_S };
	int periods = 0;

	while (workload_cgroup_stat(w, field) - before > STAT_BOUND)
		if (!workload_pause(&p))
			return periods < STAT_GRACE_PERIODS;
		else
			periods += !syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
	return true;
}

/*
 * In one step, and out of the cgroup at its end. act() runs in a process of its own, and returns 0,
 * or the errno of what cannot be done here.
 */
static inline void stat_pay(struct workload *w, const char *field,
			    int64_t (*act)(const struct workload *w), const char *what)
{
	int64_t before[STAT_FIELDS], there[STAT_FIELDS], error = 0, main = STAT_MISSING, rose = 0;
	bool back;
	pid_t pid;

	workload_cgroup_enter(w);
	stat_lines_read(w, before);
	pid = workload_companion(w, act, &error);
	stat_lines_read(w, there);
	workload_companion_ends(pid);
	for (size_t i = 0; i < STAT_FIELDS; i++) {
		bool is_there = before[i] >= 0 && there[i] >= 0;

		if (!strcmp(stat_fields[i], field) && is_there) {
			main = before[i];
			rose = there[i] - main;
		}
		workload_report(w, stat_fields[i], is_there ? there[i] - before[i] : STAT_MISSING);
	}
	back = main == STAT_MISSING || stat_is_given_back(w, field, main);
	workload_report(w, "given back", back);
	workload_cgroup_leave(w);
	if (error)
		workload_skip(w, "%s (%s)", what, strerror((int)error));
	if (main == STAT_MISSING)
		workload_skip(w, "%s in memory.stat", field);
	if (rose < STAT_BOUND && !there[STAT_FIELDS - 1])
		workload_skip(w, "a cgroup that pays for kernel memory (cgroup.memory=nokmem)");
}

/* The line rises by `least` to `most` pages, those in `with` by any number, no other one. */
static inline void stat_judge(const struct trial *t, struct judgement *j, unsigned step,
			      const char *field, int64_t least, int64_t most, const char *with)
{
	for (size_t i = 0; i < STAT_FIELDS; i++) {
		int64_t rose = trial_reported(t, step, stat_fields[i]);

		if (!strcmp(stat_fields[i], field))
			judge_within(j, step, 0, field, rose, (least + most) / 2,
				     (most - least) / 2 + STAT_BOUND,
				     "the line rises by what the process has taken");
		else if (rose != STAT_MISSING && !strstr(with, stat_fields[i]))
			judge_within(j, step, 0, stat_fields[i], rose, 0, STAT_BOUND,
				     "and no other line of memory.stat moves");
	}
	judge_true(j, step, trial_reported(t, step, "given back"),
		   "and falls when the process has ended");
}

#endif
