// SPDX-License-Identifier: MIT
/*
 * The interface of `rssck scan` that scripts and people rely on, tested on the program itself:
 * $RSSCK, or ./rssck.
 */
#include "cmd/commands.h"
#include "scan/process/process.h"
#include "tests/support/child.h"
#include "tests/support/test.h"
#include <fcntl.h>
#include <jansson.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

enum { PAGES = 512, SHARED = 300 };

static size_t page;

FIXTURE(know_page_size)
{
	page = (size_t)sysconf(_SC_PAGESIZE);
	return 0;
}

TESTS_SHARE(know_page_size, NULL);

static void expect(int status, const char *part, const char *arguments)
{
	assert_rssck(status, part, "scan %s 2>&1", arguments);
}

/*
 * Forks a process that stands still with a child. The process has PAGES private pages, and shares
 * SHARED pages with the child.
 */
static pid_t stand_still(void)
{
	int ready[2];
	pid_t pid = child_begin(ready);

	if (pid == 0) {
		char *shared = mmap(NULL, SHARED * page, PROT_READ | PROT_WRITE,
				    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		char *private = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE,
				     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		prctl(PR_SET_NAME, "stand\033[31mstill");
		madvise(private, PAGES * page, MADV_NOHUGEPAGE);
		memset(shared, 1, SHARED * page);
		memset(private, 1, PAGES * page);
		if (fork() == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			memset(shared, 2, SHARED * page);
			munmap(private, PAGES * page);
			child_stands(ready);
		}
		pause();
	}
	child_await(ready);
	return pid;
}

static json_t *scan_json(int *status, const char *format, ...)
{
	static char out[4 << 20];
	char arguments[256];
	va_list args;
	json_error_t e;

	va_start(args, format);
	vsnprintf(arguments, sizeof(arguments), format, args);
	va_end(args);
	*status = shell(out, sizeof(out), "%s scan --json %s", program(), arguments);

	json_t *j = json_loads(out, JSON_REJECT_DUPLICATES, &e);

	if (!j)
		fail_msg("rssck scan --json %s: %s in\n%s", arguments, e.text, out);
	return j;
}

static int64_t number(const json_t *j, const char *key)
{
	const json_t *n = json_object_get(j, key);

	if (!json_is_integer(n))
		fail_msg("no number '%s'", key);
	return json_integer_value(n);
}

TEST(a_process_that_stands_still_is_counted_to_the_page)
{
	pid_t pid = stand_still();
	int status;
	json_t *root = scan_json(&status, "--maps --sharers %d", pid), *j, *file;
	json_t *process = json_array_get(json_object_get(root, "processes"), 0);
	int64_t rss = 0, once = 0, kb = (int64_t)page / 1024;
	size_t i;

	assert_int_equal(status, EXIT_HOLDS);
	assert_int_equal(number(process, "pid"), pid);
	assert_true(json_is_false(json_object_get(process, "moving")));
	j = json_object_get(process, "page_tables");
	assert_true(number(j, "Private_Dirty") >= PAGES * kb);
	assert_true(number(j, "Pss_Shmem") == SHARED * kb / 2);
	json_array_foreach(json_object_get(process, "mappings"), i, file)
	{
		rss += number(file, "Rss");
		if (strstr(json_string_value(json_object_get(file, "file")), "/dev/zero")) {
			assert_int_equal(number(file, "Rss"), SHARED * kb);
			assert_int_equal(number(file, "Shared_Dirty"), SHARED * kb);
			assert_int_equal(number(file, "Pss"), SHARED * kb / 2);
		}
	}
	assert_int_equal(rss, number(j, "Rss"));
	json_array_foreach(json_object_get(process, "sharers"), i, file)
	{
		const json_t *pages = json_object_get(file, "pages");

		if (strstr(json_string_value(json_object_get(file, "file")), "/dev/zero"))
			assert_int_equal(number(pages, "by 2"), SHARED);
		once += number(pages, "by 1");
		for (void *it = json_object_iter((json_t *)pages); it;
		     it = json_object_iter_next((json_t *)pages, it))
			rss -= strcmp(json_object_iter_key(it), "by none")
				       ? json_integer_value(json_object_iter_value(it)) * kb
				       : 0;
	}
	if (json_object_get(process, "sharers")) {
		assert_int_equal(rss, 0);
		/* USS counts the pages that are mapped once. */
		assert_int_equal(once * kb, number(j, "Uss"));
	}
	json_decref(root);
	child_end(pid);
}

TEST(the_text_names_the_process_without_escape_codes)
{
	static char out[1 << 20];
	pid_t pid = stand_still();

	assert_int_equal(shell(out, sizeof(out), "%s scan --no-model --sharers %d", program(), pid),
			 0);
	assert_says(out, geteuid() ? "only root" : "/dev/zero");
	assert_int_equal(shell(out, sizeof(out), "%s scan --maps --sharers %d", program(), pid), 0);
	assert_null(strchr(out, '\033'));
	assert_says(out, "stand [31mstill, process");
	assert_says(out, "status.VmRSS");
	assert_says(out, "resident");
	assert_says(out, "/dev/zero");
	assert_int_equal(
		shell(out, sizeof(out), "%s scan --no-model --pages=zero %d", program(), pid), 0);
	assert_says(out, " 300  shmem");
	child_end(pid);
}

TEST(bad_usage_and_missing_processes_exit_with_2)
{
	char gone[64];
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	waitpid(pid, NULL, 0);
	snprintf(gone, sizeof(gone), "there is no process %d", pid);
	expect(2, gone, strrchr(gone, ' '));
	expect(2, "which process?", "");
	expect(2, "is not a process number", "bash");
	expect(2, "is not a process number", "1 -- -5");
	expect(2, "--sort cannot be 'size'", "--all --sort=size");
	expect(2, "--by cannot be 'cgroup'", "--all --by=cgroup");
	expect(2, "there is no user 'nobody-of-that-name'", "--user=nobody-of-that-name");
	expect(2, "--watch takes a number of seconds", "--watch=0 1");
	expect(2, "not --all, --user or --name", "--all --maps");
	expect(2, "give process numbers, or one of", "--all 1");
	expect(2, "follows one process", "--watch 1 2");
	expect(2, "unrecognized option", "--nonsense");
	expect(2, "--maps cannot be 'all'", "--maps=all 1");
	expect(0, "usage: rssck scan", "--help");
}

TEST(a_missing_mapping_is_refused)
{
	char arguments[64];
	pid_t pid = stand_still();

	snprintf(arguments, sizeof(arguments), "--no-model --pages=no-such-file %d", pid);
	expect(2, "no mapping at or called 'no-such-file'", arguments);
	child_end(pid);
}

TEST(zombies_and_kernel_threads_have_no_memory)
{
	char arguments[64];
	pid_t pid = fork();
	siginfo_t ended;

	if (pid == 0)
		_exit(0);
	waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOWAIT);
	snprintf(arguments, sizeof(arguments), "--no-model %d", pid);
	expect(4, "is a zombie", arguments);
	waitpid(pid, NULL, 0);
	if (access("/proc/2/stat", F_OK) == 0)
		expect(4, "kernel thread", "--no-model 2");
}

