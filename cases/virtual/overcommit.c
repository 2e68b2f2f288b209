// SPDX-License-Identifier: MIT
/*
 * Finds the largest mapping that mmap(2) grants in each mode of vm.overcommit_memory, with each
 * pair of reserves, with and without CAP_SYS_ADMIN, by a small and by a large process.
 */
#include <inttypes.h>
#include <rssck/case.h>
#include <stdlib.h>
#include <sys/wait.h>

#define VM "/proc/sys/vm/"

enum { GUESS = 0, NEVER = 2 /* modes: mm/util.c */, TEXT = 200, STRANGER = 65534, TRIES = 5 };
STEP_SYMBOLS(EACH_MODE);

/* A write of RATIO sets KBYTES to 0, and the other way round. */
enum setting { MODE, RATIO, KBYTES, ADMIN, USER, SETTINGS };

static const char *const paths[SETTINGS] = {
	[MODE] = VM "overcommit_memory",   [RATIO] = VM "overcommit_ratio",
	[KBYTES] = VM "overcommit_kbytes", [ADMIN] = VM "admin_reserve_kbytes",
	[USER] = VM "user_reserve_kbytes",
};

/* A machine of a million pages has these in MiB; a smaller one has less in proportion. */
static const struct row {
	const char *who;
	bool stranger, large;
	int64_t admin, user;
} rows[] = {
	{ "root", false, false, 0, 0 },
	{ "root", false, false, 512, 0 },
	{ "another user", true, false, 0, 0 },
	{ "another user", true, false, 512, 0 },
	{ "a large process of root", false, true, 0, 256 },
	{ "a large process of root", false, true, 512, 2048 },
	{ "a large process of another user", true, true, 512, 2048 },
};

/* A number of a row in pages. */
static int64_t scaled(const struct workload *w, int64_t mib)
{
	return mib * workload_meminfo_pages(w, "MemTotal") / 4096;
}

static bool set_pages(const struct workload *w, enum setting i, int64_t pages)
{
	return workload_try_to_set_number(paths[i], pages * (int64_t)w->page_size / 1024);
}

/* Returns the most pages that one mmap(2) gets, by halving; at most twice of all. */
static int64_t most(const struct workload *w)
{
	int64_t got = 0, refused = 2 * workload_all_pages(w);

	while (refused - got > 1) {
		int64_t n = got + (refused - got) / 2;
		size_t bytes = (size_t)n * w->page_size;
		char *p = workload_try_map(bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, -1);

		if (p)
			munmap(p, bytes);
		*(p ? &got : &refused) = n;
	}
	return got;
}

/*
 * How far the sum that the kernel compares may be off: one batch for each CPU (mm_compute_batch()
 * of mm/mm_init.c).
 */
static int64_t slack(const struct workload *w)
{
	int64_t cpus = sysconf(_SC_NPROCESSORS_CONF), batch = 2 * cpus > 32 ? 2 * cpus : 32;
	int64_t of_memory = workload_meminfo_pages(w, "MemTotal") / sysconf(_SC_NPROCESSORS_ONLN) /
			    256;

	return cpus * (of_memory > batch ? of_memory : batch);
}

/* __vm_enough_memory(): the sum with the new pages must be below the limit. */
static int64_t allowed(const struct workload *w, const struct row *r, int64_t total_vm)
{
	int64_t n = workload_meminfo_pages(w, "CommitLimit") -
		    workload_meminfo_pages(w, "Committed_AS") - 1;
	int64_t user = scaled(w, r->user);

	if (r->stranger)
		n -= scaled(w, r->admin);
	return n - (total_vm / 32 < user ? total_vm / 32 : user);
}

/* What a child reports. */
struct answer {
	int64_t most, allowed;
};

static bool become(const struct workload *w, const struct row *r)
{
	size_t bytes = 4 * (size_t)workload_meminfo_pages(w, "MemTotal") * w->page_size;

	if (r->large && !workload_try_map(bytes, PROT_NONE, MAP_PRIVATE, -1))
		return false;
	return !r->stranger || setresuid(STRANGER, STRANGER, STRANGER) == 0;
}

/* Returns false if there cannot be such a process here. */
static bool ask(const struct workload *w, const struct row *r, struct answer *a)
{
	pid_t pid = fork();

	if (pid == 0) {
		if (!become(w, r))
			_exit(1);
		a->allowed = allowed(w, r, workload_status_pages(w, "VmSize"));
		a->most = most(w);
		_exit(0);
	}
	return workload_result_of(pid, 1) == 0;
}

