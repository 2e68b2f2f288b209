// SPDX-License-Identifier: MIT
/* Walks a mapping page by page, and joins equal neighbours into runs. */
#include "runs.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/kernel-page-flags.h>
#include <rssck/source.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FLAG(bit) (1ULL << (bit))

/* The bits of a page table entry. The bits of the page frame follow. */
enum { EXCLUSIVE, SOFT_DIRTY, UFFD_WP, FROM_FLAGS };

const char *const run_attributes[] = { "exclusive", "soft-dirty",  "uffd-wp",    "huge",
				       "ksm",       "dirty",       "referenced", "writeback",
				       "swapcache", "unevictable", "lazyfree",   "poisoned",
				       NULL };

static const unsigned flag_of[] = { KPF_THP,       KPF_KSM,       KPF_DIRTY,      KPF_REFERENCED,
				    KPF_WRITEBACK, KPF_SWAPCACHE, KPF_UNEVICTABLE };

enum { LAZYFREE = FROM_FLAGS + sizeof(flag_of) / sizeof(*flag_of), POISONED };

static const uint64_t no_flags = FLAG(KPF_NOPAGE);

struct walk {
	const struct host *h;
	const struct mapping *m;
	bool shmem, hugetlb;
	uint64_t *pfns, *flags, *counts; /* for the pages of one block */
	size_t room;
	struct run run;
	void (*found)(const struct run *r, void *arg);
	void *arg;
};

static bool is_equal(const struct page_state *a, const struct page_state *b)
{
	return a->where == b->where && a->class == b->class && a->attributes == b->attributes &&
	       a->mapcount == b->mapcount;
}

static void flush(struct walk *w)
{
	if (w->run.pages)
		w->found(&w->run, w->arg);
	w->run.pages = 0;
}

static void add(struct walk *w, uint64_t address, const struct page_state *s)
{
	uint64_t end = w->run.start + w->run.pages * (uint64_t)w->h->page_size;

	if (w->run.pages && end == address && is_equal(&w->run.state, s)) {
		w->run.pages++;
		return;
	}
	/* Start a new run, because the state differs or there is a gap between two blocks. */
	flush(w);
	w->run = (struct run) { address, 1, *s };
}

static enum page_class class_by_flags(const struct walk *w, uint64_t flags)
{
	if (flags & FLAG(KPF_ZERO_PAGE))
		return CLASS_ZERO;
	if (w->hugetlb || flags & FLAG(KPF_HUGE))
		return CLASS_HUGETLB;
	if (flags & FLAG(KPF_NOPAGE))
		return CLASS_SPECIAL;
	if (flags & FLAG(KPF_ANON))
		return CLASS_ANON;
	return w->shmem || flags & FLAG(KPF_SWAPBACKED) ? CLASS_SHMEM : CLASS_FILE;
}

/* Returns the class of a page if page frame numbers are not visible. */
static enum page_class class_by_word(const struct walk *w, uint64_t word)
{
	if (w->hugetlb)
		return CLASS_HUGETLB;
	if (word & PAGEMAP_FILE)
		return w->shmem ? CLASS_SHMEM : CLASS_FILE;
	return word & PAGEMAP_EXCLUSIVE ? CLASS_ANON : CLASS_COUNT;
}

static uint32_t attributes_of(const struct walk *w, uint64_t word, uint64_t flags)
{
	uint32_t a = 0;

	a |= word & PAGEMAP_EXCLUSIVE ? 1u << EXCLUSIVE : 0;
	a |= word & PAGEMAP_SOFT_DIRTY ? 1u << SOFT_DIRTY : 0;
	a |= word & PAGEMAP_UFFD_WP ? 1u << UFFD_WP : 0;
	if (!w->h->sees_pfns || !(word & PAGEMAP_PRESENT))
		return a;
	for (unsigned i = 0; i < sizeof(flag_of) / sizeof(*flag_of); i++)
		a |= flags & FLAG(flag_of[i]) ? 1u << (FROM_FLAGS + i) : 0;
	if (flags & FLAG(KPF_ANON) && !(flags & FLAG(KPF_SWAPBACKED)))
		a |= 1u << LAZYFREE;
	a |= flags & FLAG(KPF_HWPOISON) ? 1u << POISONED : 0;
	return a;
}

/* True if the entry is of a page on swap. With hidden PFNs, markers and migrating pages count. */
static bool is_swapped_out(const struct walk *w, uint64_t word)
{
	return !(word & PAGEMAP_GUARD) &&
	       (!w->h->sees_pfns || PAGEMAP_SWAP_TYPE(word) < PAGEMAP_RESERVED_TYPE);
}

