// SPDX-License-Identifier: MIT
/*
 * Memory errors: HardwareCorrupted counts each page that is poisoned or soft-offlined, for five
 * kinds of memory; the nodes' memory_failure files count only poisoned pages.
 */
#include "buddyinfo.h"
#include <inttypes.h>
#include <rssck/panics.h>

STEP_SYMBOLS(EACH_KIND);

/* The kernel refuses a page that another CPU holds, so the act is tried several times. */
enum { NODES = 2, TRIES = 5, READINGS = 40, PATH = 96, NO_MEMORY = 255 };

/*
 * Advice of madvise(2); HARD with a second report of the same page, which must change nothing; a
 * report of a page that was just freed.
 */
enum { HARD = 100, SOFT = 101, TWICE, FREED_HARD, FREED_SOFT };

/* Files that take the physical address of a page. */
#define HARD_OFFLINE_PAGE "/sys/devices/system/memory/hard_offline_page"
#define SOFT_OFFLINE_PAGE "/sys/devices/system/memory/soft_offline_page"

enum { CORRUPTED, TOTAL, RECOVERED, NOT_IN_LISTS, NUMBERS };

static const char *const numbers[NUMBERS] = {
	[CORRUPTED] = "meminfo.HardwareCorrupted",
	[TOTAL] = "memory_failure/total",
	[RECOVERED] = "memory_failure/recovered",
	[NOT_IN_LISTS] = "nr_free_pages minus the pages of /proc/buddyinfo",
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
	{ "an anonymous page that is poisoned twice", anonymous, true, TWICE },
	{ "a page of shmem that is poisoned twice", shared, true, TWICE },
	{ "a page of a file that is poisoned twice", of_file, false, TWICE },
	{ "a page of a huge page that is poisoned twice", huge, true, TWICE },
	{ "a hugetlb page that is poisoned twice", hugetlb, true, TWICE },
	{ "an anonymous page that goes offline", anonymous, true, SOFT },
	{ "a page of shmem that goes offline", shared, true, SOFT },
	{ "a page of a file that goes offline", of_file, false, SOFT },
	{ "a page of a huge page that goes offline", huge, true, SOFT },
	{ "a hugetlb page that goes offline", hugetlb, true, SOFT },
	{ "a free page that is poisoned", anonymous, true, FREED_HARD },
	{ "a free page that goes offline", anonymous, true, FREED_SOFT },
};

enum { ACTS = sizeof(acts) / sizeof(*acts) };

static const struct act *act_now;

/* Returns the physical address of the page at p, or 0. */
static uint64_t physical_address(const struct workload *w, const char *p)
{
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	uint64_t at = (uintptr_t)p, entry;
	bool read = pagemap_entries(fd, (long)w->page_size, at, at + w->page_size, &entry) == 1;

	close(fd);
	return read ? PAGEMAP_PFN(entry) * w->page_size : 0;
}

/* Newer kernels return EHWPOISON for a page that is poisoned already. */
static int report(const char *path, uint64_t address)
{
	char text[32];
	int fd = open(path, O_WRONLY | O_CLOEXEC), result;

	snprintf(text, sizeof(text), "0x%" PRIx64, address);
	result = write(fd, text, strlen(text)) < 0 && errno != EHWPOISON ? errno : 0;
	close(fd);
	return result;
}

static int advise(const struct workload *w, char *p, int advice)
{
	for (int i = 0; i < TRIES; i++)
		if (syscall(SYS_madvise, p, w->page_size, advice) == 0)
			return 0;
	return errno;
}

/* Returns 0, an errno, or NO_MEMORY. Runs in a child, which may get SIGBUS. */
static int perform(const struct workload *w)
{
	const char *file = act_now->advice == FREED_SOFT ? SOFT_OFFLINE_PAGE : HARD_OFFLINE_PAGE;
	char *p = act_now->map(w);
	uint64_t address;

	workload_survive_sigbus();
	if (!p)
		return NO_MEMORY;
	if (act_now->writes)
		p[0] = 1;
	else
		(void)*(volatile char *)p;
	if (act_now->advice <= SOFT)
		return advise(w, p, act_now->advice);
	address = physical_address(w, p);
	if (!address || access(file, W_OK) < 0)
		return NO_MEMORY;
	if (act_now->advice != TWICE)
		return munmap(p, w->page_size) < 0 ? errno : report(file, address);
	return advise(w, p, HARD) ? errno : report(file, address);
}

static int64_t pages_in_lists(void)
{
	char text[4096], *at = text;
	int64_t pages, sum = 0;
	int node;

	workload_read_text("/proc/buddyinfo", text, sizeof(text));
	while ((at = buddyinfo_next(at, &node, &pages)))
		sum += pages;
	return sum;
}

