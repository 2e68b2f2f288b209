// SPDX-License-Identifier: MIT
/*
 * Sets up the conditions of `rssck vm --setup`. Each is [SECONDS:|loop:]NAME=VALUE, where NAME is
 *
 *   a path     write VALUE to this file, or to all files that match the pattern
 *   swap       on "zram", on "disk", or "none" (disk.c)
 *   cgroup     "v1" or "v2" (mount.c)
 *   pressure   another process keeps VALUE MiB of memory in use
 *   log        another process causes VALUE unrelated kernel warnings per second
 *
 * SECONDS: set it up that many seconds after check has started. "loop:": write to the path again
 * and again while check runs.
 */
#include "base/number.h"
#include "guest.h"
#include "setup.h"
#include "vm/vm.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MIB = 1 << 20, PAGE = 4096, MIB_A_SECOND = 64 };

static char **words(void)
{
	static char **read;

	if (!read)
		read = arguments_read(VM_GUEST_SETUP, NULL);
	return read;
}

const char *guest_wanted(const char *name)
{
	size_t length = strlen(name);
	char **w = words();

	for (; w && *w; w++)
		if (!strncmp(*w, name, length) && (*w)[length] == '=')
			return *w + length + 1;
	return NULL;
}

static int file_write(const char *path, const char *text)
{
	int result, fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return -1;
	result = write(fd, text, strlen(text)) < 0 ? -1 : 0;
	close(fd);
	return result;
}

static int files_write(const char *pattern, const char *value, char *why, size_t size)
{
	glob_t found;
	int result = 0;

	if (glob(pattern, GLOB_NOSORT, NULL, &found)) {
		snprintf(why, size, "this kernel has no %s", pattern);
		return -1;
	}
	for (size_t i = 0; i < found.gl_pathc && !result; i++) {
		result = file_write(found.gl_pathv[i], value);
		if (result)
			snprintf(why, size, "%s: cannot write \"%s\": %s", found.gl_pathv[i], value,
				 strerror(errno));
	}
	globfree(&found);
	return result;
}

/* Forks a process that runs while check runs. Returns true in the new process. */
static bool beside(void)
{
	if (fork())
		return false;
	prctl(PR_SET_NAME, "beside");
	return true;
}

/*
 * Writes to all of the memory repeatedly and slowly, so that the kernel keeps it active. The OOM
 * killer chooses this process first.
 */
static void __attribute__((noreturn)) memory_use(size_t bytes)
{
	char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			    0);

	file_write("/proc/self/oom_score_adj", "1000");
	if (memory == MAP_FAILED)
		_exit(1);
	for (size_t i = 0;; i = (i + PAGE) % bytes) {
		memory[i]++;
		if (i % MIB == 0)
			usleep(1000000 / MIB_A_SECOND);
	}
}

static int pressure_make(const char *value)
{
	uint64_t mib = 0;
	size_t bytes;

	if (!number_whole(value, SIZE_MAX / MIB, &mib) || !mib)
		return -1;
	bytes = (size_t)mib * MIB;
	/* Starts another process if the OOM killer has killed the current one. */
	while (beside())
		for (pid_t pid;;) {
			pid = fork();
			if (!pid)
				memory_use(bytes);
			waitpid(pid, NULL, 0);
			usleep(100000);
		}
	return 0;
}

/*
 * The kernel logs the name of a process that crashes, so the process takes a name that looks like a
 * kernel message. It also writes a message to /dev/kmsg, which the kernel marks as coming from a
 * program.
 */
static void __attribute__((noreturn)) die_loudly(unsigned i)
{
	static const char *const names[] = { "WARNING: x", "BUG: y", "Bad rss-c" };
	volatile char *nothing = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	prctl(PR_SET_NAME, names[i % 3]);
	setrlimit(RLIMIT_CORE, &(struct rlimit) { 0, 0 });
	file_write("/dev/kmsg", "<4>WARNING: CPU: 0 PID: 1 at drivers/made/up.c:1\n");
	*nothing = 0;
	_exit(1);
}

static int log_talk(const char *value)
{
	uint64_t times = 0;

	if (!number_whole(value, 1000, &times) || !times)
		return -1;
	if (beside())
		for (unsigned i = 0;; i++) {
			pid_t pid = fork();

			if (!pid)
				die_loudly(i);
			waitpid(pid, NULL, 0);
			usleep(1000000 / times);
		}
	return 0;
}

static int is_swap_on(const char *value)
{
	char line[256] = "";
	FILE *f = fopen("/proc/swaps", "re");

	while (f && fgets(line, sizeof(line), f) && strncmp(line, "/dev/", 5))
		;
	if (f)
		fclose(f);
	if (!strcmp(value, "none"))
		return !strncmp(line, "/dev/", 5) ? -1 : 0;
	return strncmp(line, "/dev/", 5) || !strncmp(line + 5, "zram", 4) != !strcmp(value, "zram")
		       ? -1
		       : 0;
}

static int is_cgroup_there(const char *value)
{
	return access(strcmp(value, "v1") ? "/sys/fs/cgroup/cgroup.controllers"
					  : "/sys/fs/cgroup/memory/memory.limit_in_bytes",
		      F_OK);
}

static const struct {
	const char *name;
	int (*make)(const char *value);
} conditions[] = {
	{ "swap", is_swap_on },
	{ "cgroup", is_cgroup_there },
	{ "pressure", pressure_make },
	{ "log", log_talk },
};

static int make(const char *word, char *why, size_t size)
{
	const char *value = strchr(word, '=') + 1;
	char name[256];

	snprintf(name, sizeof(name), "%.*s", (int)(value - word - 1), word);
	if (name[0] == '/')
		return files_write(name, value, why, size);
	for (size_t i = 0; i < sizeof(conditions) / sizeof(*conditions); i++) {
		if (strcmp(conditions[i].name, name) || !conditions[i].make(value))
			continue;
		snprintf(
			why, size,
			"the value is not valid, or this kernel cannot do it (it may need --modules)");
		return -1;
	}
	return 0;
}

static void make_later(unsigned seconds, const char *word)
{
	char why[512];

	if (!beside())
		return;
	sleep(seconds);
	if (make(word, why, sizeof(why)))
		fprintf(stderr, "rssck: guest: --setup=%s: %s\n", word, why);
	_exit(0);
}

static void make_again_and_again(const char *word)
{
	char why[512];

	if (!beside())
		return;
	while (!make(word, why, sizeof(why)))
		;
	fprintf(stderr, "rssck: guest: --setup=loop:%s: %s\n", word, why);
	_exit(0);
}

int guest_conditions_make(char *why, size_t size)
{
	char reason[400];

	for (char **w = words(); w && *w; w++) {
		const char *end = *w;
		uint64_t seconds;

		if (number_unsigned(&end, end + strlen(end), &seconds) == NUMBER_OK &&
		    *end == ':') {
			make_later(seconds, end + 1);
		} else if (!strncmp(*w, "loop:", 5)) {
			make_again_and_again(*w + 5);
		} else if (make(*w, reason, sizeof(reason))) {
			snprintf(why, size, "--setup=%s: %s", *w, reason);
			return -1;
		}
	}
	return 0;
}
