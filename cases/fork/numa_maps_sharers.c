// SPDX-License-Identifier: MIT
/* mapmax= of numa_maps: by how many processes the page of a mapping is mapped that most map. */
#include <inttypes.h>
#include <rssck/case.h>

enum { PAGES = 8, MOST = 4 };

/* How many pages the other processes drop again: from then on only the first one maps these. */
static const struct kind {
	const char *name;
	int flags;
	size_t dropped;
} kinds[] = {
	{ "anonymous memory", MAP_PRIVATE | MAP_ANONYMOUS, 0 },
	{ "anonymous memory of which one page is shared", MAP_PRIVATE | MAP_ANONYMOUS, PAGES - 1 },
	{ "anonymous memory that is not shared", MAP_PRIVATE | MAP_ANONYMOUS, PAGES },
	{ "shared memory", MAP_SHARED | MAP_ANONYMOUS, 0 },
	{ "shared memory of which one page is shared", MAP_SHARED | MAP_ANONYMOUS, PAGES - 1 },
};

static const struct kind *kind;
static char *memory;

static int64_t map_too(const struct workload *w)
{
	touch_read(w, memory, PAGES);
	return madvise(memory, kind->dropped * w->page_size, MADV_DONTNEED);
}

/* Returns mapmax in the mapping's line of numa_maps; 0 if it is not printed, -1 if no line is. */
static int64_t mapmax(void)
{
	FILE *f = fopen("/proc/self/numa_maps", "re");
	char line[512], *at;
	int64_t value = -1;

	while (f && value < 0 && fgets(line, sizeof(line), f)) {
		if (strtoull(line, NULL, 16) != (uintptr_t)memory)
			continue;
		at = strstr(line, " mapmax=");
		value = at ? strtoll(at + strlen(" mapmax="), NULL, 10) : 0;
	}
	if (f)
		fclose(f);
	return value;
}

static void compare(struct workload *w, int processes)
{
	int64_t seen = mapmax();
	int64_t expected = processes > 1 && kind->dropped < PAGES ? processes : 0;

	if (seen < 0)
		workload_skip(w, "/proc/PID/numa_maps");
	if (seen != expected)
		workload_fail(w,
			      "%s, %d processes: mapmax of numa_maps is %" PRId64
			      " instead of %" PRId64 " (0: not printed, nobody else maps a page)",
			      kind->name, processes, seen, expected);
}

static void try_kind(struct workload *w)
{
	pid_t others[MOST];

	memory = workload_map_pages(w, PAGES, PROT_READ | PROT_WRITE, kind->flags, -1);
	touch_write(w, memory, PAGES);
	compare(w, 1);
	for (int i = 1; i < MOST; i++) {
		others[i] = workload_companion(w, map_too, NULL);
		compare(w, i + 1);
	}
	for (int i = 1; i < MOST; i++)
		workload_companion_ends(others[i]);
	workload_unmap(w, memory, PAGES * w->page_size);
}

static void share(struct workload *w)
{
	for (kind = kinds; kind < kinds + sizeof(kinds) / sizeof(*kinds); kind++)
		try_kind(w);
	workload_checked(w);
}

CASE(fork_numa_maps_sharers) {
	.claim =
		"mapmax of numa_maps is the number of processes that map the page of a mapping that most map; it is left out if no page is mapped by a second one",
	.because =
		"gather_stats() of fs/proc/task_mmu.c keeps the largest mapcount of the mapping's pages, and show_numa_map() prints it if it is above 1.",
	.said_by = SAID_BY("numa(7), /proc/PID/numa_maps"),
	.flags = CASE_ONE_CPU,
	.steps = STEPS(STEP("share memory of each kind", share, .checks = 1)),
};
