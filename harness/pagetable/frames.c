// SPDX-License-Identifier: MIT
/* Looks up a process's page frames in /proc/kpageflags and /proc/kpagecount. */
#include "frames.h"
#include "source/parse.h"
#include <linux/kernel-page-flags.h>
#include <stdlib.h>

enum {
	AT_ONCE = 16 * 1024,
	FOLIO_MAX = 1 << 16,
	KPF_MLOCKED = 33, /* a flag for kernel developers: include/linux/kernel-page-flags.h */
};

#define FLAG(bit) (1ULL << (bit))

int page_frames_open(struct page_frames *f, const struct host *h, struct source_error *e)
{
	*f = (struct page_frames) { .h = h, .e = e, .counted = h->kpagecount >= 0 };
	f->of = malloc(AT_ONCE * sizeof(*f->of));
	f->pfns = malloc(3 * AT_ONCE * sizeof(*f->pfns));
	if (!f->of || !f->pfns)
		return -1;
	f->flags = f->pfns + AT_ONCE;
	f->counts = f->flags + AT_ONCE;
	return 0;
}

void page_frames_close(struct page_frames *f)
{
	free(f->of);
	free(f->pfns);
}

static const struct {
	enum metric_id id;
	int bit;
} by_flag[] = {
	{ METRIC_FRAMES_ANON, KPF_ANON }, { METRIC_FRAMES_SWAPBACKED, KPF_SWAPBACKED },
	{ METRIC_FRAMES_MMAP, KPF_MMAP }, { METRIC_FRAMES_KSM, KPF_KSM },
	{ METRIC_FRAMES_HUGE, KPF_HUGE }, { METRIC_FRAMES_THP, KPF_THP },
	{ METRIC_FRAMES_IDLE, KPF_IDLE }, { METRIC_FRAMES_MLOCKED, KPF_MLOCKED },
};

/*
 * Returns the flags of a folio's head page, because up to 6.9 some flags are only set there. A
 * folio's first frame number is a multiple of its size, so the head is the nearest such frame with
 * KPF_COMPOUND_HEAD. The next tail page has the same head, which is not looked up again.
 */
static uint64_t flags_of_head(struct page_frames *f, uint64_t pfn)
{
	bool neighbour = f->tail && pfn == f->tail + 1;
	uint64_t flags;

	f->tail = pfn;
	for (uint64_t span = 2; !neighbour && span <= FOLIO_MAX; span *= 2) {
		f->head_flags = 0;
		if (kpage_word(f->h->kpageflags, pfn / span * span, &flags))
			return 0;
		if (flags & FLAG(KPF_COMPOUND_HEAD)) {
			f->head_flags = flags;
			break;
		}
	}
	return f->head_flags;
}

static void count(struct page_frames *f, int64_t *of, uint64_t pfn, uint64_t flags,
		  uint64_t mapcount)
{
	bool hugetlb = flags & FLAG(KPF_HUGE);

	if (flags & FLAG(KPF_ZERO_PAGE))
		return;
	if (flags & FLAG(KPF_COMPOUND_TAIL) && !hugetlb)
		flags |= flags_of_head(f, pfn) & (FLAG(KPF_SWAPBACKED) | FLAG(KPF_MLOCKED));
	for (size_t i = 0; i < sizeof(by_flag) / sizeof(*by_flag); i++)
		if (flags & FLAG(by_flag[i].bit) && hugetlb == (by_flag[i].bit == KPF_HUGE))
			of[by_flag[i].id - METRIC_FRAMES_FIRST]++;
	if (!hugetlb && mapcount)
		of[(mapcount > 1 ? METRIC_FRAMES_MORE : METRIC_FRAMES_ONCE) -
		   METRIC_FRAMES_FIRST]++;
}

/*
 * Counts a page whose class only kpageflags shows. The zero page belongs to no process, so it is
 * not exclusive. Kernels with CONFIG_NO_PAGE_MAPCOUNT report the huge zero page as exclusive,
 * because they do not count its mappings.
 */
static void clear_up(const struct page_frame *frame, uint64_t flags)
{
	struct page_counts *c = &frame->m->pagemap;

	if (flags & FLAG(KPF_ZERO_PAGE)) {
		c->of[CLASS_ZERO]++;
		c->exclusive -= frame->exclusive;
	} else if (flags & FLAG(KPF_NOPAGE)) {
		c->of[CLASS_SPECIAL]++;
	} else {
		c->of[flags & FLAG(KPF_ANON) ? CLASS_ANON : c->file_class]++;
	}
}

int page_frames_add(struct page_frames *f, uint64_t pfn, struct page_frame frame)
{
	f->pfns[f->nr] = pfn;
	f->of[f->nr++] = frame;
	return f->nr < AT_ONCE ? 0 : page_frames_flush(f);
}

static void cannot_count(struct page_frames *f, int error, const char *file)
{
	f->counted = false;
	source_fail(f->e, SOURCE_FRAMES, -error, "%s cannot be read", file);
}

int page_frames_flush(struct page_frames *f)
{
	const struct host *h = f->h;
	size_t nr = f->nr;
	/* Frame numbers beyond the last frame count as KPF_NOPAGE. */
	int error = kpage_words(h->kpageflags, f->pfns, nr, FLAG(KPF_NOPAGE), f->flags);
	int uncounted = f->counted ? kpage_words(h->kpagecount, f->pfns, nr, 0, f->counts) : 0;

	f->nr = 0;
	if (error || uncounted)
		cannot_count(f, error ? error : uncounted, error ? "kpageflags" : "kpagecount");
	for (size_t i = 0; i < nr; i++) {
		if (f->of[i].unclear && error)
			return error;
		if (f->of[i].unclear)
			clear_up(&f->of[i], f->flags[i]);
		if (f->counted)
			count(f, f->of[i].m->frames, f->pfns[i], f->flags[i], f->counts[i]);
		if (f->counted && h->kept)
			frame_words_add(&h->kept->frames, f->pfns[i], f->flags[i], f->counts[i]);
	}
	return 0;
}
