// SPDX-License-Identifier: MIT
/*
 * Double entry for calls that end midway: a signal interrupts swapoff(2), or SIGKILL ends a process
 * in the middle of a call. Each number returns to its old value.
 */
#include "double_entry.h"
#include <sys/time.h>

STEP_SYMBOLS(TAKE);

enum { FIRST_US = 20, SIGNALS = 40, KILLS = 24, HUGETLB_PAGES = 2 };

/* ---- calls during which the process is killed; each repeats from the start ---- */

static bool unmap(const struct workload *w, char *p)
{
	return p && munmap(p, load_bytes(w)) == 0;
}

static bool write_and_unmap(const struct workload *w)
{
	return unmap(w, load_anonymous(w));
}

static bool reserve_file(const struct workload *w)
{
	int fd = memfd_create("rssck", MFD_CLOEXEC);

	return fallocate(fd, 0, 0, (off_t)load_bytes(w)) == 0 && close(fd) == 0;
}

static bool lock(const struct workload *w)
{
	char *p = load_map(w, -1, 0);

	return p && mlock(p, load_bytes(w)) == 0 && unmap(w, p);
}

static bool page_out(const struct workload *w)
{
	char *p = load_anonymous(w);

	return p && load_page_out(w, p) && unmap(w, p);
}

static bool move(const struct workload *w)
{
	char *p = load_anonymous(w);
	char *to = workload_try_map(load_bytes(w), PROT_NONE, MAP_PRIVATE, -1);

	return p && to &&
	       mremap(p, load_bytes(w), load_bytes(w), MREMAP_MAYMOVE | MREMAP_FIXED, to) == to &&
	       unmap(w, to);
}

static bool migrate(const struct workload *w)
{
	char *p = load_anonymous(w);

	return p && load_migrate(w, p) && unmap(w, p);
}

static bool write_huge(const struct workload *w)
{
	return unmap(w, huge_map(w, -1));
}

static bool write_hugetlb(const struct workload *unused)
{
	size_t size = workload_hugetlb_bytes(), bytes = HUGETLB_PAGES * size;
	char *p = size ? workload_try_map(bytes, PROT_READ | PROT_WRITE,
					  MAP_PRIVATE | MAP_HUGETLB | MAP_POPULATE, -1)
		       : NULL;

	(void)unused;
	return p && munmap(p, bytes) == 0;
}

/* Kills a child KILLS times, each time later, while it repeats the call. */
static int64_t kill_during(const struct workload *w, bool (*call)(const struct workload *w))
{
	for (useconds_t i = 0; i < KILLS; i++) {
		pid_t pid = fork();
		int status = -1;

		if (!pid)
			while (call(w))
				;
		if (!pid)
			_exit(1);
		usleep(FIRST_US * i * i);
		kill(pid, SIGKILL);
		if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFSIGNALED(status))
			return -ENOENT;
	}
	return 0;
}

#define KILLED(name, call)                                     \
	static int64_t name##_killed(const struct workload *w) \
	{                                                      \
		return kill_during(w, call);                   \
	}
KILLED(write, write_and_unmap)
KILLED(reserve, reserve_file)
KILLED(lock, lock)
KILLED(page_out, page_out)
KILLED(move, move)
KILLED(migrate, migrate)
KILLED(huge, write_huge)
KILLED(hugetlb, write_hugetlb)

/* ---- a signal that interrupts swapoff(2) ---- */

static void on_alarm(int unused)
{
	(void)unused;
}

/*
 * Turns swap off with a signal that comes later in each try, until one interrupts the call. Turns
 * it on again after each call that succeeds, because later cases need it.
 */
static int64_t swapoff_interrupted(const struct workload *w)
{
	const struct sigaction act = { .sa_handler = on_alarm };
	struct itimerval in = { .it_value = { 0, FIRST_US } };
	char *p = load_anonymous(w), area[256];

	if (!p || !workload_swap_area(area, sizeof(area)))
		return -ENOENT;
	sigaction(SIGALRM, &act, NULL);
	for (int i = 0; i < SIGNALS && load_page_out(w, p); i++) {
		setitimer(ITIMER_REAL, &in, NULL);
		if (swapoff(area) < 0)
			return errno == EINTR ? (int64_t)load_pages(w) : -errno;
		if (swapon(area, 0) < 0)
			return -errno;
		in.it_value.tv_usec += in.it_value.tv_usec / 4 + 1;
	}
	return -ENOENT;
}

static const struct load loads[] = {
	{ .name = "nothing" },
	{ DOES("a kill during writes", write_killed), .any = ~KIND(OTHER) },
	{ DOES("a kill during fallocate(2)", reserve_killed), .any = ~KIND(OTHER) },
	{ DOES("a kill during mlock(2)", lock_killed), .any = ~KIND(OTHER) },
	{ DOES("a kill during MADV_PAGEOUT", page_out_killed), .any = ~KIND(OTHER) },
	{ DOES("a kill during mremap(2)", move_killed), .any = ~KIND(OTHER) },
	{ DOES("a kill during a migration", migrate_killed), .any = ~KIND(OTHER) },
	{ DOES("a kill during writes of huge pages", huge_killed), .any = ~KIND(OTHER) },
	{ DOES("a kill during writes of hugetlb pages", hugetlb_killed), .any = ~KIND(OTHER) },
	{ DOES("an interrupted swapoff(2)", swapoff_interrupted), .any = ~KIND(OTHER) },
};

enum { LOADS = sizeof(loads) / sizeof(*loads) };

static void take_and_give_back(struct workload *w)
{
	struct ledgers *b = ledgers_open(w, ledger_read);
	int64_t taken = 0;

	ledger_enter(w);
	for (size_t i = 0; i < LOADS; i++)
		taken += take(w, &loads[i], b);
	workload_cgroup_leave(w);
	ledgers_close(w, b, taken);
}

static void judge(const struct trial *t, struct judgement *j)
{
	if (trial_reported(t, TAKE, "loads") <= LOADS / 2)
		judge_skip(j, "a machine on which half of the calls are possible");
}

CASE(machine_interrupted) {
	.claim =
		"When a signal interrupts swapoff(2), or SIGKILL ends a process in the middle of a call, the counters of the machine, its nodes and the cgroup return to their old values, and SwapTotal keeps the area",
	.because = "swapoff(2) puts the area back when a signal is pending (reinsert_swap_info()). "
		   "Faults, fallocate(2) and migration stop midway when the process is killed, "
		   "and must undo what they have charged.",
	.said_by = SAID_BY("swapon(2)", "proc_meminfo(5), SwapTotal"),
	.needs = NEEDS("root", "guest"),
	.flags = CASE_THP | CASE_ONE_CPU,
	.limit_s = 120,
	.steps = STEPS(STEP_AS(TAKE, "interrupt or kill each call", take_and_give_back,
			       .checks = 1)),
	.judge = judge,
};
