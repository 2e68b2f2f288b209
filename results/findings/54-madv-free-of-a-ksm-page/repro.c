// SPDX-License-Identifier: MIT
/*
 * After MADV_FREE of a merged page, reclaim may discard the data of pages that KSM merges with it later. Here that is a
 * page of another process, which has freed nothing and must keep its data.
 * cc -static -o repro repro.c. Needs root (it starts ksmd). Exit status: 0 right, 1 wrong, 4 cannot tell.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define KSM "/sys/kernel/mm/ksm/"

static _Noreturn void cannot_tell(const char *why)
{
	perror(why);
	_exit(4);
}

static void put(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	if (!f || fputs(text, f) < 0 || fclose(f))
		cannot_tell(path);
}

static long number(const char *path)
{
	FILE *f = fopen(path, "r");
	long n;

	if (!f || fscanf(f, "%ld", &n) != 1)
		cannot_tell(path);
	return fclose(f), n;
}

/* Makes a mergeable page, with a content that no other program has. */
static char *alike(size_t page)
{
	char *p = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED || madvise(p, page, MADV_MERGEABLE))
		cannot_tell("MADV_MERGEABLE");
	memset(p, 0x5a, page);
	return p;
}

static void wait_until_merged(long pages)
{
	for (int i = 0; number(KSM "pages_sharing") != pages; i++, usleep(100000))
		if (i == 200)
			cannot_tell("ksmd");
}

/* The other process: makes its page after one byte, pages it out after the next, and returns 1 if its data is lost. */
static _Noreturn void be_the_other(int go, size_t page)
{
	char *mine, byte;

	(void)!read(go, &byte, 1);
	mine = alike(page);
	if (read(go, &byte, 1) != 1 || madvise(mine, page, MADV_PAGEOUT))
		_exit(4);
	_exit(mine[0] != 0x5a);
}

int main(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *freed, *second;
	int how, go[2];
	cpu_set_t first = { { 1 } }; /* CPU 0: each CPU keeps a batch of MADV_FREE pages */

	sched_setaffinity(0, sizeof(first), &first);
	put(KSM "run", "1");
	wait_until_merged(0); /* fails if another process uses KSM */
	if (pipe(go) || !fork())
		be_the_other(go[0], page);
	freed = alike(page);
	second = alike(page);
	wait_until_merged(1);
	munmap(second, page);
	wait_until_merged(0);
	put(KSM "run", "0"); /* so that ksmd does not hold the page during MADV_FREE */
	madvise(freed, page, MADV_FREE);
	put(KSM "run", "1");
	(void)!write(go[1], "", 1);
	wait_until_merged(1);
	put(KSM "run", "0");
	munmap(freed, page);
	(void)!write(go[1], "", 1);
	wait(&how);
	how = WIFEXITED(how) ? WEXITSTATUS(how) : 4;
	printf("data of the other process: expected kept, seen %s\n", how == 1 ? "lost: WRONG" : how ? "nothing" : "kept: right");
	return how;
}
