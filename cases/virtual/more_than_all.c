// SPDX-License-Identifier: MIT
/*
 * Asks for more memory than the machine may commit, in each way and in each size up to the largest
 * number, with vm.overcommit_memory 2. Near the largest sizes a sum or a rounding can overflow.
 */
#include <inttypes.h>
#include <rssck/case.h>
#include <stdlib.h>
#include <string.h>
#include <sys/shm.h>

#define MODE "/proc/sys/vm/overcommit_memory"
STEP_SYMBOLS(EACH_WAY);

enum { NEVER = 2 /* OVERCOMMIT_NEVER: mm/util.c */ };

/* ---- ways: each asks for `bytes`, gives back what it got, and returns whether it got it ---- */

static int64_t committed_kb(void)
{
	return workload_number("/proc/meminfo", "Committed_AS", -1);
}

static int64_t while_there; /* Committed_AS in kB while the memory was there, or -1 */

static bool unmapped(char *p, size_t bytes)
{
	if (!p)
		return false;
	while_there = committed_kb();
	munmap(p, bytes);
	return true;
}

static bool private(const struct workload *w, size_t bytes)
{
	(void)w;
	return unmapped(workload_try_map(bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, -1), bytes);
}

static bool shared(const struct workload *w, size_t bytes)
{
	(void)w;
	return unmapped(workload_try_map(bytes, PROT_READ | PROT_WRITE, MAP_SHARED, -1), bytes);
}

static bool enlarged(const struct workload *w, size_t bytes)
{
	char *p = workload_try_map(w->page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, -1), *q;

	q = mremap(p, w->page_size, bytes, MREMAP_MAYMOVE);
	if (q != MAP_FAILED)
		return unmapped(q, bytes);
	munmap(p, w->page_size);
	return false;
}

/* Address space without access is not charged until it may be written. */
static bool unprotected(const struct workload *w, size_t bytes)
{
	char *p = workload_try_map(bytes, PROT_NONE, MAP_PRIVATE, -1);
	bool got;

	(void)w;
	if (!p)
		return false;
	got = mprotect(p, bytes, PROT_READ | PROT_WRITE) == 0;
	while_there = committed_kb();
	munmap(p, bytes);
	return got;
}

static bool segment(const struct workload *w, size_t bytes)
{
	int id = shmget(IPC_PRIVATE, bytes, IPC_CREAT | 0600);

	(void)w;
	if (id < 0)
		return false;
	while_there = committed_kb();
	shmctl(id, IPC_RMID, NULL);
	return true;
}

static bool heap(const struct workload *w, size_t bytes)
{
	void *end = sbrk(0);
	bool got = (intptr_t)bytes > 0 && sbrk((intptr_t)bytes) != (void *)-1;

	(void)w;
	while_there = committed_kb();
	return !brk(end) && got;
}

static const struct way {
	const char *text;
	bool (*ask)(const struct workload *w, size_t bytes);
} ways[] = {
	{ "mmap(2) of private memory", private },
	{ "mmap(2) of shared memory", shared },
	{ "mremap(2)", enlarged },
	{ "mprotect(2)", unprotected },
	{ "shmget(2)", segment },
	{ "brk(2)", heap },
};

/* ---- sizes ---- */

/* Returns the smallest power of two that is twice of all; 0 if a size_t cannot hold it. */
static size_t more_than_all(const struct workload *w)
{
	size_t bytes = 1;

	while (bytes && (int64_t)(bytes / w->page_size) < 2 * workload_all_pages(w))
		bytes *= 2;
	return bytes;
}

struct ask {
	const struct workload *w;
	const struct way *way;
	int64_t noise_kb; /* others may commit less than this */
	char *wrong;      /* text of the first error */
};

enum { TEXT = 160 };

static bool half_is_taken; /* has shmget(2) of SIZE_MAX / 2 lowered Committed_AS? */

static void ask(struct ask *a, size_t bytes)
{
	int64_t before = committed_kb(), after;
	bool got;

	while_there = -1;
	got = a->way->ask(a->w, bytes);
	after = committed_kb();
	if (got && a->way->ask == segment && bytes == SIZE_MAX / 2 && while_there < before) {
		half_is_taken = true;
		got = false;
	}
	if (a->wrong[0] || (!got && llabs(after - before) < a->noise_kb))
		return;
	snprintf(a->wrong, TEXT,
		 "%s of %zu bytes %s; Committed_AS is %" PRId64 " kB before, %" PRId64
		 " with it and %" PRId64 " after",
		 a->way->text, bytes, got ? "succeeds" : "fails", before, while_there, after);
}

static void ask_each(struct workload *w, char wrong[TEXT])
{
	struct ask a = { .w = w,
			 .noise_kb = workload_all_pages(w) * (int64_t)w->page_size / 1024 / 2,
			 .wrong = wrong };
	size_t least = more_than_all(w);

	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		a.way = &ways[i];
		for (size_t bytes = least; bytes; bytes *= 2) {
			ask(&a, bytes - w->page_size);
			ask(&a, bytes - 1);
			ask(&a, bytes);
			ask(&a, bytes + 1);
		}
		ask(&a, SIZE_MAX - w->page_size);
		ask(&a, SIZE_MAX);
	}
}

static int64_t mode_before;

static void restore_mode(void)
{
	workload_try_to_set_number(MODE, mode_before);
}

static void each_way(struct workload *w)
{
	struct workload_guard g;
	char wrong[TEXT] = "";

	mode_before = workload_number(MODE, NULL, -1);
	g = workload_guard_begin(w, restore_mode);
	if (!workload_try_to_set_number(MODE, NEVER)) {
		workload_guard_end(w, &g);
		workload_skip(w, MODE ": %m");
	}
	ask_each(w, wrong);
	workload_guard_end(w, &g);
	if (wrong[0])
		workload_fail(w, "%s", wrong);
	workload_checked(w);
	workload_report(w, "half", half_is_taken);
}

static void judge(const struct trial *t, struct judgement *j)
{
	if (sizeof(size_t) > sizeof(int32_t))
		judge_fact(j, "shmem.segment_of_half_of_size_max", "%s",
			   trial_reported(t, EACH_WAY, "half") ? "lowers Committed_AS" : "refused");
}

CASE(virtual_more_than_all) {
	.claim =
		"With vm.overcommit_memory 2 every request for more memory than the machine has is refused, up to the largest size and in each way (mmap, mremap, mprotect, shmget, brk), and changes Committed_AS by nothing",
	.because = "__vm_enough_memory() adds the pages to vm_committed_as, compares, and "
		   "subtracts them again if they are too many. VM_ACCT() of mm/shmem.c rounds "
		   "SIZE_MAX / 2 up to a negative number, so shmget(2) of that size lowers it.",
	.said_by = SAID_BY("Documentation/mm/overcommit-accounting.rst", "shmget(2)"),
	.needs = NEEDS("root", "guest"),
	.steps = STEPS(STEP_AS(EACH_WAY, "ask for more than all", each_way, .checks = 1)),
	.facts = FACTS(FACT("shmem.segment_of_half_of_size_max",
			    "With vm.overcommit_memory 2, shmget(2) of SIZE_MAX / 2 bytes",
			    "refused|lowers Committed_AS")),
	.judge = judge,
};
