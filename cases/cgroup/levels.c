// SPDX-License-Identifier: MIT
/*
 * Three nested cgroups; only the innermost ever has a process. Every line of their files must be
 * the same at all levels, also after the innermost was removed.
 */
#include <rssck/case.h>
#include <rssck/panics.h>

enum { ANON = 1024, SHMEM = 512, FILE_PAGES = 256, FILE_FD = 0, OVER = 2048, PATIENCE_S = 20 };

/* The workload stays in "side". The kernel updates memory.stat at least every two seconds. */
static const char *const levels[] = { "a", "a/b", "a/b/c" };

enum { LEVELS = sizeof(levels) / sizeof(*levels), INNERMOST = LEVELS - 1, TEXT = 8 << 10 };

/*
 * A cgroup pays for the structures of its children: these lines, and memory.current, may be larger
 * in the outer cgroup.
 */
static const char *const larger[] = { "percpu", "slab", "slab_unreclaimable", "kernel" };

static const struct {
	const char *file;
	bool whole; /* a single number, which may be larger in the outer cgroup */
} files[] = {
	{ "memory.stat", false },           { "memory.numa_stat", false },
	{ "memory.events", false },         { "memory.swap.events", false },
	{ "memory.current", true },         { "memory.peak", true },
	{ "memory.swap.current", false },   { "memory.zswap.current", false },
	{ "hugetlb.2MB.current", false },   { "hugetlb.2MB.rsvd.current", false },
	{ "hugetlb.2MB.events", false },    { "hugetlb.1GB.current", false },
	{ "hugetlb.2MB.numa_stat", false },
};

/* What the innermost cgroup must at least show, so that there is something to compare. */
static const struct least {
	const char *file, *field;
	int64_t number;
	bool pages; /* the number is of pages, the field of bytes */
} while_it_lives[] = {
	{ "memory.stat", "pgfault", ANON + SHMEM, false },
	{ "memory.stat", "anon", ANON / 2, true },
	{ "memory.stat", "shmem", SHMEM / 2, true },
	{ "memory.events", "oom_kill", 1, false },
	{ "memory.events", "max", 1, false },
};

/* What is wrong at present, for the message. */
static char wrong[256];

static int64_t number_of(struct workload *w, const char *level, const char *file, const char *field)
{
	char path[WORKLOAD_CGROUP_PATH];

	snprintf(path, sizeof(path), "%s/%s", level, file);
	return workload_cgroup_number(w, path, field);
}

static bool read_level(const struct workload *w, const char *level, const char *file,
		       char text[TEXT])
{
	char path[WORKLOAD_CGROUP_PATH], name[WORKLOAD_CGROUP_PATH];

	snprintf(name, sizeof(name), "%s/%s", level, file);
	return workload_read_text(workload_cgroup_path(w, name, path), text, TEXT) > 0;
}

static bool may_be_larger(const char *line, size_t length, bool whole)
{
	for (size_t i = 0; i < sizeof(larger) / sizeof(*larger); i++)
		whole |= strlen(larger[i]) == length && !memcmp(larger[i], line, length);
	return whole;
}

/* Compares one file of two levels line by line; memory.numa_stat has several numbers in a line. */
static bool agree(const char *outer, const char *inner, size_t level, const char *file, bool whole)
{
	while (*outer && *inner) {
		size_t name = strcspn(inner, " \n"), length = strcspn(inner, "\n");
		size_t other = strcspn(outer, "\n");
		bool same = length == other && !memcmp(inner, outer, length);

		if (whole)
			name = 0;
		if (!same &&
		    !(may_be_larger(inner, name, whole) &&
		      strtoll(outer + name, NULL, 10) >= strtoll(inner + name, NULL, 10))) {
			snprintf(wrong, sizeof(wrong), "%s: '%.*s' in %s, '%.*s' in %s", file,
				 (int)other, outer, levels[level - 1], (int)length, inner,
				 levels[level]);
			return false;
		}
		outer += other + (outer[other] == '\n');
		inner += length + (inner[length] == '\n');
	}
	return *outer == *inner;
}

/* Compares the first `nr` levels with each other. */
static bool levels_agree(const struct workload *w, size_t nr)
{
	static char outer[TEXT], inner[TEXT];

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		for (size_t l = nr - 1; l > 0; l--)
			if (read_level(w, levels[l], files[i].file, inner) &&
			    read_level(w, levels[l - 1], files[i].file, outer) &&
			    !agree(outer, inner, l, files[i].file, files[i].whole))
				return false;
	return true;
}

