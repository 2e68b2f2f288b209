// SPDX-License-Identifier: MIT
/*
 * Which pages UFFDIO_WRITEPROTECT changes, and what it answers, for each sequence of three pages,
 * some of which are not mapped, or not registered for write protection.
 */
#include "userfaultfd.h"
#include <rssck/right.h>

STEP_SYMBOLS(ASK);

/* The modes of UFFDIO_WRITEPROTECT. */
enum { OFF = 0, ON = 1, DONT_WAKE = 2 };
enum { RANGE = 3, LETTERS = 5, HUGE_LETTERS = 3 };

/*
 * m registered and written, a registered and absent, u not registered, g registered for missing
 * pages only, h a hole. m and a are one mapping if they are neighbours. Hugetlb pages take long to
 * clear, so they have the first letters only.
 */
static const char letters[LETTERS + 1] = "muahg";

static const struct kind {
	const char *name;
	int flags;
	uint64_t features;
	bool protects_absent, huge;
} kinds[] = {
	{ "anonymous memory", MAP_PRIVATE | MAP_ANONYMOUS, 0, false, false },
	{ "anonymous memory with absent pages", MAP_PRIVATE | MAP_ANONYMOUS,
	  UFFD_FEATURE_WP_UNPOPULATED, true, false },
	{ "shared memory", MAP_SHARED | MAP_ANONYMOUS, UFFD_FEATURE_WP_HUGETLBFS_SHMEM, true,
	  false },
	{ "hugetlb memory", MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB,
	  UFFD_FEATURE_WP_HUGETLBFS_SHMEM, true, true },
	{ "shared hugetlb memory", MAP_SHARED | MAP_ANONYMOUS | MAP_HUGETLB,
	  UFFD_FEATURE_WP_HUGETLBFS_SHMEM, true, true },
};

enum { KINDS = sizeof(kinds) / sizeof(*kinds) };

static size_t page, small;
static int uffd, pagemap;
static char *start;
static bool refuses;        /* this kernel refuses a range that is not in one mapping */
static bool shows;          /* pagemap shows protected pages, as it does since 5.14 */
static int letters_of_kind; /* LETTERS or HUGE_LETTERS */

static char letter(int sequence, int i)
{
	for (; i; i--)
		sequence /= letters_of_kind;
	return letters[sequence % letters_of_kind];
}

static char *place(int i)
{
	return start + (size_t)i * page;
}

static int protect(const char *p, size_t bytes, uint64_t mode)
{
	struct uffdio_writeprotect arg = { { (uintptr_t)p, bytes }, mode };

	return ioctl(uffd, UFFDIO_WRITEPROTECT, &arg) ? errno : 0;
}

static bool is_registered(int sequence, int i)
{
	return strchr("ma", letter(sequence, i));
}

/* ---- making a sequence ---- */

static bool make_page(int sequence, int i)
{
	struct uffdio_range range = { (uintptr_t)place(i), page };

	switch (letter(sequence, i)) {
	case 'u':
		return !ioctl(uffd, UFFDIO_UNREGISTER, &range);
	case 'g':
		return !ioctl(uffd, UFFDIO_UNREGISTER, &range) &&
		       !workload_register_userfaultfd(uffd, place(i), page, MISSING);
	case 'h':
		return !munmap(place(i), page);
	default:
		return true;
	}
}

static bool make(const struct workload *w, const struct kind *k, int sequence)
{
	start = workload_try_map(RANGE * page, PROT_READ | PROT_WRITE, k->flags, -1);
	if (!start)
		return false;
	for (int i = 0; i < RANGE; i++)
		if (letter(sequence, i) != 'a')
			touch_write(w, place(i), 1);
	if (workload_register_userfaultfd(uffd, start, RANGE * page, PROTECTS))
		return false;
	for (int i = 0; i < RANGE; i++)
		if (!make_page(sequence, i))
			return false;
	return true;
}

/* ---- what is expected, what is seen ---- */

/* Returns the pages that are changed before the call stops. */
static int expect(int sequence, int *error)
{
	int found = 0, all = 0;

	for (int i = 0; i < RANGE; i++)
		all += is_registered(sequence, i);
	*error = ENOENT;
	if (refuses && all < RANGE)
		return 0;
	for (int i = 0; i < RANGE; i++) {
		if (strchr("ug", letter(sequence, i)))
			return i;
		found += is_registered(sequence, i);
	}
	*error = found ? 0 : ENOENT;
	return RANGE;
}

static bool is_protected(int i)
{
	return workload_entry(pagemap, place(i), small) & PAGEMAP_UFFD_WP;
}

static int compare(const struct kind *k, int sequence, uint64_t mode, int done)
{
	for (int i = 0; i < RANGE && shows; i++) {
		bool can = is_registered(sequence, i) &&
			   (letter(sequence, i) == 'm' || k->protects_absent);
		bool expected = can && (i < done) == (mode == ON);

		if (is_protected(i) != expected)
			return workload_say(WRONG, "%s, pages %c%c%c, %s: page %d is %sprotected",
					    k->name, letter(sequence, 0), letter(sequence, 1),
					    letter(sequence, 2), mode ? "protect" : "unprotect", i,
					    expected ? "not " : "");
	}
	return RIGHT;
}

