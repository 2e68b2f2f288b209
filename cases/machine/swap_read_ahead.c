// SPDX-License-Identifier: MIT
/*
 * Each page that is read from a swap file is counted either as read for a fault or as read ahead.
 * Checked for each kind of memory and of read-ahead, and for each order of the faults.
 */
#include "swap_file.h"

enum { PAGES = 256, LOADS_IN_AREA = 8, SPARSE = 3, TRIES = 3 };

#define AHEAD        "/proc/sys/vm/page-cluster"
#define AHEAD_BY_VMA "/sys/kernel/mm/swap/vma_ra_enabled"

static const struct {
	const char *name, *by_vma;
	int flags;
} ways[] = {
	{ "anonymous memory, by addresses", "true", MAP_PRIVATE },
	{ "anonymous memory, by slots", "false", MAP_PRIVATE },
	{ "shmem", "true", MAP_SHARED },
};

enum order { ASCENDING, DESCENDING, SPARSE_FIRST, FROM_BOTH_ENDS, BACK_AND_FORTH, ORDERS };

static const char *const orders[ORDERS] = {
	"ascending", "descending", "every third first", "from both ends", "back and forth",
};

enum { WAYS = sizeof(ways) / sizeof(*ways) };

enum { IN, AHEAD_OF_FAULT, HIT, MAJOR, EVENTS };

static char wrong[256], cluster[16], by_vma[16];

static void remove_area(void)
{
	swapoff(load_area.name);
	unlink(load_area.name);
	workload_try_to_set(AHEAD, cluster);
	workload_try_to_set(AHEAD_BY_VMA, by_vma);
}

static void events_read(int64_t n[EVENTS])
{
	n[IN] = workload_number("/proc/vmstat", "pswpin", -1);
	n[AHEAD_OF_FAULT] = workload_number("/proc/vmstat", "swap_ra", -1);
	n[HIT] = workload_number("/proc/vmstat", "swap_ra_hit", -1);
	n[MAJOR] = workload_number("/proc/vmstat", "pgmajfault", -1);
}

/* Returns the page that is read as number i; some orders read a page twice. */
static size_t page_of(enum order order, size_t i)
{
	switch (order) {
	case DESCENDING:
		return PAGES - 1 - i;
	case SPARSE_FIRST:
		return i < PAGES / SPARSE ? i * SPARSE : i - PAGES / SPARSE;
	case FROM_BOTH_ENDS:
		return i % 2 ? PAGES - 1 - i / 2 : i / 2;
	case BACK_AND_FORTH:
		return i / 8 * 8 + 7 - i % 8;
	default:
		return i;
	}
}

static void read_pages(const struct workload *w, const char *p, enum order order)
{
	size_t reads = PAGES + (order == SPARSE_FIRST ? PAGES / SPARSE : 0);

	for (size_t i = 0; i < reads; i++)
		(void)*(const volatile char *)(p + page_of(order, i) * w->page_size);
}

/*
 * swap_cluster_readahead() and swap_vma_readahead() count each page that they read, except the
 * faulting one; its fault is then a major one. Reading vmstat adds up all CPUs.
 */
static bool is_right(const char *kind, const char *order, const int64_t n[EVENTS])
{
	int64_t ahead = n[IN] - n[MAJOR];

	if (n[AHEAD_OF_FAULT] == ahead && n[HIT] <= n[AHEAD_OF_FAULT])
		return true;
	snprintf(wrong, sizeof(wrong),
		 "%s, %s: %lld pages were read from swap, %lld for a fault; swap_ra rose by %lld, "
		 "swap_ra_hit by %lld",
		 kind, order, (long long)n[IN], (long long)n[MAJOR], (long long)n[AHEAD_OF_FAULT],
		 (long long)n[HIT]);
	return false;
}

/* Returns 1 if all pages were read from swap, else 0; -1 if they were counted otherwise. */
static int read_back(struct workload *w, size_t way, enum order order)
{
	int64_t before[EVENTS], after[EVENTS];
	char *p = workload_try_map(PAGES * w->page_size, PROT_READ | PROT_WRITE, ways[way].flags,
				   -1);
	bool right = true;

	if (!p)
		return 0;
	madvise(p, PAGES * w->page_size, MADV_NOHUGEPAGE);
	touch_write(w, p, PAGES);
	madvise(p, PAGES * w->page_size, MADV_PAGEOUT);
	after[IN] = 0;
	if (workload_cgroup_empties_swap_cache(w)) {
		events_read(before);
		read_pages(w, p, order);
		events_read(after);
		for (int i = 0; i < EVENTS; i++)
			after[i] -= before[i];
		right = is_right(ways[way].name, orders[order], after);
	}
	munmap(p, PAGES * w->page_size);
	return right ? after[IN] >= PAGES : -1;
}

/*
 * Returns how often all pages were read from swap; -1 if they were counted otherwise. Repeats what
 * is off, because another process may have had a major fault.
 */
static int read_all(struct workload *w)
{
	int all = 0;

	for (size_t way = 0; way < WAYS; way++) {
		workload_try_to_set(AHEAD_BY_VMA, ways[way].by_vma);
		for (int order = 0; order < ORDERS; order++) {
			int n = -1;

			for (int i = 0; i < TRIES && n < 0; i++)
				n = read_back(w, way, (enum order)order);
			if (n < 0)
				return n;
			all += n;
		}
	}
	return all;
}

static void read_in_each_order(struct workload *w)
{
	char name[WORKLOAD_NAME];
	struct workload_guard g;
	int all = 0;
	bool made;

	if (workload_number("/proc/vmstat", "swap_ra", -1) < 0)
		workload_skip(w, "a kernel that counts swap_ra");
	w->number[LOAD_PAGES] = PAGES;
	workload_read_text(AHEAD, cluster, sizeof(cluster));
	workload_read_text(AHEAD_BY_VMA, by_vma, sizeof(by_vma));
	snprintf(load_area.name, sizeof(load_area.name), "/ext4/%s", workload_name(w, name));
	g = workload_guard_begin(w, remove_area);
	made = swap_file_make(w, load_area.name, LOADS_IN_AREA) &&
	       !swapon(load_area.name, SWAP_FLAG_PREFER | SWAP_PRIORITY);
	if (made) {
		workload_try_to_set(AHEAD, "3");
		workload_cgroup_enter(w);
		all = read_all(w);
		workload_cgroup_leave(w);
	}
	workload_guard_end(w, &g);
	if (!made)
		workload_skip(w, "a swap area on %s", load_area.name);
	if (all < 0)
		workload_fail(w, "%s", wrong);
	if (!all)
		workload_skip(w, "memory that all comes back from a swap file");
	workload_checked(w);
}

CASE(machine_swap_read_ahead) {
	.claim =
		"Each page that is read from a swap file is counted once, either as that of a major fault (pgmajfault) or as read ahead (swap_ra), in whatever order pages are read; swap_ra_hit is at most swap_ra",
	.because = "swap_cluster_readahead() and swap_vma_readahead() count a page only if they "
		   "allocate and read it. The fault finds it later in the swap cache, and its mark "
		   "is cleared when it is counted as a hit.",
	.said_by = SAID_BY("Documentation/admin-guide/sysctl/vm.rst, page-cluster"),
	.needs = NEEDS("root", "guest"),
	.flags = CASE_ONE_CPU,
	.limit_s = 240,
	.steps = STEPS(STEP("read from swap in each order", read_in_each_order, .checks = 1)),
};
