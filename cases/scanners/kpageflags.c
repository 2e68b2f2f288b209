// SPDX-License-Identifier: MIT
/* kpageflags tells what kind of page is behind an entry; kpagecount how often it is mapped. */
#include <errno.h>
#include <fcntl.h>
#include <linux/kernel-page-flags.h>
#include <rssck/case.h>
#include <rssck/judge.h>
#include <rssck/source.h>
#include <rssck/workload.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define FLAG(name) (1ULL << KPF_##name)

enum kind { WRITTEN, FILE_READ_ONCE, SHARED, TMPFS, UNTOUCHED_READ, KINDS };

enum { MAPPED_TWICE = KINDS };

static const struct {
	const char *name;
	uint64_t has, has_not;
} known[KINDS] = {
	[WRITTEN] = { "anonymous memory", FLAG(MMAP) | FLAG(ANON) | FLAG(SWAPBACKED),
		      FLAG(ZERO_PAGE) | FLAG(HUGE) | FLAG(THP) | FLAG(NOPAGE) },
	[FILE_READ_ONCE] = { "a file", FLAG(MMAP) | FLAG(UPTODATE),
			     FLAG(ANON) | FLAG(ZERO_PAGE) | FLAG(HUGE) | FLAG(KSM) | FLAG(NOPAGE) },
	[SHARED] = { "shared anonymous memory", FLAG(MMAP) | FLAG(SWAPBACKED),
		     FLAG(ANON) | FLAG(ZERO_PAGE) | FLAG(HUGE) | FLAG(KSM) },
	[TMPFS] = { "a memfd", FLAG(MMAP) | FLAG(SWAPBACKED),
		    FLAG(ANON) | FLAG(ZERO_PAGE) | FLAG(HUGE) | FLAG(KSM) },
	[UNTOUCHED_READ] = { "the zero page", FLAG(ZERO_PAGE),
			     FLAG(ANON) | FLAG(HUGE) | FLAG(KSM) | FLAG(NOPAGE) },
};

static void *map(struct workload *w, int flags, int fd)
{
	return workload_map(w, w->page_size, PROT_READ | PROT_WRITE, flags, fd, 0);
}

static void map_kinds(struct workload *w)
{
	int memfd = workload_shmem(w, 1);

	w->slot[WRITTEN] = map(w, MAP_PRIVATE | MAP_ANONYMOUS, -1);
	w->slot[FILE_READ_ONCE] = map(w, MAP_PRIVATE, workload_file(w, 1));
	w->slot[SHARED] = map(w, MAP_SHARED | MAP_ANONYMOUS, -1);
	w->slot[TMPFS] = map(w, MAP_SHARED, memfd);
	w->slot[UNTOUCHED_READ] = map(w, MAP_PRIVATE | MAP_ANONYMOUS, -1);
	w->slot[MAPPED_TWICE] = map(w, MAP_SHARED, memfd);
	for (int i = 0; i <= MAPPED_TWICE; i++)
		if (i == FILE_READ_ONCE || i == UNTOUCHED_READ)
			touch_read(w, w->slot[i], 1);
		else
			touch_write(w, w->slot[i], 1);
}

/* A word of the file, at the index of a page or of a page frame. */
static uint64_t word(struct workload *w, const char *path, uint64_t index)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	uint64_t value;

	if (fd < 0 ||
	    pread(fd, &value, sizeof(value), (off_t)(index * sizeof(value))) != sizeof(value))
		workload_skip(w, "%s: %s", path, strerror(errno));
	close(fd);
	return value;
}

static uint64_t frame(struct workload *w, const void *p)
{
	return PAGEMAP_PFN(word(w, "/proc/self/pagemap", (uintptr_t)p / w->page_size));
}

static void look(struct workload *w)
{
	for (int i = 0; i < KINDS; i++) {
		uint64_t pfn = frame(w, w->slot[i]);
		uint64_t flags = word(w, "/proc/kpageflags", pfn);
		uint64_t count = word(w, "/proc/kpagecount", pfn);

		if ((flags & known[i].has) != known[i].has || flags & known[i].has_not)
			workload_fail(w, "kpageflags of %s: %#llx", known[i].name,
				      (unsigned long long)flags);
		if (i == WRITTEN)
			workload_tell(w, "ksm", !!(flags & FLAG(KSM)));
		if (i != UNTOUCHED_READ && count != (i == TMPFS ? 2 : 1))
			workload_fail(w, "kpagecount of %s: %llu", known[i].name,
				      (unsigned long long)count);
	}
	if (frame(w, w->slot[TMPFS]) != frame(w, w->slot[MAPPED_TWICE]))
		workload_fail(w, "one page of a memfd is in two page frames");
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_fact(j, "kpageflags.calls_anonymous_memory_KSM", "%s",
		   trial_told(t, "look at each", "ksm", 0) ? "yes" : "no");
}

CASE(scanners_kpageflags) {
	.claim = "kpageflags calls anonymous memory ANON, a file's page not, tmpfs SWAPBACKED, "
		 "and the zero page by its name; kpagecount counts entries",
	.because = "stable_page_flags() asks the page itself; shared anonymous memory is tmpfs, "
		   "so it is swap-backed and not anonymous. Some kernels test the wrong bits and "
		   "call all anonymous memory KSM.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/pagemap.rst", "proc_kpageflags(5)"),
	.needs = NEEDS("pfn"),
	.steps = STEPS(STEP("map all kinds", map_kinds, VIRT_DATA(3), VIRT_OTHER(3), ANON_WRITE(1),
			    FILE_READ(1), SHMEM_WRITE(1), ZERO_READ(1),
			    { ACCOUNT_SHMEM, 2, PAGE_DIRTY, 2, 0 }),
		       STEP("look at each", look)),
	.facts = FACTS(FACT("kpageflags.calls_anonymous_memory_KSM", "yes|no")),
	.judge = judge,
};
