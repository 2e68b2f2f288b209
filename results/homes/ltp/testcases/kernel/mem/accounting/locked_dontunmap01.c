// SPDX-License-Identifier: GPL-2.0-or-later
/*\
 * Verify that VmLck does not change when mremap(2) moves locked memory with
 * MREMAP_DONTUNMAP: the new mapping is locked, the old one stays mapped but is
 * no longer locked.
 *
 * [Algorithm]
 *
 * - Lock pages, read VmLck from /proc/self/status
 * - Move them with MREMAP_MAYMOVE | MREMAP_DONTUNMAP
 * - VmLck must not have changed
 * - Unmap both mappings, VmLck must be back at its first value
 */

#define _GNU_SOURCE
#include <sys/mman.h>
#include "tst_test.h"
#include "lapi/mmap.h"

#ifndef MREMAP_DONTUNMAP
# define MREMAP_DONTUNMAP 4
#endif

#define PAGES 16

static long locked_kb(void)
{
	long kb;

	SAFE_FILE_LINES_SCANF("/proc/self/status", "VmLck: %ld kB", &kb);
	return kb;
}

static void run(void)
{
	size_t size = PAGES * getpagesize();
	long first = locked_kb(), kb = size / 1024;
	char *new, *old = SAFE_MMAP(NULL, size, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	SAFE_MLOCK(old, size);
	TST_EXP_EQ_LI(locked_kb(), first + kb);

	new = mremap(old, size, size, MREMAP_MAYMOVE | MREMAP_DONTUNMAP);
	if (new == MAP_FAILED)
		tst_brk(TCONF | TERRNO, "MREMAP_DONTUNMAP is not supported");

	TST_EXP_EQ_LI(locked_kb(), first + kb);

	SAFE_MUNMAP(new, size);
	SAFE_MUNMAP(old, size);
	TST_EXP_EQ_LI(locked_kb(), first);
}

static struct tst_test test = {
	.test_all = run,
	.min_kver = "5.7",
	.needs_root = 1,
	.tags = (const struct tst_tag[]) {
		{"linux-git", "397432cab17b"},
		{}
	}
};
