// SPDX-License-Identifier: MIT
/*
 * Implements verbs that fill page table entries by userfaultfd(2). The range is registered only
 * during the operation, so no other access meets a missing page.
 */
#include "verbs.h"
#include <errno.h>
#include <linux/userfaultfd.h>
#include <rssck/uapi.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* From <linux/userfaultfd.h> of 5.13 (CONTINUE), 6.8 (MOVE) and 6.6 (POISON). */
struct fill {
	struct uffdio_range range;
	uint64_t mode;
	int64_t filled;
};

struct move {
	uint64_t dst, src, len, mode;
	int64_t moved;
};

#define CONTINUE _IOWR(UFFDIO, 0x07, struct fill)
#define MOVE     _IOWR(UFFDIO, 0x05, struct move)
#define POISON   _IOWR(UFFDIO, 0x08, struct fill)

enum { ALLOW_SRC_HOLES = 2 };

void verb_watch_copy(struct worker *k, const struct act *a)
{
	char *at = act_address(k, a);
	int fd = watch_for_now(k, at, act_bytes(k, a), UFFDIO_REGISTER_MODE_MISSING, 0);

	if (fd < 0)
		return;
	act_result(k, watch_copy_pages(fd, (uintptr_t)at, k->page, a->pages, 0));
	close(fd);
}

static void fill_pages(struct worker *k, const struct act *a, int fd, unsigned long request,
		       int unless)
{
	for (uint32_t i = 0; i < a->pages && !k->outcome.error; i++) {
		struct fill f = {
			.range = { (uintptr_t)act_address(k, a) + i * k->page, k->page },
		};

		if (ioctl(fd, request, &f) < 0 && errno != EEXIST && errno != unless)
			act_result(k, -1);
	}
}

static void fill(struct worker *k, const struct act *a, uint64_t mode, uint64_t features,
		 unsigned long request, int unless)
{
	int fd = watch_for_now(k, act_address(k, a), act_bytes(k, a), mode, features);

	if (fd < 0)
		return;
	fill_pages(k, a, fd, request, unless);
	close(fd);
}

void verb_watch_zero(struct worker *k, const struct act *a)
{
	fill(k, a, UFFDIO_REGISTER_MODE_MISSING, 0, UFFDIO_ZEROPAGE, 0);
}

/* EFAULT means that the page is not in the page cache. */
void verb_watch_continue(struct worker *k, const struct act *a)
{
	fill(k, a, UFFDIO_REGISTER_MODE_MINOR, UFFD_FEATURE_MINOR_SHMEM, CONTINUE, EFAULT);
}

void verb_watch_poison(struct worker *k, const struct act *a)
{
	fill(k, a, UFFDIO_REGISTER_MODE_MISSING, 0, POISON, 0);
}

/* The kernel returns EAGAIN while a page is in use. */
static int move_all(int fd, uintptr_t to, uintptr_t from, size_t bytes)
{
	enum { TRIES = 100 };
	size_t done = 0;

	for (int i = 0; i < TRIES && done < bytes; i++) {
		struct move m = { .dst = to + done,
				  .src = from + done,
				  .len = bytes - done,
				  .mode = ALLOW_SRC_HOLES };

		if (ioctl(fd, MOVE, &m) < 0 && (errno != EAGAIN || m.moved < 0))
			return -1;
		done += m.moved > 0 ? (size_t)m.moved : 0;
	}
	errno = EAGAIN;
	return done < bytes ? -1 : 0;
}

/*
 * Moves pages to a new mapping. It first clears all soft-dirty bits, because a new mapping is
 * soft-dirty as a whole (VM_SOFTDIRTY), which would hide each page's own bit; if other sequences
 * have regions in the process, it clears none. It refuses regions that userfaultfd protects,
 * because a moved swap entry would keep the protection, and nothing could clear it. It refuses
 * regions that KSM merged, because a moved zero page would become an ordinary one and stay in
 * ksm_zero_pages forever (FINDINGS 41). It refuses regions with huge pages, because a moved huge
 * zero page becomes an entry without a page, and reading pagemap then crashes some kernels
 * (FINDINGS 43).
 */
void verb_watch_move(struct worker *k, const struct act *a)
{
	struct region *from = &k->regions[a->region], *to = &k->regions[a->to];
	size_t bytes = act_bytes(k, a);
	char *at = to->at + a->first * k->page;
	void *p = MAP_FAILED;
	int fd;

	errno = EBUSY;
	if (!from->watched && !from->merged && !from->huge)
		p = mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS,
			 -1, 0);
	act_result(k, p == MAP_FAILED ? -1 : k->has_neighbours ? 0 : act_clear_refs('4'));
	if (k->outcome.error)
		return;
	to->file = 0;
	to->huge = false;
	fd = watch_for_now(k, at, bytes, UFFDIO_REGISTER_MODE_MISSING, 0);
	if (fd < 0)
		return;
	act_result(k, move_all(fd, (uintptr_t)at, (uintptr_t)act_address(k, a), bytes));
	close(fd);
}
