// SPDX-License-Identifier: MIT
/* Makes the checks that are possible only after the program has ended. */
#include "audit.h"
#include "engine/log/log.h"
#include <stdio.h>
#include <time.h>

enum { ROUNDS = 3, QUIET_MS = 70 };

void auditor_read_log(struct auditor *a)
{
	struct discrepancy d;
	struct log_news news;

	if (a->log < 0)
		return;
	log_read(a->log, a->command, &news);
	a->nr_log_others += news.nr_others;
	if (news.nr_others && !a->log_others[0])
		snprintf(a->log_others, sizeof(a->log_others), "%s", news.others);
	if (!news.complaint[0])
		return;
	discrepancy_set(&d, RULE_KERNEL_LOG, "", 1, 0, "the kernel's log");
	discrepancy_describe(&d, "%s", news.complaint);
	snprintf(d.step, sizeof(d.step), "log");
	auditor_find(a, CHECK_LOG, 0, "the kernel", &d);
}

/*
 * check_mm() (kernel/fork.c) complains when the last user of an mm drops it, and that user may be
 * an idle CPU.
 */
static void drain_log(struct auditor *a)
{
	for (int i = 0; i < ROUNDS && a->log >= 0; i++) {
		log_make_cpus_drop_mm(a->host->cpu_list, a->host->nr_cpu_list);
		nanosleep(&(struct timespec) { .tv_nsec = QUIET_MS * 1000000L }, NULL);
		auditor_read_log(a);
	}
}

/*
 * ru_maxrss is the larger of the command's own peak and the peaks of the children that it waited
 * for (kernel/sys.c getrusage()). It must not be less than the largest size that an audit has seen.
 */
static void judge_peak(struct auditor *a)
{
	long kb = a->host->page_size / 1024;
	int64_t bound = model_bound(&a->measured->models, METRIC_RUSAGE_MAXRSS, a->peak_threads);
	struct discrepancy d;
	int64_t left;

	if (!a->measured->known || bound < 0 || !a->peak_kb)
		return;
	a->numbers[CHECK_CLOSED]++;
	left = a->tree.usage.ru_maxrss / kb;
	if (left + bound >= a->peak_kb / kb)
		return;
	discrepancy_set(&d, RULE_PEAK_LEFT, "pages", left, a->peak_kb / kb, "%s",
			metric(METRIC_RUSAGE_MAXRSS)->name);
	snprintf(d.step, sizeof(d.step), "end");
	d.bound = bound;
	auditor_find(a, CHECK_CLOSED, a->command, a->command_name, &d);
}

void auditor_end(struct auditor *a)
{
	if (!a->tree.command)
		judge_peak(a);
	drain_log(a);
	paid_judge_end(a);
}
