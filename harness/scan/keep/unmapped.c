// SPDX-License-Identifier: MIT
/* Maps the pages of a shared object that are in memory, and reads their frames from pagemap. */
#include "base/number.h"
#include "keepers.h"
#include <errno.h>
#include <fcntl.h>
#include <rssck/source.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { WINDOW = 64 << 20, AT_ONCE = 512 };

/* A part of the object that rssck maps. */
struct window {
	char *at;
	size_t pages, page_size;
	uint64_t first; /* the first page in the object */
	unsigned char *resident;
	int pagemap;
};

/*
 * A process may truncate the object meanwhile. process_vm_readv(2) then fails, where a read would
 * raise SIGBUS.
 */
static void touch(const struct window *w, const size_t *pages, size_t n)
{
	struct iovec from[AT_ONCE];
	char byte[AT_ONCE];

	for (size_t i = 0; i < n; i++)
		from[i] = (struct iovec) { w->at + pages[i] * w->page_size, 1 };
	process_vm_readv(getpid(), &(struct iovec) { byte, n }, 1, from, n, 0);
}

static void take(const struct window *w, const size_t *pages, size_t n, struct frame_list *l)
{
	touch(w, pages, n);
	for (size_t i = 0; i < n; i++) {
		uint64_t page = (uint64_t)(uintptr_t)w->at / w->page_size + pages[i], word;

		if (pread(w->pagemap, &word, sizeof(word), (off_t)(page * sizeof(word))) ==
			    sizeof(word) &&
		    word & PAGEMAP_PRESENT && PAGEMAP_PFN(word))
			frame_list_add(l, PAGEMAP_PFN(word));
	}
}

static int look(const struct window *w, const struct object *one, struct frame_list *l)
{
	size_t pages[AT_ONCE], n = 0;
	int error = mincore(w->at, w->pages * w->page_size, w->resident) ? -errno : 0;

	for (size_t i = 0; i < w->pages && !error; i++) {
		if (!(w->resident[i] & 1) || ranges_has(&one->pages, w->first + i))
			continue;
		pages[n++] = i;
		if (n == AT_ONCE) {
			take(w, pages, n, l);
			n = 0;
		}
	}
	if (!error)
		take(w, pages, n, l);
	return error;
}

/*
 * Since 6.3, unmapping a MADV_RANDOM mapping does not mark its pages as accessed
 * (vma_has_recency()).
 */
static int look_at(int fd, off_t start, size_t length, struct window *w, const struct object *one,
		   struct frame_list *l)
{
	int error;

	w->at = mmap(NULL, length, PROT_READ, MAP_SHARED, fd, start);
	if (w->at == MAP_FAILED)
		return -errno;
	madvise(w->at, length, MADV_RANDOM);
	w->pages = length / w->page_size;
	w->first = (uint64_t)start / w->page_size;
	error = look(w, one, l);
	munmap(w->at, length);
	return error;
}

static int look_at_all(int fd, struct window *w, const struct object *one, struct frame_list *l)
{
	off_t page = (off_t)w->page_size, size, start = 0;
	struct stat st;
	int error = fstat(fd, &st) ? -errno : 0;

	size = error ? 0 : (st.st_size + page - 1) / page * page;
	while (!error && (start = lseek(fd, start, SEEK_DATA)) >= 0 && start < size) {
		size_t length = (size_t)lesser(size - start, WINDOW);

		error = look_at(fd, start, length, w, one, l);
		start += (off_t)length;
	}
	return error;
}

int unmapped_frames(const struct object *one, const struct host *h, struct frame_list *l)
{
	struct window w = { .page_size = (size_t)h->page_size };
	int fd = object_open(one), error;

	if (fd < 0)
		return fd;
	w.pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	w.resident = calloc(WINDOW / w.page_size, 1);
	error = w.pagemap < 0 ? -errno : w.resident ? look_at_all(fd, &w, one, l) : -ENOMEM;
	free(w.resident);
	if (w.pagemap >= 0)
		close(w.pagemap);
	close(fd);
	return error;
}
