// SPDX-License-Identifier: MIT
/* A large folio of a file: one write maps all of it or a page of it, and fork copies what is mapped.
 */
#include <rssck/case.h>
#include <unistd.h>

enum { PAGES = 256, ODD = 37, REGION = 0, FD = 0, BEFORE = 0, PARENT = 0, CHILD = 1 };

/* Written at once: the page cache gets folios as large as the file system makes them. */
static void write_file(struct workload *w)
{
	size_t bytes = PAGES * w->page_size;
	void *data = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	w->fd[FD] = workload_file(w, PAGES);
	if (data == MAP_FAILED || pwrite(w->fd[FD], data, bytes, 0) != (ssize_t)bytes)
		workload_die(w, "a file of %d pages: %m", PAGES);
	munmap(data, bytes);
	if (workload_file_is_written_back(w, w->fd[FD]))
		workload_must(w, fsync(w->fd[FD]), "fsync");
}

/* How many of its pages that maps, and how many of them are clean, the kernel decides. */
static void write_one(struct workload *w)
{
	char *p = workload_map(w, PAGES * w->page_size, PROT_READ | PROT_WRITE, MAP_SHARED,
			       w->fd[FD], 0);
	int64_t mapped, clean;

	touch_write(w, p + ODD * w->page_size, 1);
	mapped = workload_pages_present(w, p, PAGES);
	clean = workload_pages_clean(w, p);
	workload_tell(w, "mapped", mapped);
	workload_expect(w, (struct posting)FILE_READ(clean));
	workload_expect(w, (struct posting)FILE_WRITE(mapped - clean));
	munmap(p, PAGES * w->page_size);
}
