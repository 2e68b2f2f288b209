// SPDX-License-Identifier: MIT
/* Numbers that a task, a process or an mm collects, and how they are read, for fork/new_task. */
#ifndef CASES_FORK_NEW_TASK_H
#define CASES_FORK_NEW_TASK_H

#include "../counters/taskstats.h"
#include <inttypes.h>

/* What a number belongs to. ru_maxrss is a process's, but exec adds the old mm's peak to it. */
enum owner { TASK, PROCESS, MM, PEAK, OWNERS };

enum number {
	TASK_MINFLT,
	TASK_MAJFLT,
	MINFLT,
	MAJFLT,
	CHILD_MINFLT,
	TASK_RCHAR,
	TASK_WCHAR,
	TASK_SYSCR,
	TASK_SYSCW,
	TASK_READ,
	TASK_WRITTEN,
	TASK_CANCELLED,
	RCHAR,
	WCHAR,
	SYSCR,
	SYSCW,
	READ,
	WRITTEN,
	CANCELLED,
	VM_PEAK,
	VM_HWM,
	MAXRSS,
	STATS_MINFLT,
	STATS_MAJFLT,
	STATS_COREMEM,
	STATS_VIRTMEM,
	STATS_RCHAR,
	STATS_WCHAR,
	STATS_READ,
	STATS_WRITTEN,
	STATS_CANCELLED,
	STATS_VM_PEAK,
	STATS_VM_HWM,
	NUMBERS
};

/*
 * `from`: "stat" and the field's number; "status"; "io" and "task io" with the name of the line;
 * "taskstats". `least`: by how much accumulate() raises it at least, if the kernel counts it.
 */
