// SPDX-License-Identifier: MIT
/* The bits of /proc/kpageflags, by name. */
#ifndef CASES_MACHINE_FLAGS_H
#define CASES_MACHINE_FLAGS_H

#include <rssck/case.h>

/*
 * The bits of include/uapi/linux/kernel-page-flags.h; RESERVED and MLOCKED are in
 * include/linux/kernel-page-flags.h. LARGE is KPF_THP.
 */
/* clang-format off */
#define FLAGS(F)                                                                     \
	F(LOCKED, 0) F(REFERENCED, 2) F(UPTODATE, 3) F(DIRTY, 4) F(LRU, 5)           \
	F(ACTIVE, 6) F(SLAB, 7) F(WRITEBACK, 8) F(BUDDY, 10) F(MMAP, 11) F(ANON, 12) \
	F(SWAPCACHE, 13) F(SWAPBACKED, 14) F(COMPOUND_HEAD, 15)                      \
	F(COMPOUND_TAIL, 16) F(HUGE, 17) F(UNEVICTABLE, 18) F(HWPOISON, 19)          \
	F(NOPAGE, 20) F(LARGE, 22) F(OFFLINE, 23) F(ZERO_PAGE, 24) F(PGTABLE, 26)    \
	F(RESERVED, 32) F(MLOCKED, 33)
/* clang-format on */

#define F(name, bit) static const uint64_t name = 1ULL << (bit);
FLAGS(F)
#undef F

static const struct {
	uint64_t flag;
	const char *name;
} flag_names[] = {
#define F(name, bit) { 1ULL << (bit), #name },
	FLAGS(F)
#undef F
};

static inline const char *flag_name(uint64_t flag)
{
	for (size_t i = 0; i < sizeof(flag_names) / sizeof(*flag_names); i++)
		if (flag_names[i].flag == flag)
			return flag_names[i].name;
	return "?";
}

/* Reads the flags of a frame. Returns 0 if the page is not resident. */
static inline uint64_t flags_of(struct workload *w, int of, uint64_t entry)
{
	uint64_t pfn = PAGEMAP_PFN(entry), flags = 0;

	if (!(entry & PAGEMAP_PRESENT))
		return 0;
	if (!pfn || pread(of, &flags, sizeof(flags), (off_t)(pfn * 8)) != sizeof(flags))
		workload_skip(w, "page frame numbers and /proc/kpageflags");
	return flags;
}

#endif