static bool agrees(const struct workload *w, const struct answer *a)
{
	return llabs(a->most - (a->allowed > 0 ? a->allowed : 0)) <= slack(w);
}

/* Tries again, because other processes commit memory, too. */
static bool try_row(const struct workload *w, const struct row *r, struct answer *a,
		    char wrong[TEXT])
{
	if (!set_pages(w, ADMIN, scaled(w, r->admin)) || !set_pages(w, USER, scaled(w, r->user)))
		return false;
	for (int i = 0; i < TRIES; i++) {
		/* A write of the mode makes the kernel add up the CPUs' shares. */
		if (!workload_try_to_set_number(paths[MODE], NEVER) || !ask(w, r, a))
			return false;
		if (agrees(w, a))
			return true;
	}
	snprintf(wrong, TEXT,
		 "overcommit_memory 2, admin_reserve_kbytes and user_reserve_kbytes of %" PRId64
		 " and %" PRId64 " pages: %s gets %" PRId64 " pages in one call, must get %" PRId64
		 " (+-%" PRId64 ")",
		 scaled(w, r->admin), scaled(w, r->user), r->who, a->most, a->allowed, slack(w));
	return true;
}

/* In mode 0 only what alone exceeds all memory and swap is refused. */
static void try_guess(const struct workload *w, struct answer *a, char wrong[TEXT])
{
	a->most = most(w);
	a->allowed = workload_all_pages(w);
	if (a->most != a->allowed)
		snprintf(wrong, TEXT,
			 "overcommit_memory 0: %" PRId64 " pages are the most that mmap(2) gets, "
			 "must be all memory and swap, %" PRId64,
			 a->most, a->allowed);
}

static int64_t before[SETTINGS];

static void restore(void)
{
	for (enum setting i = 0; i < SETTINGS; i++)
		if (i != KBYTES || before[i])
			workload_try_to_set_number(paths[i], before[i]);
}

static bool try_all(const struct workload *w, struct answer *a, char wrong[TEXT])
{
	if (!workload_try_to_set_number(paths[MODE], GUESS) ||
	    !workload_try_to_set_number(paths[RATIO], 100))
		return false;
	try_guess(w, a, wrong);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows) && !wrong[0]; i++)
		if (!try_row(w, &rows[i], a, wrong))
			return false;
	return true;
}

static void each_mode(struct workload *w)
{
	struct workload_guard g;
	char wrong[TEXT] = "";
	struct answer *a;
	bool done;

	for (enum setting i = 0; i < SETTINGS; i++) {
		before[i] = workload_number(paths[i], NULL, -1);
		if (before[i] < 0)
			workload_skip(w, "%s", paths[i]);
	}
	a = workload_try_map(sizeof(*a), PROT_READ | PROT_WRITE, MAP_SHARED, -1);
	g = workload_guard_begin(w, restore);
	done = try_all(w, a, wrong);
	workload_guard_end(w, &g);
	munmap(a, sizeof(*a));
	if (wrong[0])
		workload_fail(w, "%s", wrong);
	if (!done)
		workload_skip(
			w,
			"settings of overcommit that can be written, and a process of another user with four times as much address space as the machine has memory");
	workload_checked(w);
}

CASE(virtual_overcommit) {
	.claim =
		"With vm.overcommit_memory 2 one mmap(2) gets CommitLimit - Committed_AS, without admin_reserve_kbytes for a process that lacks CAP_SYS_ADMIN, and without user_reserve_kbytes or 1/32 of VmSize, whichever is smaller. With 0 it gets at most all memory and swap",
	.because = "__vm_enough_memory() computes the limit for each request. The sum that it "
		   "compares may lag behind Committed_AS by a batch for each CPU.",
	.said_by = SAID_BY("proc_sys_vm(5), overcommit_memory",
			   "Documentation/admin-guide/sysctl/vm.rst, user_reserve_kbytes"),
	.needs = NEEDS("root", "guest"),
	.flags = CASE_ONE_CPU,
	.limit_s = 60,
	.steps = STEPS(STEP_AS(EACH_MODE, "each mode and each reserve", each_mode, .checks = 1)),
};