static struct page_state state_of(const struct walk *w, uint64_t word, uint64_t flags,
				  uint64_t count)
{
	struct page_state s = { .mapcount = -1 };

	s.attributes = attributes_of(w, word, flags);
	if (word & PAGEMAP_PRESENT) {
		s.where = PAGE_IN;
		s.class = w->h->sees_pfns ? class_by_flags(w, flags) : class_by_word(w, word);
		if (w->h->sees_pfns && w->h->kpagecount >= 0)
			s.mapcount = (int64_t)count;
	} else if (word & PAGEMAP_SWAP) {
		s.where = is_swapped_out(w, word) ? PAGE_OUT : PAGE_UNUSABLE;
	} else {
		s.where = PAGE_NONE;
		/*
		 * All pages of a new mapping are reported as soft-dirty, which means nothing for an
		 * absent page.
		 */
		s.attributes = 0;
	}
	return s;
}

static int reserve(struct walk *w, size_t n)
{
	if (n <= w->room)
		return 0;
	free(w->pfns);
	w->room = n;
	w->pfns = calloc(3 * n, sizeof(*w->pfns));
	w->flags = w->pfns + n;
	w->counts = w->flags + n;
	return w->pfns ? 0 : -ENOMEM;
}

static int read_frames(struct walk *w, const uint64_t *words, size_t n)
{
	uint64_t *packed = calloc(2 * n, sizeof(*packed)), *answers = packed + n;
	size_t nr = 0;
	int error = 0;

	if (!packed)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		if (words[i] & PAGEMAP_PRESENT)
			packed[nr++] = PAGEMAP_PFN(words[i]);
	error = kpage_words(w->h->kpageflags, packed, nr, no_flags, answers);
	for (size_t i = 0, k = 0; i < n; i++)
		w->flags[i] = words[i] & PAGEMAP_PRESENT ? answers[k++] : 0;
	if (!error && w->h->kpagecount >= 0)
		error = kpage_words(w->h->kpagecount, packed, nr, 0, answers);
	for (size_t i = 0, k = 0; i < n; i++)
		w->counts[i] = words[i] & PAGEMAP_PRESENT ? answers[k++] : 0;
	free(packed);
	return error;
}

static int walk_block(uint64_t start, const uint64_t *words, size_t n, void *arg)
{
	struct walk *w = arg;
	int error = reserve(w, n);

	if (!error && w->h->sees_pfns)
		error = read_frames(w, words, n);
	for (size_t i = 0; i < n && !error; i++) {
		struct page_state s = state_of(w, words[i], w->flags[i], w->counts[i]);

		add(w, start + i * (uint64_t)w->h->page_size, &s);
	}
	return error;
}

int runs_walk(const struct mapping *m, pid_t pid, const struct host *h,
	      void (*found)(const struct run *r, void *arg), void *arg, char *why, size_t size)
{
	struct walk w = { .h = h, .m = m, .found = found, .arg = arg };
	char path[32];
	int fd, error;

	w.shmem = host_is_shmem_device(h, m->dev_major, m->dev_minor);
	w.hugetlb = mapping_has_flag(m, "ht");
	snprintf(path, sizeof(path), "/proc/%d/pagemap", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		snprintf(why, size, "%s: %s", path, strerror(errno));
		return -1;
	}
	error = pagemap_blocks(fd, h, m, PAGEMAP_READ_ALL, walk_block, &w);
	close(fd);
	flush(&w);
	free(w.pfns);
	if (!error)
		return 0;
	if (error == -EFBIG)
		snprintf(why, size,
			 "the mapping is too large to be read page by page, and this kernel has no "
			 "PAGEMAP_SCAN (6.7)");
	else
		snprintf(why, size, "%s: %s", path, strerror(-error));
	return -1;
}

enum meant mapping_is_meant(const struct mapping *m, const char *what)
{
	const char *name = m->name[0] ? m->name : "[anonymous]", *last = strrchr(name, '/');
	char *end;

	errno = 0;
	unsigned long long address = strtoull(what, &end, 16);

	if (*what && (!*end || *end == '-') && !errno && address >= m->start && address < m->end)
		return MEANT_BY_ADDRESS;
	if (!strcmp(what, name) || (last && !strcmp(what, last + 1)))
		return MEANT_BY_NAME;
	return *what && strstr(name, what) ? MEANT_BY_PART : MEANT_NOT;
}