static bool shows(struct workload *w, const struct least *l)
{
	int64_t n = number_of(w, levels[INNERMOST], l->file, l->field);
	int64_t least = l->number * (l->pages ? (int64_t)w->page_size : 1);

	if (n < least)
		snprintf(wrong, sizeof(wrong), "%s %s of the innermost is %lld, below %lld",
			 l->file, l->field, (long long)n, (long long)least);
	return n >= least;
}

static bool all_is_shown(struct workload *w)
{
	for (size_t i = 0; i < sizeof(while_it_lives) / sizeof(*while_it_lives); i++)
		if (!shows(w, &while_it_lives[i]))
			return false;
	return levels_agree(w, LEVELS);
}

static bool all_levels_agree(struct workload *w)
{
	return levels_agree(w, LEVELS);
}

static bool outer_levels_agree(struct workload *w)
{
	return levels_agree(w, LEVELS - 1);
}

/* memory.stat of the innermost cgroup before it was removed. */
static char last[TEXT];

/* The lines of memory.stat that never fall. */
static bool is_event(const char *line)
{
	static const char *const begin[] = { "pg",   "thp_fault",          "thp_collapse", "swp",
					     "zswp", "workingset_refault", "numa_" };

	for (size_t i = 0; i < sizeof(begin) / sizeof(*begin); i++)
		if (!strncmp(line, begin[i], strlen(begin[i])))
			return true;
	return false;
}

static bool keeps(struct workload *w, const char *level)
{
	for (const char *line = last; *line; line += strcspn(line, "\n") + 1) {
		char field[40];
		long long number, now;

		if (!is_event(line) || sscanf(line, "%39s %lld", field, &number) != 2)
			continue;
		now = number_of(w, level, "memory.stat", field);
		if (now >= number)
			continue;
		snprintf(wrong, sizeof(wrong), "%s of %s is %lld; the removed cgroup had %lld",
			 field, level, now, number);
		return false;
	}
	return true;
}

static bool outer_levels_keep(struct workload *w)
{
	return outer_levels_agree(w) && keeps(w, levels[1]) && keeps(w, levels[0]);
}

static bool outermost_keeps(struct workload *w)
{
	return keeps(w, levels[0]);
}

static bool becomes_true(struct workload *w, bool (*holds)(struct workload *w))
{
	struct patience p = { .seconds = PATIENCE_S };

	while (!holds(w))
		if (!workload_pause(&p))
			return false;
	return true;
}

static char *write_pages(const struct workload *w, size_t pages, int flags)
{
	char *p = workload_try_map(pages * w->page_size, PROT_READ | PROT_WRITE, flags, -1);

	if (!p)
		return NULL;
	madvise(p, pages * w->page_size, MADV_NOHUGEPAGE);
	touch_write(w, p, pages);
	return p;
}

/* Writes more than memory.max, and is killed, because it is the largest process that may be. */
static void exceed_limit(const struct workload *w)
{
	char path[WORKLOAD_CGROUP_PATH];
	int64_t now = workload_number(workload_cgroup_path(w, "a/b/c/memory.current", path), NULL,
				      0);
	pid_t pid = fork();

	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
		workload_try_to_set("/proc/self/oom_score_adj", "1000");
		workload_cgroup_try_to_set(w, "a/b/c/memory.swap.max", 0);
		workload_cgroup_try_to_set(w, "a/b/c/memory.max",
					   now / (int64_t)w->page_size + OVER / 2);
		write_pages(w, OVER, MAP_PRIVATE);
		_exit(0);
	}
	if (pid > 0)
		waitpid(pid, NULL, 0);
	workload_cgroup_try_to_set(w, "a/b/c/memory.max", -1);
	workload_cgroup_try_to_set(w, "a/b/c/memory.swap.max", -1);
}

static void use_huge_pages(const struct workload *w)
{
	const int prot = PROT_READ | PROT_WRITE;
	size_t huge = w->huge_page_size;
	char *p = huge ? workload_try_map(2 * huge, prot, MAP_PRIVATE, -1) : NULL;

	if (p && !madvise(p, 2 * huge, MADV_HUGEPAGE))
		touch_write(w, p, 2 * huge / w->page_size);
	p = workload_try_map(workload_hugetlb_bytes(), prot, MAP_PRIVATE | MAP_HUGETLB, -1);
	if (p)
		p[0] = 1;
}

