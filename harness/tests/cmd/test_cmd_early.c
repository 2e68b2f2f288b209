// SPDX-License-Identifier: MIT
/* A check that crashes, hangs or gets a signal reports the results up to that point. */
#include "base/memory.h"
#include "cmd/check/check.h"
#include "cmd/check/outlive.h"
#include "tests/support/child.h"
#include "tests/support/files.h"
#include "tests/support/made_up.h"
#include <sys/resource.h>

/* ---- outlive() with short runs ---- */

static int finishes(void *data)
{
	(void)data;
	return 7;
}

static int aborts(void *data)
{
	(void)data;
	setrlimit(RLIMIT_CORE, &(struct rlimit) { 0, 0 });
	abort();
}

static int exits(void *data)
{
	(void)data;
	_exit(3);
}

static int hangs(void *data)
{
	for (;;)
		pause();
	return data != NULL;
}

static int needs_memory(void *data)
{
	(void)data;
	close(STDERR_FILENO);
	memory_gone("the stars");
}

static int is_slow(void *data)
{
	struct outlived *o = data;

	for (int i = 0; i < 30; i++) {
		usleep(100000);
		o->steps++;
	}
	return 0;
}

static void expect_end(int (*run)(void *), const char *why)
{
	struct outlived *o = outlived_new();

	assert_non_null(o);
	assert_true(outlive(o, 1, run, o));
	assert_int_equal(o->finished, why == NULL);
	assert_string_equal(o->why, why ? why : "");
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	outlived_free(o);
}

/*
 * The run is a fork of the test, so valgrind would report the memory of the test as a leak of the
 * run.
 */
static void skip_under_valgrind(void)
{
	if (getenv("VALGRIND"))
		skip();
}

TEST(a_finished_run_keeps_its_status)
{
	struct outlived *o;

	skip_under_valgrind();
	o = outlived_new();
	fflush(NULL);
	assert_true(outlive(o, 10, finishes, NULL));
	assert_true(o->finished);
	assert_int_equal(o->status, 7);
	outlived_free(o);
	expect_end(is_slow, NULL);
}

TEST(each_early_end_of_a_run_is_reported)
{
	skip_under_valgrind();
	expect_end(aborts, "rssck was killed by signal 6 (Aborted)");
	expect_end(exits, "rssck ended with status 3");
	expect_end(hangs, "rssck hung: no progress in 1 s");
	expect_end(needs_memory, "rssck has no memory left for the stars");
}

TEST(a_signal_ends_a_run)
{
	static const int signals[] = { SIGTERM, SIGINT, SIGHUP };

	for (size_t i = 0; i < 3; i++) {
		struct outlived *o = outlived_new();
		pid_t us = getpid(), child = fork();

		if (!child) {
			usleep(200000);
			kill(us, signals[i]);
			_exit(0);
		}
		assert_true(outlive(o, 60, hangs, NULL));
		assert_int_equal(o->signal, signals[i]);
		assert_says(o->why, "rssck was ended by signal ");
		waitpid(child, NULL, 0);
		outlived_free(o);
	}
}

/* ---- reports from an incomplete journal ---- */

static int early(const char *path, enum option_format format, bool with_failure, bool bisect)
{
	struct check_options o = { .format = format, .output = path, .bisect = bisect };
	struct check c = { .options = &o, .out = memfd_create("out", MFD_CLOEXEC) };
	OWNED(results_free) struct results r = made_up_four();
	char why[256];
	int status, err = dup(STDERR_FILENO), null = open("/dev/null", O_WRONLY);

	assert_int_equal(journal_open(&c.journal, NULL, why, sizeof(why)), 0);
	assert_true(journal_keep(&c.journal));
	r.nr_selected = 9;
	journal_start(&c.journal, &r);
	journal_case(&c.journal, &r.of[0], NULL, 0);
	if (with_failure)
		journal_case(&c.journal, &r.of[1], NULL, 0);
	journal_begin(&c.journal, "fork/many", 1);
	assert_int_equal(write(c.out, "the lines before\n", 17), 17);
	dup2(null, STDERR_FILENO);
	status = check_report_early(&c, "rssck was killed by signal 9 (Killed)", true);
	dup2(err, STDERR_FILENO);
	close(err);
	close(null);
	close(c.out);
	journal_close(&c.journal);
	return status;
}

TEST(an_early_end_is_1_after_a_failure_and_otherwise_2)
{
	const char *path = in_folder("early");

	assert_int_equal(early(path, FORMAT_JSON, true, false), 1);
	assert_int_equal(early(path, FORMAT_JSON, false, false), 2);
	assert_int_equal(early(path, FORMAT_JSON, true, true), 1);
	assert_int_equal(early(path, FORMAT_JSON, false, true), 125);
}