TEST(the_rows_of_scan_all_add_up)
{
	static const char *const by[] = { "process", "program", "user" };
	pid_t pid = stand_still();

	for (size_t b = 0; b < 3; b++) {
		int status;
		json_t *root = scan_json(&status, "--all --no-model --by=%s", by[b]), *row;
		int64_t pss = 0, seen = 0;
		bool found = b != 0;
		size_t i;

		assert_int_equal(status, EXIT_HOLDS);
		json_array_foreach(json_object_get(root, "rows"), i, row)
		{
			pss += number(row, "Pss");
			if (b == 0 && number(row, "pid") == pid) {
				/*
				 * The two processes share this memory, so half of it is in the
				 * child's Pss.
				 */
				assert_true(number(row, "Rss") - number(row, "Pss") >=
					    SHARED / 2 * (int64_t)page / 1024);
				assert_true(number(row, "Uss") >= PAGES * (int64_t)page / 1024);
				found = true;
			}
			seen += number(row, "processes");
		}
		assert_true(found);
		assert_int_equal(pss, number(json_object_get(root, "sum"), "Pss"));
		assert_int_equal(seen, number(json_object_get(root, "processes"), "seen"));
		json_decref(root);
	}
	child_end(pid);
}

/*
 * The ends of a pipe; static, because a local variable of the leader must not be used after
 * pthread_exit(3).
 */
static int live_ready[2];

static void *live_on(void *unused)
{
	(void)unused;
	memset(mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
	       1, PAGES * page);
	if (write(live_ready[1], "", 1) == 1)
		pause();
	return NULL;
}