/* Uses memory in many ways, and returns with some of it in use. */
static int64_t use_memory(const struct workload *w)
{
	char *anon, *file;

	if (!workload_cgroup_write(w, "a/b/c/cgroup.procs", "0"))
		return -errno;
	exceed_limit(w);
	anon = write_pages(w, ANON, MAP_PRIVATE);
	if (!anon || !write_pages(w, SHMEM, MAP_SHARED))
		return -ENOMEM;
	madvise(anon, ANON / 2 * w->page_size, MADV_PAGEOUT);
	for (size_t i = 0; i < ANON / 4; i++)
		anon[i * w->page_size] = 2;
	file = w->fd[FILE_FD] < 0
		       ? NULL
		       : workload_try_map(FILE_PAGES * w->page_size, PROT_READ | PROT_WRITE,
					  MAP_SHARED, w->fd[FILE_FD]);
	for (size_t i = 0; file && i < FILE_PAGES; i += 2)
		file[i * w->page_size] = 1;
	use_huge_pages(w);
	return 0;
}

static void leave(struct workload *w)
{
	workload_cgroup_undelegate(w, levels[1]);
	workload_cgroup_remove(w, levels[2]);
	workload_cgroup_undelegate(w, levels[0]);
	workload_cgroup_remove(w, levels[1]);
	workload_cgroup_remove(w, levels[0]);
	workload_cgroup_undelegate(w, NULL);
	workload_cgroup_step_back(w);
	workload_cgroup_leave(w);
}

/* A cgroup with controllers for its children cannot have processes. */
static void enter(struct workload *w)
{
	int error;

	workload_cgroup_enter(w);
	if (workload_cgroup_step_aside(w) && workload_cgroup_delegate(w, NULL) &&
	    workload_cgroup_make(w, levels[0]) && workload_cgroup_delegate(w, levels[0]) &&
	    workload_cgroup_make(w, levels[1]) && workload_cgroup_delegate(w, levels[1]) &&
	    workload_cgroup_make(w, levels[2]))
		return;
	error = errno;
	leave(w);
	workload_skip(w, "three cgroups inside each other: %s", strerror(error));
}

/* Returns the first moment at which a line is wrong and stays wrong; NULL if there is none. */
static const char *try_moments(struct workload *w, int64_t *used)
{
	pid_t pid = workload_companion(w, use_memory, used);
	bool holds = *used < 0 || becomes_true(w, all_is_shown);

	workload_companion_ends(pid);
	if (*used < 0)
		return NULL;
	if (!holds)
		return "while a process runs in the innermost cgroup";
	if (!becomes_true(w, all_levels_agree))
		return "after the process has ended";
	read_level(w, levels[INNERMOST], "memory.stat", last);
	workload_cgroup_remove(w, levels[2]);
	if (!becomes_true(w, outer_levels_keep))
		return "after the innermost cgroup was removed";
	workload_cgroup_undelegate(w, levels[0]);
	workload_cgroup_remove(w, levels[1]);
	if (!becomes_true(w, outermost_keeps))
		return "after both inner cgroups were removed";
	return NULL;
}

static void compare_levels(struct workload *w)
{
	const char *moment;
	int64_t used;

	if (workload_oom_panics())
		workload_skip(w, OOM_PANICS);
	w->fd[FILE_FD] = workload_try_file_uncached(w, FILE_PAGES);
	enter(w);
	moment = try_moments(w, &used);
	leave(w);
	if (used < 0)
		workload_skip(w, "a process in a cgroup three levels down: %s",
			      strerror((int)-used));
	if (moment)
		workload_fail(w, "%s: %s", moment, wrong);
	workload_checked(w);
}

CASE(cgroup_levels) {
	.claim =
		"Each line of memory.stat, memory.events, memory.swap.* and hugetlb.* of a cgroup is the same in the cgroups two levels above it if only it has processes; after it is removed they keep its events",
	.because = "mem_cgroup_css_rstat_flush() adds each change of a cgroup to its parent, and "
		   "what came from its children with it. Page counters and memory.events are "
		   "updated at all levels. A cgroup also pays for the structures of its children.",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory.stat, memory.events"),
	.needs = NEEDS("root", "guest"),
	.flags = CASE_THP,
	.limit_s = 240,
	.steps = STEPS(STEP("three levels", compare_levels, .checks = 1)),
};
