// SPDX-License-Identifier: MIT
/*
 * The time that tasks waited for memory (total= of PSI) cannot be more than the time that passed,
 * in microseconds, and all tasks wait no longer than some.
 */
#include <inttypes.h>
#include <linux/perf_event.h>
#include <rssck/case.h>

/* LIMIT is memory.high; a task that exceeds it must sleep, and so waits for memory. */
enum { LIMIT = 256, OVER = 64 * LIMIT, READS = 40, PAUSE_US = 50 * 1000, PATIENCE_S = 20 };

static char wrong[200];

/*
 * Opens an event of this CPU that is always on: its time is that of the scheduler's clock, which
 * PSI uses. Other clocks run at a slightly other speed.
 */
static int open_clock(const struct workload *w)
{
	struct perf_event_attr a = { .type = PERF_TYPE_SOFTWARE,
				     .size = sizeof(a),
				     .config = PERF_COUNT_SW_DUMMY,
				     .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED };

	return (int)syscall(SYS_perf_event_open, &a, -1, w->cpus[0], -1, PERF_FLAG_FD_CLOEXEC);
}

static int64_t nanoseconds(int fd)
{
	struct {
		uint64_t value, enabled;
	} e = { 0 };

	return read(fd, &e, sizeof(e)) == sizeof(e) ? (int64_t)e.enabled : -1;
}

/* One reading, which began and ended at these times. */
struct reading {
	int64_t begin_ns, end_ns, some, full;
};

static bool read_pressure(const char *path, int clock, struct reading *r)
{
	char text[256];
	const char *full;

	r->begin_ns = nanoseconds(clock);
	workload_read_text(path, text, sizeof(text));
	r->end_ns = nanoseconds(clock);
	full = strchr(text, '\n');
	return full && r->begin_ns >= 0 &&
	       sscanf(text, "some avg10=%*f avg60=%*f avg300=%*f total=%" SCNd64, &r->some) == 1 &&
	       sscanf(full + 1, "full avg10=%*f avg60=%*f avg300=%*f total=%" SCNd64, &r->full) ==
		       1;
}

/*
 * Compares two readings. The kernel rounds each total down to a microsecond. It averages over CPUs
 * whose clocks it reads one after another, so for the machine the bound is the sum over its CPUs.
 */
static void compare(const char *path, const struct reading *a, const struct reading *b,
		    int64_t cpus)
{
	int64_t most = cpus * ((b->end_ns - a->begin_ns + 999) / 1000) + 1;

	if (b->some < a->some || b->full < a->full)
		snprintf(wrong, sizeof(wrong), "%s: a total fell", path);
	else if (b->full > b->some)
		snprintf(wrong, sizeof(wrong), "%s: full is %" PRId64 ", above some, %" PRId64,
			 path, b->full, b->some);
	else if (b->some - a->some > most)
		snprintf(wrong, sizeof(wrong),
			 "%s: some rose by %" PRId64 " us, but at most %" PRId64 " us passed", path,
			 b->some - a->some, most);
}

/* Writes far more than memory.high lets it, and sleeps there. */
static int64_t exceed(const struct workload *w)
{
	pid_t pid = fork();
	char *p;

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	p = workload_try_map(OVER * w->page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, -1);
	for (size_t i = 0; p; i = (i + 1) % OVER)
		p[i * w->page_size] = 1;
	_exit(0);
}

static void watch(const char *own, int clock, int64_t *some)
{
	static const char machine[] = "/proc/pressure/memory";
	const char *paths[] = { own, machine };
	int64_t cpus[] = { 1, sysconf(_SC_NPROCESSORS_ONLN) };
	struct patience p = { .seconds = PATIENCE_S, .pause_us = PAUSE_US };
	struct reading last[2], now;

	*some = -1;
	if (!read_pressure(own, clock, &last[0]) || !read_pressure(machine, clock, &last[1]))
		return;
	*some = 0;
	for (int n = 0; !*wrong && (n < READS || !*some) && workload_pause(&p); n++)
		for (int i = 0; i < 2 && !*wrong; i++) {
			if (!read_pressure(paths[i], clock, &now))
				continue;
			compare(paths[i], &last[i], &now, cpus[i]);
			last[i] = now;
			*some = last[0].some;
		}
}

static void stall_and_watch(struct workload *w)
{
	char path[WORKLOAD_CGROUP_PATH];
	int clock = open_clock(w);
	int64_t pid, some;

	if (clock < 0)
		workload_skip(w, "perf_event_open(2): %m");
	workload_cgroup_enter(w);
	wrong[0] = '\0';
	workload_cgroup_path(w, "memory.pressure", path);
	workload_cgroup_try_to_set(w, "memory.swap.max", 0);
	pid = exceed(w);
	workload_cgroup_set(w, "memory.high", LIMIT);
	watch(path, clock, &some);
	workload_cgroup_set(w, "memory.high", -1);
	if (pid > 0)
		workload_companion_ends((pid_t)pid);
	close(clock);
	workload_cgroup_leave(w);
	if (some < 0)
		workload_skip(w, "memory.pressure (CONFIG_PSI, psi=1)");
	if (*wrong)
		workload_fail(w, "%s", wrong);
	if (!some)
		workload_fail(w, "%s: no task waited at memory.high", path);
	workload_checked(w);
}

CASE(cgroup_pressure_time) {
	.claim =
		"While a task waits at memory.high, total of memory.pressure and of /proc/pressure/memory rises by at most the time that passed, in microseconds; it never falls, and full is at most some",
	.because = "get_recent_times() takes the time that a CPU was in a state since it was read "
		   "before. collect_percpu_times() averages it over the CPUs. All tasks wait only "
		   "while some wait.",
	.said_by = SAID_BY("Documentation/accounting/psi.rst",
			   "Documentation/admin-guide/cgroup-v2.rst, memory.pressure"),
	.needs = NEEDS("root", "guest"),
	.flags = CASE_ONE_CPU,
	.steps = STEPS(STEP("wait and read", stall_and_watch, .checks = 1)),
};
