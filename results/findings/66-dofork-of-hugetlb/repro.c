// SPDX-License-Identifier: MIT
/*
 * MADV_DONTFORK of hugetlb memory is done, but MADV_DOFORK, which undoes it, fails with EINVAL.
 * cc -static -o repro repro.c. Needs one free hugetlb page. Exit status: 0 right, 1 wrong, 4 cannot
 * tell.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

int main(void)
{
	const size_t most = 2UL << 20; /* mmap(2) rounds up */
	char *p = mmap(NULL, most, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);

	if (p == MAP_FAILED || madvise(p, most, MADV_DONTFORK)) {
		puts("cannot tell");
		return 4;
	}
	if (!madvise(p, most, MADV_DOFORK)) {
		puts("MADV_DONTFORK is done, and MADV_DOFORK undoes it");
		return 0;
	}
	printf("MADV_DONTFORK is done, but MADV_DOFORK fails: %s\n", strerror(errno));
	return 1;
}
