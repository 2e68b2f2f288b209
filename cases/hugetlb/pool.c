// SPDX-License-Identifier: MIT
/*
 * Checks the numbers of the hugetlb pool after each row of a table: surplus pages, a pool that is
 * resized while in use, and a mount with a minimum and a maximum size.
 */
#include "node.h"
#include <rssck/case.h>
#include <sys/mount.h>
#include <sys/vfs.h>

#define POOL       "/proc/sys/vm/nr_hugepages"
#define OVERCOMMIT "/proc/sys/vm/nr_overcommit_hugepages"

STEP_SYMBOLS(ROWS_OF_THE_TABLE);
enum { LEAST = 4, MINIMUM = 2, MAXIMUM = 4, NODES = 64, TEXT = 160 };

enum number {
	TOTAL,
	FREE,
	RESERVED,
	SURPLUS,
	NODE_TOTAL,
	NODE_FREE,
	NODE_SURPLUS,
	FROM_BUDDY,
	ROOM,
	NUMBERS
};

static const char *const names[NUMBERS] = {
	[TOTAL] = "HugePages_Total",
	[FREE] = "HugePages_Free",
	[RESERVED] = "HugePages_Rsvd",
	[SURPLUS] = "HugePages_Surp",
	[NODE_TOTAL] = "the nodes' nr_hugepages",
	[NODE_FREE] = "the nodes' free_hugepages",
	[NODE_SURPLUS] = "the nodes' surplus_hugepages",
	[FROM_BUDDY] = "htlb_buddy_alloc_success",
	[ROOM] = "f_bfree of the mount",
};

struct pool {
	int64_t pages; /* pages that are free and not reserved before the first row */
	int64_t other; /* all other pages in the pool */
	size_t bytes;  /* bytes of one page */
	char *p;
	size_t mapped; /* length of the mapping at p, in hugetlb pages */
	int fd;
	char mount[WORKLOAD_NAME + 8];
};

static int64_t of_nodes(const struct pool *pool, const char *file)
{
	int64_t sum = 0;

	for (int node = 0; node < NODES; node++)
		sum += node_number(node, pool->bytes, file, 0);
	return sum;
}

static void read_pool(const struct pool *pool, int64_t seen[NUMBERS])
{
	struct statfs st = { 0 };

	for (int i = TOTAL; i <= SURPLUS; i++)
		seen[i] = workload_number("/proc/meminfo", names[i], -1);
	seen[NODE_TOTAL] = of_nodes(pool, "nr_hugepages");
	seen[NODE_FREE] = of_nodes(pool, "free_hugepages");
	seen[NODE_SURPLUS] = of_nodes(pool, "surplus_hugepages");
	seen[FROM_BUDDY] = workload_number("/proc/vmstat", names[FROM_BUDDY], 0);
	seen[ROOM] = pool->mount[0] && statfs(pool->mount, &st) == 0 ? (int64_t)st.f_bfree : 0;
}

static int set(const char *path, int64_t value)
{
	return workload_try_to_set_number(path, value) ? 0 : -errno;
}

static int map(struct pool *pool, size_t pages, int flags)
{
	char *p = workload_try_map(pages * pool->bytes, PROT_READ | PROT_WRITE, flags, pool->fd);

	if (!p)
		return -errno;
	pool->p = p;
	pool->mapped = pages;
	return 0;
}

static int map_nameless(struct pool *pool, int64_t pages, int flags)
{
	return map(pool, (size_t)pages, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | flags);
}

static void touch(struct workload *w, struct pool *pool, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		touch_write(w, pool->p + i * pool->bytes, 1);
}

static int unmap(struct workload *w, struct pool *pool)
{
	(void)w;
	if (pool->p)
		munmap(pool->p, pool->mapped * pool->bytes);
	pool->p = NULL;
	if (pool->fd >= 0)
		close(pool->fd);
	pool->fd = -1;
	return 0;
}

/* ---- more pages than the pool has: nr_overcommit_hugepages is 2 ---- */

static int reserve_surplus(struct workload *w, struct pool *pool)
{
	(void)w;
	return set(OVERCOMMIT, 2) ?: map_nameless(pool, pool->pages + 2, 0);
}

static int touch_one(struct workload *w, struct pool *pool)
{
	touch(w, pool, 0, 1);
	return 0;
}

