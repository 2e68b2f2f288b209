// SPDX-License-Identifier: MIT
/* Creates, enters, reads and leaves a cgroup for the workload. */
#include "agent.h"
#include "base/kernel_file.h"
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ROOT "/sys/fs/cgroup"

bool agent_cgroup_write(const char *directory, const char *file, const char *text)
{
	char path[600];

	snprintf(path, sizeof(path), "%s/%s", directory, file);
	return workload_try_to_set(path, text);
}

static bool find_home(struct workload_private *p)
{
	char path[384] = "";
	bool found = kernel_cgroup(NULL, path, sizeof(path));

	snprintf(p->home_cgroup, sizeof(p->home_cgroup), ROOT "%s", path);
	return found;
}

void workload_cgroup_enter(struct workload *w)
{
	struct workload_private *p = w->private;

	char name[WORKLOAD_NAME];

	p->cgroup_had_children = false;
	if (!find_home(p))
		workload_skip(w, "cgroup v2 (/proc/PID/cgroup has no line of it)");
	snprintf(p->cgroup, sizeof(p->cgroup), ROOT "/%s", workload_name(w, name));
	if (mkdir(p->cgroup, 0755) < 0) {
		p->cgroup[0] = '\0';
		workload_skip(w, "a cgroup of its own (%s: %s)", ROOT, strerror(errno));
	}
	if (workload_cgroup_pages(w, "memory.stat", "file") >= 0 &&
	    agent_cgroup_write(p->cgroup, "cgroup.procs", "0"))
		return;
	rmdir(p->cgroup);
	p->cgroup[0] = '\0';
	workload_skip(w, "cgroup v2's memory controller below %s, and the right to enter a cgroup",
		      ROOT);
}

/* Notes a line whose number is below 0, which the kernel prints as a number near 2^64. */
static void note_below_zero(struct workload_private *p, const char *file, const char *text)
{
	for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
		const char *number = line + strcspn(line, " \n");

		if (strtoull(number, NULL, 10) > INT64_MAX)
			snprintf(p->cgroup_wrong, sizeof(p->cgroup_wrong), "%s: %.*s is below 0",
				 file, (int)(number - line), line);
		if (!strchr(line, '\n'))
			return;
	}
}

static void read_events(const struct workload *w, const char *file, char *text, size_t size)
{
	char path[WORKLOAD_CGROUP_PATH];

	workload_read_text(workload_cgroup_path(w, file, path), text, size);
	note_below_zero(w->private, file, text);
}

/*
 * memory.events counts the events of the cgroup and its descendants, memory.events.local only the
 * cgroup's own (memcg_memory_event()). If the files differ, reads both again, because the kernel
 * may just have counted an event.
 */
static void check_events(const struct workload *w)
{
	enum { TIMES = 5 };
	struct workload_private *p = w->private;
	char all[512], own[512];

	for (int i = 0; i < TIMES; i++) {
		read_events(w, "memory.events", all, sizeof(all));
		read_events(w, "memory.events.local", own, sizeof(own));
		if (!strcmp(all, own) || !*own || p->cgroup_had_children)
			break;
		if (i == TIMES - 1)
			snprintf(p->cgroup_wrong, sizeof(p->cgroup_wrong),
				 "a cgroup without children: memory.events differs from "
				 "memory.events.local");
	}
	read_events(w, "memory.swap.events", all, sizeof(all));
}

void workload_cgroup_leave(struct workload *w)
{
	struct workload_private *p = w->private;

	check_events(w);
	agent_cgroup_write(p->home_cgroup, "cgroup.procs", "0");
	rmdir(p->cgroup);
	p->cgroup[0] = '\0';
}

void workload_await_frees(void)
{
	enum { GRACE_PERIODS = 4, GLOBAL = 1 /* MEMBARRIER_CMD_GLOBAL */ };

	for (int i = 0; i < GRACE_PERIODS; i++)
		syscall(SYS_membarrier, GLOBAL, 0, 0);
}

void workload_cgroup_settle(struct workload *w)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	size_t bytes = 4 * CGROUP_BATCH * (size_t)cpus * w->page_size;
	void *p = workload_try_map(bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, -1);

	if (!p)
		workload_die(w, "mmap: %s", strerror(errno));
	/* A huge page would be charged directly, without the CPU's batch. */
	madvise(p, bytes, MADV_NOHUGEPAGE);
	touch_write(w, p, bytes / w->page_size);
	munmap(p, bytes);
}

