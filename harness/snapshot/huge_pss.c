// SPDX-License-Identifier: MIT
/*
 * Tests whether Pss includes a huge page. smaps_account() shifts the page's size left by PSS_SHIFT
 * in an unsigned long. With 32 bits the result is 0 for a huge page.
 */
#define _GNU_SOURCE
#include "probes.h"
#include <fcntl.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { PSS_SHIFT = 12 };

struct wanted {
	uint64_t at;
	bool lacks;
};

static int look(const struct mapping *m, void *arg)
{
	struct wanted *w = arg;
	int64_t huge = mapping_smaps(m, METRIC_SMAPS_ANONHUGEPAGES);

	if (m->start <= w->at && w->at < m->end)
		w->lacks = huge && mapping_private(m) - mapping_smaps(m, METRIC_SMAPS_PSS) == huge;
	return 0;
}

static bool is_left_out(const void *page)
{
	int fd = open("/proc/self/smaps", O_RDONLY | O_CLOEXEC);
	struct wanted w = { .at = (uintptr_t)page };
	struct source_error ignored;

	if (fd < 0)
		return false;
	smaps_each(fd, look, &w, &ignored);
	close(fd);
	return w.lacks;
}

/*
 * True if Pss in smaps lacks the huge page. Allows huge pages during the test, even if
 * PR_SET_THP_DISABLE has forbidden them.
 */
static bool is_lost(void *page, size_t huge)
{
	int forbidden = prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0);
	bool lost;

	if (forbidden > 0)
		prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0);
	madvise(page, huge, MADV_HUGEPAGE);
	*(volatile char *)page = 1;
	lost = is_left_out(page);
	if (forbidden > 0)
		prctl(PR_SET_THP_DISABLE, 1, forbidden & ~1, 0, 0);
	return lost;
}

bool pss_loses_huge_page(const struct host *h)
{
	size_t huge = (size_t)h->huge_page_size;
	bool lost;
	char *p, *page;

	/*
	 * A program's long is never longer than its kernel's. So if the shift does not overflow a
	 * long here, it does not in the kernel.
	 */
	if (!huge || huge <= ULONG_MAX >> PSS_SHIFT)
		return false;
	p = mmap(NULL, 2 * huge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return false;
	page = (char *)(((uintptr_t)p + huge - 1) / huge * huge);
	lost = is_lost(page, huge);
	munmap(p, 2 * huge);
	return lost;
}