static int reserve_too_many(struct workload *w, struct pool *pool)
{
	(void)w;
	return map_nameless(pool, pool->pages + 3, 0) == -ENOMEM ? 0 : -EINVAL;
}

static int touch_unreserved(struct workload *w, struct pool *pool)
{
	int error = map_nameless(pool, pool->pages + 1, MAP_NORESERVE);

	if (error == 0)
		touch(w, pool, 0, pool->mapped);
	return error;
}

static int unmap_half(struct workload *w, struct pool *pool)
{
	int error = map_nameless(pool, 4, 0);

	if (error)
		return error;
	touch(w, pool, 0, 1);
	munmap(pool->p + 2 * pool->bytes, 2 * pool->bytes);
	pool->mapped = 2;
	return 0;
}

/* ---- resizing a pool while two of its pages are in use ---- */

static int use_two(struct workload *w, struct pool *pool)
{
	int error = set(OVERCOMMIT, 0) ?: map_nameless(pool, 2, 0);

	if (error == 0)
		touch(w, pool, 0, 2);
	return error;
}

static int resize_to_one(struct workload *w, struct pool *pool)
{
	(void)w;
	return set(POOL, pool->other + 1);
}

static int resize_to_two(struct workload *w, struct pool *pool)
{
	(void)w;
	return set(POOL, pool->other + 2);
}

static int unmap_surplus(struct workload *w, struct pool *pool)
{
	return set(POOL, pool->other + 1) ?: unmap(w, pool);
}

static int resize_back(struct workload *w, struct pool *pool)
{
	(void)w;
	return set(POOL, pool->other + pool->pages);
}

/* ---- a mount with the options min_size and size ---- */

static int mount_with(struct workload *w, struct pool *pool, size_t minimum)
{
	char name[WORKLOAD_NAME], options[TEXT];

	snprintf(pool->mount, sizeof(pool->mount), "/tmp/%s", workload_name(w, name));
	snprintf(options, sizeof(options), "pagesize=%zu,size=%zu", pool->bytes,
		 MAXIMUM * pool->bytes);
	if (minimum)
		snprintf(options + strlen(options), sizeof(options) - strlen(options),
			 ",min_size=%zu", minimum * pool->bytes);
	if (mkdir(pool->mount, 0700) == 0 &&
	    mount("none", pool->mount, "hugetlbfs", 0, options) == 0)
		return 0;
	return -errno;
}

static int mount_pool(struct workload *w, struct pool *pool)
{
	return mount_with(w, pool, MINIMUM);
}

static int map_file(struct pool *pool, size_t pages, int flags)
{
	char path[TEXT];

	snprintf(path, sizeof(path), "%s/file", pool->mount);
	pool->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (pool->fd < 0)
		return -errno;
	unlink(path);
	return map(pool, pages, MAP_SHARED | flags);
}

static int map_within_minimum(struct workload *w, struct pool *pool)
{
	(void)w;
	return map_file(pool, 1, 0);
}

static int map_above_minimum(struct workload *w, struct pool *pool)
{
	unmap(w, pool);
	return map_file(pool, 3, 0);
}

static int map_above_maximum(struct workload *w, struct pool *pool)
{
	int error;

	unmap(w, pool);
	error = map_file(pool, MAXIMUM + 1, 0);
	unmap(w, pool);
	return error == -ENOMEM ? 0 : -EINVAL;
}

static int punch(struct workload *w, struct pool *pool)
{
	(void)w;
	return fallocate(pool->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0,
			 (off_t)pool->bytes) < 0
		       ? -errno
		       : 0;
}

static int unmount(struct workload *w, struct pool *pool)
{
	int error = unmap(w, pool) ?: umount(pool->mount) ? -errno : 0;

	rmdir(pool->mount);
	pool->mount[0] = '\0';
	return error;
}

/*
 * After the row's act each number of the pool, in meminfo and summed over the nodes, must be its
 * value before the first row, plus `moved`, plus `all` times pool->pages. `moved` and `all` list
 * { total, free, reserved, surplus }.
 */
