// SPDX-License-Identifier: MIT
/*
 * The kernel handles consecutive entries of a large folio in one batch. Their bits must be those of
 * small pages after the same acts.
 */
#include "base/kernel_file.h"
#include <rssck/case.h>

STEP_SYMBOLS(WRITTEN, FREED);

enum { FINE, WRONG, IMPOSSIBLE, SPREAD };
enum { LARGE, SMALL, SIDES, MOST = 512 };

static const char *const sides[SIDES] = { "of a large folio", "that is small" };

/* What is done to a page of both sides: it is written after clear_refs 4, or write-protected. */
enum { IS_WRITTEN = 1, IS_PROTECTED = 2 };

static const struct {
	const char *name;
	uint64_t bit;
} bits[] = {
	{ "soft-dirty", PAGEMAP_SOFT_DIRTY },
	{ "write-protected by userfaultfd", PAGEMAP_UFFD_WP },
	{ "of a file", PAGEMAP_FILE },
};

static const char *const fields[] = { "Rss", "Anonymous", "Swap", "Locked" };

static struct {
	struct workload *w;
	bool spread;
	bool freed; /* by MADV_FREE, so that unwritten pages are clean */
	char *p[SIDES];
	size_t page, pages;
	int64_t block; /* pages that become dirty if one of a large folio is written */
	int uffd;      /* or -1 */
	uint64_t entries[SIDES][MOST];
} place;

static size_t bytes(void)
{
	return place.pages * place.page;
}

/* Single pages in the first half, runs of three in the second. */
static unsigned made(size_t i)
{
	uint64_t x = ((i < place.pages / 2 ? i : i / 3) + 1) * 0x9e3779b97f4a7c15ULL;

	return x >> 62;
}

