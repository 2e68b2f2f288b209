// SPDX-License-Identifier: MIT
/*
 * After clear_refs 4 exactly the pages that are written become soft-dirty, for each kind of memory,
 * whatever happened to it between clear_refs and the write.
 */
#include <rssck/case.h>

STEP_SYMBOLS(A_FILE);

/* HOLE is a page that is never touched; its entry is in another page table. */
enum { P = 16, SPAN = 1024, HOLE = SPAN - 1 };
enum { FINE, WRONG, IMPOSSIBLE, LOST };
enum kind { ANONYMOUS, SHARED, SHMEM, SHMEM_WRITTEN, FILE_SHARED, FILE_WRITTEN, LARGE, KINDS };

static const char *const kinds[KINDS] = {
	[ANONYMOUS] = "private anonymous memory",
	[SHARED] = "shared anonymous memory",
	[SHMEM] = "a shared mapping of a memfd",
	[SHMEM_WRITTEN] = "private copies of a memfd's pages",
	[FILE_SHARED] = "a shared mapping of a file",
	[FILE_WRITTEN] = "private copies of a file's pages",
	[LARGE] = "a huge page that is mapped by pages",
};

static struct {
	enum kind kind;
	char *p;
	size_t page, pages; /* pages that are written at first */
	int pagemap, fd;    /* fd: the mapped file, or -1 */
} place;

static bool is_private(void)
{
	return place.kind != SHARED && place.kind != SHMEM && place.kind != FILE_SHARED;
}

/* A mapping of its own, so that no flag of a neighbour is inherited. */
static bool map_kind(const struct workload *w)
{
	int flags = is_private() ? MAP_PRIVATE : MAP_SHARED;
	size_t huge = w->huge_page_size, bytes = SPAN * w->page_size;

	place.pages = place.kind == LARGE ? huge / w->page_size : P;
	errno = ENOTSUP;
	place.p = place.pages && place.pages < SPAN
			  ? workload_try_map(bytes + huge, PROT_READ | PROT_WRITE, flags, place.fd)
			  : NULL;
	if (!place.p)
		return false;
	if (place.kind == LARGE)
		place.p += huge - (uintptr_t)place.p % huge;
	madvise(place.p, bytes, place.kind == LARGE ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
	for (size_t i = 0; i < place.pages; i++)
		place.p[i * w->page_size] = 1;
	return place.kind != LARGE || (!mprotect(place.p, w->page_size, PROT_READ) &&
				       !mprotect(place.p, w->page_size, PROT_READ | PROT_WRITE));
}

static bool is_soft_dirty_at(const char *p)
{
	return workload_entry(place.pagemap, p, place.page) & PAGEMAP_SOFT_DIRTY;
}

static bool is_soft_dirty(size_t i)
{
	return is_soft_dirty_at(place.p + i * place.page);
}

/* PROT_NONE, so that it cannot merge with the mapping that is cleared. */
static int must_be_new(void)
{
	char *p = workload_try_map(place.page, PROT_NONE, MAP_PRIVATE, -1);

	if (p && is_soft_dirty_at(p))
		return FINE;
	return workload_say(WRONG, "a mapping made after clear_refs 4 is not soft-dirty");
}

enum which { NO_PAGE, ALL_PAGES, EVEN_PAGES };

static int must_be(enum which which, const char *when)
{
	for (size_t i = 0; i <= place.pages; i++) {
		size_t at = i < place.pages ? i : HOLE;
		bool hole = i == place.pages;
		bool should = which == ALL_PAGES || (which == EVEN_PAGES && !hole && i % 2 == 0);

		if (is_soft_dirty(at) == should)
			continue;
		return workload_say(WRONG, "%s, %s %zu is %ssoft-dirty", when,
				    hole ? "the untouched page" : "page", at, should ? "not " : "");
	}
	return FINE;
}

static bool nothing(void)
{
	return true;
}

static bool read_all(void)
{
	for (size_t i = 0; i < place.pages; i++)
		(void)*(volatile char *)&place.p[i * place.page];
	return true;
}

static bool protect_and_back(void)
{
	size_t bytes = place.pages * place.page;

	return !mprotect(place.p, bytes, PROT_READ) &&
	       !mprotect(place.p, bytes, PROT_READ | PROT_WRITE);
}

static bool page_out(void)
{
	return !madvise(place.p, place.pages * place.page, MADV_PAGEOUT);
}

static bool page_out_and_in(void)
{
	return page_out() && read_all();
}

/* Private pages would be lost. */
static bool drop_and_read(void)
{
	size_t bytes = place.pages * place.page;

	return (is_private() || !madvise(place.p, bytes, MADV_DONTNEED)) && read_all();
}

static bool cold(void)
{
	return !madvise(place.p, place.pages * place.page, MADV_COLD);
}

static bool fork_and_exit(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	return pid > 0 && waitpid(pid, NULL, 0) == pid;
}

/* mlock(2) would write to the pages (populate_vma_page_range()). */
static bool lock_and_unlock(void)
{
	size_t bytes = place.pages * place.page;

	return !syscall(SYS_mlock2, place.p, bytes, MLOCK_ONFAULT) && !munlock(place.p, bytes);
}

static bool referenced(void)
{
	return workload_try_to_set("/proc/self/clear_refs", "1");
}

static const struct act {
	const char *name;
	bool (*act)(void);
} acts[] = {
	{ "nothing", nothing },
	{ "a read", read_all },
	{ "mprotect(2) to PROT_READ and back", protect_and_back },
	{ "MADV_PAGEOUT", page_out },
	{ "MADV_PAGEOUT and a read", page_out_and_in },
	{ "MADV_DONTNEED of shared memory, and a read", drop_and_read },
	{ "MADV_COLD", cold },
	{ "fork(2) of a process that exits", fork_and_exit },
	{ "MLOCK_ONFAULT and munlock(2)", lock_and_unlock },
	{ "clear_refs 1", referenced },
};

static const struct act *between, *after;

/* A child has the bits of private memory; it maps no page of shared memory yet. */
static int must_inherit(void)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		close(place.pagemap);
		place.pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
		_exit(must_be(is_private() ? EVEN_PAGES : NO_PAGE, "in a forked process"));
	}
	return pid > 0 && waitpid(pid, &status, 0) == pid ? WEXITSTATUS(status) : IMPOSSIBLE;
}

