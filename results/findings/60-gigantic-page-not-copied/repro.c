// SPDX-License-Identifier: MIT
/*
 * A private hugetlb page of 1 GiB counts as shared, and fork() does not give it to the child, if the page table (PUD) that
 * maps it was before a page of a file, at another place than the file's first: page->index is read as pt_share_count. This
 * program frees such pages, of memfd_secret(2), else of a ramfs on /tmp (needs root), just before a table is allocated.
 *
 * cc -static -o repro repro.c. Needs a free hugetlb page of 1 GiB, or root and 1 GiB that can be made one
 * (hugepagesz=1G hugepages=1). Exit status: 0 right, 1 wrong, 4 cannot tell.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define POOL "/sys/kernel/mm/hugepages/hugepages-1048576kB/"
#define GIB (1UL << 30)

enum { TRIES = 8, USED = 64, PAGE = 4096 };

static long pool_was = -1; /* what to set the pool to at the end */

static long of_pool(const char *file)
{
	FILE *f = fopen(file, "r");
	long n = -1;

	if (!f || fscanf(f, "%ld", &n) != 1)
		n = -1;
	if (f)
		fclose(f);
	return n;
}

static void set_pool(long pages)
{
	FILE *f = fopen(POOL "nr_hugepages", "w");

	if (!f)
		return;
	fprintf(f, "%ld", pages);
	fclose(f);
}

static void end(int status)
{
	if (pool_was >= 0)
		set_pool(pool_was);
	exit(status);
}

static void cannot_tell(const char *why)
{
	perror(why);
	end(4);
}

/* Returns an empty file whose pages the kernel takes from the same lists as page tables, and does not migrate. */
static int unmovable_file(void)
{
	static int mounted;
	int fd = (int)syscall(447 /* memfd_secret */, 0);

	if (fd >= 0)
		return fd;
	if (!mounted++ && (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
			   mount("none", "/tmp", "ramfs", 0, NULL)))
		cannot_tell("neither memfd_secret nor a ramfs");
	fd = open("/tmp/used", O_RDWR | O_CREAT, 0600);
	if (fd < 0)
		cannot_tell("/tmp/used");
	unlink("/tmp/used");
	return fd;
}

/* Frees USED pages of a file, on this CPU, so that the next page tables are in them. */
static void use_pages(void)
{
	size_t bytes = (USED + 1) * PAGE;
	int fd = unmovable_file();
	char *p;

	if (ftruncate(fd, (off_t)bytes))
		cannot_tell("ftruncate");
	p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED)
		cannot_tell("mmap of the file");
	for (int i = 1; i <= USED; i++)
		p[i * PAGE] = 1;
	munmap(p, bytes);
	close(fd);
}

/* Returns whether smaps counts the page at p as shared. */
static int is_shared(const char *p)
{
	FILE *f = fopen("/proc/self/smaps", "r");
	unsigned long from, to;
	int here = 0;
	long kb, shared = -1;
	char line[512];

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "%lx-%lx ", &from, &to) == 2)
			here = from == (unsigned long)p;
		else if (here && sscanf(line, "Shared_Hugetlb: %ld", &kb) == 1)
			shared = kb;
	if (f)
		fclose(f);
	if (shared < 0)
		cannot_tell("smaps");
	return shared > 0;
}

/* Returns whether a forked child reads something else than what its parent wrote, or is killed. */
static int child_lacks(const char *p)
{
	pid_t child = fork();
	int status = 0;

	if (child == 0)
		_exit(p[5] != 42);
	if (child < 0 || waitpid(child, &status, 0) != child)
		cannot_tell("fork");
	return status != 0;
}

int main(void)
{
	int shared = 0, lost = 0;
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(0, sizeof(one), &one);
	if (of_pool(POOL "free_hugepages") - of_pool(POOL "resv_hugepages") < 1) {
		pool_was = of_pool(POOL "nr_hugepages");
		set_pool(pool_was + 1);
	}
	for (unsigned long i = 0; i < TRIES; i++) {
		/* Each try is in a part of the address space that has no table yet. */
		char *p = (char *)((i + 2) << 39);

		use_pages();
		p = mmap(p, GIB, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | (30 << MAP_HUGE_SHIFT), -1, 0);
		if (p == MAP_FAILED)
			cannot_tell("a hugetlb page of 1 GiB");
		p[5] = 42;
		shared += is_shared(p);
		use_pages();
		lost += child_lacks(p);
		munmap(p, GIB);
	}
	printf("a private page of 1 GiB: shared in smaps in %d of %d tries, lost by the child in %d: %s\n", shared, TRIES,
	       lost, shared || lost ? "WRONG" : "right");
	end(shared || lost);
}
