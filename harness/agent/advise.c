// SPDX-License-Identifier: MIT
/*
 * Brings memory into states that the kernel may refuse: swapped out, in huge pages, in large
 * folios. If it refuses, most functions skip the case, because a refusal is not an accounting
 * error.
 */
#include "agent.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * PATIENCE_S allows for swap on a slow disk. If no page at all is swapped out, TRIES_IN_VAIN tries
 * (a quarter of a second) are enough.
 */
enum { PATIENCE_S = 5, TRIES_IN_VAIN = 16 };

static void page_out(struct workload *w, void *p, size_t pages)
{
	if (madvise(p, pages * w->page_size, MADV_PAGEOUT) < 0)
		workload_skip(w, "MADV_PAGEOUT (Linux 5.4): %s", strerror(errno));
}

/*
 * Skips the case if more tries are useless. A slow disk does not delay swap entries, because they
 * are set before the page is written. sysinfo(2) is used, because a container may hide /proc/swaps.
 */
static void must_not_be_in_vain(struct workload *w, int64_t swapped, size_t pages, unsigned tries)
{
	struct sysinfo si = { .totalswap = 1 };

	sysinfo(&si);
	if (swapped == 0 && (!si.totalswap || tries > TRIES_IN_VAIN))
		workload_skip(w, "swap (MADV_PAGEOUT swapped out none of %zu pages)", pages);
}

/* Repeats MADV_PAGEOUT, because it skips pages under writeback. */
void workload_page_out(struct workload *w, void *p, size_t pages)
{
	struct patience patience = { .seconds = PATIENCE_S };

	for (unsigned tries = 1;; tries++) {
		int64_t swapped;

		page_out(w, p, pages);
		swapped = workload_pages_swapped(w, p, pages);
		/*
		 * Also stop if no page is present, although pagemap does not show all as swapped:
		 * the judge reports that.
		 */
		if (swapped == (int64_t)pages || workload_pages_present(w, p, pages) == 0)
			return;
		must_not_be_in_vain(w, swapped, pages, tries);
		workload_wait(w, &patience,
			      "swap that takes %zu pages (MADV_PAGEOUT swapped out only %lld)",
			      pages, (long long)swapped);
	}
}

/*
 * Repeats MADV_PAGEOUT, because the kernel skips a page to which another process has a temporary
 * reference.
 */
void workload_reclaim(struct workload *w, void *p, size_t pages)
{
	struct patience patience = { .seconds = PATIENCE_S };

	do
		page_out(w, p, pages);
	while (workload_pages_present(w, p, pages) && workload_pause(&patience));
}

void workload_page_out_shmem(struct workload *w, void *p, size_t pages)
{
	struct patience patience = { .seconds = PATIENCE_S };

	for (unsigned tries = 1;; tries++) {
		int64_t swapped;

		page_out(w, p, pages);
		swapped = workload_pages_in_swap(w, p);
		if (swapped == (int64_t)pages)
			return;
		must_not_be_in_vain(w, swapped, pages, tries);
		workload_wait(w, &patience, "swap that takes %zu pages of shmem", pages);
		/*
		 * MADV_PAGEOUT sees only mapped pages. A page that it unmapped may still be in
		 * memory, so map all pages again.
		 */
		touch_read(w, p, pages);
	}
}

void *workload_try_aligned_map(size_t bytes, size_t alignment, int fd)
{
	uintptr_t p = (uintptr_t)workload_try_map(bytes + alignment, PROT_NONE, MAP_PRIVATE, -1);
	char *aligned = (char *)((p + alignment - 1) / alignment * alignment);

	if (!p)
		return NULL;
	munmap((void *)p, bytes + alignment);
	p = (uintptr_t)mmap(aligned, bytes, PROT_READ | PROT_WRITE,
			    MAP_FIXED | (fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED), fd, 0);
	return (void *)p == MAP_FAILED ? NULL : (void *)p;
}

void *workload_aligned_map(struct workload *w, size_t bytes, size_t alignment, int fd)
{
	void *p = workload_try_aligned_map(bytes, alignment, fd);

	if (!p)
		workload_skip(w, "a mapping of %zu MiB: %s", bytes >> 20, strerror(errno));
	workload_remember(w, p, bytes);
	return p;
}

void *workload_huge_map(struct workload *w, size_t huge_pages, int fd)
{
	if (!w->huge_page_size)
		workload_skip(w, "transparent huge pages");
	return workload_aligned_map(w, huge_pages * w->huge_page_size, w->huge_page_size, fd);
}

bool workload_try_huge_write(struct workload *w, void *p, size_t huge_pages)
{
	size_t huge = w->huge_page_size, pages = huge_pages * huge / w->page_size;
	char *at = p;

	if (madvise(p, huge_pages * huge, MADV_HUGEPAGE) < 0)
		return false;
	for (size_t i = 0; i < huge_pages; i++)
		touch_write(w, at + i * huge + huge / 2, 1);
	if (workload_pages_present(w, p, pages) == (int64_t)pages)
		return true;
	errno = ENOMEM;
	return false;
}

