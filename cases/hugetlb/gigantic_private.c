// SPDX-License-Identifier: MIT
/*
 * A private hugetlb page of 1 GiB is Private_Hugetlb, and a forked child reads what its parent
 * wrote. Some kernels read a count from the page table that maps the page, although only smaller
 * tables have this count.
 */
#include <rssck/case.h>

STEP_SYMBOLS(FORK);

#ifndef MAP_HUGE_1GB
#define MAP_HUGE_1GB (30 << 26)
#endif

#define GIB   (1UL << 30)
#define POOLS "/sys/kernel/mm/hugepages/hugepages-1048576kB/"

/* The page is mapped at multiples of 512 GiB, each of which needs a page table (PUD) of its own. */
enum { TRIES = 3, TABLE_SHIFT = 39, USED = 64, PAGE = 0, FROM = 0, TO = 1, WRITTEN = 42 };

/* Returns an empty file whose pages are neither reclaimed nor migrated, if there is one. */
static int unmovable_file(struct workload *w)
{
	char name[WORKLOAD_NAME], path[WORKLOAD_NAME + 8];
	int fd = (int)syscall(SYS_memfd_secret, O_CLOEXEC);

	if (fd >= 0)
		return fd;
	snprintf(path, sizeof(path), "/tmp/%s", workload_name(w, name)); /* a ramfs in a guest */
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	workload_must(w, fd, path);
	unlink(path);
	return fd;
}

/*
 * Frees pages that were in a file, at an index other than 0. The kernel uses them for the next page
 * tables and does not clear the index. A page table of another kind has its count in the same
 * place.
 */
static void use_pages(struct workload *w)
{
	size_t bytes = (USED + 1) * w->page_size;
	int fd = unmovable_file(w);
	char *p;

	workload_must(w, ftruncate(fd, (off_t)bytes), "ftruncate");
	p = workload_map(w, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	touch_write(w, p + w->page_size, USED);
	workload_unmap(w, p, bytes);
}

/* write(2) fails where a read of the page would raise SIGBUS. */
static int send_byte(const struct workload *w)
{
	return write(w->fd[TO], w->slot[PAGE], 1) == 1 ? 0 : errno;
}

/* Returns what a child reads, or 0 if it can read nothing. */
static char read_by_child(struct workload *w)
{
	char byte = 0;
	int ends[2], error;

	workload_must(w, pipe2(ends, O_CLOEXEC), "pipe");
	w->fd[FROM] = ends[0];
	w->fd[TO] = ends[1];
	error = workload_in_child(w, send_byte);
	if (error && error != EFAULT)
		workload_fail(w, "write(2) of a byte of the page: errno %d", error);
	if (!error && read(w->fd[FROM], &byte, 1) != 1)
		workload_fail(w, "the child has written nothing");
	close(w->fd[FROM]);
	close(w->fd[TO]);
	return byte;
}

struct seen {
	int64_t shared, exclusive, lost;
};

static void look(struct workload *w, char *p, struct seen *seen)
{
	int64_t shared = workload_smaps_field(w, p, "Shared_Hugetlb");

	if (shared + workload_smaps_field(w, p, "Private_Hugetlb") != (int64_t)(GIB / 1024))
		workload_fail(w, "Shared_Hugetlb and Private_Hugetlb are not 1 GiB together");
	seen->shared += shared > 0;
	seen->exclusive += workload_pages_marked(w, p, 1, PAGEMAP_EXCLUSIVE);
	use_pages(w);
	seen->lost += read_by_child(w) != WRITTEN;
}

/* Maps the page before any table for its address exists, and unmaps it. */
static bool try_at(struct workload *w, uint64_t at, struct seen *seen)
{
	char *p;

	use_pages(w);
	p = mmap((void *)(uintptr_t)at, GIB, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | MAP_HUGE_1GB, -1, 0);
	if (p == MAP_FAILED)
		return false;
	w->slot[PAGE] = p;
	*p = WRITTEN;
	look(w, p, seen);
	munmap(p, GIB);
	return true;
}

/* Maps and frees the page in one step, because a guest may have no second GiB. */
static void fork_child(struct workload *w)
{
	int64_t pool = workload_number(POOLS "nr_hugepages", NULL, -1);
	int64_t reserved = workload_number(POOLS "resv_hugepages", NULL, 0);
	int64_t unused = workload_number(POOLS "free_hugepages", NULL, 0) - reserved;
	struct seen seen = { 0 };
	bool mapped = true;

	if (UINTPTR_MAX >> 1 < 1ULL << TABLE_SHIFT)
		workload_skip(w, "addresses of 64 bits");
	if (unused < 1 && !workload_try_to_set_number(POOLS "nr_hugepages", pool + 1))
		workload_skip(w, POOLS "nr_hugepages");
	workload_pin(w, w->cpus[0]);
	for (uint64_t i = 0; i < TRIES && mapped; i++)
		mapped = try_at(w, (i + 2) << TABLE_SHIFT, &seen);
	if (unused < 1)
		workload_try_to_set_number(POOLS "nr_hugepages", pool);
	if (!mapped)
		workload_skip(w, "a hugetlb page of 1 GiB (rssck vm --memory=4096)");
	workload_report(w, "shared", seen.shared);
	workload_report(w, "exclusive", seen.exclusive);
	workload_report(w, "lost", seen.lost);
	workload_checked(w);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t shared = trial_reported(t, FORK, "shared");

	judge_true(j, FORK, shared + trial_reported(t, FORK, "exclusive") == TRIES,
		   "bit 56 of pagemap is set if smaps counts the page as private");
	judge_fact(j, "hugetlb.private_page_of_1_GiB_is", "%s", shared ? "shared" : "private");
	judge_fact(j, "hugetlb.child_of_a_process_with_a_private_page_of_1_GiB", "%s",
		   trial_reported(t, FORK, "lost") ? "lacks it" : "has it");
}

CASE(hugetlb_gigantic_private) {
	.claim =
		"A private hugetlb page of 1 GiB that one process maps is Private_Hugetlb, bit 56 of pagemap says the same, and a forked child reads what its parent wrote; some kernels count it as Shared_Hugetlb, on some the child does not get it",
	.because =
		"A page table that maps hugetlb pages of 2 MiB (a PMD table) can be shared by processes, and pt_share_count counts them. Since 6.18 or 6.19 smaps, pagemap, mbind(2) and fork(2) read this count to see whether a table is shared, and they read it also for the table that maps a page of 1 GiB (a PUD table). Nothing sets it there: its place holds the index that the page had in its former use. If it is not 0, the page counts as shared, and fork(2) leaves it out. The kernel chooses such pages for the tables if they were freed just before, from a file of memfd_secret(2) or ramfs.",
	.said_by = SAID_BY("proc_pid_smaps(5), Private_Hugetlb", "fork(2)"),
	.needs = NEEDS("guest"),
	.steps = STEPS(STEP_AS(FORK, "write and fork", fork_child, .checks = 1)),
	.facts = FACTS(FACT("hugetlb.private_page_of_1_GiB_is",
			    "In smaps, a private hugetlb page of 1 GiB that one process maps is",
			    "private|shared"),
		       FACT("hugetlb.child_of_a_process_with_a_private_page_of_1_GiB",
			    "After fork, the child of a process with a private hugetlb page of 1 "
			    "GiB",
			    "has it|lacks it")),
	.judge = judge,
};
