// SPDX-License-Identifier: MIT
/* Workloads that crash, hang and give up at each step: each is noticed, named, and removed. */
#include "base/clock.h"
#include "tests/support/driven.h"
#include "tests/workload/misbehaving.h"
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>

static void assert_ends(const struct engine *e, int step, const char *how, enum trial_end end,
			const char *words)
{
	OWNED(trial_free) struct trial t;

	driven_misbehave(driven_steps[step], how);
	t = driven_trial(e);
	if (t.end != end || !strstr(t.reason, words))
		fail_msg("%s at step %s: end %d, \"%s\"; expected end %d, \"%s\"", how,
			 driven_steps[step], t.end, t.reason, end, words);
	if (strncmp(t.reason, driven_steps[step], strlen(driven_steps[step])))
		fail_msg("\"%s\" does not name the step", t.reason);
	assert_nobody_left();
}

/*
 * The end of the leader shows in its wait status. The end of a forked process shows only in its
 * missing reply.
 */
static void assert_dies_at_each_step(const struct engine *e, const char *how, const char *words)
{
	for (int step = 0; step < DRIVEN_STEPS; step++)
		assert_ends(e, step, how, TRIAL_ERROR,
			    step == DRIVEN_CHILD_STEP ? "process 1 of the workload " : words);
}

TEST(a_correct_workload_completes_every_step)
{
	OWNED(trial_free) struct trial t;

	driven_misbehave(NULL, NULL);
	t = driven_trial(*state);
	assert_string_equal(t.reason, "");
	assert_int_equal(t.end, TRIAL_DONE);
	assert_int_equal(t.nr_moments, 1 + DRIVEN_STEPS + 1);
	assert_string_equal(t.moments[0].name, "baseline");
	assert_string_equal(t.moments[DRIVEN_STEPS + 1].name, "read the numbers");
	for (size_t i = 0; i < t.nr_moments; i++) {
		bool forked = i >= 3 && i <= DRIVEN_STEPS;

		assert_true(snapshot_value(t.moments[i].of[0], METRIC_SMAPS_RSS) > 0);
		assert_int_equal(snapshot_value(t.moments[i].of[1], METRIC_SMAPS_RSS) > 0, forked);
	}
	assert_true(t.maxrss_kb > 0);
	assert_nobody_left();
}

/*
 * This many of the observer's waits are interrupted. After an interrupted poll(2) there may be no
 * message, so recv(2) is interrupted, too, rather than wait for ever.
 */
static unsigned interruptions;
static bool awaits_nothing;
static ssize_t last_received;

int poll(struct pollfd *fds, nfds_t nr, int ms)
{
	awaits_nothing = interruptions > 0;
	if (awaits_nothing) {
		interruptions--;
		errno = EINTR;
		return -1;
	}
	return ppoll(fds, nr, &(struct timespec) { ms / 1000, ms % 1000 * 1000000L }, NULL);
}

ssize_t recv(int fd, void *to, size_t size, int flags)
{
	if (!awaits_nothing)
		return last_received = recvfrom(fd, to, size, flags, NULL, NULL);
	errno = EINTR;
	return -1;
}

/* Leaves the last two interruptions to poll(2). */
pid_t wait4(pid_t pid, int *status, int options, struct rusage *usage)
{
	if (interruptions <= 2)
		return (pid_t)syscall(SYS_wait4, pid, status, options, usage);
	interruptions--;
	errno = EINTR;
	return -1;
}

/* For example, resizing the terminal sends SIGWINCH. */
TEST(signals_to_the_observer_make_no_difference)
{
	OWNED(trial_free) struct trial t;

	driven_misbehave(NULL, NULL);
	interruptions = 5;
	t = driven_trial(*state);
	assert_string_equal(t.reason, "");
	assert_int_equal(t.end, TRIAL_DONE);
	assert_int_equal(t.nr_moments, 1 + DRIVEN_STEPS + 1);
	assert_int_equal(interruptions, 0);
	assert_nobody_left();
}

static bool interrupt_the_end(const struct trial *t, const pid_t *pids, void *data)
{
	(void)t, (void)pids, (void)data;
	interruptions = 4;
	return false;
}

