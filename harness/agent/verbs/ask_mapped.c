// SPDX-License-Identifier: MIT
/* Verbs: what the kernel says of a mapping that is there for the question alone. */
#include "agent/agent.h"
#include "verbs.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <linux/kernel-page-flags.h>
#include <linux/magic.h>
#include <rssck/source.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

/* All of a shmem file, in pages; 0, and the act has failed: it is none, or empty. */
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

/* Swap of a mapping of the whole file that nobody touches, in pages; -1: it could not be made. */
static int64_t swap_of(struct worker *k, char *at, int fd, size_t pages, int flags)
{
	void *p = mmap(at, pages * k->page, PROT_READ | PROT_WRITE, flags | MAP_FIXED, fd, 0);

	act_result(k, p == MAP_FAILED ? -1 : 0);
	return p == MAP_FAILED ? -1 : workload_pages_in_swap(k->w, p);
}

/*
 * smaps asks the file for what page tables do not have: in a shared mapping for all of it at
 * once, in a private one that can be written hole by hole (smaps_pte_hole()).
 */
void verb_swap_ask(struct worker *k, const struct act *a)
{
	int fd = act_file(k, a);
	size_t pages = shmem_pages(k, fd), align = k->w->huge_page_size, bytes;
	char *p, *at;
	int64_t after;

	if (!pages)
		return;
	/* As the file's huge pages are aligned: no large swap entry is cut (FINDINGS 40). */
	bytes = pages * k->page + align;
	p = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	act_result(k, p == MAP_FAILED ? -1 : 0);
	if (p == MAP_FAILED)
		return;
	at = align ? p + -(uintptr_t)p % align : p;
	k->outcome.expected = swap_of(k, at, fd, pages, MAP_SHARED);
	k->outcome.seen = swap_of(k, at, fd, pages, MAP_PRIVATE);
	after = swap_of(k, at, fd, pages, MAP_SHARED);
	munmap(p, bytes);
	/* Reclaim has been there. */
	errno = EAGAIN;
	act_result(k, after == k->outcome.expected ? 0 : -1);
}

enum { ENTRIES = 256, RING_PAGES = 4 };

/* The flags of the frames that are mapped there, of so many as can be seen. */
static void count_huge(struct worker *k, const char *ring, size_t pages)
{
	int flags = open("/proc/kpageflags", O_RDONLY | O_CLOEXEC);
	uint64_t words[RING_PAGES], of;
	int64_t seen = 0;

	if (flags < 0 || act_entries(k, ring, pages, words))
		pages = 0;
	for (size_t i = 0; i < pages; i++) {
		if (!(words[i] & PAGEMAP_PRESENT) || !PAGEMAP_PFN(words[i]) ||
		    kpage_word(flags, PAGEMAP_PFN(words[i]), &of))
			continue;
		seen++;
		k->outcome.seen += of >> KPF_THP & 1;
	}
	if (flags >= 0)
		close(flags);
	errno = ENODATA;
	act_result(k, seen ? 0 : -1);
}

/* A driver's pages, in blocks of several: page cache and anonymous memory alone are huge pages. */
void verb_ring(struct worker *k, const struct act *a)
{
	struct io_uring_params p = { .flags = 0 };
	int fd = (int)syscall(SYS_io_uring_setup, ENTRIES, &p);
	size_t bytes = ENTRIES * sizeof(struct io_uring_sqe);
	char *ring;

	(void)a;
	act_result(k, fd);
	if (fd < 0)
		return;
	if (bytes > RING_PAGES * k->page)
		bytes = RING_PAGES * k->page;
	ring = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd,
		    IORING_OFF_SQES);
	act_result(k, ring == MAP_FAILED ? -1 : 0);
	if (ring != MAP_FAILED) {
		count_huge(k, ring, (bytes + k->page - 1) / k->page);
		munmap(ring, bytes);
	}
	close(fd);
}