/* Neither side may get huge pages later. */
static char *map_side(const struct workload *w, int side)
{
	size_t huge = w->huge_page_size;
	char *p = workload_try_map(3 * huge, PROT_READ | PROT_WRITE, MAP_PRIVATE, -1);

	if (!p)
		return NULL;
	p += huge - (uintptr_t)p % huge;
	madvise(p, bytes(), side == LARGE ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
	for (size_t i = 0; i < place.pages; i++)
		p[i * place.page] = 1;
	if (place.freed && madvise(p, bytes(), MADV_FREE))
		return NULL;
	madvise(p, bytes(), MADV_NOHUGEPAGE);
	return mprotect(p, place.page, PROT_READ) || mprotect(p, place.page, PROT_READ | PROT_WRITE)
		       ? NULL
		       : p;
}

static void register_both(void)
{
	place.uffd = workload_open_userfaultfd(UFFD_FEATURE_WP_ASYNC);
	for (int side = 0; side < SIDES && place.uffd >= 0; side++)
		if (workload_register_userfaultfd(place.uffd, place.p[side], bytes(),
						  UFFDIO_REGISTER_MODE_WP))
			place.uffd = -1;
}

static void make_page(char *p, unsigned what)
{
	if (what & IS_WRITTEN)
		*(volatile char *)p = 2;
	if (what & IS_PROTECTED && place.uffd >= 0)
		workload_userfaultfd_protect(place.uffd, p, place.page, true);
}

static bool make_both(const struct workload *w)
{
	place.page = w->page_size;
	place.pages = (size_t)w->huge;
	errno = ENOTSUP;
	if (!place.pages || place.pages > MOST)
		return false;
	for (int side = 0; side < SIDES; side++) {
		place.p[side] = map_side(w, side);
		if (!place.p[side])
			return false;
	}
	register_both();
	if (!workload_try_to_set("/proc/self/clear_refs", "4"))
		return false;
	for (size_t i = 0; i < 2 * place.pages; i++)
		make_page(place.p[i % 2] + i / 2 * place.page, made(i / 2));
	return true;
}

static bool read_entries(void)
{
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	size_t size = place.pages * sizeof(uint64_t);
	bool all = fd >= 0;

	for (int side = 0; side < SIDES && all; side++) {
		off_t at = (off_t)((uintptr_t)place.p[side] / place.page * sizeof(uint64_t));

		all = pread(fd, place.entries[side], size, at) == (ssize_t)size;
	}
	close(fd);
	return all;
}

/*
 * In smaps each page of a dirty folio is dirty. Acts with spreads_dirty may make all entries of a
 * batch dirty if one of them is; on some kernels the entries become soft-dirty, too.
 */
static const struct act {
	const char *name;
	bool (*act)(char **p); /* NULL: madvise(2) */
	int advice;
	bool in_part; /* the advice is for a part */
	bool spreads_dirty;
	bool migrates; /* on 6.1 this makes small dirty pages soft-dirty */
	bool reclaims; /* it would drop the pages of MADV_FREE */
} * act;

static bool is_there(uint64_t entry)
{
	return entry & (PAGEMAP_PRESENT | PAGEMAP_SWAP);
}

static int page_must_be_alike(const char *when, size_t i)
{
	const uint64_t entry[SIDES] = { place.entries[LARGE][i], place.entries[SMALL][i] };
	uint64_t differs = entry[LARGE] ^ entry[SMALL];

	if (is_there(entry[LARGE]) != is_there(entry[SMALL]))
		return workload_say(WRONG, "%s, page %zu %s is absent", when, i,
				    sides[is_there(entry[LARGE])]);
	for (size_t b = 0; b < sizeof(bits) / sizeof(*bits); b++) {
		bool soft_dirty = bits[b].bit == PAGEMAP_SOFT_DIRTY;

		if (!(differs & bits[b].bit) || (soft_dirty && act->migrates))
			continue;
		if (!soft_dirty || !act->spreads_dirty || !(entry[LARGE] & bits[b].bit))
			return workload_say(WRONG, "%s, only page %zu %s is %s", when, i,
					    sides[!(entry[LARGE] & bits[b].bit)], bits[b].name);
		place.spread = true;
	}
	return FINE;
}

static int64_t dirty(const char *text)
{
	return kernel_number_in(text, "Private_Dirty", 0) +
	       kernel_number_in(text, "Shared_Dirty", 0);
}

/*
 * A written page makes its whole block of entries dirty where the kernel reads one dirty bit for a
 * block (contpte_ptep_get() of arm64).
 */
static bool dirty_is_alike(int64_t large, int64_t small)
{
	return large == small || (place.freed && large > small && large <= small * place.block);
}

/* Compares the sums of the mappings that contain the last pages. */
static int sums_must_be_alike(const char *when)
{
	char text[SIDES][WORKLOAD_SMAPS];

	for (int side = 0; side < SIDES; side++)
		workload_smaps_lines(place.w, place.p[side] + bytes() - place.page, text[side]);
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		int64_t large = kernel_number_in(text[LARGE], fields[i], -1);
		int64_t small = kernel_number_in(text[SMALL], fields[i], -1);

		if (large != small)
			return workload_say(
				WRONG, "%s, %s of a large folio is %lld kB, of small pages %lld kB",
				when, fields[i], (long long)large, (long long)small);
	}
	if (dirty_is_alike(dirty(text[LARGE]), dirty(text[SMALL])))
		return FINE;
	return workload_say(WRONG, "%s, of a large folio %lld kB are dirty, of small pages %lld kB",
			    when, (long long)dirty(text[LARGE]), (long long)dirty(text[SMALL]));
}

static int must_be_alike(const char *when, bool sums)
{
	int result = FINE;

	if (!read_entries())
		return workload_say(IMPOSSIBLE, "pagemap: %m");
	for (size_t i = 0; i < place.pages && !result; i++)
		result = page_must_be_alike(when, i);
	return result || !sums ? result : sums_must_be_alike(when);
}

static bool nothing(char **p)
{
	return *p;
}

/* Neither begins nor ends where a run does. */
static char *part(char *p)
{
	return p + 5 * place.page;
}

static size_t part_bytes(void)
{
	return (place.pages / 2 + 1) * place.page;
}

static bool protect_part(char **p)
{
	return !mprotect(part(*p), part_bytes(), PROT_READ) &&
	       !mprotect(part(*p), part_bytes(), PROT_READ | PROT_WRITE);
}

static bool protect_none(char **p)
{
	return !mprotect(*p, bytes(), PROT_NONE) && !mprotect(*p, bytes(), PROT_READ | PROT_WRITE);
}

static bool lock_part(char **p)
{
	return !syscall(SYS_mlock2, part(*p), part_bytes(), MLOCK_ONFAULT) &&
	       !munlock(part(*p), part_bytes());
}

static bool lock_all(char **p)
{
	return !syscall(SYS_mlock2, *p, bytes(), MLOCK_ONFAULT);
}

