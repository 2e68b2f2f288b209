// SPDX-License-Identifier: MIT
/*
 * The interface of `rssck scan` that scripts and people rely on, tested on the program itself:
 * $RSSCK, or ./rssck.
 */
#include "cmd/commands.h"
#include "scan/process/process.h"
#include "tests/support/child.h"
#include "tests/support/json.h"
#include <pthread.h>

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
		char *shared = map_shared(SHARED * page), *private = map_private(PAGES * page);

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

static json_t *scan_json(const char *format, ...)
{
	char arguments[256];
	va_list args;

	va_start(args, format);
	vsnprintf(arguments, sizeof(arguments), format, args);
	va_end(args);
	return json_read(rssck_said(EXIT_HOLDS, "scan --json %s", arguments));
}

TEST(a_process_that_stands_still_is_counted_to_the_page)
{
	pid_t pid = stand_still();
	json_auto_t *root = scan_json("--maps --sharers %d", pid);
	json_t *process = json_at(root, "processes/0"), *file;
	int64_t rss = 0, once = 0, kb = (int64_t)page / 1024;
	size_t i;

	assert_int_equal(json_number(process, "pid"), pid);
	assert_true(json_is_false(json_object_get(process, "moving")));
	assert_true(json_number(process, "page_tables/Private_Dirty") >= PAGES * kb);
	assert_true(json_number(process, "page_tables/Pss_Shmem") == SHARED * kb / 2);
	json_array_foreach(json_object_get(process, "mappings"), i, file)
	{
		rss += json_number(file, "Rss");
		if (strstr(json_text(file, "file"), "/dev/zero")) {
			assert_int_equal(json_number(file, "Rss"), SHARED * kb);
			assert_int_equal(json_number(file, "Shared_Dirty"), SHARED * kb);
			assert_int_equal(json_number(file, "Pss"), SHARED * kb / 2);
		}
	}
	assert_int_equal(rss, json_number(process, "page_tables/Rss"));
	json_array_foreach(json_object_get(process, "sharers"), i, file)
	{
		const json_t *pages = json_object_get(file, "pages");

		if (strstr(json_text(file, "file"), "/dev/zero"))
			assert_int_equal(json_number(pages, "by 2"), SHARED);
		once += json_number(pages, "by 1");
		for (void *it = json_object_iter((json_t *)pages); it;
		     it = json_object_iter_next((json_t *)pages, it))
			rss -= strcmp(json_object_iter_key(it), "by none")
				       ? json_integer_value(json_object_iter_value(it)) * kb
				       : 0;
	}
	if (json_object_get(process, "sharers")) {
		assert_int_equal(rss, 0);
		/* USS counts the pages that are mapped once. */
		assert_int_equal(once * kb, json_number(process, "page_tables/Uss"));
	}
	child_end(pid);
}

TEST(the_text_names_the_process_without_escape_codes)
{
	pid_t pid = stand_still();
	const char *out = rssck_said(0, "scan --no-model --sharers %d", pid);
	assert_says(out, geteuid() ? "only root" : "/dev/zero");
	out = rssck_said(0, "scan --maps --sharers %d", pid);
	assert_null(strchr(out, '\033'));
	assert_says(out, "stand [31mstill, process");
	assert_says(out, "status.VmRSS");
	assert_says(out, "resident");
	assert_says(out, "/dev/zero");
	assert_rssck(0, " 300  shmem", "scan --no-model --pages=zero %d", pid);
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
	/* test_cmd_wrong has more. */
	expect(2, "is not a process number", "bash");
	expect(2, "is not a process number", "1 -- -5");
	expect(0, "usage: rssck scan", "--help");
}

TEST(a_missing_mapping_is_refused)
{
	pid_t pid = stand_still();

	assert_rssck(2, "no mapping at or called 'no-such-file'",
		     "scan --no-model --pages=no-such-file %d 2>&1", pid);
	child_end(pid);
}

TEST(zombies_and_kernel_threads_have_no_memory)
{
	pid_t pid = fork();
	siginfo_t ended;

	if (pid == 0)
		_exit(0);
	waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOWAIT);
	assert_rssck(4, "is a zombie", "scan --no-model %d 2>&1", pid);
	waitpid(pid, NULL, 0);
	if (access("/proc/2/stat", F_OK) == 0)
		expect(4, "kernel thread", "--no-model 2");
}

