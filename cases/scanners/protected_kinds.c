// SPDX-License-Identifier: MIT
/*
 * Bit 57 of pagemap, PAGE_IS_WRITTEN of PAGEMAP_SCAN and "uw" of VmFlags after every second page
 * was write-protected by userfaultfd and something was done to the memory: for each kind of memory,
 * each state of the pages, and each mode of userfaultfd.
 */
#include "protected.h"
#include <poll.h>

STEP_SYMBOLS(ANONYMOUS_PAGES);

static bool nothing(void)
{
	return true;
}

static bool read_all(void)
{
	for (size_t i = 0; i < place.pages; i++)
		touch(place.p + i * place.page, false);
	return true;
}

static bool protect_and_back(void)
{
	return !mprotect(place.p, bytes(), PROT_READ) &&
	       !mprotect(place.p, bytes(), PROT_READ | PROT_WRITE);
}

static bool protect_half(void)
{
	return !mprotect(place.p, bytes() / 2, PROT_READ);
}

static bool page_out(void)
{
	return !madvise(place.p, bytes(), MADV_PAGEOUT);
}

static bool page_out_and_in(void)
{
	return page_out() && read_all();
}

static bool cold(void)
{
	return !madvise(place.p, bytes(), MADV_COLD);
}

static bool drop_half(void)
{
	return !madvise(place.p, bytes() / 2, MADV_DONTNEED);
}

static bool drop_half_and_read(void)
{
	return drop_half() && read_all();
}

static bool collapse(void)
{
	return !madvise(place.p, bytes(), MADV_COLLAPSE) || errno != EBADF;
}

/* mlock(2) would write to the pages, and MLOCK_ONFAULT to hugetlb pages, too. */
static bool lock_and_unlock(void)
{
	return !kinds[place.kind].hugetlb &&
	       !syscall(SYS_mlock2, place.p, bytes(), MLOCK_ONFAULT) && !munlock(place.p, bytes());
}

static bool clear_referenced(void)
{
	return workload_try_to_set("/proc/self/clear_refs", "1");
}

static bool clear_soft_dirty(void)
{
	return workload_try_to_set("/proc/self/clear_refs", "4");
}

static bool migrate(void)
{
	return workload_migrate_each(place.p, place.pages / place.unit, place.unit * place.page, 1);
}

static bool move(void)
{
	char *to = workload_try_map(2 * bytes(), PROT_NONE, MAP_PRIVATE, -1);

	if (!to)
		return false;
	to += bytes() - (uintptr_t)to % bytes();
	place.p = mremap(place.p, bytes(), bytes(), MREMAP_MAYMOVE | MREMAP_FIXED, to);
	return place.p != MAP_FAILED;
}

static bool unmap_half(void)
{
	return !munmap(place.p, bytes() / 2);
}

static void stop_answering(void)
{
	if (place.answers > 0) {
		kill(place.answers, SIGKILL);
		waitpid(place.answers, NULL, 0);
	}
	place.answers = 0;
}

/* The process that answers has a descriptor, too. */
static bool close_it(void)
{
	stop_answering();
	return !close(place.uffd);
}

static bool unregister(char *p, size_t size)
{
	struct uffdio_range range = { (uintptr_t)p, size };

	return !ioctl(place.uffd, UFFDIO_UNREGISTER, &range);
}

static bool unregister_all(void)
{
	return unregister(place.p, bytes());
}

static bool unregister_half(void)
{
	return unregister(place.p, bytes() / 2);
}

static bool register_again(void)
{
	return !workload_register_userfaultfd(place.uffd, place.p, bytes(),
					      UFFDIO_REGISTER_MODE_WP);
}

static bool protect(char *p, size_t size)
{
	return !workload_userfaultfd_protect(place.uffd, p, size, true);
}

static bool unprotect(char *p, size_t size)
{
	return !workload_userfaultfd_protect(place.uffd, p, size, false);
}

static bool protect_again(void)
{
	for (size_t i = 0; i < place.pages; i += 2 * place.unit)
		if (!protect(place.p + i * place.page, place.unit * place.page))
			return false;
	return true;
}

static bool undo_some(void)
{
	return each_range(SOME, unprotect);
}

static bool undo_parts(void)
{
	return each_range(PARTS, unprotect);
}

static bool undo_half(void)
{
	return unprotect(place.p, bytes() / 2);
}

static bool write_range(char *p, size_t size)
{
	for (size_t at = 0; at < size; at += place.page)
		touch(p + at, true);
	return true;
}

static bool write_parts(void)
{
	return each_range(PARTS, write_range);
}

/* Reads all events, and undoes the protection that a write meets. */
static _Noreturn void answer(void)
{
	struct pollfd ready = { .fd = place.uffd, .events = POLLIN };
	size_t size = (kinds[place.kind].hugetlb ? place.unit : 1) * place.page;
	struct uffd_msg msg;

	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	for (;;)
		if (poll(&ready, 1, -1) > 0 && read(place.uffd, &msg, sizeof(msg)) == sizeof(msg) &&
		    msg.event == UFFD_EVENT_PAGEFAULT)
			unprotect((char *)(uintptr_t)(msg.arg.pagefault.address / size * size),
				  size);
}