static const struct row {
	const char *name;
	int (*act)(struct workload *w, struct pool *pool);
	int64_t moved[4];
	int64_t all[4];
	int64_t room;       /* what f_bfree of the mount must be; 0 without a mount */
	int64_t from_buddy; /* by how much htlb_buddy_alloc_success rises in this row */
	bool returned;      /* from_buddy is pool->pages more, because the pool is filled again */
} rows[] = {
	{ "reserve two pages more than the pool has", reserve_surplus, .moved = { 2, 2, 2, 2 },
	  .all = { 0, 0, 1, 0 }, .from_buddy = 2 },
	{ "touch one page", touch_one, .moved = { 2, 1, 1, 2 }, .all = { 0, 0, 1, 0 } },
	{ "unmap the pages", unmap, .moved = { 0 } },
	{ "reserve three pages more, which fails", reserve_too_many, .moved = { 0 },
	  .from_buddy = 2 },
	{ "touch one page more than the pool has", touch_unreserved, .moved = { 1, 0, 0, 1 },
	  .all = { 0, -1, 0, 0 }, .from_buddy = 1 },
	{ "unmap the pages again", unmap, .moved = { 0 } },
	{ "reserve four pages, touch one, unmap two", unmap_half, .moved = { 0, -1, 1, 0 } },
	{ "unmap the rest", unmap, .moved = { 0 } },
	{ "use two pages", use_two, .moved = { 0, -2, 0, 0 } },
	{ "resize the pool to one page", resize_to_one, .moved = { 2, 0, 0, 1 },
	  .all = { -1, -1, 0, 0 } },
	{ "resize the pool to two pages", resize_to_two, .moved = { 2, 0, 0, 0 },
	  .all = { -1, -1, 0, 0 } },
	{ "resize the pool to one page, unmap", unmap_surplus, .moved = { 1, 1, 0, 0 },
	  .all = { -1, -1, 0, 0 } },
	{ "resize the pool to its old size", resize_back, .moved = { 0 }, .from_buddy = -1,
	  .returned = true },
	{ "mount with a minimum size", mount_pool, .moved = { 0, 0, MINIMUM, 0 }, .room = MAXIMUM },
	{ "map one page of the mount's minimum", map_within_minimum, .moved = { 0, 0, 2, 0 },
	  .room = 3 },
	{ "touch the mapped page", touch_one, .moved = { 0, -1, 1, 0 }, .room = 3 },
	{ "map three pages", map_above_minimum, .moved = { 0, 0, 3, 0 }, .room = 1 },
	{ "touch the first page", touch_one, .moved = { 0, -1, 2, 0 }, .room = 1 },
	{ "punch out the first page", punch, .moved = { 0, 0, 2, 0 }, .room = 2 },
	{ "map more than the mount's maximum, which fails", map_above_maximum,
	  .moved = { 0, 0, MINIMUM, 0 }, .room = MAXIMUM },
	{ "unmount", unmount, .moved = { 0 } },
};

enum { ROWS = sizeof(rows) / sizeof(*rows) };

static int64_t must_be(const struct row *row, enum number i, const struct pool *pool,
		       const int64_t first[NUMBERS], const int64_t last[NUMBERS])
{
	static const enum number of[] = {
		[TOTAL] = TOTAL,         [FREE] = FREE,        [RESERVED] = RESERVED,
		[SURPLUS] = SURPLUS,     [NODE_TOTAL] = TOTAL, [NODE_FREE] = FREE,
		[NODE_SURPLUS] = SURPLUS
	};

	if (i == ROOM)
		return row->room;
	if (i == FROM_BUDDY)
		return last[i] + row->from_buddy + (row->returned ? pool->pages : 0);
	return first[i] + row->moved[of[i]] + pool->pages * row->all[of[i]];
}

static bool play(struct workload *w, struct pool *pool, const int64_t first[NUMBERS],
		 char reason[TEXT])
{
	int64_t last[NUMBERS], seen[NUMBERS];

	memcpy(last, first, sizeof(last));
	for (size_t r = 0; r < ROWS; r++) {
		int error = rows[r].act(w, pool);

		if (error) {
			snprintf(reason, TEXT, "%s: %s", rows[r].name, strerror(-error));
			return false;
		}
		read_pool(pool, seen);
		for (enum number i = 0; i < NUMBERS; i++) {
			int64_t expected = must_be(&rows[r], i, pool, first, last);

			if (seen[i] == expected)
				continue;
			snprintf(reason, TEXT, "%s: %s is %lld, must be %lld", rows[r].name,
				 names[i], (long long)seen[i], (long long)expected);
			w->number[0]++;
			return false;
		}
		memcpy(last, seen, sizeof(last));
	}
	return true;
}

