// SPDX-License-Identifier: MIT
/*
 * The kinds of pages that machine/pages_asked asks about, the answers that it expects, and the
 * calls.
 */
#ifndef CASES_MACHINE_PAGE_KINDS_H
#define CASES_MACHINE_PAGE_KINDS_H

#include <linux/mempolicy.h>
#include <rssck/case.h>
#include <sys/auxv.h>

enum { FILE_PAGES = 4, MOST_PAGES = 32 };
/*
 * Answers beside -errno: on its node, moved to the other node, in core, not in core or on no node,
 * and that the kernel chooses.
 */
enum { HERE = 100, THERE, IN, OUT, LEARN };
enum call { QUERY, MOVE, MAPS, CORE, NODE, CALLS };

static const char *const calls[] = { "move_pages that asks", "move_pages that moves", "numa_maps",
				     "mincore", "get_mempolicy" };

static size_t page, table, hugetlb;
static unsigned here; /* the node of the CPU, on which all pages are allocated */

/* ---- kinds of pages; each returns the address that is asked about, or NULL ---- */

static char *map(int prot, int flags, int fd)
{
	return workload_try_map(page, prot, flags, fd);
}

static char *map_and_touch(const struct workload *w, int prot, int flags, int fd)
{
	char *p = map(prot, flags, fd);

	if (p && prot & PROT_WRITE)
		touch_write(w, p, 1);
	else if (p)
		touch_read(w, p, 1);
	return p;
}

/* Memory that shares no page table with another mapping, aligned to what a page table maps. */
static char *map_alone(void)
{
	char *p = workload_try_map(4 * table, PROT_NONE, MAP_PRIVATE | MAP_NORESERVE, -1);

	if (!p)
		return NULL;
	p += 2 * table - (uintptr_t)p % table;
	madvise(p, table, MADV_NOHUGEPAGE);
	return mprotect(p, table, PROT_READ | PROT_WRITE) ? NULL : p;
}

static char *untouched(const struct workload *unused)
{
	(void)unused;
	return map_alone();
}

static char *written(const struct workload *w)
{
	char *p = map_alone();

	if (p)
		touch_write(w, p, 1);
	return p;
}

static char *beside_written(const struct workload *w)
{
	char *p = written(w);

	return p ? p + page : NULL;
}

static char *unaligned(const struct workload *w)
{
	char *p = written(w);

	return p ? p + 1 : NULL;
}

static char *zero(const struct workload *w)
{
	char *p = map_alone();

	if (p)
		touch_read(w, p, 1);
	return p;
}

static char *no_access(const struct workload *w)
{
	char *p = written(w);

	return p && !mprotect(p, page, PROT_NONE) ? p : NULL;
}

static char *locked(const struct workload *w)
{
	char *p = written(w);

	return p && !mlock(p, page) ? p : NULL;
}

static char *lazily_freed(const struct workload *w)
{
	char *p = written(w);

	return p && !madvise(p, page, MADV_FREE) ? p : NULL;
}

static char *swapped(const struct workload *w)
{
	char *p = written(w);
	unsigned char in = 1;

	return p && !madvise(p, page, MADV_PAGEOUT) && !mincore(p, page, &in) && !in ? p : NULL;
}

static char *of_file(const struct workload *w)
{
	return map_and_touch(w, PROT_READ, MAP_PRIVATE, w->fd[0]);
}

static char *of_file_copied(const struct workload *w)
{
	return map_and_touch(w, PROT_READ | PROT_WRITE, MAP_PRIVATE, w->fd[0]);
}

static char *mapped_twice(const struct workload *w)
{
	char *p = map_and_touch(w, PROT_READ, MAP_SHARED, w->fd[1]);

	return map_and_touch(w, PROT_READ, MAP_SHARED, w->fd[1]) ? p : NULL;
}

static char *beyond_end(const struct workload *w)
{
	char *p = workload_try_map((FILE_PAGES + 2) * page, PROT_READ, MAP_SHARED, w->fd[0]);

	return p ? p + FILE_PAGES * page : NULL;
}

static char *of_shmem(const struct workload *w)
{
	return map_and_touch(w, PROT_READ | PROT_WRITE, MAP_SHARED, -1);
}

static char *of_shmem_unmapped(const struct workload *w)
{
	int fd = workload_shmem_or_none(w, 1);

	return fd >= 0 && pwrite(fd, "x", 1, 0) == 1 ? map(PROT_READ | PROT_WRITE, MAP_SHARED, fd)
						     : NULL;
}

static char *of_shmem_hole(const struct workload *w)
{
	int fd = workload_shmem_or_none(w, 1);

	return fd >= 0 ? map(PROT_READ | PROT_WRITE, MAP_SHARED, fd) : NULL;
}

static bool is_huge(char *p, bool by_read)
{
	unsigned char in[2] = { 0 };

	if (madvise(p, table, MADV_HUGEPAGE))
		return false;
	if (by_read)
		(void)*(volatile char *)p;
	else
		*(volatile char *)p = 1;
	return !mincore(p + table - 2 * page, 2 * page, in) && in[0] && in[1];
}

static char *head(const struct workload *unused)
{
	char *p = map_alone();

	(void)unused;
	return p && is_huge(p, false) ? p : NULL;
}

static char *tail(const struct workload *w)
{
	char *p = head(w);

	return p ? p + 3 * page : NULL;
}

static char *huge_zero(const struct workload *unused)
{
	char *p = map_alone();

	(void)unused;
	return p && is_huge(p, true) ? p : NULL;
}

