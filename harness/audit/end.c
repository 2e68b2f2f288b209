// SPDX-License-Identifier: MIT
/* What is said of a program when it has ended. */
#include "audit.h"
#include "engine/log/log.h"
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

enum { ROUNDS = 3, QUIET_MS = 70 };

void auditor_read_log(struct auditor *a)
{
	struct discrepancy d = { .counter = 1, .fails = true, .step = "log", .unit = "" };
	struct log_news news;

	if (a->log < 0)
		return;
	log_read(a->log, a->command, &news);
	a->nr_log_others += news.nr_others;
	if (news.nr_others && !a->log_others[0])
		snprintf(a->log_others, sizeof(a->log_others), "%s", news.others);
	if (!news.complaint[0])
		return;
	snprintf(d.metric, sizeof(d.metric), "the kernel's log");
	snprintf(d.text, sizeof(d.text), "%.*s", (int)sizeof(d.text) - 1, news.complaint);
	auditor_find(a, RULE_LOG, 0, "the kernel", &d);
}

/* An mm is checked when its last user drops it: a CPU that idles is one (kernel/fork.c check_mm()).
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
 * ru_maxrss is the largest of the command's own peak and those of its children that it has
 * waited for (kernel/sys.c getrusage()): never less than what an audit saw in it.
 */
static void judge_peak(struct auditor *a)
{
	long kb = a->host->page_size / 1024;
	int64_t bound = model_bound(&a->measured->models, METRIC_RUSAGE_MAXRSS, a->peak_threads);
	struct discrepancy d = { .bound = bound, .step = "end", .unit = "pages", .fails = true };

	if (!a->measured->known || bound < 0 || !a->peak_kb)
		return;
	a->numbers[RULE_CLOSED]++;
	d.counter = a->tree.usage.ru_maxrss / kb;
	d.precise = a->peak_kb / kb;
	if (d.counter + bound >= d.precise)
		return;
	snprintf(d.metric, sizeof(d.metric), "%s", metric(METRIC_RUSAGE_MAXRSS)->name);
	snprintf(d.text, sizeof(d.text), "ru_maxrss >= the most that was seen to be resident");
	auditor_find(a, RULE_CLOSED, a->command, a->command_name, &d);
}

void auditor_end(struct auditor *a)
{
	if (!a->tree.command)
		judge_peak(a);
	drain_log(a);
	paid_judge_end(a);
}