TEST(each_format_is_complete_and_names_the_interrupted_case)
{
	const char *path = in_folder("early"), *text;
	OWNED(results_free) struct results r;

	early(path, FORMAT_JSON, true, false);
	r = results_in(path);
	assert_int_equal(r.nr, 3);
	assert_string_equal(r.ended_in, "fork/many");
	assert_int_equal(r.nr_selected, 9);
	early(path, FORMAT_KTAP, true, false);
	text = file_text(path);
	assert_says(text, "KTAP version 1\n1..3\n");
	assert_says(text, "not ok 3 fork/many\n");
	assert_says(text, "# ended early: rssck was killed by signal 9");
	early(path, FORMAT_JUNIT, true, false);
	text = file_text(path);
	assert_memory_equal(text, "<?xml ", 6);
	assert_says(text, "name=\"ended early\"");
	early(path, FORMAT_TEXT, true, false);
	text = file_text(path);
	assert_memory_equal(text, "the lines before\n", 17);
	assert_says(text, "The run ended early, in fork/many: rssck was");
}

/* ---- the program itself ---- */

/* Starts rssck. Returns a descriptor from which its journal can be read. */
static int start(const char *output, pid_t *pid)
{
	int ends[2];
	char journal[64], out[160];

	assert_int_equal(pipe(ends), 0);
	snprintf(journal, sizeof(journal), "--journal=/proc/self/fd/%d", ends[1]);
	snprintf(out, sizeof(out), "--output=%s", output);
	*pid = fork();
	if (*pid == 0) {
		int null = open("/dev/null", O_WRONLY);

		dup2(null, STDERR_FILENO);
		execlp(program(), program(), "check", "--format=json", out, journal, "file", NULL);
		_exit(127);
	}
	close(ends[1]);
	return ends[0];
}

static void follow(int journal, unsigned cases)
{
	char byte, line[16] = "";
	size_t n = 0;

	while (cases && read(journal, &byte, 1) == 1) {
		if (n < sizeof(line) - 1)
			line[n++] = byte, line[n] = '\0';
		if (byte != '\n')
			continue;
		cases -= !strncmp(line, "{\"begin\"", 8);
		n = 0;
	}
	assert_int_equal(cases, 0);
}

/* Returns the process that runs the cases. */
static pid_t child_of(pid_t pid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", pid, pid);
	return atoi(file_text(path));
}

static void drain(int journal)
{
	char bytes[4096];

	while (read(journal, bytes, sizeof(bytes)) > 0)
		;
	close(journal);
}

static void ends_early(bool the_child, int signal, const char *reason)
{
	const char *path = in_folder("ends");
	OWNED(results_free) struct results r;
	pid_t pid;
	int journal = start(path, &pid);

	follow(journal, 3);
	kill(the_child ? child_of(pid) : pid, signal);
	drain(journal);
	assert_int_equal(child_status(pid), 2);
	r = results_in(path);
	assert_true(r.nr >= 3);
	assert_string_equal(r.of[r.nr - 1].id, r.ended_in);
	assert_says(r.ended, reason);
	assert_true(r.nr_selected > r.nr);
}

TEST(a_killed_check_reports_the_earlier_cases)
{
	ends_early(true, SIGKILL, "killed by signal 9");
	ends_early(true, SIGABRT, "killed by signal 6");
	ends_early(false, SIGTERM, "ended by signal 15");
	ends_early(false, SIGINT, "ended by signal 2");
}

/* A sanitizer and valgrind have their own allocators, which map memory. */
static void skip_where_memory_is_a_tools(void)
{
#ifdef __SANITIZE_ADDRESS__
	skip();
#endif
	skip_under_valgrind();
}

/* This happens on a kernel whose count of the address space fell below 0. */
TEST(an_observer_that_can_map_no_memory_completes_the_run)
{
	const char *path = in_folder("memory");
	OWNED(results_free) struct results r;
	struct rlimit none;
	int journal;
	pid_t pid, child;

	skip_where_memory_is_a_tools();
	journal = start(path, &pid);
	follow(journal, 3);
	child = child_of(pid);
	assert_int_equal(prlimit(child, RLIMIT_DATA, NULL, &none), 0);
	none.rlim_cur = 4096;
	assert_int_equal(prlimit(child, RLIMIT_DATA, &none, NULL), 0);
	drain(journal);
	child_status(pid);
	r = results_in(path);
	assert_string_equal(r.ended, "");
	assert_true(r.nr > 3 &&
		    r.nr == r.count[VERDICT_PASS] + r.count[VERDICT_SKIP] + r.count[VERDICT_ERROR]);
	assert_int_equal(r.count[VERDICT_FAIL], 0);
}

/* ---- memory ---- */

TEST(memory_prepare_makes_later_growth_unnecessary)
{
	enum { MIB = 1 << 20 };
	pid_t pid;

	skip_where_memory_is_a_tools();
	pid = fork();
	if (pid == 0) {
		void *large, *small[64];
		struct rlimit none = { 4096, RLIM_INFINITY };

		memory_prepare();
		if (setrlimit(RLIMIT_DATA, &none))
			_exit(3);
		for (int round = 0; round < 50; round++) {
			large = malloc(8 * MIB);
			for (int i = 0; i < 64; i++)
				small[i] = malloc((size_t)i * 2000);
			for (int i = 0; i < 64; i++)
				if (!small[i])
					_exit(1);
			if (!large)
				_exit(2);
			memset(large, 1, 8 * MIB);
			free(large);
			for (int i = 0; i < 64; i++)
				free(small[i]);
		}
		_exit(0);
	}
	assert_int_equal(child_status(pid), 0);
}