static char *pool_untouched(const struct workload *unused)
{
	(void)unused;
	return hugetlb ? workload_try_map(hugetlb, PROT_READ | PROT_WRITE,
					  MAP_PRIVATE | MAP_HUGETLB, -1)
		       : NULL;
}

static char *pool_head(const struct workload *w)
{
	char *p = pool_untouched(w);

	if (p)
		touch_write(w, p, 1);
	return p;
}

static char *pool_tail(const struct workload *w)
{
	char *p = pool_head(w);

	return p ? p + 5 * page : NULL;
}

static char *no_mapping(const struct workload *w)
{
	char *p = written(w);

	return p && !munmap(p, page) ? p : NULL;
}

static char *of_kernel(const struct workload *unused)
{
	(void)unused;
	return (char *)(UINTPTR_MAX - 2 * page + 1);
}

static char *vdso(const struct workload *unused)
{
	(void)unused;
	return (char *)getauxval(AT_SYSINFO_EHDR);
}

static const struct kind {
	const char *name;
	char *(*make)(const struct workload *w);
	int answer[CALLS];
} kinds[] = {
	{ "a written page", written, { HERE, THERE, HERE, IN, HERE } },
	{ "an address inside a page", unaligned, { HERE, THERE, HERE, -EINVAL, HERE } },
	{ "an untouched page", untouched, { LEARN, LEARN, OUT, OUT, HERE } },
	{ "an untouched page beside a written one",
	  beside_written,
	  { LEARN, LEARN, HERE, OUT, HERE } },
	{ "the zero page", zero, { -EFAULT, -EFAULT, OUT, IN, HERE } },
	{ "a page without access", no_access, { LEARN, LEARN, HERE, IN, -EFAULT } },
	{ "a locked page", locked, { HERE, THERE, HERE, IN, HERE } },
	{ "a page after MADV_FREE", lazily_freed, { HERE, THERE, HERE, IN, HERE } },
	{ "a page on swap", swapped, { -ENOENT, -ENOENT, OUT, OUT, HERE } },
	{ "a page of a file", of_file, { HERE, THERE, HERE, IN, HERE } },
	{ "a copied page of a file", of_file_copied, { HERE, THERE, HERE, IN, HERE } },
	{ "a page of a file, mapped twice", mapped_twice, { HERE, -EACCES, HERE, IN, HERE } },
	{ "a page beyond the end of a file",
	  beyond_end,
	  { -ENOENT, -ENOENT, LEARN, OUT, -EFAULT } },
	{ "a shmem page", of_shmem, { HERE, THERE, HERE, IN, HERE } },
	{ "an unmapped shmem page", of_shmem_unmapped, { -ENOENT, -ENOENT, OUT, IN, HERE } },
	{ "a hole of shmem", of_shmem_hole, { -ENOENT, -ENOENT, OUT, OUT, HERE } },
	{ "the first page of a huge page", head, { HERE, THERE, HERE, IN, HERE } },
	{ "a page inside a huge page", tail, { HERE, THERE, HERE, IN, HERE } },
	{ "the huge zero page", huge_zero, { -EFAULT, -EFAULT, OUT, IN, HERE } },
	{ "an untouched hugetlb page", pool_untouched, { -ENOENT, -ENOENT, OUT, OUT, HERE } },
	{ "the first page of a hugetlb page", pool_head, { HERE, THERE, HERE, IN, HERE } },
	{ "a page inside a hugetlb page", pool_tail, { HERE, LEARN, HERE, IN, HERE } },
	{ "no mapping", no_mapping, { -EFAULT, -EFAULT, OUT, -ENOMEM, -EFAULT } },
	{ "an address of the kernel", of_kernel, { -EFAULT, -EFAULT, OUT, -ENOMEM, -EFAULT } },
	{ "the vdso", vdso, { LEARN, LEARN, LEARN, IN, HERE } },
};

enum { KINDS = sizeof(kinds) / sizeof(*kinds) };

/* ---- the calls ---- */

static int named(int status)
{
	return status == (int)here ? HERE : status == (int)!here ? THERE : status;
}

/*
 * Asks about, or moves to a node, n pages of process `of` in one call. Returns what the call
 * returns, or -errno. A status that the kernel does not write is -EDOM.
 */
static int pages_call(pid_t of, int n, void **at, int to, int how, int *status)
{
	int node[MOST_PAGES], result;

	for (int i = 0; i < n; i++) {
		node[i] = to;
		status[i] = -EDOM;
	}
	result = (int)syscall(SYS_move_pages, (long)of, (long)n, at, to < 0 ? NULL : node, status,
			      (long)how);
	for (int i = 0; i < n; i++)
		status[i] = named(status[i]);
	return result < 0 ? -errno : result;
}

static int alone(char *at, int to)
{
	void *one[1] = { at };
	int status, result = pages_call(0, 1, one, to, MPOL_MF_MOVE, &status);

	return result ? result : status;
}

static int in_core(char *at)
{
	unsigned char in;

	return mincore(at, page, &in) ? -errno : in & 1 ? IN : OUT;
}

/* The kernel faults the page in. */
static int node_of(char *at)
{
	int node;

	return syscall(SYS_get_mempolicy, &node, NULL, 0L, at, (long)(MPOL_F_NODE | MPOL_F_ADDR))
		       ? -errno
		       : named(node);
}

static const char *text_of(int answer)
{
	static const char *const texts[] = { "here", "there", "in core", "nothing" };

	return answer >= HERE ? texts[answer - HERE] : answer < 0 ? strerror(-answer) : "a count";
}

#endif
