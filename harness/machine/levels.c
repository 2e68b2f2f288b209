// SPDX-License-Identifier: MIT
/*
 * Finds out which levels of page tables the kernel counts. 6.1 counts only those of the two lower
 * levels, and only they have KPF_PGTABLE; VmPTE counts the third level, too. 6.18 counts all.
 */
#include "levels.h"
#include "base/kernel_file.h"
#include "reading.h"
#include <sys/mman.h>
#include <unistd.h>

enum { AREAS = 200, TRIES = 3 };

/* A page table of the third level maps this much, with pages of 4 KiB. */
#define FAR (1ULL << 39)

static int64_t own_kb(void)
{
	return kernel_number("/proc/self/status", "VmPTE", -1);
}

static int64_t counted_kb(int64_t page_kb)
{
	int64_t pages = machine_refresh(STAT_REFRESH)
				? kernel_number("/proc/vmstat", "nr_page_table_pages", -1)
				: -1;

	return pages < 0 ? -1 : pages * page_kb;
}

enum levels levels_judge(int64_t own, int64_t counted, int64_t upper)
{
	int64_t missing = own - counted;

	if (own < upper)
		return LEVELS_UNKNOWN;
	if (missing < upper / 4)
		return missing > -upper / 4 ? LEVELS_ALL : LEVELS_UNKNOWN;
	return missing > upper * 3 / 4 && missing < upper * 5 / 4 ? LEVELS_LOWER : LEVELS_UNKNOWN;
}

/* Other processes change the counter, too, so the result may be unknown. */
static enum levels try_once(size_t page)
{
	int64_t kb = (int64_t)page / 1024, own = own_kb(), counted = counted_kb(kb), upper = 0;
	enum levels found = LEVELS_UNKNOWN;
	char *at[AREAS];

	for (size_t i = 0; i < AREAS; i++) {
		void *wanted = (void *)(uintptr_t)((i + 1) * FAR);

		at[i] = mmap(wanted, page, PROT_READ,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
		if (at[i] == MAP_FAILED)
			continue;
		(void)*(volatile char *)at[i];
		upper += kb;
	}
	if (own >= 0 && counted >= 0)
		found = levels_judge(own_kb() - own, counted_kb(kb) - counted, upper);
	for (size_t i = 0; i < AREAS; i++)
		if (at[i] != MAP_FAILED)
			munmap(at[i], page);
	return upper < AREAS / 2 * kb ? LEVELS_UNKNOWN : found;
}

enum levels levels_counted(void)
{
	enum levels found = LEVELS_UNKNOWN;

	for (int i = 0; i < TRIES && found == LEVELS_UNKNOWN; i++)
		found = try_once((size_t)sysconf(_SC_PAGESIZE));
	return found;
}
