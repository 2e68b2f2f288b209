// SPDX-License-Identifier: MIT
/*
 * cachestat(2) sometimes leaves out pages after a large folio if its range begins inside that folio.
 *
 * It does so only when the scheduler interrupts the call, so a thread on the same CPU sleeps and wakes all the time.
 * Ends with the first wrong answer, or after some seconds.
 *
 * cc -static -o repro repro.c. Exit status: 0 none wrong, 1 wrong, 4 cannot tell.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef SYS_cachestat
enum { SYS_cachestat = 451 };
#endif

enum { PAGE = 4096, FOLIO = 512, PAGES = 2 * FOLIO, FROM = FOLIO / 2, NR = PAGES - FROM, SECONDS = 10 };
enum { SLEEP_NS = 20000, ASKS = 1000 };

static _Noreturn void cannot_tell(const char *why)
{
	perror(why);
	exit(4);
}

static void *sleep_and_wake(void *unused)
{
	const struct timespec pause = { 0, SLEEP_NS };

	prctl(PR_SET_TIMERSLACK, 1);
	for (;;)
		nanosleep(&pause, NULL);
	return unused;
}

static void share_one_cpu(void)
{
	cpu_set_t one;
	pthread_t thread;

	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	if (sched_setaffinity(0, sizeof(one), &one) || pthread_create(&thread, NULL, sleep_and_wake, NULL))
		cannot_tell("a second thread");
}

/* A file whose first half is one folio. */
static int make_file(void)
{
	int fd = memfd_create("cachestat", 0);
	char *place = mmap(NULL, (PAGES + FOLIO) * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *p;

	if (fd < 0 || ftruncate(fd, PAGES * PAGE) || place == MAP_FAILED)
		cannot_tell("memfd");
	p = place + (-(uintptr_t)place & (FOLIO * PAGE - 1));
	if (mmap(p, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED)
		cannot_tell("mmap");
	for (int i = 0; i < PAGES; i++)
		p[i * PAGE] = 1;
	if (madvise(p, FOLIO * PAGE, 25 /* MADV_COLLAPSE */))
		cannot_tell("MADV_COLLAPSE");
	return fd;
}

int main(void)
{
	const uint64_t range[] = { FROM * PAGE, NR * PAGE };
	uint64_t is[5] = { NR }; /* the first is nr_cache */
	int fd = make_file();
	time_t end = time(NULL) + SECONDS;
	long asked = 0;

	share_one_cpu();
	while (is[0] == NR && (asked % ASKS || time(NULL) < end)) {
		if (syscall(SYS_cachestat, fd, range, is, 0))
			cannot_tell("cachestat");
		asked++;
	}
	printf("nr_cache of %d pages in memory: expected %d, call %ld said %llu: %s\n", NR, NR, asked,
	       (unsigned long long)is[0], is[0] == NR ? "right" : "WRONG");
	return is[0] != NR;
}
