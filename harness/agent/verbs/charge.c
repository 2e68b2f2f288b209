// SPDX-License-Identifier: MIT
/*
 * Implements verbs that put the process into a cgroup, move it to another one, or reclaim its
 * memory.
 */
#include "agent/agent.h"
#include "verbs.h"
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define ROOT "/sys/fs/cgroup"

static char own[64 + sizeof(ROOT)],
	other[64 + sizeof(ROOT)]; /* "" if the process has no such cgroup */
static bool has_moved;

static bool has_memory(const char *folder)
{
	char path[160];

	snprintf(path, sizeof(path), "%s/memory.current", folder);
	return !access(path, R_OK);
}

/*
 * The engine's guard removes the cgroup at the end, because its name begins with the workload's
 * name.
 */
static bool make(const struct workload *w, char folder[sizeof(own)], const char *which)
{
	char name[WORKLOAD_NAME];

	snprintf(folder, sizeof(own), ROOT "/%.50s%s", workload_name(w, name), which);
	if (mkdir(folder, 0755) == 0 && has_memory(folder))
		return true;
	rmdir(folder);
	folder[0] = '\0';
	return false;
}

bool act_cgroup_enter(struct workload *w)
{
	if (!make(w, own, ""))
		return false;
	if (agent_cgroup_write(own, "cgroup.procs", "0"))
		return true;
	rmdir(own);
	own[0] = '\0';
	return false;
}

const char *act_cgroup(void)
{
	return own;
}

/* Memory already charged stays charged to the old cgroup. */
void verb_cgroup_move(struct worker *k, const struct act *a)
{
	(void)a;
	errno = ENOENT;
	if (!own[0] || (!other[0] && !make(k->w, other, "-other"))) {
		act_result(k, -1);
		return;
	}
	act_result(k, agent_cgroup_write(other, "cgroup.procs", "0") ? 0 : -1);
	has_moved = !k->outcome.error;
}

void act_cgroup_back(struct workload *w)
{
	(void)w;
	if (has_moved)
		agent_cgroup_write(own, "cgroup.procs", "0");
	has_moved = false;
}

/* EAGAIN means that less than 256 MiB could be reclaimed. */
void verb_cgroup_reclaim(struct worker *k, const struct act *a)
{
	(void)a;
	errno = ENOENT;
	act_result(k, own[0] ? 0 : -1);
	if (!k->outcome.error && !agent_cgroup_write(own, "memory.reclaim", "256M") &&
	    errno != EAGAIN)
		act_result(k, -1);
}