static int try_sequence(const struct workload *w, const struct kind *k, int sequence, uint64_t mode)
{
	int error, seen, done = expect(sequence, &error), result;

	if (!make(w, k, sequence))
		return workload_say(CANNOT, "%s that can be registered: %s", k->name,
				    strerror(errno));
	for (int i = 0; i < RANGE && mode == OFF; i++)
		if (is_registered(sequence, i))
			protect(place(i), page, ON);
	seen = protect(start, RANGE * page, mode);
	if (seen != error)
		return workload_say(WRONG, "%s, pages %c%c%c, %s: '%s' instead of '%s'", k->name,
				    letter(sequence, 0), letter(sequence, 1), letter(sequence, 2),
				    mode ? "protect" : "unprotect", strerror(seen),
				    strerror(error));
	result = compare(k, sequence, mode, done);
	munmap(start, RANGE * page);
	return result;
}

/* A call that is refused as a whole changes nothing. */
static int try_refused(const struct workload *w, const struct kind *k)
{
	static const struct {
		const char *name;
		unsigned from, halves; /* in halves of a page */
		uint64_t mode;
	} refused[] = {
		{ "no bytes", 0, 0, ON },
		{ "half a page", 0, 1, ON },
		{ "a page and a half", 0, 3, ON },
		{ "an address inside a page", 1, 2, ON },
		{ "an unknown mode", 0, 2, ON | 1ULL << 40 },
		{ "protection that wakes nobody", 0, 2, ON | DONT_WAKE },
	};
	int result;

	if (!make(w, k, 0))
		return workload_say(CANNOT, "%s that can be registered: %s", k->name,
				    strerror(errno));
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
		int error = protect(start + refused[i].from * page / 2,
				    refused[i].halves * page / 2, refused[i].mode);

		if (error != EINVAL)
			return workload_say(WRONG, "%s, %s: '%s'", k->name, refused[i].name,
					    strerror(error));
	}
	result = compare(k, 0, ON, 0);
	munmap(start, RANGE * page);
	return result;
}

/* Sequence 3 is "hmm": only a kernel that takes one mapping at a time refuses it. */
static void learn(const struct workload *w)
{
	if (make(w, &kinds[0], 3))
		refuses = protect(start, RANGE * page, ON) == ENOENT;
	protect(place(1), page, ON);
	shows = is_protected(1);
	munmap(start, RANGE * page);
}

/* ---- the case ---- */

static int try_kind(const struct workload *w, const struct kind *k)
{
	int result = try_refused(w, k), sequences = 1;

	for (int i = 0; i < RANGE; i++)
		sequences *= letters_of_kind;
	for (int s = 0; s < sequences && result == RIGHT; s++)
		result = try_sequence(w, k, s, ON);
	for (int s = 0; s < sequences && result == RIGHT; s++)
		result = try_sequence(w, k, s, OFF);
	return result;
}

/* Returns false if this kernel cannot protect the kind, or no hugetlb page is there. */
static bool prepare(const struct workload *w, const struct kind *k)
{
	char *p;

	letters_of_kind = k->huge ? HUGE_LETTERS : LETTERS;
	page = k->huge ? workload_hugetlb_bytes() : w->page_size;
	p = workload_try_map(RANGE * page, PROT_READ | PROT_WRITE, k->flags, -1);
	if (!p)
		return false;
	munmap(p, RANGE * page);
	uffd = workload_open_userfaultfd(k->features | UFFD_FEATURE_PAGEFAULT_FLAG_WP);
	return uffd >= 0;
}

static int try_all(const struct workload *w)
{
	int result = RIGHT, tried = 0;

	small = w->page_size;
	pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	if (pagemap < 0 || !prepare(w, &kinds[0]))
		return workload_say(CANNOT, "userfaultfd(2) with write protection, and pagemap");
	learn(w);
	close(uffd);
	for (int i = 0; i < KINDS && result == RIGHT; i++) {
		if (!prepare(w, &kinds[i]))
			continue;
		result = try_kind(w, &kinds[i]);
		close(uffd);
		tried++;
	}
	return result == RIGHT ? workload_say(RIGHT, "%d %d %d", tried, refuses, shows) : result;
}

static void ask(struct workload *w)
{
	workload_report_if_right(w, try_all, "memory that userfaultfd(2) can protect", "tried",
				 "refuses", "shows");
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_true(j, ASK, trial_reported(t, ASK, "tried") > 0, "some kind of memory is tried");
	if (!trial_reported(t, ASK, "shows"))
		judge_skip(j, "a pagemap that shows write-protected pages (Linux 5.14)");
	judge_fact(j, "userfaultfd.protects_across_mappings", "%s",
		   trial_reported(t, ASK, "refuses") ? "no" : "yes");
}

CASE(anonymous_userfaultfd_protect_ranges) {
	.claim =
		"UFFDIO_WRITEPROTECT ignores holes in its range, and stops with ENOENT at the first mapping that is not registered for write protection; the pages before it are done. Kernels that take one mapping at a time refuse both, and change nothing",
	.because =
		"mwriteprotect_range() walks the mappings of the range, and protects each by change_protection(). Older kernels look up the first mapping, and refuse a range that ends behind it.",
	.said_by = SAID_BY("ioctl_userfaultfd(2), UFFDIO_WRITEPROTECT",
			   "UFFDIO_WRITEPROTECT(2const)"),
	.limit_s = 120,
	.flags = CASE_ONE_CPU,
	.steps = STEPS(STEP_AS(ASK, "each sequence of pages", ask, .checks = 1)),
	.facts = FACTS(FACT("userfaultfd.protects_across_mappings",
			    "UFFDIO_WRITEPROTECT changes a range with holes or of several mappings",
			    "no|yes")),
	.judge = judge,
};
