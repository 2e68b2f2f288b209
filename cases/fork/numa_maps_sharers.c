// SPDX-License-Identifier: MIT
/* mapmax= of numa_maps: by how many processes the page of a mapping is mapped that most map. */
#include <inttypes.h>
#include <rssck/case.h>
#include <rssck/right.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGES = 8, MOST = 4 };

/* How many pages the children drop again: from then on only the parent maps these. */
static const struct kind {
	const char *name;
	int flags;
	size_t dropped;
} kinds[] = {
	{ "anonymous memory", MAP_PRIVATE | MAP_ANONYMOUS, 0 },
	{ "anonymous memory of which one page is shared", MAP_PRIVATE | MAP_ANONYMOUS, PAGES - 1 },
	{ "anonymous memory that is not shared", MAP_PRIVATE | MAP_ANONYMOUS, PAGES },
	{ "shared memory", MAP_SHARED | MAP_ANONYMOUS, 0 },
	{ "shared memory of which one page is shared", MAP_SHARED | MAP_ANONYMOUS, PAGES - 1 },
};

static pid_t start(const struct workload *w, char *p, size_t dropped, int ready)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0UL, 0UL, 0UL);
	touch_read(w, p, PAGES);
	madvise(p, dropped * w->page_size, MADV_DONTNEED);
	if (write(ready, "", 1) != 1)
		_exit(1);
	for (;;)
		pause();
}

/* Returns the number after `word` in the mapping's line of numa_maps; 0 if it is not there. */
static int64_t look(const char *p, const char *word)
{
	FILE *f = fopen("/proc/self/numa_maps", "re");
	char line[512], *at;
	int64_t value = -1;

	while (f && value < 0 && fgets(line, sizeof(line), f)) {
		if (strtoull(line, NULL, 16) != (uintptr_t)p)
			continue;
		at = strstr(line, word);
		value = at ? strtoll(at + strlen(word), NULL, 10) : 0;
	}
	if (f)
		fclose(f);
	return value;
}

static int compare(const char *p, const struct kind *k, int processes)
{
	int64_t seen = look(p, " mapmax=");
	int64_t expected = processes > 1 && k->dropped < PAGES ? processes : 0;

	if (seen == expected)
		return RIGHT;
	if (seen < 0)
		return workload_say(CANNOT, "/proc/PID/numa_maps");
	return workload_say(WRONG,
			    "%s, %d processes: mapmax of numa_maps is %" PRId64
			    " instead of %" PRId64 " (0: not printed, nobody else maps a page)",
			    k->name, processes, seen, expected);
}

static int try_kind(const struct workload *w, const struct kind *k)
{
	char *p = mmap(NULL, PAGES * w->page_size, PROT_READ | PROT_WRITE, k->flags, -1, 0);
	pid_t pid[MOST] = { 0 };
	int ready[2], result, processes = 1;
	char byte;

	if (p == MAP_FAILED || pipe(ready))
		return workload_say(CANNOT, "memory");
	madvise(p, PAGES * w->page_size, MADV_NOHUGEPAGE);
	touch_write(w, p, PAGES);
	result = compare(p, k, processes);
	while (result == RIGHT && processes < MOST) {
		pid[processes] = start(w, p, k->dropped, ready[1]);
		if (pid[processes] < 0 || read(ready[0], &byte, 1) != 1)
			result = workload_say(CANNOT, "%d processes", MOST);
		else
			result = compare(p, k, ++processes);
	}
	for (int i = 1; i < MOST; i++)
		if (pid[i] > 0) {
			kill(pid[i], SIGKILL);
			waitpid(pid[i], NULL, 0);
		}
	munmap(p, PAGES * w->page_size);
	close(ready[0]);
	close(ready[1]);
	return result;
}

static int share_all(const struct workload *w)
{
	int result = RIGHT;

	for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds) && result == RIGHT; k++)
		result = try_kind(w, &kinds[k]);
	return result;
}

static void share(struct workload *w)
{
	char text[256];

	workload_must_be_right(w, share_all, text, sizeof(text), "/proc/PID/numa_maps");
	workload_checked(w);
}

CASE(fork_numa_maps_sharers) {
	.claim =
		"mapmax of numa_maps is the number of processes that map the page of a mapping that most map; it is left out if no page is mapped by a second one",
	.because =
		"gather_stats() of fs/proc/task_mmu.c keeps the largest mapcount of the mapping's pages, and show_numa_map() prints it if it is above 1.",
	.said_by = SAID_BY("numa(7), /proc/PID/numa_maps"),
	.flags = CASE_ONE_CPU,
	.steps = STEPS(STEP("share memory of each kind", share, .checks = 1)),
};