TEST(a_signal_does_not_stop_the_wait_for_the_workload)
{
	const struct observer last = { .look = interrupt_the_end };
	const struct engine *e = *state;
	OWNED(trial_free) struct trial t;

	driven_misbehave(NULL, NULL);
	trial_run_before(&t, e, &driven_registration, e->host.cpu_list, 1, &last);
	assert_int_equal(t.end, TRIAL_STOPPED);
	assert_int_equal(interruptions, 0);
	assert_true(t.maxrss_kb > 0);
	assert_int_equal(waitpid(t.leader, NULL, WNOHANG), -1);
	/* The channel was read to its end, so the process has released its memory. */
	assert_true(last_received <= 0);
	assert_nobody_left();
}

TEST(each_way_to_die_at_each_step_is_named)
{
	assert_dies_at_each_step(*state, "signal", "the workload was killed by signal 11");
	assert_dies_at_each_step(*state, "exit", "the workload ended with status 3");
	assert_dies_at_each_step(*state, "exit 0", "the workload ended with status 0");
}

TEST(each_way_to_give_up_at_each_step_is_named)
{
	static const struct {
		const char *how;
		enum trial_end end;
		const char *words;
	} rows[] = {
		{ "skip", TRIAL_SKIPPED, "a made-up call: ENOSYS" },
		{ "fail", TRIAL_FAILED, "the file holds 7" },
		{ "die", TRIAL_ERROR, "mmap: made up" },
		{ "expect too much", TRIAL_ERROR, "more than 24 postings in one step" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		for (int step = 0; step < DRIVEN_STEPS; step++)
			assert_ends(*state, step, rows[i].how, rows[i].end, rows[i].words);
}

TEST(a_ready_step_without_pages_is_an_error_that_names_the_step)
{
	assert_ends(*state, 1, "forget the pages", TRIAL_ERROR, "step \"write\" has no .pages");
}

TEST(postings_of_0_pages_are_left_out)
{
	OWNED(trial_free) struct trial t;
	const struct moment *m;

	driven_misbehave("write", "expect nothing");
	t = driven_trial(*state);
	assert_int_equal(t.end, TRIAL_DONE);
	m = &t.moments[2];
	assert_int_equal(m->nr_expected, 3);
	assert_int_equal(m->expected[0].account, ACCOUNT_ANON);
	assert_int_equal(m->expected[1].pages, 2);
	assert_int_equal(m->expected[2].pages, -2);
}

TEST(only_the_skipped_step_is_left_out)
{
	OWNED(trial_free) struct trial t;

	driven_misbehave("write", "skip step");
	t = driven_trial(*state);
	assert_int_equal(t.end, TRIAL_DONE);
	assert_int_equal(t.nr_moments, 1 + DRIVEN_STEPS + 1);
	for (size_t i = 0; i < t.nr_moments; i++)
		assert_int_equal(t.moments[i].skipped, i == 2);
	assert_string_equal(t.moments[2].why_skipped, "a made-up flag: EINVAL");
	assert_null(trial_snapshot(&t, t.moments[2].symbol, 0));
	assert_non_null(trial_snapshot(&t, t.moments[4].symbol, 0));
	assert_nobody_left();
}

static void assert_times_out(struct engine *e, int step, const char *how)
{
	int64_t start = now_ms();

	assert_ends(e, step, how, TRIAL_ERROR, "the workload hung: no reply within 1 s");
	/*
	 * The time limit is this engine's 1 s, not DRIVEN_LIMIT_S. A busy machine may take longer.
	 */
	if (now_ms() - start > DRIVEN_LIMIT_S * 900)
		fail_msg("hanging at step %s took %lld ms", driven_steps[step],
			 (long long)(now_ms() - start));
}

TEST(hanging_at_each_step_ends_with_the_time_limit)
{
	struct engine *e = *state;

	e->limit_s = 1;
	for (int step = 0; step < DRIVEN_STEPS; step++)
		assert_times_out(e, step, "hang");
	assert_times_out(e, 1, "stop");
	e->limit_s = DRIVEN_LIMIT_S;
}

static int tell_to, heard_from;

FIXTURE(prepare_pipe)
{
	tell_to = driven_pipe(&heard_from);
	return 0;
}

FIXTURE(close_pipe)
{
	driven_pipe_close(tell_to, heard_from);
	return 0;
}

static void *killer(void *arg)
{
	pid_t pid = 0;

	(void)arg;
	if (read(heard_from, &pid, sizeof(pid)) == sizeof(pid))
		kill(pid, SIGKILL);
	return NULL;
}

TEST_WITH(a_kill_in_the_middle_of_each_step_is_named, prepare_pipe, close_pipe)
{
	for (int step = 0; step < DRIVEN_STEPS; step++) {
		pthread_t thread;

		assert_int_equal(pthread_create(&thread, NULL, killer, NULL), 0);
		assert_ends(*state, step, "wait", TRIAL_ERROR,
			    step == DRIVEN_CHILD_STEP
				    ? "process 1 of the workload was killed by signal 9"
				    : "killed by signal 9 (Killed): by the OOM "
				      "killer, or by another process");
		pthread_join(thread, NULL);
	}
}

TEST(errors_with_forked_processes_are_named)
{
	assert_ends(*state, 4, "kill child", TRIAL_ERROR,
		    "process 1 of the workload was killed by signal 9");
	assert_ends(*state, 1, "fork", TRIAL_ERROR,
		    "process 2 cannot be forked: its number must be 1 to 1");
}

/* Under valgrind vfork() shares no memory, so only the exit status is known. */
static void assert_does_not_start(struct engine *e, const char *program, const char *words)
{
	struct engine other = *e;
	OWNED(trial_free) struct trial t;

	snprintf(other.workload, sizeof(other.workload), "%s", program);
	t = driven_trial(&other);
	assert_int_equal(t.end, TRIAL_ERROR);
	if (!strstr(t.reason, words) && !strstr(t.reason, "the workload ended with status"))
		fail_msg("%s: \"%s\", expected \"%s\"", program, t.reason, words);
	assert_int_equal(t.nr_moments, 0);
	assert_nobody_left();
}

TEST(a_workload_that_does_not_start_is_explained)
{
	assert_does_not_start(*state, "/nonexistent", "/nonexistent: No such file or directory");
	assert_does_not_start(*state, "/proc/self/stat", "/proc/self/stat: Permission denied");
	assert_does_not_start(*state, "/bin/false", "ended with status 1");
}

static void run_fifty(const struct engine *e)
{
	static const char *const ways[] = { "", "exit", "die", "skip", "fail" };

	for (int i = 0; i < 50; i++) {
		OWNED(trial_free) struct trial t;

		driven_misbehave(driven_steps[i % DRIVEN_STEPS], ways[i / 10]);
		t = driven_trial(e);
	}
	assert_nobody_left();
}

TEST(fifty_trials_leave_no_descriptor_open)
{
	unsigned before = open_descriptors();

	run_fifty(*state);
	assert_int_equal(open_descriptors(), before);
}

/* Valgrind has its own limit of descriptors, which socketpair(2) ignores. */
static bool limit_holds(void)
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair) < 0)
		return true;
	close(pair[0]);
	close(pair[1]);
	return false;
}

/* Two channels need four descriptors: the test tries none, one, two and three. */
TEST(too_few_descriptors_are_reported_and_none_stays_open)
{
	unsigned before = open_descriptors();
	int lowest = dup(STDERR_FILENO);
	struct rlimit was, few;

	close(lowest);
	driven_misbehave(NULL, NULL);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &was), 0);
	few = was;
	for (int more = 0; more < 4; more++) {
		struct trial t;

		few.rlim_cur = (rlim_t)(lowest + more);
		assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
		if (more == 0 && !limit_holds()) {
			setrlimit(RLIMIT_NOFILE, &was);
			skip();
		}
		t = driven_trial(*state);
		assert_int_equal(setrlimit(RLIMIT_NOFILE, &was), 0);
		assert_int_equal(t.end, TRIAL_SKIPPED);
		assert_says(t.reason, "socketpair: Too many open files; RLIMIT_NOFILE");
		trial_free(&t);
		assert_int_equal(open_descriptors(), before);
	}
	assert_nobody_left();
}

TESTS_SHARE(driven_setup, driven_teardown);