const char *workload_cgroup_path(const struct workload *w, const char *file,
				 char path[WORKLOAD_CGROUP_PATH])
{
	snprintf(path, WORKLOAD_CGROUP_PATH, "%s/%s", w->private->cgroup, file);
	return path;
}

bool workload_cgroup_make(const struct workload *w, const char *name)
{
	char path[WORKLOAD_CGROUP_PATH];

	return !mkdir(workload_cgroup_path(w, name, path), 0755);
}

void workload_cgroup_remove(const struct workload *w, const char *name)
{
	char path[WORKLOAD_CGROUP_PATH];

	rmdir(workload_cgroup_path(w, name, path));
}

bool workload_cgroup_write(const struct workload *w, const char *file, const char *value)
{
	w->private->cgroup_had_children |= !strcmp(file, "cgroup.subtree_control");
	return agent_cgroup_write(w->private->cgroup, file, value);
}

static bool set_controller(const struct workload *w, const char *name, const char *controller)
{
	char file[WORKLOAD_CGROUP_PATH];

	snprintf(file, sizeof(file), "%s%scgroup.subtree_control", name ? name : "",
		 name ? "/" : "");
	return workload_cgroup_write(w, file, controller);
}

bool workload_cgroup_delegate(const struct workload *w, const char *name)
{
	set_controller(w, name, "+hugetlb");
	set_controller(w, name, "+pids");
	return set_controller(w, name, "+memory");
}

void workload_cgroup_undelegate(const struct workload *w, const char *name)
{
	set_controller(w, name, "-hugetlb");
	set_controller(w, name, "-pids");
	set_controller(w, name, "-memory");
}

bool workload_cgroup_step_aside(const struct workload *w)
{
	return workload_cgroup_make(w, "side") &&
	       workload_cgroup_write(w, "side/cgroup.procs", "0");
}

void workload_cgroup_step_back(const struct workload *w)
{
	workload_cgroup_write(w, "cgroup.procs", "0");
	workload_cgroup_remove(w, "side");
}

static int64_t number_of(struct workload *w, const char *file, const char *field, int64_t missing)
{
	char path[WORKLOAD_CGROUP_PATH];

	return workload_number(workload_cgroup_path(w, file, path), field, missing);
}

int64_t workload_cgroup_events(struct workload *w, const char *field)
{
	return number_of(w, "memory.stat", field, -1);
}

int64_t workload_cgroup_number(struct workload *w, const char *file, const char *field)
{
	return number_of(w, file, field, -1);
}

int64_t workload_cgroup_pages(struct workload *w, const char *file, const char *field)
{
	int64_t page = (int64_t)w->page_size;

	return number_of(w, file, field, -page) / page;
}

int64_t workload_cgroup_stat(struct workload *w, const char *field)
{
	workload_cgroup_settle(w);
	return workload_cgroup_pages(w, "memory.stat", field);
}

void workload_cgroup_stats(struct workload *w, const char *const *fields, int64_t *pages, size_t nr)
{
	enum { FIELDS_MAX = 32 };
	int64_t page = (int64_t)w->page_size;
	struct numbered of[FIELDS_MAX];
	char path[WORKLOAD_CGROUP_PATH];

	if (nr > FIELDS_MAX)
		workload_die(w, "more than %d fields of memory.stat", FIELDS_MAX);
	for (size_t i = 0; i < nr; i++)
		of[i] = (struct numbered) { .field = fields[i], .value = -page };
	workload_cgroup_settle(w);
	kernel_numbers(workload_cgroup_path(w, "memory.stat", path), of, nr);
	for (size_t i = 0; i < nr; i++)
		pages[i] = of[i].value / page;
}

/*
 * Reclaims 8 MiB of the workload's cgroup. Returns false if the cgroup has no memory.reclaim
 * (before 5.19).
 */
static bool agent_cgroup_reclaim(struct workload *w)
{
	return agent_cgroup_write(w->private->cgroup, "memory.reclaim", "8M") || errno != ENOENT;
}

bool workload_cgroup_empties_swap_cache(struct workload *w)
{
	struct patience patience = { .seconds = 10 };

	while (workload_cgroup_stat(w, "swapcached") > 0)
		if (!agent_cgroup_reclaim(w) || !workload_pause(&patience))
			return false;
	return true;
}