static bool drop_each_eighth(char **p)
{
	for (size_t i = 0; i < place.pages; i += 8)
		if (madvise(*p + i * place.page, place.page, MADV_DONTNEED))
			return false;
	return true;
}

static bool read_back(char **p)
{
	if (madvise(part(*p), part_bytes(), MADV_PAGEOUT))
		return false;
	for (size_t i = 0; i < place.pages; i++)
		(void)*(volatile char *)(*p + i * place.page);
	return true;
}

static bool unmap_half(char **p)
{
	return !munmap(*p, bytes() / 2 - 3 * place.page);
}

/* By `off` pages to the side, so that no page table is moved as a whole. */
static bool move_by(char **p, size_t off)
{
	char *to = workload_try_map(4 * bytes(), PROT_NONE, MAP_PRIVATE, -1);

	if (!to)
		return false;
	to += bytes() - (uintptr_t)to % bytes() + off * place.page;
	*p = mremap(*p, bytes(), bytes(), MREMAP_MAYMOVE | MREMAP_FIXED, to);
	return *p != MAP_FAILED;
}

static bool move_entries(char **p)
{
	return move_by(p, 7);
}

static bool move_table(char **p)
{
	return move_by(p, 0);
}

static bool migrate(char **p)
{
	return workload_migrate(*p, 1) == 1 && workload_migrate(*p + bytes() / 2, 0) == 0;
}

static bool migrate_each(char **p)
{
	return workload_migrate_each(*p, place.pages, place.page, 1);
}

static bool clear_soft_dirty(char **p)
{
	return *p && workload_try_to_set("/proc/self/clear_refs", "4");
}

static bool write_each_third(char **p)
{
	for (size_t i = 0; i < place.pages; i += 3)
		*(volatile char *)(*p + i * place.page) = 3;
	return true;
}

static bool fork_and_write(char **p)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	return pid > 0 && waitpid(pid, NULL, 0) == pid && write_each_third(p);
}

static bool guard(char **p, bool protect)
{
	return place.uffd >= 0 &&
	       !workload_userfaultfd_protect(place.uffd, part(*p), part_bytes(), protect);
}

static bool protect_by_userfaultfd(char **p)
{
	return guard(p, true);
}

static bool unprotect_by_userfaultfd(char **p)
{
	return guard(p, false);
}

static bool unregister(char **p)
{
	struct uffdio_range range = { (uintptr_t)*p, bytes() };

	return place.uffd >= 0 && !ioctl(place.uffd, UFFDIO_UNREGISTER, &range);
}

static const struct act acts[] = {
	{ "nothing", .act = nothing },
	{ "mprotect(2) of a part and back", .act = protect_part, .spreads_dirty = true },
	{ "mprotect(2) to PROT_NONE and back", .act = protect_none, .spreads_dirty = true },
	{ "MLOCK_ONFAULT and munlock(2) of a part", .act = lock_part, .spreads_dirty = true },
	{ "MLOCK_ONFAULT", .act = lock_all },
	{ "MADV_DONTNEED of a part", .advice = MADV_DONTNEED, .in_part = true },
	{ "MADV_DONTNEED of each eighth page", .act = drop_each_eighth },
	{ "munmap(2) of a part", .act = unmap_half },
	{ "mremap(2)", .act = move_entries, .spreads_dirty = true },
	{ "mremap(2) of a page table", .act = move_table, .spreads_dirty = true },
	{ "clear_refs 4", .act = clear_soft_dirty },
	{ "writes to each third page", .act = write_each_third },
	{ "fork(2) and writes to each third page", .act = fork_and_write },
	{ "UFFDIO_WRITEPROTECT of a part", .act = protect_by_userfaultfd, .spreads_dirty = true },
	{ "UFFDIO_WRITEPROTECT, undone for a part", .act = unprotect_by_userfaultfd,
	  .spreads_dirty = true },
	{ "UFFDIO_UNREGISTER", .act = unregister, .spreads_dirty = true },
	{ "MADV_COLD of a part", .advice = MADV_COLD, .in_part = true, .spreads_dirty = true },
	{ "MADV_COLD", .advice = MADV_COLD, .spreads_dirty = true },
	{ "MADV_FREE of a part", .advice = MADV_FREE, .in_part = true, .spreads_dirty = true },
	{ "MADV_PAGEOUT", .advice = MADV_PAGEOUT, .spreads_dirty = true, .reclaims = true },
	{ "MADV_PAGEOUT of a part", .advice = MADV_PAGEOUT, .in_part = true, .spreads_dirty = true,
	  .reclaims = true },
	{ "MADV_PAGEOUT of a part, and a read", .act = read_back, .spreads_dirty = true,
	  .reclaims = true },
	{ "move_pages(2)", .act = migrate, .spreads_dirty = true, .migrates = true },
	{ "move_pages(2) of each page", .act = migrate_each, .spreads_dirty = true,
	  .migrates = true },
};

