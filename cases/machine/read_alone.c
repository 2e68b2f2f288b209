// SPDX-License-Identifier: MIT
/*
 * Reads each number before and after memory is written, and no other file in between: a file must
 * add up the CPUs' shares itself, and not rely on the reading of another file.
 */
#include <inttypes.h>
#include <rssck/case.h>
#include <sched.h>

enum {
	PAGES = 4096,
	TEXT = 160,
	PATIENCE_S = 5,
	SLOWEST_CPU = 125 /* MAX_THRESHOLD: mm/vmstat.c */
};
STEP_SYMBOLS(EACH_NUMBER);

/* Each line of a node's meminfo begins with the node. */
enum place { MACHINE, OF_NODE, OF_NODE_NAMED, OF_CGROUP };

/* `unit` is in bytes; 0: pages, or events. */
static const struct number_of {
	enum place place;
	const char *file, *name;
	int64_t unit;
	bool by_numa_stat; /* stands still while vm.numa_stat is 0 */
} sources[] = {
	{ MACHINE, "/proc/meminfo", "AnonPages", 1024, false },
	{ MACHINE, "/proc/vmstat", "nr_anon_pages", 0, false },
	{ MACHINE, "/proc/vmstat", "pgfault", 0, false },
	{ MACHINE, "/proc/vmstat", "numa_hit", 0, true },
	{ OF_NODE_NAMED, "meminfo", "AnonPages", 1024, false },
	{ OF_NODE, "vmstat", "nr_anon_pages", 0, false },
	{ OF_NODE, "vmstat", "numa_hit", 0, true },
	{ OF_NODE, "numastat", "numa_hit", 0, true },
	{ OF_NODE, "numastat", "local_node", 0, true },
	{ OF_CGROUP, "memory.current", NULL, 1, false },
	{ OF_CGROUP, "memory.stat", "anon", 1, false },
	{ OF_CGROUP, "memory.stat", "pgfault", 0, false },
};

enum { SOURCES = sizeof(sources) / sizeof(*sources) };

static const char *path_of(const struct workload *w, const struct number_of *s, unsigned node,
			   char path[WORKLOAD_CGROUP_PATH])
{
	if (s->place == MACHINE)
		return s->file;
	if (s->place == OF_CGROUP)
		return workload_cgroup_path(w, s->file, path);
	snprintf(path, WORKLOAD_CGROUP_PATH, "/sys/devices/system/node/node%u/%s", node, s->file);
	return path;
}

/* Returns the number in pages, or of events; -1 if this kernel does not print or count it. */
static int64_t number(const struct workload *w, const struct number_of *s, unsigned node)
{
	char path[WORKLOAD_CGROUP_PATH], name[TEXT];
	int64_t n;

	if (s->by_numa_stat && !workload_number("/proc/sys/vm/numa_stat", NULL, 1))
		return -1;
	snprintf(name, sizeof(name), "Node %u %s", node, s->name);
	n = workload_number(path_of(w, s, node, path), s->place == OF_NODE_NAMED ? name : s->name,
			    -1);
	return n < 0 || !s->unit ? n : n * s->unit / (int64_t)w->page_size;
}

/* Most of what CPUs may hold back: of the number itself, and of the cgroup's. */
static int64_t lag(void)
{
	return (SLOWEST_CPU + CGROUP_BATCH) * sysconf(_SC_NPROCESSORS_ONLN);
}

/*
 * Returns by how much the number rises when PAGES pages are written on the node. Waits, because
 * memory.stat is flushed every 2 s, and other processes free memory meanwhile.
 */
static int64_t rise(struct workload *w, const struct number_of *s, unsigned node)
{
	struct patience patience = { .seconds = PATIENCE_S };
	int64_t before = number(w, s, node), rose;
	char *p;

	if (before < 0)
		return PAGES;
	p = workload_try_map(PAGES * w->page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, -1);
	if (!p)
		workload_skip(w, "%d pages of memory", PAGES);
	madvise(p, PAGES * w->page_size, MADV_NOHUGEPAGE);
	touch_write(w, p, PAGES);
	do
		rose = number(w, s, node) - before;
	while (rose < PAGES - lag() && workload_pause(&patience));
	munmap(p, PAGES * w->page_size);
	return rose;
}

/* Otherwise some of the pages would be on another node. */
static bool has_room(const struct workload *w, unsigned node)
{
	static const struct number_of free = { OF_NODE_NAMED, "meminfo", "MemFree", 1024, false };
	int64_t pages = number(w, &free, node);

	return workload_may_use_node((int)node) && (pages < 0 || pages > 4 * PAGES);
}

static void each_number(struct workload *w)
{
	char path[WORKLOAD_CGROUP_PATH];
	const struct number_of *s;
	unsigned cpu, node;
	int64_t rose = 0;

	if (getcpu(&cpu, &node) < 0)
		workload_skip(w, "getcpu(2): %m");
	if (!has_room(w, node))
		workload_skip(w, "%d free pages on node %u", 4 * PAGES, node);
	if (lag() > PAGES / 2)
		workload_skip(w, "fewer CPUs, which together hold back less than %d pages",
			      PAGES / 2);
	workload_cgroup_enter(w);
	for (s = sources; s < sources + SOURCES; s++) {
		rose = rise(w, s, node);
		if (rose < PAGES - lag())
			break;
	}
	if (s < sources + SOURCES)
		workload_fail(w,
			      "%d pages were written, but %s of %s rises by %" PRId64
			      " within %d s, while no other file is read",
			      PAGES, s->name ?: "the number", path_of(w, s, node, path), rose,
			      PATIENCE_S);
	workload_cgroup_leave(w);
	workload_checked(w);
}

CASE(machine_read_alone) {
	.claim =
		"Each file of memory numbers (meminfo, vmstat, those of a node and of a cgroup) shows memory that was just written, also if no other file is read before",
	.because = "CPUs keep shares of a counter to themselves. Each file either adds them up "
		   "itself, such as numastat (fold_vm_numa_events()) and memory.stat "
		   "(cgroup_rstat_flush()), or shows a counter whose shares are small.",
	.said_by = SAID_BY("Documentation/admin-guide/numastat.rst",
			   "Documentation/admin-guide/cgroup-v2.rst, memory.stat"),
	.needs = NEEDS("root", "guest"),
	.flags = CASE_ONE_CPU,
	.limit_s = 120,
	.steps = STEPS(STEP_AS(EACH_NUMBER, "write memory, read one number", each_number,
			       .checks = 1)),
};
