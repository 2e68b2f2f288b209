// SPDX-License-Identifier: MIT
/*
 * A hole that is punched into a hugetlb file drops the pages that a private mapping has written:
 * its data is lost. In a shmem file it stays. cc -static -o repro repro.c. Needs one free hugetlb
 * page. Exit status: 0 right, 1 wrong, 4 cannot tell.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns the byte that was 'x' before the hole; 0 if nothing can be told. */
static char byte_after_hole(unsigned flags)
{
	int fd = memfd_create("file", flags);
	struct stat st;
	char *p;

	if (fd < 0 || fstat(fd, &st) || ftruncate(fd, st.st_blksize))
		return 0;
	p = mmap(NULL, st.st_blksize, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		return 0;
	*p = 'x';
	if (fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, st.st_blksize))
		return 0;
	return *p ? *p : '0';
}

int main(void)
{
	char shmem = byte_after_hole(0), hugetlb = byte_after_hole(MFD_HUGETLB);

	if (!shmem || !hugetlb) {
		puts("cannot tell");
		return 4;
	}
	printf("a private mapping has written x; after a hole in the file it reads: shmem %c, "
	       "hugetlb %c\n",
	       shmem, hugetlb);
	return hugetlb != 'x';
}