static const struct act acts[] = {
	{ "nothing", .act = nothing, .forks = true, .by_mode = true },
	{ "a read", .act = read_all },
	{ "mprotect(2) to PROT_READ and back", .act = protect_and_back },
	{ "mprotect(2) of the first half", .act = protect_half, .forks = true },
	{ "MADV_PAGEOUT", .act = page_out, .forks = true, .by_mode = true },
	{ "MADV_PAGEOUT and a read", .act = page_out_and_in, .forks = true },
	{ "MADV_COLD", .act = cold },
	{ "MADV_COLLAPSE", .act = collapse, .forks = true },
	{ "MLOCK_ONFAULT and munlock(2)", .act = lock_and_unlock },
	{ "clear_refs 1", .act = clear_referenced },
	{ "clear_refs 4", .act = clear_soft_dirty },
	{ "move_pages(2)", .act = migrate, .forks = true },
	{ "UFFDIO_WRITEPROTECT of the same pages", .act = protect_again },
	{ "UFFDIO_REGISTER of the same pages", .act = register_again },
	{ "MADV_DONTNEED of the first half", .act = drop_half, .clears = FIRST_HALF, .drops = true,
	  .forks = true },
	{ "MADV_DONTNEED of the first half, and a read", .act = drop_half_and_read,
	  .clears = FIRST_HALF, .drops = true, .forks = true, .by_mode = true },
	{ "mremap(2)", .act = move, .clears = ALL, .unregistered = ALL, .moves = true,
	  .forks = true, .by_mode = true },
	{ "munmap(2) of the first half", .act = unmap_half, .clears = FIRST_HALF,
	  .gone = FIRST_HALF, .unregistered = FIRST_HALF, .forks = true, .by_mode = true },
	{ "UFFDIO_WRITEPROTECT, undone for some", .act = undo_some, .clears = SOME },
	{ "UFFDIO_WRITEPROTECT, undone for parts", .act = undo_parts, .clears = PARTS,
	  .forks = true, .by_mode = true },
	{ "UFFDIO_WRITEPROTECT, undone for the first half", .act = undo_half,
	  .clears = FIRST_HALF },
	{ "UFFDIO_UNREGISTER", .act = unregister_all, .clears = ALL, .unregistered = ALL },
	{ "UFFDIO_UNREGISTER of the first half", .act = unregister_half, .clears = FIRST_HALF,
	  .unregistered = FIRST_HALF, .forks = true, .by_mode = true },
	{ "close(2) of the userfaultfd", .act = close_it, .clears = ALL, .unregistered = ALL,
	  .remains = true, .by_mode = true },
	{ "writes", .act = write_parts, .clears = PARTS, .writes = true, .forks = true,
	  .by_mode = true },
};

/* File memory and hugetlb take a marker instead of an absent page. */
static bool takes_protection(size_t i)
{
	return !kinds[place.kind].anonymous || place.mode == UNPOPULATED || place.mode == ASYNC ||
	       place.entries[i] & (PAGEMAP_PRESENT | PAGEMAP_SWAP);
}

static bool register_place(void)
{
	uint64_t features = modes[place.mode].features;

	if (!kinds[place.kind].anonymous)
		features |= UFFD_FEATURE_WP_HUGETLBFS_SHMEM;
	place.uffd = workload_open_userfaultfd(features);
	if (place.uffd < 0)
		return false;
	place.answers = place.mode == EVENTS ? fork() : 0;
	if (place.mode == EVENTS && !place.answers)
		answer();
	return !workload_register_userfaultfd(place.uffd, place.p, bytes(),
					      UFFDIO_REGISTER_MODE_WP);
}

static bool protect_even(void)
{
	if (!read_entries() || !protect_again())
		return false;
	for (size_t i = 0; i < place.pages; i++)
		place.is_protected[i] = i / place.unit % 2 == 0 && takes_protection(i);
	return true;
}

static void expect_act(void)
{
	const struct act *a = place.act;
	bool applies = !(a->drops && !kinds[place.kind].anonymous) &&
		       !(a->moves && place.mode == EVENTS);

	for (size_t i = 0; i < place.pages && applies; i++)
		place.is_protected[i] &= !is_in(a->clears, i);
	place.gone = a->gone;
	place.unregistered = applies ? a->unregistered : NO_PAGE;
}

/* Without EVENT_FORK nothing is registered in a child. */
static int must_inherit(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
		if (place.mode != EVENTS) {
			memset(place.is_protected, 0, sizeof(place.is_protected));
			place.unregistered = ALL;
		}
		_exit(must_be("in a forked process", place.mode == EVENTS));
	}
	return workload_result_of(pid, IMPOSSIBLE);
}

/* Not looked at on kernels that lack UFFD_FEATURE_WP_UNPOPULATED. */
static bool may_inherit_hugetlb(void)
{
	int fd = kinds[place.kind].hugetlb && place.mode != EVENTS
			 ? workload_open_userfaultfd(UFFD_FEATURE_WP_UNPOPULATED)
			 : -1;

	if (fd >= 0)
		close(fd);
	return kinds[place.kind].hugetlb && place.mode != EVENTS && fd < 0;
}