/* The status of such a process shows Z, but its memory still exists. The other thread sleeps. */
TEST(a_process_whose_first_thread_ended_is_no_zombie)
{
	OWNED(reader_free) struct reader r = { .stat = { .data = NULL } };
	static char out[1 << 16];
	char byte;
	pid_t pid;

	assert_int_equal(pipe2(live_ready, O_CLOEXEC), 0);
	pid = fork();
	if (pid == 0) {
		pthread_t thread;

		prctl(PR_SET_NAME, "led");
		pthread_create(&thread, NULL, live_on, NULL);
		pthread_exit(NULL);
	}
	close(live_ready[1]);
	assert_int_equal(read(live_ready[0], &byte, 1), 1);
	usleep(100000);
	assert_false(process_is_running(pid, &r));
	assert_int_equal(
		shell(out, sizeof(out), "%s scan --no-model --maps --json %d", program(), pid), 0);
	assert_non_null(strstr(out, "\"program\": \"led\""));
	assert_non_null(strstr(out, "\"Anonymous\": "));
	assert_non_null(strstr(out, "[stack]"));
	assert_int_equal(shell(out, sizeof(out), "%s scan --no-model --all", program()), 0);
	assert_non_null(strstr(out, "  led\n"));
	close(live_ready[0]);
	child_end(pid);
}

TEST(a_program_is_found_by_its_name)
{
	static char out[1 << 16];
	pid_t pid = stand_still();

	assert_int_equal(
		shell(out, sizeof(out),
		      "%s scan --no-model --json --name=\"$(printf 'stand\\033[31mstill')\"",
		      program()),
		0);
	assert_says(out, "\"seen\": 2");
	expect(4, "No process of this name or user", "--no-model --name=no-such-program");
	child_end(pid);
}

static pid_t watch(pid_t pid, int *out)
{
	char number[16];
	int pipes[2];
	pid_t watcher;

	snprintf(number, sizeof(number), "%d", pid);
	assert_int_equal(pipe(pipes), 0);
	watcher = fork();
	if (watcher == 0) {
		dup2(pipes[1], STDOUT_FILENO);
		close(pipes[0]);
		close(pipes[1]);
		execl(program(), "rssck", "scan", "--no-model", "--watch=0.05", number, NULL);
		_exit(127);
	}
	close(pipes[1]);
	*out = pipes[0];
	return watcher;
}

static size_t lines(int fd, size_t wanted)
{
	size_t n = 0;
	char c;

	while (n < wanted && read(fd, &c, 1) == 1)
		n += c == '\n';
	return n;
}

TEST(watch_ends_with_its_process_and_with_SIGINT)
{
	pid_t pid = stand_still(), watcher;
	int out, status;

	watcher = watch(pid, &out);
	assert_int_equal(lines(out, 3), 3);
	kill(watcher, SIGINT);
	assert_int_equal(waitpid(watcher, &status, 0), watcher);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_HOLDS);
	close(out);
	watcher = watch(pid, &out);
	assert_int_equal(lines(out, 2), 2);
	child_end(pid);
	assert_int_equal(waitpid(watcher, &status, 0), watcher);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_HOLDS);
	close(out);
}

TEST(other_users_see_less_and_get_the_reason)
{
	static const char
		as_nobody[] = "setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all "
			      "sh -c '%s scan --no-model %s' 2>&1";
	static char out[1 << 20];
	char pid[64];

	/* The user nobody must be able to run the program. */
	if (geteuid() || shell(out, sizeof(out), as_nobody, program(), "--help"))
		skip();
	snprintf(pid, sizeof(pid), "%d", getpid());
	assert_int_equal(shell(out, sizeof(out), as_nobody, program(), pid), EXIT_NOTHING);
	assert_says(out, "cannot be seen: page tables are shown only to the process's own user "
			 "and with CAP_SYS_PTRACE, which root has");
	/* With hidepid other processes are not even listed: see test_scan_privilege.c. */
	if (strstr(out, "hidepid="))
		skip();
	assert_says(out, "Its counters show VmRSS ");
	assert_int_equal(shell(out, sizeof(out), as_nobody, program(), "--all"), EXIT_HOLDS);
	assert_says(out, "could not be seen");
	assert_int_equal(shell(out, sizeof(out), as_nobody, program(), "--sharers $$"), EXIT_HOLDS);
	assert_says(out, "only root");
}

TEST(a_full_disk_is_an_error)
{
	static const char *const what[] = { "$$", "--all", "--json $$", "--json --all" };
	static char out[1 << 16];

	for (size_t i = 0; i < sizeof(what) / sizeof(*what); i++) {
		assert_int_equal(shell(out, sizeof(out), "%s scan --no-model %s 2>&1 >/dev/full",
				       program(), what[i]),
				 EXIT_TROUBLE);
		assert_says(out, "stdout: No space left on device");
	}
}
