// SPDX-License-Identifier: MIT
/*
 * Up to 6.9 a folio's tail pages have few flags, so rssck takes the flags of the head. Flags and
 * mapcounts of single frames are tested, too.
 */
#include "pagetable/frames.h"
#include "tests/support/test.h"
#include <sys/mman.h>

enum {
	FRAMES = 2048,
	HUGE = 1024,
	HUGE_PAGES = 512,
	PAIR = 70,
	SINGLE = 72,
	PAIRS = 80,
	LOCKED = 90
};

/* include/uapi/linux/kernel-page-flags.h */
enum { ANON = 1 << 12, SWAPBACKED = 1 << 14, HEAD = 1 << 15, TAIL = 1 << 16 };
#define RESERVED (1ULL << 32)
#define MLOCKED  (1ULL << 33)

static int words_of(const uint64_t *words)
{
	int fd = memfd_create("frames", MFD_CLOEXEC);

	assert_int_equal(write(fd, words, FRAMES * sizeof(*words)), FRAMES * sizeof(*words));
	return fd;
}

/*
 * An anonymous huge page; two pages of page cache before a single anonymous page; two pages of page
 * cache before two of shmem; a frame with three mappings after a locked one.
 */
static void open_frames(struct host *h)
{
	static uint64_t flags[FRAMES], counts[FRAMES];

	flags[HUGE] = HEAD | ANON | SWAPBACKED;
	for (int i = 1; i < HUGE_PAGES; i++)
		flags[HUGE + i] = TAIL | ANON;
	flags[PAIR] = HEAD;
	flags[PAIR + 1] = TAIL;
	flags[SINGLE] = ANON | SWAPBACKED;
	flags[PAIRS] = HEAD;
	flags[PAIRS + 1] = flags[PAIRS + 3] = TAIL;
	flags[PAIRS + 2] = HEAD | SWAPBACKED;
	flags[LOCKED] = MLOCKED;
	flags[LOCKED + 1] = RESERVED;
	for (int i = 0; i < FRAMES; i++)
		counts[i] = 1;
	counts[LOCKED + 1] = 2;
	counts[LOCKED + 2] = 3;
	counts[LOCKED + 3] = 0;
	h->kpageflags = words_of(flags);
	h->kpagecount = words_of(counts);
}

static int64_t counted(enum metric_id id, const uint64_t *pfns, size_t n)
{
	struct source_error e = { .text = "" };
	struct page_frames f;
	struct mapping m = { .start = 0 };
	struct host h = { .page_size = 4096 };

	open_frames(&h);
	assert_int_equal(page_frames_open(&f, &h, &e), 0);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(page_frames_add(&f, pfns[i], (struct page_frame) { .m = &m }), 0);
	assert_int_equal(page_frames_flush(&f), 0);
	page_frames_close(&f);
	close(h.kpageflags);
	close(h.kpagecount);
	return m.frames[id - METRIC_FRAMES_FIRST];
}

static int64_t swapbacked(const uint64_t *pfns, size_t n)
{
	return counted(METRIC_FRAMES_SWAPBACKED, pfns, n);
}

TEST(a_tail_has_the_flags_of_its_head_near_or_far)
{
	const uint64_t pfns[] = { HUGE + 1, HUGE + 2, HUGE + 255, HUGE + 256, HUGE + 511 };

	assert_int_equal(swapbacked(pfns, 5), 5);
}

TEST(a_tail_has_no_flags_of_neighbouring_folios)
{
	const uint64_t pfns[] = { PAIR, PAIR + 1, SINGLE, HUGE + 511 };

	assert_int_equal(swapbacked(pfns, 4), 2);
}

TEST(all_pages_of_a_folio_have_its_flags)
{
	uint64_t pfns[HUGE_PAGES + 1];

	for (uint64_t i = 0; i < HUGE_PAGES; i++)
		pfns[i] = HUGE + i;
	pfns[HUGE_PAGES] = PAIR + 1;
	assert_int_equal(swapbacked(pfns, HUGE_PAGES + 1), HUGE_PAGES);
}

TEST(a_tail_belongs_to_the_nearest_head_before_it)
{
	const uint64_t pfns[] = { PAIRS + 1, PAIRS + 3 };

	assert_int_equal(swapbacked(pfns, 2), 1);
}

TEST(each_flag_is_counted_separately)
{
	const uint64_t locked = LOCKED, reserved = LOCKED + 1;

	assert_int_equal(counted(METRIC_FRAMES_MLOCKED, &locked, 1), 1);
	assert_int_equal(counted(METRIC_FRAMES_MLOCKED, &reserved, 1), 0);
	assert_int_equal(counted(METRIC_FRAMES_ANON, &locked, 1), 0);
}

TEST(frames_mapped_once_and_more_often_are_counted)
{
	const uint64_t pfns[] = { LOCKED, LOCKED + 1, LOCKED + 2, LOCKED + 3 };

	assert_int_equal(counted(METRIC_FRAMES_ONCE, pfns, 4), 1);
	assert_int_equal(counted(METRIC_FRAMES_MORE, pfns, 4), 2);
}
