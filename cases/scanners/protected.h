// SPDX-License-Identifier: MIT
/*
 * Memory of each kind, in which every second unit is write-protected by userfaultfd, and the tables
 * of what pagemap, PAGEMAP_SCAN and VmFlags should then show.
 */
#ifndef CASES_SCANNERS_PROTECTED_H
#define CASES_SCANNERS_PROTECTED_H

#include <rssck/case.h>

/*
 * A unit is what one entry maps: a page, a huge page or a hugetlb page. Units with even numbers are
 * protected. Units 2n and 2n + 1 are in the same state, the next two in the next state.
 */
enum { SMALL_UNITS = 32, MOST = 3072, VECTOR = 512 };
enum { FINE, WRONG, IMPOSSIBLE, REMAINS };
enum kind {
	ANONYMOUS,
	SPLIT,
	HUGE,
	SHMEM,
	SHMEM_PRIVATE,
	FILE_SHARED,
	FILE_PRIVATE,
	HUGETLB_PRIVATE,
	HUGETLB_SHARED,
	KINDS
};
enum mode { PLAIN, UNPOPULATED, EVENTS, ASYNC, MODES };
enum state { WRITTEN, ABSENT, READ, SWAPPED, STATES };
enum which { NO_PAGE, ALL, FIRST_HALF, SOME, PARTS };

/* A huge page is split before it goes to swap, and reading allocates a hugetlb page. */
static const struct {
	const char *name;
	size_t states;
	bool shared, anonymous, hugetlb;
	enum mode least; /* the first mode that takes this memory */
} kinds[KINDS] = {
	[ANONYMOUS] = { "private anonymous memory", STATES, .anonymous = true },
	[SPLIT] = { "a huge page that is mapped by pages", ABSENT, .anonymous = true },
	[HUGE] = { "huge pages", SWAPPED, .anonymous = true },
	[SHMEM] = { "a shared mapping of a memfd", STATES, .shared = true },
	[SHMEM_PRIVATE] = { "a private mapping of a memfd", STATES },
	[FILE_SHARED] = { "a shared mapping of a file", STATES, .shared = true, .least = ASYNC },
	[FILE_PRIVATE] = { "a private mapping of a file", STATES, .least = ASYNC },
	[HUGETLB_PRIVATE] = { "private hugetlb pages", READ, .hugetlb = true },
	[HUGETLB_SHARED] = { "shared hugetlb pages", READ, .shared = true, .hugetlb = true },
};

static const struct {
	const char *name;
	uint64_t features;
} modes[MODES] = {
	[PLAIN] = { "no feature", 0 },
	[UNPOPULATED] = { "UFFD_FEATURE_WP_UNPOPULATED", UFFD_FEATURE_WP_UNPOPULATED },
	[EVENTS] = { "UFFD_FEATURE_EVENT_FORK and UFFD_FEATURE_EVENT_REMAP",
		     UFFD_FEATURE_EVENT_FORK | UFFD_FEATURE_EVENT_REMAP },
	[ASYNC] = { "UFFD_FEATURE_WP_ASYNC", UFFD_FEATURE_WP_ASYNC | UFFD_FEATURE_WP_UNPOPULATED },
};

struct act {
	const char *name;
	bool (*act)(void);
	enum which clears, gone, unregistered;
	bool forks;   /* a child is looked at, too */
	bool by_mode; /* tried in each mode, and VmFlags are looked at */
	bool drops;   /* the protection of anonymous memory only */
	bool moves;   /* so that only EVENTS keeps it registered */
	bool writes;  /* only if a process or the kernel removes the protection */
	bool remains; /* on some kernels nothing is cleared */
};

static struct {
	struct workload *w;
	enum kind kind;
	enum mode mode;
	const struct act *act;
	char *p;
	size_t page, unit, pages; /* unit: pages of one unit */
	int uffd, fd;             /* fd: the mapped file, or -1 */
	pid_t answers;            /* the process that answers, or 0 */
	enum which gone, unregistered;
	bool is_protected[MOST];
	uint64_t entries[MOST];
	bool written[MOST];
} place;

static size_t bytes(void)
{
	return place.pages * place.page;
}

static enum state state_of(size_t i)
{
	return (enum state)(i / place.unit / 2 % kinds[place.kind].states);
}

/*
 * SOME are half of the even units, of each state if there are enough; PARTS are pages within these,
 * but whole hugetlb pages.
 */
static bool is_in(enum which which, size_t i)
{
	size_t unit = i / place.unit, at = i % place.unit, states = kinds[place.kind].states;
	bool some = unit % 2 == 0 && (unit / 2 % states + unit / 2 / states) % 2 == 0;

	if (which == PARTS && place.unit > 1 && !kinds[place.kind].hugetlb)
		return some && at > place.unit / 4 && at <= place.unit / 2;
	return which == ALL || (which == FIRST_HALF && i < place.pages / 2) ||
	       ((which == SOME || which == PARTS) && some);
}

/* Calls fn() for each range of the pages. */
static bool each_range(enum which which, bool (*fn)(char *p, size_t bytes))
{
	for (size_t i = 0, to; i < place.pages; i = to + 1) {
		for (to = i; to < place.pages && is_in(which, to); to++)
			;
		if (to > i && !fn(place.p + i * place.page, (to - i) * place.page))
			return false;
	}
	return true;
}

static void touch(char *p, bool write)
{
	if (write)
		*(volatile char *)p = 1;
	else
		(void)*(volatile char *)p;
}

