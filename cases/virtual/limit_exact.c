// SPDX-License-Identifier: MIT
/*
 * A limit of exactly N pages lets a process reach N pages and refuses one more, in each way that
 * the memory can grow. A refused call changes nothing.
 */
#include "limit_ways.h"
#include <linux/capability.h>

enum { FINE, WRONG, IMPOSSIBLE };

struct numbers {
	int64_t kib[NUMBERS];
	uint64_t maps; /* a hash of /proc/self/maps */
};

static struct row {
	const struct limit *limit;
	const struct way *way;
} row;

static uint64_t hash_maps(void)
{
	int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	uint64_t hash = 14695981039346656037U;
	ssize_t n;

	while ((n = read(fd, workload_buffer, WORKLOAD_BUFFER)) > 0)
		for (ssize_t i = 0; i < n; i++)
			hash = (hash ^ (unsigned char)workload_buffer[i]) * 1099511628211U;
	close(fd);
	return hash;
}

static struct numbers look(void)
{
	struct numbers n;

	for (int i = 0; i < NUMBERS; i++)
		n.kib[i] = status_kib(names[i]);
	n.maps = hash_maps();
	return n;
}

/* Each number rises by `pages` if the row raises it; VmPeak follows VmSize. */
static int compare(const struct numbers *before, int64_t pages, const char *what)
{
	struct numbers now = look();
	int64_t kib = pages * (int64_t)(place.page / 1024);

	for (int i = 0; i < NUMBERS; i++) {
		int64_t expected = before->kib[i] + (row.way->raises & KIND(i) ? kib : 0);

		if (i == PEAK && now.kib[SIZE] > expected)
			expected = now.kib[SIZE];
		if (now.kib[i] != expected)
			return workload_say(WRONG,
					    "%s changed %s from %lld kB to %lld kB, not to %lld kB",
					    what, names[i], (long long)before->kib[i],
					    (long long)now.kib[i], (long long)expected);
	}
	if (!pages && now.maps != before->maps)
		return workload_say(WRONG, "%s changed the mappings", what);
	return FINE;
}

static bool set_limit(int64_t bytes)
{
	struct rlimit l;

	if (getrlimit(row.limit->resource, &l))
		return false;
	l.rlim_cur = (rlim_t)bytes;
	return !setrlimit(row.limit->resource, &l);
}

/* Asks for `pages` pages more under a limit that has room for less. */
static int must_refuse(const struct numbers *before, int64_t pages, int64_t limit)
{
	if (!set_limit(limit))
		return workload_say(IMPOSSIBLE, "setrlimit(2): %m");
	if (row.way->grow((size_t)pages * place.page))
		return workload_say(WRONG, "a limit of %lld bytes let more be reached",
				    (long long)limit);
	return compare(before, 0, "the refused call");
}

/*
 * Without the limit the way must work; if it does not, something else forbids the call, such as a
 * filter of system calls. errno is the refused call's.
 */
static bool limit_refuses(void)
{
	int error = errno;
	struct rlimit l;

	if (getrlimit(row.limit->resource, &l))
		return true;
	l.rlim_cur = l.rlim_max;
	if (setrlimit(row.limit->resource, &l) || row.way->grow((size_t)N * place.page)) {
		errno = error;
		return true;
	}
	return false;
}

static int must_grant(const struct numbers *before, int64_t pages, int64_t limit)
{
	if (!set_limit(limit))
		return workload_say(IMPOSSIBLE, "setrlimit(2): %m");
	if (!row.way->grow((size_t)pages * place.page))
		return !limit_refuses()
			       ? workload_say(IMPOSSIBLE, "%m")
			       : workload_say(
					 WRONG,
					 "a limit of %lld bytes did not let them be reached: %m",
					 (long long)limit);
	return compare(before, pages, "the granted call");
}

/* Also tries limits that are no whole number of pages: only whole pages below a limit count. */
static int try_row(const struct workload *w)
{
	int64_t page = (int64_t)w->page_size, exact;
	struct numbers before;
	int result;

	place = (struct place) { .page = w->page_size };
	/* RLIMIT_MEMLOCK limits root, too, without CAP_IPC_LOCK. */
	if (!row.way->hold() || workload_set_capability(CAP_IPC_LOCK, false))
		return workload_say(IMPOSSIBLE, "%m");
	before = look();
	exact = N * page;
	exact += row.limit->counts == STACK_SIZE ? place.pages * page
						 : before.kib[row.limit->counts] * 1024;
	result = must_refuse(&before, N, exact - 1);
	if (!result)
		result = must_refuse(&before, N + 1, exact + page - 1);
	return result ? result : must_grant(&before, N, exact);
}

static void each_way(struct workload *w)
{
	const struct limit *l = &limits[w->argument];
	char text[256] = "";
	size_t tested = 0;

	for (size_t i = 0; i < l->nr; i++) {
		const struct way *way = &l->ways[i];
		int result;

		row = (struct row) { .limit = l, .way = way };
		result = workload_in_child_that_says(w, try_row, text, sizeof(text));
		if (result == WRONG)
			workload_fail(w, "%s: %s", way->name, text);
		if (result == IMPOSSIBLE && way->need == REQUIRED)
			workload_skip_step(w, "%s: %s", way->name, text);
		tested += result == FINE;
	}
	if (!tested)
		workload_skip_step(w, "%s: %s", l->ways->name, text);
	workload_checked(w);
}

static void each_way_of_data(struct workload *w)
{
	char text[8];

	/* Before 4.7 RLIMIT_DATA limited brk(2) only. */
	workload_read_text("/sys/module/kernel/parameters/ignore_rlimit_data", text, sizeof(text));
	if (*text != 'N')
		workload_skip_step(
			w, "an RLIMIT_DATA that limits private memory (ignore_rlimit_data)");
	each_way(w);
}

CASE(virtual_limit_exact) {
	.claim = "RLIMIT_AS, RLIMIT_DATA, RLIMIT_STACK and RLIMIT_MEMLOCK of exactly N pages let "
		 "VmSize, VmData, VmStk and VmLck reach N pages and refuse one more, in whatever "
		 "way the memory grows; a refused call changes no number and no mapping",
	.because = "may_expand_vm(), acct_stack_growth(), mlock_future_ok() and do_mlock() compare "
		   "the counter plus the new pages with the limit, before they change anything. "
		   "mlock(2) does not count again what is locked already "
		   "(count_mm_mlocked_page_nr()).",
	.said_by = SAID_BY("setrlimit(2)", "mlock(2), Limits and permissions"),
	.steps = STEPS(STEP("RLIMIT_AS", each_way, .argument = WAYS_AS, .checks = 1),
		       STEP("RLIMIT_DATA", each_way_of_data, .argument = WAYS_DATA, .checks = 1),
		       STEP("RLIMIT_STACK", each_way, .argument = WAYS_STACK, .checks = 1),
		       STEP("RLIMIT_MEMLOCK", each_way, .argument = WAYS_MEMLOCK, .checks = 1),
		       STEP("RLIMIT_MEMLOCK of mlockall", each_way, .argument = WAYS_MLOCKALL,
			    .checks = 1)),
};
