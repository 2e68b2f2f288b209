// SPDX-License-Identifier: MIT
/*
 * Memory errors: HardwareCorrupted counts each page that is poisoned or soft-offlined, for five
 * kinds of memory; the nodes' memory_failure files count only poisoned pages.
 */
#include <inttypes.h>
#include <rssck/case.h>
#include <rssck/panics.h>

STEP_SYMBOLS(EACH_KIND);

/* The kernel refuses a page that another CPU holds, so the act is tried several times. */
enum { NODES = 2, TRIES = 5, PATH = 96, HARD = 100, SOFT = 101, NO_MEMORY = 255 };

enum { CORRUPTED, TOTAL, RECOVERED, NUMBERS };

static const char *const numbers[NUMBERS] = {
	[CORRUPTED] = "meminfo.HardwareCorrupted",
	[TOTAL] = "memory_failure/total",
	[RECOVERED] = "memory_failure/recovered",
};

/* ---- kinds: each function maps memory or returns NULL; perform() touches the first page ---- */

static char *map(size_t bytes, int flags)
{
	return bytes ? workload_try_map(bytes, PROT_READ | PROT_WRITE, flags, -1) : NULL;
}

static char *anonymous(const struct workload *w)
{
	return map(w->page_size, MAP_PRIVATE);
}

static char *shared(const struct workload *w)
{
	return map(w->page_size, MAP_SHARED);
}

static char *of_file(const struct workload *w)
{
	return workload_try_map(w->page_size, PROT_READ, MAP_SHARED, w->fd[0]);
}

static char *huge(const struct workload *w)
{
	size_t bytes = w->huge_page_size;
	char *p = bytes ? workload_try_aligned_map(bytes, bytes, -1) : NULL;

	if (p)
		syscall(SYS_madvise, p, bytes, MADV_HUGEPAGE);
	return p;
}

static char *hugetlb(const struct workload *unused)
{
	(void)unused;
	return map(workload_hugetlb_bytes(), MAP_PRIVATE | MAP_HUGETLB);
}

static const struct act {
	const char *name;
	char *(*map)(const struct workload *w);
	bool writes;
	int advice;
} acts[] = {
	{ "an anonymous page that is poisoned", anonymous, true, HARD },
	{ "a page of shmem that is poisoned", shared, true, HARD },
	{ "a page of a file that is poisoned", of_file, false, HARD },
	{ "a page of a huge page that is poisoned", huge, true, HARD },
	{ "a hugetlb page that is poisoned", hugetlb, true, HARD },
	{ "an anonymous page that goes offline", anonymous, true, SOFT },
	{ "a page of shmem that goes offline", shared, true, SOFT },
	{ "a page of a file that goes offline", of_file, false, SOFT },
	{ "a page of a huge page that goes offline", huge, true, SOFT },
	{ "a hugetlb page that goes offline", hugetlb, true, SOFT },
};

enum { ACTS = sizeof(acts) / sizeof(*acts) };

static const struct act *act_now;

/* Returns 0, an errno, or NO_MEMORY. Runs in a child, which may get SIGBUS. */
static int perform(const struct workload *w)
{
	char *p = act_now->map(w);

	workload_survive_sigbus();
	if (!p)
		return NO_MEMORY;
	if (act_now->writes)
		p[0] = 1;
	else
		(void)*(volatile char *)p;
	for (int i = 0; i < TRIES; i++)
		if (syscall(SYS_madvise, p, w->page_size, act_now->advice) == 0)
			return 0;
	return errno;
}

static void read_numbers(const struct workload *w, int64_t now[NUMBERS])
{
	char path[PATH];

	now[CORRUPTED] = workload_number("/proc/meminfo", "HardwareCorrupted", -1) * 1024 /
			 (int64_t)w->page_size;
	for (int i = TOTAL; i < NUMBERS; i++) {
		now[i] = 0;
		for (int node = 0; node < NODES; node++) {
			snprintf(path, sizeof(path), "/sys/devices/system/node/node%d/%s", node,
				 numbers[i]);
			now[i] += workload_number(path, NULL, 0);
		}
	}
}

/* Returns how much the number must rise. Kernels before 6.3 have no memory_failure files. */
static int64_t must_rise(int number)
{
	return number == CORRUPTED ||
	       (act_now->advice == HARD &&
		access("/sys/devices/system/node/node0/memory_failure", F_OK) == 0);
}

static bool check(struct workload *w)
{
	int64_t before[NUMBERS], after[NUMBERS];

	read_numbers(w, before);
	if (workload_in_child(w, perform))
		return false;
	read_numbers(w, after);
	for (int i = 0; i < NUMBERS; i++)
		if (after[i] - before[i] != must_rise(i))
			workload_fail(w, "%s: %s changed by %" PRId64 ", must change by %" PRId64,
				      act_now->name, numbers[i], after[i] - before[i],
				      must_rise(i));
	return true;
}

static void each_kind(struct workload *w)
{
	int64_t pool = workload_number("/proc/sys/vm/nr_hugepages", NULL, 0);
	int done = 0;

	workload_needs_recovery(w);
	w->fd[0] = workload_file(w, 1);
	for (size_t i = 0; i < ACTS; i++) {
		act_now = &acts[i];
		done += check(w);
	}
	/* The pool loses each hugetlb page that is poisoned or goes offline. */
	workload_try_to_set_number("/proc/sys/vm/nr_hugepages", pool);
	if (!done)
		workload_skip(w, "MADV_HWPOISON or MADV_SOFT_OFFLINE (CONFIG_MEMORY_FAILURE)");
	workload_checked(w);
}

CASE(machine_poisoned) {
	.claim =
		"HardwareCorrupted counts each poisoned or soft-offlined page, whether anonymous, shmem, file, huge or hugetlb; the nodes' memory_failure/total (since 6.3) counts only poisoned pages",
	.because = "action_result() calls num_poisoned_pages_inc() and update_per_node_mf_stats(); "
		   "page_handle_poison() and soft_offline_in_use_page() count pages that go "
		   "offline. A hugetlb page counts as one page.",
	.said_by = SAID_BY("proc_meminfo(5), HardwareCorrupted",
			   "Documentation/ABI/testing/sysfs-memory-page-offline"),
	.needs = NEEDS("root", "guest"),
	.flags = CASE_THP | CASE_ONE_CPU | CASE_POISONS,
	.steps = STEPS(STEP_AS(EACH_KIND, "poison one page of each kind", each_kind, .checks = 1)),
};
