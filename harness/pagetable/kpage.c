// SPDX-License-Identifier: MIT
/* Reads /proc/kpagecount and /proc/kpageflags. */
#include <errno.h>
#include <rssck/source.h>
#include <stdlib.h>
#include <unistd.h>

enum {
	WINDOW = 8 * 1024, /* words for one read */
	GAP = 8, /* frames this close share one read(2): another call takes as long as reading about
		  * five words outside the CPU cache */
	DIGIT_BITS = 11,
	DIGITS = 1 << DIGIT_BITS,
};

ssize_t kpage_range(int fd, uint64_t pfn, uint64_t *words, size_t n)
{
	ssize_t got;

	do
		got = pread(fd, words, n * sizeof(*words), (off_t)(pfn * sizeof(*words)));
	while (got < 0 && errno == EINTR);
	return got < 0 ? -errno : got / (ssize_t)sizeof(*words);
}

int kpage_word(int fd, uint64_t pfn, uint64_t *word)
{
	ssize_t n = kpage_range(fd, pfn, word, 1);

	if (n < 0)
		return (int)n;
	return n == 1 ? 0 : -ENXIO;
}

/*
 * Runs one pass of a radix sort, by the digit at `shift`. Returns false if all keys have the same
 * digit there.
 */
static bool sort_pass(const uint64_t *from, uint64_t *to, size_t n, unsigned shift)
{
	size_t place[DIGITS] = { 0 }, sum = 0;

	for (size_t i = 0; i < n; i++)
		place[from[i] >> shift & (DIGITS - 1)]++;
	if (place[from[0] >> shift & (DIGITS - 1)] == n)
		return false;
	for (size_t d = 0; d < DIGITS; d++) {
		size_t here = place[d];

		place[d] = sum;
		sum += here;
	}
	for (size_t i = 0; i < n; i++)
		to[place[from[i] >> shift & (DIGITS - 1)]++] = from[i];
	return true;
}

/*
 * Sorts keys by the bits from `low_bits` up. Returns the sorted array, which is `keys` or `spare`.
 * Skips digits that are equal in all keys, because even with few keys a pass takes as long as
 * sorting thousands of them (it walks DIGITS counters).
 */
static uint64_t *sort(uint64_t *keys, uint64_t *spare, size_t n, unsigned low_bits)
{
	uint64_t differ = 0;

	for (size_t i = 1; i < n; i++)
		differ |= keys[i] ^ keys[0];
	for (unsigned shift = low_bits; shift < 64 && differ >> shift; shift += DIGIT_BITS) {
		if (sort_pass(keys, spare, n, shift)) {
			uint64_t *sorted = spare;

			spare = keys;
			keys = sorted;
		}
	}
	return keys;
}

/* A key contains the page frame number, and in its low bits the index in the caller's array. */
static uint64_t key_pfn(uint64_t key)
{
	return key >> KPAGE_BATCH_BITS;
}

static size_t window_end(const uint64_t *keys, size_t i, size_t n)
{
	uint64_t first = key_pfn(keys[i]);
	size_t end = i + 1;

	while (end < n && key_pfn(keys[end]) - key_pfn(keys[end - 1]) <= GAP &&
	       key_pfn(keys[end]) - first < WINDOW)
		end++;
	return end;
}

static int read_windows(int fd, const uint64_t *keys, size_t n, uint64_t beyond, uint64_t *words)
{
	uint64_t window[WINDOW];

	for (size_t i = 0, end; i < n; i = end) {
		uint64_t first = key_pfn(keys[i]);
		ssize_t got;

		end = window_end(keys, i, n);
		got = kpage_range(fd, first, window, key_pfn(keys[end - 1]) - first + 1);
		if (got < 0)
			return (int)got;
		for (size_t k = i; k < end; k++) {
			uint64_t at = key_pfn(keys[k]) - first;

			words[keys[k] & ((1u << KPAGE_BATCH_BITS) - 1)] = at < (uint64_t)got
										  ? window[at]
										  : beyond;
		}
	}
	return 0;
}

int kpage_words(int fd, const uint64_t *pfns, size_t n, uint64_t beyond, uint64_t *words)
{
	uint64_t *keys;
	int error;

	if (n == 0)
		return 0;
	keys = malloc(2 * n * sizeof(*keys));
	if (!keys)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		keys[i] = pfns[i] << KPAGE_BATCH_BITS | i;
	error = read_windows(fd, sort(keys, keys + n, n, KPAGE_BATCH_BITS), n, beyond, words);
	free(keys);
	return error;
}