/* Reads until the difference is `expected`, because pages are freed and allocated meanwhile. */
static int64_t not_in_lists(int64_t expected)
{
	int64_t differs = expected + 1;

	for (int i = 0; i < READINGS && differs != expected; i++) {
		workload_try_to_set("/proc/sys/vm/stat_refresh", "1");
		differs = workload_number("/proc/vmstat", "nr_free_pages", 0) - pages_in_lists();
	}
	return differs;
}

static void read_numbers(const struct workload *w, int64_t expected, int64_t now[NUMBERS])
{
	char path[PATH];

	now[CORRUPTED] = workload_number("/proc/meminfo", "HardwareCorrupted", -1) * 1024 /
			 (int64_t)w->page_size;
	now[NOT_IN_LISTS] = not_in_lists(expected);
	for (int i = TOTAL; i <= RECOVERED; i++) {
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
	bool soft = act_now->advice == SOFT || act_now->advice == FREED_SOFT;

	if (number == CORRUPTED || number == NOT_IN_LISTS)
		return number == CORRUPTED;
	return !soft && access("/sys/devices/system/node/node0/memory_failure", F_OK) == 0;
}

/* A kernel may count a page again that is reported twice (3be306cccdcc). */
static bool counts_again(int number, int64_t more)
{
	return act_now->advice == TWICE && number <= TOTAL && more == 1;
}

/* Adds to *again if a second report has counted. Returns false if the act is not possible. */
static bool check(struct workload *w, int64_t *again)
{
	int64_t before[NUMBERS], after[NUMBERS];

	read_numbers(w, 0, before);
	if (workload_in_child(w, perform))
		return false;
	read_numbers(w, before[NOT_IN_LISTS], after);
	for (int i = 0; i < NUMBERS; i++) {
		int64_t change = after[i] - before[i], more = change - must_rise(i);

		*again += counts_again(i, more);
		if (more && !counts_again(i, more))
			workload_fail(w, "%s: %s changed by %" PRId64 ", must change by %" PRId64,
				      act_now->name, numbers[i], change, must_rise(i));
	}
	return true;
}

static void each_kind(struct workload *w)
{
	int64_t pool = workload_number("/proc/sys/vm/nr_hugepages", NULL, 0);
	int64_t again = 0, twice = 0;
	int done = 0;

	workload_needs_recovery(w);
	w->fd[0] = workload_file(w, 1);
	for (size_t i = 0; i < ACTS; i++) {
		bool possible;

		act_now = &acts[i];
		possible = check(w, &again);
		done += possible;
		twice += possible && act_now->advice == TWICE;
	}
	/* The pool loses each hugetlb page that is poisoned or goes offline. */
	workload_try_to_set_number("/proc/sys/vm/nr_hugepages", pool);
	if (!done)
		workload_skip(w, "MADV_HWPOISON or MADV_SOFT_OFFLINE (CONFIG_MEMORY_FAILURE)");
	workload_report(w, "twice", twice);
	workload_report(w, "again", again);
	workload_checked(w);
}

static void judge(const struct trial *t, struct judgement *j)
{
	if (trial_reported(t, EACH_KIND, "twice"))
		judge_fact(j, "memory_failure.second_report_of_a_page", "%s",
			   trial_reported(t, EACH_KIND, "again") ? "counts again"
								 : "changes nothing");
}

CASE(machine_poisoned) {
	.claim =
		"HardwareCorrupted counts each poisoned or soft-offlined page, whether free, anonymous, shmem, file, huge or hugetlb, and a free page leaves nr_free_pages and /proc/buddyinfo; the nodes' memory_failure/total (since 6.3) counts only poisoned pages",
	.because = "action_result() calls num_poisoned_pages_inc() and update_per_node_mf_stats(); "
		   "page_handle_poison() and soft_offline_in_use_page() count pages that go "
		   "offline. A hugetlb page counts as one page.",
	.said_by = SAID_BY("proc_meminfo(5), HardwareCorrupted",
			   "Documentation/ABI/testing/sysfs-memory-page-offline"),
	.needs = NEEDS("root", "guest"),
	.flags = CASE_THP | CASE_ONE_CPU | CASE_POISONS,
	.steps = STEPS(STEP_AS(EACH_KIND, "poison one page of each kind", each_kind, .checks = 1)),
	.facts = FACTS(FACT("memory_failure.second_report_of_a_page",
			    "In HardwareCorrupted, a second report of a poisoned page",
			    "changes nothing|counts again")),
	.judge = judge,
};