static bool do_it(char **p)
{
	if (act->act)
		return act->act(p);
	return !madvise(act->in_part ? part(*p) : *p, act->in_part ? part_bytes() : bytes(),
			act->advice);
}

static int child_must_be_alike(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(must_be_alike("in a forked process", !act->spreads_dirty));
	return workload_result_of(pid, IMPOSSIBLE);
}

static int try_act(const struct workload *w)
{
	int result;

	if (!make_both(w))
		return workload_say(IMPOSSIBLE, "%m");
	if (!do_it(&place.p[LARGE]) || !do_it(&place.p[SMALL]))
		return workload_say(IMPOSSIBLE, "%s: %m", act->name);
	result = must_be_alike(act->name, !act->spreads_dirty);
	result = result ? result : child_must_be_alike();
	result = result ? result : must_be_alike("after fork(2)", !act->spreads_dirty);
	return result || !place.spread ? result : SPREAD;
}

/* Writes one page of a large folio that MADV_FREE made clean. A block is a part of the folio. */
static int measure_block(const struct workload *w)
{
	char text[WORKLOAD_SMAPS];
	int64_t block;
	char *p;

	place.page = w->page_size;
	place.pages = (size_t)w->huge;
	p = place.pages && place.pages <= MOST ? map_side(w, LARGE) : NULL;
	if (!p)
		return IMPOSSIBLE;
	p[bytes() / 2] = 2;
	workload_smaps_lines(place.w, p + bytes() - place.page, text);
	block = dirty(text) * 1024 / (int64_t)place.page;
	return block < (int64_t)place.pages ? workload_say(FINE, "%lld", (long long)block) : WRONG;
}

static void try_acts(struct workload *w)
{
	enum { ACTS = sizeof(acts) / sizeof(*acts) };
	char text[256] = "";
	int result;

	place.w = w;
	place.freed = w->argument;
	place.block = 0;
	if (place.freed &&
	    workload_in_child_that_says(w, measure_block, text, sizeof(text)) == FINE)
		place.block = strtoll(text, NULL, 10);
	for (size_t i = 0; i < ACTS; i++) {
		act = &acts[i];
		if (act->reclaims && place.freed)
			continue;
		result = workload_in_child_that_says(w, try_act, text, sizeof(text));
		if (result == WRONG)
			workload_fail(w, "%s: %s", act->name, text);
		if (act->act == protect_part && result != IMPOSSIBLE)
			workload_report(w, "spread", result == SPREAD);
		if (result == IMPOSSIBLE && !i)
			workload_skip_step(w, "a large folio: %s", text);
	}
	workload_checked(w);
}

/* The step was skipped if it reported nothing. */
static void judge(const struct trial *t, struct judgement *j)
{
	int64_t spread = trial_reported_or(t, WRITTEN, "spread", -1);

	if (spread >= 0)
		judge_fact(j, "soft_dirty.of_a_large_folio_after_mprotect", "%s",
			   spread ? "others too" : "written ones");
}

CASE(scanners_mixed_batch) {
	.claim =
		"Pages of a large folio that is mapped by pages have the bits of pagemap, and the "
		"sums in smaps, that small pages have after the same acts, in a forked process too",
	.because =
		"The kernel finds consecutive entries of one folio whose bits are equal "
		"(folio_pte_batch()) and handles them together. Entries with other bits must end "
		"such a batch, unless the act ignores the bit.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/pagemap.rst"),
	.flags = CASE_THP | CASE_ONE_CPU,
	.steps = STEPS(STEP_AS(WRITTEN, "written pages", try_acts, .checks = 1),
		       STEP_AS(FREED, "pages after MADV_FREE", try_acts, .argument = 1,
			       .checks = 1)),
	.facts = FACTS(FACT("soft_dirty.of_a_large_folio_after_mprotect",
			    "After mprotect(2) of a large folio that is mapped by pages, its "
			    "soft-dirty pages are the",
			    "written ones|others too")),
	.judge = judge,
};
