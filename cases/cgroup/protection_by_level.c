// SPDX-License-Identifier: MIT
/*
 * memory.low and memory.min at each combination of three levels, with and without
 * memory_recursiveprot: which combination protects the innermost cgroup, and which cgroups count
 * that reclaim had to break memory.low.
 */
#include "tree.h"

enum { PAGES = 512, RECLAIM = PAGES / 2, COMBINATIONS = 1 << LEVELS };

static const char *const settings[] = { "memory.low", "memory.min" };

enum { LOW, MIN, SETTINGS };

static struct {
	size_t setting;
	unsigned levels; /* that have the setting, as bits */
	bool recursive;  /* memory_recursiveprot */
	int high, usage; /* of the cgroup outside of all */
	int file;
} at;

/* Clean page cache is freed at once, unlike memory that must be written to swap first. */
static int64_t read_pages(const struct workload *w)
{
	if (!tree_join(INNER))
		return errno;
	for (size_t i = 0; i < PAGES * w->page_size; i += WORKLOAD_BUFFER)
		if (pread(at.file, workload_buffer, WORKLOAD_BUFFER, (off_t)i) < 0)
			return errno;
	return 0;
}

/*
 * A write to memory.high reclaims until the usage is below. Afterwards the next charge would wait,
 * so the limit is lifted by a descriptor that is open.
 */
static void reclaim(const struct workload *w)
{
	char text[32] = "";

	if (pread(at.usage, text, sizeof(text) - 1, 0) <= 0)
		tree_wrong("memory.current: %s", strerror(errno));
	snprintf(text, sizeof(text), "%lld",
		 strtoll(text, NULL, 10) - RECLAIM * (long long)w->page_size);
	if (pwrite(at.high, text, strlen(text), 0) < 0 || pwrite(at.high, "max", 3, 0) < 0)
		tree_wrong("memory.high: %s", strerror(errno));
}

/* Protection passes from a level to the next only if both have it, or by memory_recursiveprot. */
static bool is_protected(void)
{
	return at.recursive ? at.levels & 1U << OUTER : at.levels == COMBINATIONS - 1;
}

static void judge_usage(const struct workload *w, int64_t before, int64_t after)
{
	int64_t page = (int64_t)w->page_size, fell = (before - after) / page;
	bool stays = at.setting == MIN && is_protected();

	if (stays ? fell > tree_batches() : fell < RECLAIM / 2)
		tree_wrong("%" PRId64 " pages of a/b/c are reclaimed, %s", fell,
			   stays ? "which memory.min protects" : "of 256 that must be");
}

static int64_t expected(const char *file, size_t node, const char *line)
{
	bool low = at.setting == LOW && is_protected() && node <= INNER;

	return low && !strncmp(file, "memory.events", 13) && !strcmp(line, "low") ? SEVERAL : 0;
}

static void try_combination(struct workload *w)
{
	static tree_events before, after;
	int64_t error, usage;

	for (size_t s = 0; s < SETTINGS; s++)
		for (size_t l = 0; l < LEVELS; l++)
			if (!tree_write(l, settings[s],
					s == at.setting && at.levels & 1U << l ? "max" : "0"))
				tree_wrong("%s: %s", settings[s], strerror(errno));
	posix_fadvise(at.file, 0, 0, POSIX_FADV_DONTNEED);
	workload_companion_ends(workload_companion(w, read_pages, &error));
	if (error)
		tree_wrong("%s", strerror((int)error));
	tree_read_events(before);
	usage = tree_number(INNER, "memory.current", NULL);
	reclaim(w);
	judge_usage(w, usage, tree_number(INNER, "memory.current", NULL));
	tree_read_events(after);
	tree_judge_events(before, after, expected);
}

static void try_all(struct workload *w)
{
	for (at.setting = 0; at.setting < SETTINGS; at.setting++)
		for (at.levels = 0; at.levels < COMBINATIONS; at.levels++) {
			try_combination(w);
			if (*tree.wrong)
				return;
		}
}

static void each_combination(struct workload *w)
{
	char path[WORKLOAD_CGROUP_PATH], levels[32];

	at.file = workload_file_uncached(w, PAGES);
	tree_make(w);
	at.recursive = tree_has_option("memory_recursiveprot");
	at.high = open(workload_cgroup_path(w, "memory.high", path), O_WRONLY | O_CLOEXEC);
	at.usage = open(workload_cgroup_path(w, "memory.current", path), O_RDONLY | O_CLOEXEC);
	if (!workload_cgroup_write(w, "side/memory.min", "max"))
		tree_wrong("side/memory.min: %s", strerror(errno));
	else
		try_all(w);
	close(at.high);
	close(at.usage);
	tree_remove();
	if (*tree.wrong)
		workload_fail(w, "%s of%s: %s", settings[at.setting],
			      tree_levels(at.levels, levels), tree.wrong);
	workload_checked(w);
}

static void other_option(struct workload *w)
{
	tree_with_other_option(w, "memory_recursiveprot", each_combination);
}

CASE(cgroup_protection_by_level) {
	.claim =
		"memory.min and memory.low protect a cgroup only if its ancestors have as much, or, with memory_recursiveprot, if the outermost has; if reclaim must break memory.low, low rises in memory.events and memory.events.local of each cgroup on the way, and of no other",
	.because =
		"mem_cgroup_calculate_protection() limits the protection of a cgroup to that of "
		"the parent, up to the cgroup that is reclaimed; with memory_recursiveprot it "
		"passes on what the children do not claim. shrink_node_memcgs() counts MEMCG_LOW "
		"in each cgroup below its protection, also in those without memory of their own.",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory.low",
			   "Documentation/admin-guide/cgroup-v2.rst, memory_recursiveprot"),
	.needs = NEEDS("root", "guest"),
	.flags = CASE_ONE_CPU,
	.limit_s = 240,
	.steps = STEPS(STEP("each combination", each_combination, .checks = 1),
		       STEP("with the other mount option", other_option, .checks = 1)),
};
