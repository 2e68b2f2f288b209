// SPDX-License-Identifier: MIT
/* Maps hugetlb pages of the default size. */
#include "agent.h"
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

size_t workload_hugetlb_bytes(void)
{
	return (size_t)workload_number("/proc/meminfo", "Hugepagesize", 0) * 1024;
}

/* st_blksize of a hugetlb file is the size of its pages. */
int workload_hugetlb_file(struct workload *w, int pages, int64_t *bytes)
{
	int fd = memfd_create("rssck", MFD_CLOEXEC | MFD_HUGETLB);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0 || ftruncate(fd, pages * st.st_blksize) < 0)
		workload_skip(w, "a memfd of hugetlb pages: %s", strerror(errno));
	*bytes = st.st_blksize;
	return fd;
}

void *workload_hugetlb_map(struct workload *w, size_t bytes, int fd)
{
	int flags = fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB : MAP_SHARED;
	void *p = workload_try_map(bytes, PROT_READ | PROT_WRITE, flags, fd);

	if (!p)
		workload_skip(w, "a hugetlb page: %s", strerror(errno));
	workload_remember(w, p, bytes);
	return p;
}
