// SPDX-License-Identifier: MIT
/*
 * What zswap stores for a cgroup is in memory.zswap.current and memory.stat, and comes back
 * however the memory ends.
 */
#include "noise.h"

enum { PAGES = 256, FINE = 0, WRONG, IMPOSSIBLE };
/*
 * Each CPU may keep up to 64 freed slots of swap (SWAP_SLOTS_CACHE_SIZE), and zswap what is in
 * them: 6.12.117 has such slots, but frees what is in them at once; 7.3.4 has none.
 */
enum { KEPT_BY_CPU = 64 };

typedef bool end_fn(char *p, size_t bytes);

static struct workload *cgroup_of;
static const struct way *way;

/* ---- how the memory ends ---- */

static bool read_back(char *p, size_t bytes)
{
	touch_read(cgroup_of, p, bytes / cgroup_of->page_size);
	return true;
}

static bool write_back(char *p, size_t bytes)
{
	touch_write(cgroup_of, p, bytes / cgroup_of->page_size);
	return true;
}

static bool drop(char *p, size_t bytes)
{
	return !madvise(p, bytes, MADV_DONTNEED);
}

static bool punch(char *p, size_t bytes)
{
	return !madvise(p, bytes, MADV_REMOVE);
}

static bool unmap(char *p, size_t bytes)
{
	return !munmap(p, bytes);
}

static bool just_exit(char *p, size_t bytes)
{
	return p && bytes;
}

static bool be_killed(char *p, size_t bytes)
{
	pid_t pid = fork();

	if (!pid)
		kill(getpid(), SIGKILL);
	return waitpid(pid, NULL, 0) == pid && unmap(p, bytes);
}

/* The child reads what the parent has dropped. */
static bool share(char *p, size_t bytes)
{
	pid_t pid = fork();

	if (!pid) {
		touch_read(cgroup_of, p, bytes / cgroup_of->page_size / 2);
		_exit(0);
	}
	return drop(p, bytes) && waitpid(pid, NULL, 0) == pid;
}

static const struct way {
	const char *name;
	int flags; /* of mmap(2) */
	end_fn *end;
} ways[] = {
	{ "private memory that is read back", MAP_PRIVATE, read_back },
	{ "private memory that is written again", MAP_PRIVATE, write_back },
	{ "private memory that is dropped", MAP_PRIVATE, drop },
	{ "private memory that is unmapped", MAP_PRIVATE, unmap },
	{ "private memory of a process that ends", MAP_PRIVATE, just_exit },
	{ "private memory of a killed child", MAP_PRIVATE, be_killed },
	{ "private memory that a child shares", MAP_PRIVATE, share },
	{ "shared memory that is read back", MAP_SHARED, read_back },
	{ "shared memory that is written again", MAP_SHARED, write_back },
	{ "shared memory that is punched out", MAP_SHARED, punch },
	{ "shared memory of a process that ends", MAP_SHARED, just_exit },
};

/* What the cgroup has in zswap: pages, and the bytes that store them. */
struct stored {
	int64_t pages, bytes, stat_bytes;
};

static struct stored stored_now(void)
{
	int64_t bytes = workload_cgroup_number(cgroup_of, "memory.stat", "zswapped");
	struct stored s = { .pages = bytes < 0 ? -1 : bytes / (int64_t)cgroup_of->page_size };

	s.bytes = workload_cgroup_number(cgroup_of, "memory.zswap.current", NULL);
	s.stat_bytes = workload_cgroup_number(cgroup_of, "memory.stat", "zswap");
	return s;
}

static bool fits(const struct stored *s)
{
	return s->bytes == s->stat_bytes && s->bytes <= s->pages * (int64_t)cgroup_of->page_size &&
	       (s->bytes > 0) == (s->pages > 0);
}

/* A kernel may add up what the CPUs counted some seconds later. */
static struct stored wait_for(int64_t least, int64_t most)
{
	struct patience p = { .seconds = 8 };
	struct stored s;

	do
		s = stored_now();
	while (s.pages >= 0 && (s.pages < least || s.pages > most || !fits(&s)) &&
	       workload_pause(&p));
	return s;
}

static int store_and_end(const struct workload *w)
{
	size_t bytes = PAGES * w->page_size;
	char *p = workload_try_map(bytes, PROT_READ | PROT_WRITE, way->flags, -1);
	struct stored s;

	if (!p)
		return workload_say(IMPOSSIBLE, "mmap: %m");
	write_noise(cgroup_of, p, PAGES);
	madvise(p, bytes, MADV_PAGEOUT);
	s = wait_for(PAGES / 2, INT64_MAX);
	if (s.pages < PAGES / 2)
		return workload_say(IMPOSSIBLE, "zswap that stores pages of a cgroup");
	if (!fits(&s))
		return workload_say(
			WRONG, "%lld pages are in %lld bytes of zswap.current, %lld of zswap",
			(long long)s.pages, (long long)s.bytes, (long long)s.stat_bytes);
	return way->end(p, bytes) ? FINE : workload_say(IMPOSSIBLE, "%s: %m", way->name);
}

/* Only what the CPUs keep may be left. */
static int must_be_empty(char *text, size_t size)
{
	int64_t most = KEPT_BY_CPU * sysconf(_SC_NPROCESSORS_ONLN);
	struct stored s = wait_for(0, most);

	if (s.pages <= most && fits(&s))
		return FINE;
	snprintf(text, size, "at the end %lld pages are in %lld bytes", (long long)s.pages,
		 (long long)s.bytes);
	return WRONG;
}

static void each_way(struct workload *w)
{
	char text[200] = "";
	struct workload_guard g;
	int result = FINE;

	cgroup_of = w;
	g = zswap_begin(w);
	workload_cgroup_enter(w);
	for (way = ways; way < ways + sizeof(ways) / sizeof(*ways); way++) {
		result = workload_in_child_that_says(w, store_and_end, text, sizeof(text));
		if (!result)
			result = must_be_empty(text, sizeof(text));
		if (result)
			break;
	}
	workload_cgroup_leave(w);
	workload_guard_end(w, &g);
	if (result == WRONG)
		workload_fail(w, "%s: %s", way->name, text);
	if (result == IMPOSSIBLE)
		workload_skip(w, "%s", text);
	workload_checked(w);
}

CASE(cgroup_zswap) {
	.claim = "memory.zswap.current is memory.stat zswap, and both fit zswapped: above 0 while "
		 "pages are in zswap, and 0 again after they are read, dropped, punched out, or "
		 "their process ends",
	.because = "obj_cgroup_charge_zswap() adds the compressed size and one page, and "
		   "obj_cgroup_uncharge_zswap() subtracts both when the entry is freed.",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory.zswap.current"),
	.needs = NEEDS("root", "swap", "guest"),
	.limit_s = 120,
	.steps = STEPS(STEP("store, and end in each way", each_way, .checks = 1)),
};
