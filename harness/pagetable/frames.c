// SPDX-License-Identifier: MIT
/*
 * Looks the page frames of a process up in /proc/kpageflags and
 * /proc/kpagecount: neighbours share a read.
 */
#include "source/parse.h"
#include "walk.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GAP = 4, FOLIO_MAX = 1 << 16 };

/* include/uapi/linux/kernel-page-flags.h, and include/linux/kernel-page-flags.h: KPF_MLOCKED */
enum {
	KPF_MMAP = 11,
	KPF_ANON = 12,
	KPF_SWAPBACKED = 14,
	KPF_COMPOUND_HEAD = 15,
	KPF_COMPOUND_TAIL = 16,
	KPF_HUGE = 17,
	KPF_KSM = 21,
	KPF_THP = 22,
	KPF_ZERO_PAGE = 24,
	KPF_IDLE = 25,
	KPF_MLOCKED = 33,
};

static const struct {
	enum metric_id id;
	int bit;
} by_flag[] = {
	{ METRIC_FRAMES_ANON, KPF_ANON }, { METRIC_FRAMES_SWAPBACKED, KPF_SWAPBACKED },
	{ METRIC_FRAMES_MMAP, KPF_MMAP }, { METRIC_FRAMES_KSM, KPF_KSM },
	{ METRIC_FRAMES_HUGE, KPF_HUGE }, { METRIC_FRAMES_THP, KPF_THP },
	{ METRIC_FRAMES_IDLE, KPF_IDLE }, { METRIC_FRAMES_MLOCKED, KPF_MLOCKED },
};

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Words of [first, first + n); what lies beyond the last frame is 0. */
static int words_read(struct frames *f, int fd, uint64_t first, size_t n, uint64_t *words)
{
	ssize_t got;

	do
		got = pread(fd, words, n * sizeof(*words), (off_t)(first * sizeof(*words)));
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return source_fail(f->e, SOURCE_FRAMES, errno, "cannot be read at frame %#llx",
				   (unsigned long long)first);
	memset((char *)words + got, 0, n * sizeof(*words) - (size_t)got);
	return 0;
}

/*
 * Until 6.9 only the head of a folio shows some flags. A folio's frames are
 * aligned to their number, so the head is the first of these frames that says
 * it is one; and the neighbour of a tail has that tail's head.
 */
static uint64_t flags_of_head(struct frames *f, uint64_t pfn)
{
	bool neighbour = f->tail && pfn == f->tail + 1;
	uint64_t flags;

	f->tail = pfn;
	for (uint64_t span = 2; !neighbour && span <= FOLIO_MAX; span *= 2) {
		uint64_t head = pfn / span * span;

		f->head_flags = 0;
		if (words_read(f, f->h->kpageflags, head, 1, &flags))
			return 0;
		if (flags & 1ULL << KPF_COMPOUND_HEAD) {
			f->head_flags = flags;
			break;
		}
	}
	return f->head_flags;
}

static void count_frame(struct frames *f, uint64_t pfn, uint64_t flags, uint64_t mapcount)
{
	int64_t *of = f->m->frames;
	bool hugetlb = flags & 1ULL << KPF_HUGE;

	if (flags & 1ULL << KPF_ZERO_PAGE)
		return;
	if (flags & 1ULL << KPF_COMPOUND_TAIL && !hugetlb)
		flags |= flags_of_head(f, pfn) & (1ULL << KPF_SWAPBACKED | 1ULL << KPF_MLOCKED);
	for (size_t i = 0; i < sizeof(by_flag) / sizeof(*by_flag); i++)
		if (flags & 1ULL << by_flag[i].bit && hugetlb == (by_flag[i].bit == KPF_HUGE))
			of[by_flag[i].id - METRIC_FRAMES_ANON]++;
	if (!hugetlb && mapcount)
		of[(mapcount > 1 ? METRIC_FRAMES_MORE : METRIC_FRAMES_ONCE) - METRIC_FRAMES_ANON]++;
}

int frames_look_up(struct frames *f, uint64_t pfn)
{
	f->pfns[f->nr++] = pfn;
	return f->nr < FRAMES_AT_ONCE ? 0 : frames_flush(f);
}

int frames_flush(struct frames *f)
{
	qsort(f->pfns, f->nr, sizeof(*f->pfns), by_number);
	for (size_t i = 0, end; i < f->nr; i = end) {
		uint64_t first = f->pfns[i], n;

		for (end = i + 1; end < f->nr && f->pfns[end] - f->pfns[end - 1] <= GAP &&
				  f->pfns[end] - first < FRAMES_AT_ONCE;)
			end++;
		n = f->pfns[end - 1] - first + 1;
		if (words_read(f, f->h->kpageflags, first, n, f->flags) ||
		    words_read(f, f->h->kpagecount, first, n, f->counts))
			return -1;
		for (; i < end; i++)
			count_frame(f, f->pfns[i], f->flags[f->pfns[i] - first],
				    f->counts[f->pfns[i] - first]);
	}
	f->nr = 0;
	return 0;
}
