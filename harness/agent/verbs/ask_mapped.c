// SPDX-License-Identifier: MIT
/* Implements verbs that map a file only to check what the kernel reports about the mapping. */
#include "agent/agent.h"
#include "verbs.h"
#include <errno.h>
#include <linux/io_uring.h>
#include <linux/magic.h>
#include <rssck/source.h>
#include <sys/stat.h>
#include <sys/vfs.h>

/*
 * Returns the size of a shmem file in pages. If the file is empty or is not shmem, returns 0, and
 * the operation fails.
 */
static size_t shmem_pages(struct worker *k, int fd)
{
	struct statfs fs;
	struct stat st = { .st_size = 0 };

	act_result(k, fd);
	if (fd < 0)
		return 0;
	errno = EINVAL;
	if (fstatfs(fd, &fs) < 0 || fs.f_type != TMPFS_MAGIC || fstat(fd, &st) < 0 || !st.st_size)
		act_result(k, -1);
	return k->outcome.error ? 0 : ((size_t)st.st_size + k->page - 1) / k->page;
}

/*
 * Maps the whole file, and returns Swap of that untouched mapping in pages; -1 if it cannot be
 * mapped.
 */
static int64_t swap_of(struct worker *k, char *at, int fd, size_t pages, int flags)
{
	void *p = mmap(at, pages * k->page, PROT_READ | PROT_WRITE, flags | MAP_FIXED, fd, 0);

	act_result(k, p == MAP_FAILED ? -1 : 0);
	return p == MAP_FAILED ? -1 : workload_pages_in_swap(k->w, p);
}

/*
 * Compares Swap of a shared and of a private mapping of the same file. Swapped shmem has no page
 * table entry, so smaps gets the number from the file. For a shared mapping it adds the file's
 * total; for a writable private one it looks up the file's swapped pages behind each hole in the
 * page table (smaps_pte_hole()).
 */
void verb_swap_ask(struct worker *k, const struct act *a)
{
	int fd = act_file(k, a);
	size_t pages = shmem_pages(k, fd), align = k->w->huge_page_size, bytes;
	char *p, *at;
	int64_t after;

	if (!pages)
		return;
	/*
	 * The mapping is aligned like the file's huge pages, so that it cuts no large swap entry
	 * (FINDINGS 40).
	 */
	bytes = pages * k->page + align;
	p = workload_try_map(bytes, PROT_NONE, MAP_PRIVATE | MAP_NORESERVE, -1);
	act_result(k, p ? 0 : -1);
	if (!p)
		return;
	at = align ? p + -(uintptr_t)p % align : p;
	k->outcome.expected = swap_of(k, at, fd, pages, MAP_SHARED);
	k->outcome.seen = swap_of(k, at, fd, pages, MAP_PRIVATE);
	after = swap_of(k, at, fd, pages, MAP_SHARED);
	munmap(p, bytes);
	/* EAGAIN: reclaim or swap-in changed the number meanwhile. */
	errno = EAGAIN;
	act_result(k, after == k->outcome.expected ? 0 : -1);
}