TEST(the_rows_of_scan_all_add_up)
{
	static const char *const by[] = { "process", "program", "user" };
	pid_t pid = stand_still();

	for (size_t b = 0; b < 3; b++) {
		json_auto_t *root = scan_json("--all --no-model --by=%s", by[b]);
		json_t *row;
		int64_t pss = 0, seen = 0;
		bool found = b != 0;
		size_t i;

		json_array_foreach(json_object_get(root, "rows"), i, row)
		{
			pss += json_number(row, "Pss");
			if (b == 0 && json_number(row, "pid") == pid) {
				/*
				 * The two processes share this memory, so half of it is in the
				 * child's Pss.
				 */
				assert_true(json_number(row, "Rss") - json_number(row, "Pss") >=
					    SHARED / 2 * (int64_t)page / 1024);
				assert_true(json_number(row, "Uss") >=
					    PAGES * (int64_t)page / 1024);
				found = true;
			}
			seen += json_number(row, "processes");
		}
		assert_true(found);
		assert_int_equal(pss, json_number(root, "sum/Pss"));
		assert_int_equal(seen, json_number(root, "processes/seen"));
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
	memset(map_private(PAGES * page), 1, PAGES * page);
	if (write(live_ready[1], "", 1) == 1)
		pause();
	return NULL;
}

/* The status of such a process shows Z, but its memory still exists. The other thread sleeps. */
TEST(a_process_whose_first_thread_ended_is_no_zombie)
{
	OWNED(reader_free) struct reader r = { .stat = { .data = NULL } };
	const char *out;
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
	out = rssck_said(0, "scan --no-model --maps --json %d", pid);
	assert_says(out, "\"program\": \"led\"");
	assert_says(out, "\"Anonymous\": ");
	assert_says(out, "[stack]");
	assert_rssck(0, "  led\n", "scan --no-model --all");
	close(live_ready[0]);
	child_end(pid);
}

TEST(a_program_is_found_by_its_name)
{
	pid_t pid = stand_still();

	expect(0, "\"seen\": 2", "--no-model --json --name=\"$(printf 'stand\\033[31mstill')\"");
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
	int out;

	watcher = watch(pid, &out);
	assert_int_equal(lines(out, 3), 3);
	kill(watcher, SIGINT);
	assert_int_equal(child_status(watcher), EXIT_HOLDS);
	close(out);
	watcher = watch(pid, &out);
	assert_int_equal(lines(out, 2), 2);
	child_end(pid);
	assert_int_equal(child_status(watcher), EXIT_HOLDS);
	close(out);
}

TEST(other_users_see_less_and_get_the_reason)
{
	static const char
		as_nobody[] = "setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all "
			      "sh -c '%s scan --no-model %s' 2>&1";
	static char out[1 << 16];
	const char *seen;
	char pid[64];

	/* The user nobody must be able to run the program. */
	if (geteuid() || shell(out, sizeof(out), as_nobody, program(), "--help"))
		skip();
	snprintf(pid, sizeof(pid), "%d", getpid());
	seen = shell_said(EXIT_NOTHING, as_nobody, program(), pid);
	assert_says(seen, "cannot be seen: page tables are shown only to the process's own user "
			  "and with CAP_SYS_PTRACE, which root has");
	/* With hidepid other processes are not even listed: see test_scan_privilege.c. */
	if (strstr(seen, "hidepid="))
		skip();
	assert_says(seen, "Its counters show VmRSS ");
	assert_says(shell_said(EXIT_HOLDS, as_nobody, program(), "--all"), "could not be seen");
	assert_says(shell_said(EXIT_HOLDS, as_nobody, program(), "--sharers $$"), "only root");
}

TEST(a_full_disk_is_an_error)
{
	static const char *const what[] = { "$$", "--all", "--json $$", "--json --all" };

	for (size_t i = 0; i < sizeof(what) / sizeof(*what); i++)
		assert_rssck(EXIT_TROUBLE, "stdout: No space left on device",
			     "scan --no-model %s 2>&1 >/dev/full", what[i]);
}