static int acted(const struct workload *w)
{
	int result;

	if (!map_kind(w) || !register_place() || !make_states() || !protect_even() ||
	    !read_entries())
		return workload_say(IMPOSSIBLE, "%m");
	if (!(place.entries[0] & PAGEMAP_UFFD_WP) && place.act == acts)
		return workload_say(IMPOSSIBLE, "bit 57 of pagemap");
	result = place.act == acts ? must_be("after UFFDIO_WRITEPROTECT", true) : FINE;
	if (!result && !place.act->act())
		return workload_say(IMPOSSIBLE, "%s: %m", place.act->name);
	if (!result && place.act->remains && read_entries() && place.entries[0] & PAGEMAP_UFFD_WP)
		return REMAINS;
	expect_act();
	result = result ? result : must_be(place.act->name, true);
	return result || !place.act->forks || may_inherit_hugetlb() ? result : must_inherit();
}

static int try_act(const struct workload *w)
{
	int result = acted(w);

	stop_answering();
	return result;
}

/*
 * Tries all acts, or those that depend on the mode. Returns false if this mode is impossible, with
 * the reason in `text`.
 */
static bool try_mode(struct workload *w, bool all, char *text, size_t size)
{
	enum { ACTS = sizeof(acts) / sizeof(*acts) };

	for (size_t i = 0; i < ACTS; i++) {
		int result;

		place.act = &acts[i];
		if ((acts[i].writes && place.mode < EVENTS) || (!all && !acts[i].by_mode))
			continue;
		result = workload_in_child_that_says(w, try_act, text, size);
		if (result == WRONG)
			workload_fail(w, "%s, then %s: %s", modes[place.mode].name, acts[i].name,
				      text);
		if (result == IMPOSSIBLE && !i)
			return false;
		if (acts[i].remains && result != IMPOSSIBLE)
			workload_report(w, "remains", result == REMAINS);
	}
	return true;
}

/* The newest mode that works takes all acts, the others those that depend on it. */
static void try_modes(struct workload *w)
{
	bool any = false;
	char text[256];

	place.w = w;
	place.kind = (enum kind)w->argument;
	place.fd = -1;
	if (place.kind == SHMEM || place.kind == SHMEM_PRIVATE)
		place.fd = workload_shmem(w, SMALL_UNITS + (size_t)w->huge);
	if (place.kind == FILE_SHARED || place.kind == FILE_PRIVATE)
		place.fd = workload_file(w, SMALL_UNITS + (size_t)w->huge);
	for (int mode = ASYNC; mode >= (int)kinds[place.kind].least; mode--) {
		place.mode = (enum mode)mode;
		if (!any || mode == EVENTS || place.kind == ANONYMOUS)
			any |= try_mode(w, !any, text, sizeof(text));
	}
	if (!any)
		workload_skip_step(w, "%s: %s", kinds[place.kind].name, text);
	workload_checked(w);
}

/* The step was skipped if it reported nothing. */
static void judge(const struct trial *t, struct judgement *j)
{
	int64_t remains = trial_reported_or(t, ANONYMOUS_PAGES, "remains", -1);

	if (remains >= 0)
		judge_fact(j, "userfaultfd.protection_after_close", "%s",
			   remains ? "remains" : "ends");
}

#define KIND_STEP(kind, title) STEP(title, try_modes, .argument = (kind), .checks = 1)

CASE(scanners_protected_kinds) {
	.claim = "For each kind of memory and each state of a page, pagemap, PAGEMAP_SCAN and "
		 "VmFlags show exactly the pages that userfaultfd write-protects, whatever happens "
		 "to them, in a forked process too",
	.because =
		"UFFDIO_WRITEPROTECT sets the uffd-wp bit of each entry; an absent page of a file "
		"gets a marker instead. Swap entries, migration entries and split huge pages keep "
		"the bit. A child and a moved mapping keep it only if userfaultfd gets these "
		"events.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/userfaultfd.rst",
			   "Documentation/admin-guide/mm/pagemap.rst"),
	.flags = CASE_THP | CASE_ONE_CPU,
	.steps = STEPS(STEP_AS(ANONYMOUS_PAGES, "private anonymous memory", try_modes,
			       .argument = ANONYMOUS, .checks = 1),
		       KIND_STEP(SPLIT, "a huge page mapped by pages"),
		       KIND_STEP(HUGE, "huge pages"), KIND_STEP(SHMEM, "a memfd"),
		       KIND_STEP(SHMEM_PRIVATE, "copies of a memfd"),
		       KIND_STEP(FILE_SHARED, "a file"),
		       KIND_STEP(FILE_PRIVATE, "copies of a file"),
		       KIND_STEP(HUGETLB_PRIVATE, "private hugetlb pages"),
		       KIND_STEP(HUGETLB_SHARED, "shared hugetlb pages")),
	.facts = FACTS(FACT("userfaultfd.protection_after_close",
			    "After close(2) of the userfaultfd the write-protection of its pages",
			    "ends|remains")),
	.judge = judge,
};