static const struct row {
	const char *name;
	enum owner owner;
	const char *from, *line;
	unsigned field;
	int64_t least;
	bool adds_children; /* after wait4(2) it includes the child's */
} rows[NUMBERS] = {
#define IO(number, owner, from, line, least) \
	[number] = { from " " line, owner, from, line, 0, least, (owner) == PROCESS }
#define STATS(number, owner, member, least) \
	[number] = { "taskstats " #member, owner, "taskstats", NULL, 0, least, false }
	[TASK_MINFLT] = { "task stat minflt", TASK, "task stat", NULL, 10, 2000, false },
	[TASK_MAJFLT] = { "task stat majflt", TASK, "task stat", NULL, 12, 20, false },
	[MINFLT] = { "stat minflt", PROCESS, "stat", NULL, 10, 2000, false },
	[MAJFLT] = { "stat majflt", PROCESS, "stat", NULL, 12, 20, false },
	[CHILD_MINFLT] = { "stat cminflt", PROCESS, "stat", NULL, 11, 900, true },
	IO(TASK_RCHAR, TASK, "task io", "rchar", 4 << 20),
	IO(TASK_WCHAR, TASK, "task io", "wchar", 4 << 20),
	IO(TASK_SYSCR, TASK, "task io", "syscr", 4000),
	IO(TASK_SYSCW, TASK, "task io", "syscw", 4000),
	IO(TASK_READ, TASK, "task io", "read_bytes", 1 << 20),
	IO(TASK_WRITTEN, TASK, "task io", "write_bytes", 1 << 20),
	IO(TASK_CANCELLED, TASK, "task io", "cancelled_write_bytes", 1 << 20),
	IO(RCHAR, PROCESS, "io", "rchar", 4 << 20),
	IO(WCHAR, PROCESS, "io", "wchar", 4 << 20),
	IO(SYSCR, PROCESS, "io", "syscr", 4000),
	IO(SYSCW, PROCESS, "io", "syscw", 4000),
	IO(READ, PROCESS, "io", "read_bytes", 1 << 20),
	IO(WRITTEN, PROCESS, "io", "write_bytes", 1 << 20),
	IO(CANCELLED, PROCESS, "io", "cancelled_write_bytes", 1 << 20),
	[VM_PEAK] = { "VmPeak", MM, "status", "VmPeak", 0, 100 << 10, false },
	[VM_HWM] = { "VmHWM", MM, "status", "VmHWM", 0, 8 << 10, false },
	[MAXRSS] = { "ru_maxrss", PEAK, "rusage", NULL, 0, 8 << 10, false },
	STATS(STATS_MINFLT, TASK, ac_minflt, 2000),
	STATS(STATS_MAJFLT, TASK, ac_majflt, 20),
	STATS(STATS_COREMEM, TASK, coremem, 100),
	STATS(STATS_VIRTMEM, TASK, virtmem, 1000),
	STATS(STATS_RCHAR, TASK, read_char, 4 << 20),
	STATS(STATS_WCHAR, TASK, write_char, 4 << 20),
	STATS(STATS_READ, TASK, read_bytes, 1 << 20),
	STATS(STATS_WRITTEN, TASK, write_bytes, 1 << 20),
	STATS(STATS_CANCELLED, TASK, cancelled_write_bytes, 1 << 20),
	STATS(STATS_VM_PEAK, MM, hiwater_vm, 100 << 10),
	STATS(STATS_VM_HWM, MM, hiwater_rss, 8 << 10),
#undef IO
#undef STATS
};

typedef int64_t numbers[NUMBERS]; /* -1 if the kernel has it not */

static int64_t stat_number(const char *path, unsigned field)
{
	char text[1024];
	const char *at;

	if (workload_read_text(path, text, sizeof(text)) <= 0)
		return -1;
	at = strrchr(text, ')');
	for (unsigned f = 2; at && f < field; f++)
		at = strchr(at + 1, ' ');
	return at ? strtoll(at, NULL, 10) : -1;
}

static void read_stats(pid_t tid, numbers to)
{
	struct taskstats t;

	if (!read_taskstats_of(TASKSTATS_CMD_ATTR_PID, (uint32_t)tid, &t))
		return;
	to[STATS_MINFLT] = (int64_t)t.ac_minflt;
	to[STATS_MAJFLT] = (int64_t)t.ac_majflt;
	to[STATS_COREMEM] = (int64_t)t.coremem;
	to[STATS_VIRTMEM] = (int64_t)t.virtmem;
	to[STATS_RCHAR] = (int64_t)t.read_char;
	to[STATS_WCHAR] = (int64_t)t.write_char;
	to[STATS_READ] = (int64_t)t.read_bytes;
	to[STATS_WRITTEN] = (int64_t)t.write_bytes;
	to[STATS_CANCELLED] = (int64_t)t.cancelled_write_bytes;
	to[STATS_VM_PEAK] = (int64_t)t.hiwater_vm;
	to[STATS_VM_HWM] = (int64_t)t.hiwater_rss;
}

/* Reads all numbers but ru_maxrss of the task, of its process and of its mm. */
static void numbers_read(pid_t pid, pid_t tid, numbers to)
{
	char path[64];

	for (int n = 0; n < NUMBERS; n++) {
		const struct row *r = &rows[n];
		const char *file = strchr(r->from, ' ');

		to[n] = -1;
		if (file)
			snprintf(path, sizeof(path), "/proc/%d/task/%d/%s", pid, tid, file + 1);
		else
			snprintf(path, sizeof(path), "/proc/%d/%s", pid, r->from);
		if (r->field)
			to[n] = stat_number(path, r->field);
		else if (r->line)
			to[n] = workload_number(path, r->line, -1);
	}
	read_stats(tid, to);
}

static void numbers_of_self(numbers to)
{
	struct rusage usage;

	numbers_read((pid_t)syscall(SYS_getpid), (pid_t)syscall(SYS_gettid), to);
	to[MAXRSS] = getrusage(RUSAGE_SELF, &usage) ? -1 : usage.ru_maxrss;
}

#endif