static void touch_state(enum state state, bool write)
{
	for (size_t i = 0; i < place.pages; i++)
		if (state_of(i) == state)
			touch(place.p + i * place.page, write);
}

static bool map_kind(const struct workload *w)
{
	bool hugetlb = kinds[place.kind].hugetlb, huge = place.kind == HUGE;
	bool split = place.kind == SPLIT;
	size_t large = hugetlb ? workload_hugetlb_bytes() : w->huge_page_size;
	int flags = kinds[place.kind].shared ? MAP_SHARED : MAP_PRIVATE;

	if (place.fd < 0)
		flags |= MAP_ANONYMOUS | (hugetlb ? MAP_HUGETLB | MAP_NORESERVE : 0);
	place.page = w->page_size;
	place.unit = hugetlb || huge ? large / w->page_size : 1;
	place.pages = split            ? large / w->page_size
		      : place.unit > 1 ? place.unit * 2 * kinds[place.kind].states
				       : SMALL_UNITS;
	errno = ENOTSUP;
	if (!place.pages || place.pages > MOST)
		return false;
	place.p = workload_try_map(bytes() + large, PROT_READ | PROT_WRITE, flags, place.fd);
	if (!place.p)
		return false;
	if (!hugetlb) {
		place.p += large - (uintptr_t)place.p % large;
		madvise(place.p, bytes(), huge || split ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
	}
	return true;
}

/* A fault that gets no hugetlb page kills the process. */
static bool make_states(void)
{
	errno = ENOMEM;
	if (kinds[place.kind].hugetlb && workload_number("/proc/meminfo", "HugePages_Free", 0) <
						 (int64_t)(place.pages / place.unit))
		return false;
	touch_state(WRITTEN, true);
	touch_state(READ, false);
	touch_state(SWAPPED, true);
	for (size_t i = 0; i < place.pages; i += place.unit)
		if (state_of(i) == SWAPPED)
			madvise(place.p + i * place.page, place.unit * place.page, MADV_PAGEOUT);
	return place.kind != SPLIT || (!mprotect(place.p, place.page, PROT_READ) &&
				       !mprotect(place.p, place.page, PROT_READ | PROT_WRITE));
}

static bool read_entries(void)
{
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	size_t size = place.pages * sizeof(*place.entries);
	off_t at = (off_t)((uintptr_t)place.p / place.page * sizeof(*place.entries));
	bool all = fd >= 0 && pread(fd, place.entries, size, at) == (ssize_t)size;

	close(fd);
	return all;
}

/* Returns false if the kernel lacks PAGEMAP_SCAN. */
static bool read_written(uint64_t show)
{
	static struct scan_region regions[VECTOR];
	struct scan_arg arg = { SCAN_OF(place.p, bytes(), regions, VECTOR),
				.category_mask = SCAN_WRITTEN, .return_mask = SCAN_WRITTEN | show };
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC), n = ioctl(fd, SCAN_IOCTL, &arg);

	close(fd);
	memset(place.written, 0, sizeof(place.written));
	for (int i = 0; i < n; i++)
		for (uint64_t at = regions[i].start; at < regions[i].end; at += place.page)
			place.written[(at - (uintptr_t)place.p) / place.page] = true;
	return n >= 0;
}

static const char *const states[STATES] = { "written", "untouched", "read", "paged-out" };

static int wrong(const char *when, size_t i, const char *what)
{
	return workload_say(WRONG, "%s, page %zu (%s%s) %s", when, i, states[state_of(i)],
			    is_in(place.gone, i) ? ", unmapped" : "", what);
}

static int written_must_agree(const char *when, uint64_t show, bool registered)
{
	if (!read_written(show))
		return FINE;
	for (size_t i = 0; i < place.pages; i++) {
		bool there = place.entries[i] & (PAGEMAP_PRESENT | PAGEMAP_SWAP);

		if (place.written[i] && place.is_protected[i])
			return wrong(when, i, "is PAGE_IS_WRITTEN, but protected");
		if (registered && there && !is_in(place.unregistered, i) && !place.written[i] &&
		    !place.is_protected[i])
			return wrong(when, i, "is neither PAGE_IS_WRITTEN nor protected");
	}
	return FINE;
}

static int flag_must_agree(const char *when, size_t i, bool registered)
{
	bool should = registered && !is_in(place.unregistered, i);
	char text[WORKLOAD_SMAPS], *flags;

	if (is_in(place.gone, i))
		return FINE;
	workload_smaps_lines(place.w, place.p + i * place.page, text);
	flags = strstr(text, "VmFlags:");
	if (!flags || !strstr(flags, " uw") == !should)
		return FINE;
	return wrong(when, i, should ? "lacks uw in VmFlags" : "has uw in VmFlags");
}

/* `registered` is false in a process that has nothing registered. */
static int must_be(const char *when, bool registered)
{
	int result = FINE;

	if (!read_entries())
		return workload_say(IMPOSSIBLE, "pagemap: %m");
	for (size_t i = 0; i < place.pages; i++)
		if (!(place.entries[i] & PAGEMAP_UFFD_WP) == place.is_protected[i])
			return wrong(when, i,
				     place.is_protected[i] ? "lacks bit 57 of pagemap"
							   : "has bit 57 of pagemap");
	result = result ? result : written_must_agree(when, 0, registered);
	result = result ? result
			: written_must_agree(when, SCAN_PRESENT | SCAN_SWAPPED, registered);
	return result || !place.act->by_mode ? result
					     : flag_must_agree(when, place.pages - 1, registered);
}

#endif
