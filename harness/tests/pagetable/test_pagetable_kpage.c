// SPDX-License-Identifier: MIT
/*
 * Many page frames are read in one call, from a file whose word n is computed from n; pagemap is
 * read block by block.
 */
#include "tests/support/test.h"
#include <errno.h>
#include <fcntl.h>
#include <rssck/source.h>
#include <sys/mman.h>

enum { FRAMES = 100 * 1000, BEYOND = 42 };

static uint64_t word_of(uint64_t pfn)
{
	return pfn * 7 + 1;
}

FIXTURE(frames)
{
	int fd = memfd_create("frames", MFD_CLOEXEC);

	for (uint64_t i = 0; i < FRAMES; i++) {
		uint64_t word = word_of(i);

		assert_int_equal(write(fd, &word, sizeof(word)), sizeof(word));
	}
	*state = (void *)(intptr_t)fd;
	return 0;
}

FIXTURE(close_frames)
{
	return close((int)(intptr_t)*state);
}

static void expect(int fd, const uint64_t *pfns, size_t n)
{
	uint64_t *words = calloc(n + 1, sizeof(*words));

	assert_int_equal(kpage_words(fd, pfns, n, BEYOND, words), 0);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(words[i], pfns[i] < FRAMES ? word_of(pfns[i]) : BEYOND);
	assert_int_equal(words[n], 0);
	free(words);
}

TEST(each_frame_gets_its_own_word_in_any_order)
{
	static uint64_t pfns[50000];
	uint64_t random = 1;

	for (size_t i = 0; i < 50000; i++) {
		random = random * 6364136223846793005ULL + 1442695040888963407ULL;
		pfns[i] = (random >> 33) % FRAMES;
	}
	expect((int)(intptr_t)*state, pfns, 50000);
	expect((int)(intptr_t)*state, pfns, 1);
	expect((int)(intptr_t)*state, pfns, 0);
}

TEST(adjacent_repeated_and_distant_frames_are_read)
{
	const uint64_t pfns[] = { 5,    4,     5,     6,     99999, 0,     70,
				  8191, 16384, 16383, 50000, 50064, 50065, 50130 };
	static uint64_t run[FRAMES];

	expect((int)(intptr_t)*state, pfns, sizeof(pfns) / sizeof(*pfns));
	for (uint64_t i = 0; i < FRAMES; i++)
		run[i] = FRAMES - 1 - i;
	expect((int)(intptr_t)*state, run, FRAMES);
}

TEST(frames_beyond_the_last_are_reported_as_such)
{
	const uint64_t pfns[] = { FRAMES - 1, FRAMES, FRAMES + 1, 1ULL << 40, 3 };

	expect((int)(intptr_t)*state, pfns, sizeof(pfns) / sizeof(*pfns));
}

TEST(a_file_that_cannot_be_read_is_an_error)
{
	const uint64_t pfn = 1;
	uint64_t word;

	assert_int_equal(kpage_words(-1, &pfn, 1, 0, &word), -EBADF);
}

struct seen {
	uint64_t next;
	size_t pages, present;
};

static int see(uint64_t start, const uint64_t *words, size_t n, void *arg)
{
	struct seen *s = arg;

	assert_int_equal(start, s->next);
	for (size_t i = 0; i < n; i++)
		s->present += !!(words[i] & PAGEMAP_PRESENT);
	s->pages += n;
	s->next = start + n * (uint64_t)sysconf(_SC_PAGESIZE);
	return 0;
}

TEST(blocks_cover_a_mapping_without_gap_or_overlap)
{
	enum { PAGES = 100 * 1000, TOUCHED = 77 };
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *p = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	struct host h = { .page_size = (long)page };
	struct mapping m = { .name = "", .flags = "", .start = (uintptr_t)p };
	struct seen s = { .next = (uintptr_t)p };

	assert_ptr_not_equal(p, MAP_FAILED);
	madvise(p, PAGES * page, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < TOUCHED; i++)
		p[i * 1000 * page] = 1;
	m.end = m.start + PAGES * page;
	assert_int_equal(pagemap_blocks(fd, &h, &m, PAGEMAP_READ_ALL, see, &s), 0);
	assert_int_equal(s.pages, PAGES);
	assert_int_equal(s.present, TOUCHED);
	munmap(p, PAGES * page);
	close(fd);
}

static int stop_walk(uint64_t start, const uint64_t *words, size_t n, void *arg)
{
	(void)start;
	(void)words;
	(void)n;
	++*(int *)arg;
	return 7;
}

TEST(a_walk_stops_on_request_and_refuses_terabytes)
{
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC), calls = 0;
	struct host h = { .page_size = sysconf(_SC_PAGESIZE) };
	struct mapping m = { .name = "", .flags = "", .start = 1 << 30, .end = 2ULL << 30 };

	assert_int_equal(pagemap_blocks(fd, &h, &m, PAGEMAP_READ_ALL, stop_walk, &calls), 7);
	assert_int_equal(calls, 1);
	m.end = 16ULL << 40;
	assert_int_equal(pagemap_blocks(fd, &h, &m, PAGEMAP_READ_ALL, stop_walk, &calls), -EFBIG);
	assert_int_equal(calls, 1);
	close(fd);
}

TESTS_SHARE(frames, close_frames);
