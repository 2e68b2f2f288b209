// SPDX-License-Identifier: MIT
/*
 * inherit STATE... -- COMMAND...: runs a command that inherits states of a process for which no
 * program of util-linux exists.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/landlock.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

enum {
	SET_MDWE = 65,         /* PR_SET_MDWE, since 6.3 */
	SET_MEMORY_MERGE = 67, /* PR_SET_MEMORY_MERGE, since 6.4 */
	SYSCALL_LANDLOCK = 444,
};

static int no_writable_code(const char *unused)
{
	(void)unused;
	return prctl(SET_MDWE, 1, 0, 0, 0);
}

static int merge(const char *unused)
{
	(void)unused;
	return prctl(SET_MEMORY_MERGE, 1, 0, 0, 0);
}

static int no_thp(const char *unused)
{
	(void)unused;
	return prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
}

/* sleep(2) may end a second late. */
static int slack(const char *unused)
{
	(void)unused;
	return prctl(PR_SET_TIMERSLACK, 1000000000UL, 0, 0, 0);
}

/* 1 preferred, 2 bind, 3 interleave; of node 0. */
static int policy(const char *number)
{
	unsigned long nodes = 1;

	return (int)syscall(SYS_set_mempolicy, atoi(number), &nodes, 8);
}

static int timers(const char *unused)
{
	const struct itimerval often = { { 0, 10000 }, { 0, 10000 } };

	(void)unused;
	signal(SIGALRM, SIG_IGN);
	signal(SIGVTALRM, SIG_IGN);
	signal(SIGPROF, SIG_IGN);
	return setitimer(ITIMER_REAL, &often, NULL) || setitimer(ITIMER_VIRTUAL, &often, NULL) ||
	       setitimer(ITIMER_PROF, &often, NULL);
}

/* Half of the children are zombies; some of the others end while the command runs. */
static int children(const char *number)
{
	for (int i = 0; i < atoi(number); i++) {
		pid_t pid = fork();

		if (pid < 0)
			return -1;
		if (pid > 0)
			continue;
		prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
		if (i % 2 == 0)
			sleep((unsigned)i);
		_exit(3);
	}
	return 0;
}

static int allow(int ruleset, const char *path, unsigned long long access)
{
	struct landlock_path_beneath_attr a = { .allowed_access = access,
						.parent_fd = open(path, O_PATH | O_CLOEXEC) };

	return (int)syscall(SYSCALL_LANDLOCK + 1, ruleset, LANDLOCK_RULE_PATH_BENEATH, &a, 0);
}

/* Everything may be read, but nothing outside the folder may be written or made. */
static int landlock(const char *folder)
{
	const unsigned long long all = LANDLOCK_ACCESS_FS_MAKE_SYM * 2 - 1,
				 read = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE |
					LANDLOCK_ACCESS_FS_READ_DIR;
	struct landlock_ruleset_attr a = { .handled_access_fs = all };
	int ruleset = (int)syscall(SYSCALL_LANDLOCK, &a, sizeof(a.handled_access_fs), 0);

	return ruleset < 0 || allow(ruleset, "/", read) || allow(ruleset, folder, all) ||
	       prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || syscall(SYSCALL_LANDLOCK + 2, ruleset, 0);
}

static const struct {
	const char *name;
	int (*begin)(const char *argument);
} states[] = {
	{ "mdwe", no_writable_code }, { "merge", merge },       { "no-thp", no_thp },
	{ "slack", slack },           { "policy", policy },     { "timers", timers },
	{ "children", children },     { "landlock", landlock },
};

static bool begin(const char *text)
{
	size_t length = strcspn(text, "=");

	for (size_t i = 0; i < sizeof(states) / sizeof(*states); i++)
		if (strlen(states[i].name) == length && !strncmp(states[i].name, text, length))
			return !states[i].begin(text + length + (text[length] == '='));
	return false;
}

int main(int argc, char **argv)
{
	int i = 1;

	for (; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (!begin(argv[i])) {
			perror(argv[i]);
			return 125;
		}
	if (i + 1 >= argc) {
		fprintf(stderr, "usage: inherit STATE... -- COMMAND [ARGUMENT]...\n");
		return 2;
	}
	execvp(argv[i + 1], argv + i + 1);
	perror(argv[i + 1]);
	return 126;
}