/*
 * Takes a fault that fails: the mount allows a fourth page, but the pool has only three. Sets *room
 * to the mount's free pages after the fault: 1, as before, or 0 on some kernels. Returns 0, or a
 * negative errno if the fault could not be taken.
 */
static int fault_in_vain(struct workload *w, struct pool *pool, int64_t *room)
{
	int status, error = mount_with(w, pool, 0);
	int64_t seen[NUMBERS];
	pid_t pid;

	error = error ?: set(POOL, pool->other + 3) ?: map_file(pool, MAXIMUM, MAP_NORESERVE);
	if (error)
		return error;
	touch(w, pool, 0, 3);
	pid = fork();
	if (pid == 0) {
		struct rlimit none = { 0 };

		setrlimit(RLIMIT_CORE, &none);
		touch(w, pool, 3, 4);
		_exit(0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return -errno;
	if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGBUS)
		return -EINVAL;
	read_pool(pool, seen);
	*room = seen[ROOM];
	return 0;
}

static void all_rows(struct workload *w)
{
	struct pool pool = { .bytes = workload_hugetlb_bytes(), .fd = -1 };
	int64_t room = 0, first[NUMBERS], overcommit = workload_number(OVERCOMMIT, NULL, -1);
	int64_t failed = workload_number("/proc/vmstat", "htlb_buddy_alloc_fail", 0);
	char reason[TEXT];
	bool ok;

	read_pool(&pool, first);
	pool.pages = first[FREE] - first[RESERVED];
	pool.other = first[TOTAL] - pool.pages;
	if (pool.pages < LEAST)
		workload_skip(w, "%d free hugetlb pages", LEAST);
	if (first[SURPLUS] && first[FREE] == first[TOTAL])
		workload_fail(w, "HugePages_Surp is %lld although all pages are free",
			      (long long)first[SURPLUS]);
	if (first[SURPLUS])
		workload_skip(w, "a pool without surplus pages");
	if (overcommit < 0)
		workload_skip(w, "%s", OVERCOMMIT);
	ok = play(w, &pool, first, reason);
	if (ok) {
		int error = fault_in_vain(w, &pool, &room);

		ok = error == 0;
		snprintf(reason, sizeof(reason),
			 "a hugetlb fault that gets SIGBUS because no page is free (%s)",
			 strerror(-error));
	}
	if (pool.mount[0])
		unmount(w, &pool);
	unmap(w, &pool);
	set(OVERCOMMIT, overcommit);
	set(POOL, pool.other + pool.pages);
	if (!ok && workload_number("/proc/vmstat", "htlb_buddy_alloc_fail", 0) != failed)
		workload_skip(w, "enough free memory for hugetlb pages (%s)", reason);
	if (!ok && w->number[0])
		workload_fail(w, "%s", reason);
	if (!ok)
		workload_skip(w, "%s", reason);
	workload_checked(w);
	workload_report(w, "room", room);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t room = trial_reported(t, ROWS_OF_THE_TABLE, "room");

	judge_fact_of(j, "hugetlb.room_of_a_mount_after_a_refused_fault", MAXIMUM - 3 - room, 1,
		      "as before", "a page less", "otherwise");
}

CASE(hugetlb_pool) {
	.claim =
		"HugePages_Total, _Free, _Rsvd and _Surp are right after each mmap, touch, resize and mount of the case's table: surplus pages exist only while they are reserved or used, and a mount's min_size is reserved",
	.because = "gather_surplus_pages() and alloc_surplus_hugetlb_folio() take pages from the "
		   "buddy allocator, and free_huge_folio() returns them. adjust_pool_surplus() "
		   "counts pages as surplus if a shrunk pool cannot free them yet. "
		   "hugepage_subpool_get_pages() takes pages from the mount's minimum first, then "
		   "from the pool.",
	.said_by =
		SAID_BY("Documentation/admin-guide/mm/hugetlbpage.rst, HugePages_Surp, min_size"),
	.needs = NEEDS("hugetlb", "guest"),
	.steps = STEPS(STEP_AS(ROWS_OF_THE_TABLE, "perform each operation", all_rows, .checks = 1)),
	.facts = FACTS(FACT("hugetlb.room_of_a_mount_after_a_refused_fault",
			    "After a hugetlb fault fails, f_bfree of its mount is",
			    "as before|a page less")),
	.judge = judge,
};
