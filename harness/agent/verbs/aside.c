// SPDX-License-Identifier: MIT
/*
 * Verbs: what is asked in a process of its own, which ends with the act: because it has given
 * up its rights, or because its books are not to be trusted afterwards.
 */
#include "agent/agent.h"
#include "verbs.h"
#include <errno.h>
#include <fcntl.h>
#include <rssck/source.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef MADV_HWPOISON
#define MADV_HWPOISON 100
#endif

/* What a child writes when it has done `ask`; a child that is killed has been refused. */
static bool hear(pid_t pid, int from, struct act_outcome *said)
{
	bool heard = read(from, said, sizeof(*said)) == (ssize_t)sizeof(*said);
	int status;

	return waitpid(pid, &status, 0) == pid && heard;
}

static void ask_aside(struct worker *k, void (*ask)(struct worker *k))
{
	struct act_outcome said;
	int ends[2];
	pid_t pid;

	act_result(k, pipe2(ends, O_CLOEXEC));
	if (k->outcome.error)
		return;
	pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
		/* What is counted is not to be the program's. */
		munmap(k->arena, ACT_REGIONS * k->stride);
		ask(k);
		said = k->outcome;
		_exit(write(ends[1], &said, sizeof(said)) < 0);
	}
	close(ends[1]);
	act_result(k, pid);
	if (pid > 0 && hear(pid, ends[0], &said)) {
		k->outcome = said;
	} else if (pid > 0) {
		errno = EAGAIN;
		act_result(k, -1);
	}
	close(ends[0]);
}

/*
 * Of root's file, of which nothing is in memory, as nobody: who may not write a file and does
 * not own it is told that all of it is there (can_do_mincore()). A memfd's file system has no
 * rules of its own about rights.
 */
static void ask_as_nobody(struct worker *k)
{
	enum { PAGES = 8, NOBODY = 65534 };
	unsigned char in_core[PAGES];
	int fd = memfd_create("rssck", MFD_CLOEXEC);
	void *p = MAP_FAILED;

	if (fd >= 0 && !ftruncate(fd, (off_t)(PAGES * k->page)) && !fchmod(fd, 0400) &&
	    !setresuid(NOBODY, NOBODY, NOBODY))
		p = mmap(NULL, PAGES * k->page, PROT_READ, MAP_SHARED, fd, 0);
	act_result(k, p == MAP_FAILED ? -1 : mincore(p, PAGES * k->page, in_core));
	k->outcome.expected = PAGES;
	for (unsigned i = 0; i < PAGES && !k->outcome.error; i++)
		k->outcome.seen += in_core[i] & 1;
}

void verb_mincore_stranger(struct worker *k, const struct act *a)
{
	(void)a;
	errno = EPERM;
	act_result(k, geteuid() ? -1 : 0);
	if (!k->outcome.error)
		ask_aside(k, ask_as_nobody);
}

/* Where a page table of its own would map it: all 512 pages, of which none is reserved. */
static char *map_all_of_a_table(const struct worker *k, size_t bytes)
{
	size_t span = bytes * (k->page / sizeof(uint64_t));
	int fd = memfd_create("rssck", MFD_CLOEXEC | MFD_HUGETLB);
	char *p = MAP_FAILED;

	if (fd < 0 || ftruncate(fd, (off_t)bytes) < 0)
		return NULL;
	p = mmap(NULL, 2 * span, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p == MAP_FAILED)
		return NULL;
	p += -(uintptr_t)p % span;
	p = mmap(p, span, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, fd, 0);
	return p == MAP_FAILED ? NULL : p;
}

/* Writes p, says so, and stays until its parent's end of the other pipe is closed. */
static void be_sharer(char *p, int says, int waits)
{
	char byte = 0;

	*p = 1;
	_exit(write(says, &byte, 1) != 1 || read(waits, &byte, 1) < 0);
}