/*
 * Before 96a9c287e25d (6.0) mprotect(2) made a dirty page of a shared file mapping writable, though
 * it was not soft-dirty, so that the next write did not fault.
 */
static bool may_be_lost(void)
{
	return place.kind == FILE_SHARED && between->act == protect_and_back;
}

static int try_acts(const struct workload *w)
{
	int result;

	place.page = w->page_size;
	place.pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	if (!map_kind(w))
		return workload_say(IMPOSSIBLE, "%m");
	if (!is_soft_dirty(0))
		return workload_say(IMPOSSIBLE, "no page is soft-dirty (CONFIG_MEM_SOFT_DIRTY)");
	result = must_be(ALL_PAGES, "in a new mapping");
	if (!workload_try_to_set("/proc/self/clear_refs", "4"))
		return workload_say(IMPOSSIBLE, "clear_refs 4: %m");
	result = result ? result : must_be(NO_PAGE, "after clear_refs 4");
	result = result ? result : must_be_new();
	if (result || !between->act())
		return result ? result : workload_say(IMPOSSIBLE, "%s: %m", between->name);
	result = must_be(NO_PAGE, between->name);
	for (size_t i = 0; i < place.pages; i += 2)
		place.p[i * place.page] = 2;
	if (!result && may_be_lost() && !is_soft_dirty(0))
		return LOST;
	result = result ? result : must_be(EVEN_PAGES, "after writes to even pages");
	/* Shared memory that is paged out has no page table entry, so nothing keeps the bit. */
	if (!result && is_private() && after->act())
		result = must_be(EVEN_PAGES, after->name);
	return result ? result : must_inherit();
}

static void each_act(struct workload *w)
{
	enum { ACTS = sizeof(acts) / sizeof(*acts) };
	char text[256];
	int result;

	place.kind = (enum kind)w->argument;
	place.fd = -1;
	if (place.kind == SHMEM || place.kind == SHMEM_WRITTEN)
		place.fd = workload_shmem(w, SPAN + w->huge);
	if (place.kind == FILE_SHARED || place.kind == FILE_WRITTEN)
		place.fd = workload_file(w, SPAN + w->huge);
	for (size_t i = 0; i < ACTS; i++) {
		between = &acts[i];
		after = &acts[(i + 4) % ACTS];
		result = workload_in_child_that_says(w, try_acts, text, sizeof(text));
		if (result == WRONG)
			workload_fail(w, "%s, then %s: %s", between->name, after->name, text);
		if (may_be_lost() && result != IMPOSSIBLE)
			workload_report(w, "lost", result == LOST);
		if (result == IMPOSSIBLE && !i)
			workload_skip_step(w, "%s: %s", kinds[place.kind], text);
	}
	workload_checked(w);
}

/* The step was skipped if it reported nothing. */
static void judge(const struct trial *t, struct judgement *j)
{
	int64_t lost = trial_reported_or(t, A_FILE, "lost", -1);

	if (lost >= 0)
		judge_fact(j, "soft_dirty.write_to_a_file_after_mprotect", "%s",
			   lost ? "lost" : "kept");
}

#define KIND_STEP(kind, title) STEP(title, each_act, .argument = (kind), .checks = 1)

CASE(scanners_soft_dirty_kinds) {
	.claim =
		"For each kind of memory, all pages of a new mapping are soft-dirty, none is after "
		"clear_refs 4 and acts that do not write, and then exactly the written ones are, "
		"in a forked process too",
	.because =
		"clear_refs_write() clears the bit of each entry and VM_SOFTDIRTY of the mapping, "
		"and write-protects the page, so that the next write faults and sets the bit. "
		"Swap entries and copies by fork(2) keep it.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/soft-dirty.rst"),
	.steps = STEPS(KIND_STEP(ANONYMOUS, "private anonymous memory"),
		       KIND_STEP(SHARED, "shared anonymous memory"), KIND_STEP(SHMEM, "a memfd"),
		       KIND_STEP(SHMEM_WRITTEN, "copies of a memfd"),
		       STEP_AS(A_FILE, "a file", each_act, .argument = FILE_SHARED, .checks = 1),
		       KIND_STEP(FILE_WRITTEN, "copies of a file"),
		       KIND_STEP(LARGE, "a huge page mapped by pages")),
	.facts = FACTS(FACT("soft_dirty.write_to_a_file_after_mprotect",
			    "After mprotect(2) to PROT_READ and back, the soft-dirty bit of a "
			    "write to a shared file mapping is",
			    "kept|lost")),
	.judge = judge,
};