void workload_huge_write(struct workload *w, void *p, size_t huge_pages)
{
	if (!workload_try_huge_write(w, p, huge_pages))
		workload_skip(w,
			      "a huge page: %s (huge pages may be disabled, or memory fragmented)",
			      strerror(errno));
	if (madvise(p, huge_pages * w->huge_page_size, MADV_NOHUGEPAGE) < 0)
		workload_die(w, "MADV_NOHUGEPAGE: %s", strerror(errno));
}

void *workload_huge_page(struct workload *w)
{
	void *p = workload_huge_map(w, 1, -1);

	workload_huge_write(w, p, 1);
	workload_expect(w, VIRT_DATA(w->huge), ANON_HUGE(w->huge));
	return p;
}

/* If use_zero_page is 0, a read allocates a huge page. */
void workload_need_huge_zero_page(struct workload *w)
{
	if (!workload_number("/sys/kernel/mm/transparent_hugepage/use_zero_page", NULL, 1))
		workload_skip(w, "the huge zero page (use_zero_page is 0)");
}

void *workload_huge_zero_page(struct workload *w)
{
	void *p = workload_huge_map(w, 1, -1);

	workload_need_huge_zero_page(w);
	if (madvise(p, w->huge_page_size, MADV_HUGEPAGE) < 0)
		workload_skip(w, "MADV_HUGEPAGE: %s", strerror(errno));
	touch_read(w, p, 1);
	if (workload_pages_present(w, p, (size_t)w->huge) != w->huge)
		workload_skip(w, "the huge zero page (memory is fragmented)");
	workload_expect(w, VIRT_DATA(w->huge), ZERO_READ(w->huge));
	return p;
}

bool workload_swaps_to_zram(void)
{
	FILE *f = fopen("/proc/swaps", "re");
	char line[256];
	bool all = f && fgets(line, sizeof(line), f);

	while (all && fgets(line, sizeof(line), f))
		all = !strncmp(line, "/dev/zram", 9);
	if (f)
		fclose(f);
	return all;
}

void *workload_folios(struct workload *w, size_t folios, size_t bytes)
{
	size_t pages = folios * (bytes / w->page_size);
	char *p;

	if (!bytes)
		return NULL;
	p = workload_aligned_map(w, folios * bytes, bytes, -1);
	/* Advise one folio at a time: a larger range could get a huge page. */
	for (size_t i = 0; i < folios && madvise(p + i * bytes, bytes, MADV_HUGEPAGE) == 0; i++)
		touch_write(w, p + i * bytes, 1);
	if (workload_pages_present(w, p, pages) == (int64_t)pages)
		return p;
	workload_forget(w, p);
	munmap(p, folios * bytes);
	return NULL;
}

const char *workload_folio_setting(const struct workload *w, const char *name,
				   char path[WORKLOAD_SETTING])
{
	snprintf(path, WORKLOAD_SETTING, "/sys/kernel/mm/transparent_hugepage/hugepages-%zukB/%s",
		 workload_folio_bytes(w) >> 10, name);
	return path;
}

void *workload_large_folios(struct workload *w, size_t nr)
{
	int64_t pages = (int64_t)nr * WORKLOAD_FOLIO_PAGES;
	void *p = workload_folios(w, nr, workload_folio_bytes(w));
	char setting[WORKLOAD_SETTING];

	if (!p)
		workload_skip(
			w, "an anonymous folio of %zu kB (Linux 6.8; %s, or memory is fragmented)",
			workload_folio_bytes(w) >> 10,
			workload_folio_setting(w, "enabled", setting));
	workload_expect(w, VIRT_DATA(pages), ANON_WRITE(pages));
	return p;
}

/*
 * Retries MADV_COLLAPSE on errors that may be temporary, such as an extra reference to a page, or
 * no free huge page.
 */
void workload_collapse(struct workload *w, void *p, size_t bytes)
{
	struct patience patience = { .seconds = PATIENCE_S };

	while (madvise(p, bytes, MADV_COLLAPSE) < 0) {
		int error = errno;

		if ((error != EAGAIN && error != ENOMEM && error != EBUSY) ||
		    !workload_pause(&patience))
			workload_skip(w, "MADV_COLLAPSE (Linux 6.1): %s", strerror(error));
	}
}

bool workload_shares_by_folio(struct workload *w, void *folio)
{
	int here[2], there[2];
	char byte = 0;
	bool by_folio;
	pid_t pid;

	if (pipe(here) < 0 || pipe(there) < 0 || (pid = fork()) < 0)
		workload_die(w, "a process to share with: %s", strerror(errno));
	if (pid == 0) {
		close(there[1]);
		munmap(folio, w->page_size);
		if (write(here[1], &byte, 1) == 1)
			(void)!read(there[0], &byte, 1);
		_exit(0);
	}
	close(here[1]);
	(void)!read(here[0], &byte, 1);
	by_folio = workload_pages_private(w, folio) == 0;
	close(here[0]);
	close(there[0]);
	close(there[1]);
	waitpid(pid, NULL, 0);
	return by_folio;
}