/* Another process that has written p; *end is closed to end it. -1: none. */
static pid_t sharer_begin(char *p, int *end)
{
	int up[2], down[2];
	char byte;
	pid_t pid;

	if (pipe2(up, O_CLOEXEC) < 0 || pipe2(down, O_CLOEXEC) < 0)
		return -1;
	pid = fork();
	if (!pid) {
		close(down[1]);
		be_sharer(p, up[1], down[0]);
	}
	close(up[1]);
	*end = down[1];
	if (pid > 0 && read(up[0], &byte, 1) == 1)
		return pid;
	errno = EAGAIN;
	return -1;
}

/*
 * One page, that two processes have written: by one entry, where they share the table
 * (huge_pmd_share()).
 */
static void ask_of_shared_table(struct worker *k)
{
	size_t bytes = workload_hugetlb_bytes();
	uint64_t word = 0;
	pid_t sharer;
	char *p;
	int end;

	signal(SIGBUS, SIG_DFL);
	errno = ENOMEM;
	p = bytes ? map_all_of_a_table(k, bytes) : NULL;
	act_result(k, p ? 0 : -1);
	if (!p)
		return;
	*p = 1;
	sharer = sharer_begin(p, &end);
	act_result(k, sharer);
	if (sharer < 0)
		return;
	k->outcome.expected = (int64_t)(bytes / 1024);
	k->outcome.seen = workload_number("/proc/self/smaps_rollup", "Shared_Hugetlb", 0);
	if (act_entries(k, p, 1, &word))
		act_result(k, -1);
	k->outcome.told = !!(word & PAGEMAP_EXCLUSIVE);
	close(end);
	waitpid(sharer, NULL, 0);
}

void verb_shared_table(struct worker *k, const struct act *a)
{
	(void)a;
	ask_aside(k, ask_of_shared_table);
}

static void survive(int unused)
{
	(void)unused;
}

/* Whoever has it mapped is told by a signal, and loses it. */
static void poison(struct worker *k, size_t bytes, int flags)
{
	char *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);

	signal(SIGBUS, survive);
	act_result(k, p == MAP_FAILED ? -1 : 0);
	if (p == MAP_FAILED)
		return;
	*p = 1;
	act_result(k, madvise(p, k->page, MADV_HWPOISON));
}

/* Each of them lost for good, and of a guest's few. */
static bool may_lose_another(struct worker *k)
{
	enum { KB_MOST = 256 };
	int64_t lost = workload_number("/proc/meminfo", "HardwareCorrupted", -1);

	errno = ENOMEM;
	act_result(k, lost < 0 || lost > KB_MOST ? -1 : 0);
	return !k->outcome.error;
}

#define POOL "/proc/sys/vm/nr_hugepages"

/*
 * The pool has a page less, until it is filled up again. Where all that is free is reserved the
 * page would stay in it, and be given to nobody.
 */
static void poison_hugetlb(struct worker *k)
{
	char text[24];
	int64_t pool = workload_number(POOL, NULL, -1);
	int64_t free = workload_number("/proc/meminfo", "HugePages_Free", 0) -
		       workload_number("/proc/meminfo", "HugePages_Rsvd", 0);

	errno = ENOMEM;
	act_result(k, free < 2 ? -1 : 0);
	if (k->outcome.error)
		return;
	poison(k, workload_hugetlb_bytes(), MAP_PRIVATE | MAP_HUGETLB);
	k->outcome.seen = workload_number("/proc/self/status", "HugetlbPages", 0);
	snprintf(text, sizeof(text), "%lld", (long long)pool);
	if (pool > 0)
		workload_try_to_set(POOL, text);
}

static void poison_page(struct worker *k)
{
	poison(k, k->page, k->verb->shared ? MAP_SHARED : MAP_PRIVATE);
}

/* Of what else it counts the kernel complains when a process ends (check_mm()). */
void verb_poison(struct worker *k, const struct act *a)
{
	(void)a;
	if (act_is_in_guest(k) && may_lose_another(k))
		ask_aside(k, k->verb->backing == BACKED_BY_HUGETLB ? poison_hugetlb : poison_page);
}
