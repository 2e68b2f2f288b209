// SPDX-License-Identifier: MIT
/*
 * Makes a text for each region: its mappings with their smaps fields, its page table entries with
 * kpageflags and kpagecount of their frames, and PAGEMAP_SCAN's ranges. The text has no addresses,
 * frame numbers or times, so texts of different runs can be compared.
 */
#include "look.h"
#include "base/guest.h"
#include "snapshot/snapshot.h"
#include <linux/kernel-page-flags.h>
#include <string.h>

enum { PAGES_MOST = 4096, KPF_MLOCKED_BIT = 33 };

static void put(struct view *v, const char *text, size_t length)
{
	if (length > sizeof(v->text) - 1 - v->length)
		length = sizeof(v->text) - 1 - v->length;
	memcpy(v->text + v->length, text, length);
	v->length += length;
	v->text[v->length] = '\0';
}

static void put_words(struct view *v, const char *text)
{
	put(v, text, strlen(text));
}

static void put_number(struct view *v, int64_t n)
{
	char digits[24], *at = digits + sizeof(digits);
	uint64_t left = n < 0 ? -(uint64_t)n : (uint64_t)n;

	do
		*--at = (char)('0' + left % 10);
	while (left /= 10);
	if (n < 0)
		*--at = '-';
	put(v, at, (size_t)(digits + sizeof(digits) - at));
}

static void put_flags(struct view *v, uint64_t bits, const char *const *names, unsigned nr)
{
	const char *between = "";

	for (unsigned i = 0; i < nr; i++) {
		if (!(bits >> i & 1))
			continue;
		put_words(v, between);
		put_words(v, names[i]);
		between = "+";
	}
	if (!*between)
		put_words(v, "-");
}

uint64_t view_hash(const char *text, size_t length)
{
	uint64_t h = 14695981039346656037u;

	for (size_t i = 0; i < length; i++)
		h = (h ^ (unsigned char)text[i]) * 1099511628211u;
	/* FNV mixes the upper bits of short texts badly, so the hash is mixed again. */
	h ^= h >> 29;
	h *= 0xbf58476d1ce4e5b9u;
	return (h ^ h >> 32) | 1;
}

/* Where an address is in its window: "r1 8" is the ninth page of region 1. */
struct spot {
	unsigned window, region;
	uint64_t page;
	bool inside;
};

static struct spot spot_of(const struct look *l, const struct side *side, uint64_t address)
{
	uint64_t off = address - side->arena, in = off % side->window;
	struct spot s = { .window = (unsigned)(off / side->window) };

	s.inside = address >= side->arena && s.window < side->nr;
	s.region = in >= side->window / 2;
	s.page = (in - s.region * (side->window / 2)) / (uint64_t)l->host->page_size;
	return s;
}

static void put_range(struct view *v, const struct look *l, const struct side *side, uint64_t start,
		      uint64_t end)
{
	struct spot s = spot_of(l, side, start);

	put_words(v, s.region ? "r1 " : "r0 ");
	put_number(v, (int64_t)s.page);
	put_words(v, "..");
	put_number(v, (int64_t)(s.page + (end - start) / (uint64_t)l->host->page_size - 1));
}

/*
 * Hides numbers that depend on other users of the machine, and numbers that are fixed for a mapping
 * (sizes, protection key).
 */
static bool is_shown(enum metric_id id)
{
	switch (id) {
	case METRIC_SMAPS_REFERENCED:
		/* Outside a guest DAMON may sample memory and clear accessed bits. */
		return guest_is_here();
	case METRIC_SMAPS_SIZE:
	case METRIC_SMAPS_KERNELPAGESIZE:
	case METRIC_SMAPS_MMUPAGESIZE:
	case METRIC_SMAPS_PROTECTIONKEY:
		return false;
	default:
		return true;
	}
}

static void put_mapping(struct view *v, const struct look *l, const struct side *side,
			const struct mapping *m)
{
	static const char *const bits[] = { "r", "w", "x", "shared" };

	put_words(v, "map ");
	put_range(v, l, side, m->start, m->end);
	put_words(v, " ");
	put_flags(v,
		  (uint64_t)(m->readable | m->writable << 1 | m->executable << 2 | m->shared << 3),
		  bits, 4);
	put_words(v, " at ");
	put_number(v, mapping_has_file(m) ? (int64_t)m->offset / l->host->page_size : 0);
	put_words(v, ", ");
	put_words(v, m->flags);
	put_words(v, "\n ");
	for (int i = 0; i < SMAPS_FIELDS; i++) {
		const char *name = metric(METRIC_SMAPS_FIRST + i)->name;

		if (!m->smaps[i] || !is_shown((enum metric_id)(METRIC_SMAPS_FIRST + i)))
			continue;
		put_words(v, " ");
		put_words(v, strchr(name, '.') + 1);
		put_words(v, " ");
		put_number(v, m->smaps[i]);
	}
	put_words(v, "\n");
}

/*
 * What is shown of one page: its entry, the flags of its frame, and 1 + the frame's mapcount, which
 * is cut off at 3. `count` is 0 if the frame was not read.
 */
struct page_look {
	uint64_t entry, flags, count;
};

/* Bit 0 is set for a marker: neither a page nor a swap entry. */
static uint64_t entry_shown(const struct look *l, uint64_t word)
{
	uint64_t marks = word & (PAGEMAP_PRESENT | PAGEMAP_SWAP | PAGEMAP_FILE | PAGEMAP_GUARD |
				 PAGEMAP_UFFD_WP | PAGEMAP_EXCLUSIVE | PAGEMAP_SOFT_DIRTY);
	bool marker = word & PAGEMAP_SWAP && !(word & PAGEMAP_GUARD) && l->host->sees_pfns &&
		      PAGEMAP_SWAP_TYPE(word) >= PAGEMAP_RESERVED_TYPE;

	return marks | marker;
}

static uint64_t flags_shown(uint64_t flags)
{
	static const int bits[] = { KPF_MMAP, KPF_ANON,      KPF_SWAPBACKED,  KPF_HUGE, KPF_KSM,
				    KPF_THP,  KPF_ZERO_PAGE, KPF_MLOCKED_BIT, KPF_DIRTY };
	uint64_t shown = 0;

	for (unsigned i = 0; i < sizeof(bits) / sizeof(*bits); i++)
		shown |= (flags >> bits[i] & 1) << i;
	/*
	 * A hugetlb page keeps the dirty flag of its previous owner, and a migration may make an
	 * anonymous page dirty or not. So the dirty flag is not shown for these pages.
	 */
	if (flags & (1ULL << KPF_HUGE | 1ULL << KPF_ANON))
		shown &= ~(1ULL << (sizeof(bits) / sizeof(*bits) - 1));
	return shown;
}

static void put_page(struct view *v, const struct page_look *p)
{
	static const char *const entry[] = { "soft-dirty", "own",  "uffd-wp", "guard",  NULL,
					     NULL,         "file", "swap",    "present" };
	static const char *const flags[] = { "mmap", "anon", "swapbacked", "hugetlb", "ksm",
					     "thp",  "zero", "mlocked",    "dirty" };

	put_flags(v, (p->entry >> 55) & 0x1cf, entry, 9);
	if (p->entry & 1)
		put_words(v, "+marker");
	if (!(p->entry & PAGEMAP_PRESENT) || !p->count)
		return;
	put_words(v, " frame ");
	put_flags(v, p->flags, flags, 9);
	put_words(v, " x");
	put_number(v, (int64_t)p->count - 1);
}

static struct page_look pages[PAGES_MOST];

static void look_at_frames(const struct look *l, unsigned process, const uint64_t *words, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct frame_word *f;

		if (!(words[i] & PAGEMAP_PRESENT) || !frame_is_sampled(i))
			continue;
		f = frame_words_find(&l->kept[process].frames, PAGEMAP_PFN(words[i]));
		if (!f)
			continue;
		pages[i].flags = flags_shown(f->flags);
		pages[i].count = 1 + (f->count > 3 ? 3 : f->count);
	}
}

/* Prints runs of pages that look the same. A page whose frame was not read continues the run. */
static void put_runs(struct view *v, size_t n)
{
	size_t from = 0;

	for (size_t i = 1; i <= n; i++) {
		const struct page_look *a = &pages[from], *b = &pages[i < n ? i : 0];
		bool same = i < n && a->entry == b->entry &&
			    (!b->count || (a->flags == b->flags && a->count == b->count));

		if (same)
			continue;
		put_words(v, "  ");
		put_number(v, (int64_t)from);
		put_words(v, "..");
		put_number(v, (int64_t)i - 1);
		put_words(v, " ");
		put_page(v, a);
		put_words(v, "\n");
		from = i;
	}
}

static void put_pages(struct look *l, struct view *v, unsigned process, const struct mapping *m)
{
	size_t n;
	const uint64_t *words = kept_words(&l->kept[process], m, &n);

	n = n < PAGES_MOST ? n : PAGES_MOST;
	for (size_t i = 0; i < n; i++) {
		pages[i] = (struct page_look) { .entry = entry_shown(l, words[i]) };
		l->markers[process] += pages[i].entry & 1;
		l->guarded[process] += (words[i] & PAGEMAP_GUARD) && (words[i] & PAGEMAP_UFFD_WP);
	}
	if (!n)
		return;
	if (l->host->sees_pfns)
		look_at_frames(l, process, words, n);
	put_runs(v, n);
}

/* Each range of PAGEMAP_SCAN is within one window. */
static void put_scan(struct look *l, const struct side *side, const struct kept_tables *k)
{
	static const char *const names[] = { "wpallowed", "written",    "file",
					     "present",   "swapped",    "zero",
					     "huge",      "soft-dirty", "guard" };

	for (size_t i = 0; i < k->nr_ranges; i++) {
		const struct scan_region *r = &k->ranges[i];
		struct view *v = &l->views[spot_of(l, side, r->start).window];

		put_words(v, "scan ");
		put_range(v, l, side, r->start, r->end);
		put_words(v, " ");
		put_flags(v, r->categories, names, 9);
		put_words(v, "\n");
	}
}

static void put_process(struct look *l, const struct side *side, unsigned process)
{
	const struct snapshot *s = &l->of[process];

	l->markers[process] = l->guarded[process] = 0;
	for (unsigned i = 0; process && i < side->nr; i++)
		put_words(&l->views[i], "the child\n");
	for (size_t i = 0; i < s->nr_maps; i++) {
		const struct mapping *m = &s->maps[i];
		struct spot at = spot_of(l, side, m->start);

		if (!at.inside)
			continue;
		put_mapping(&l->views[at.window], l, side, m);
		put_pages(l, &l->views[at.window], process, m);
	}
	put_scan(l, side, &l->kept[process]);
}

void look_views(struct look *l, const struct side *side)
{
	for (unsigned i = 0; i < side->nr; i++) {
		struct view *v = &l->views[i];
		const struct act_outcome *o = &side->outcomes[i];

		v->length = 0;
		v->text[0] = '\0';
		put_words(v, "error ");
		put_number(v, o->error);
		put_words(v, ", signals ");
		put_number(v, o->faulted);
		put_words(v, ", blocks ");
		put_number(v, o->blocks);
		put_words(v, "\n");
	}
	for (unsigned p = 0; p < 2; p++)
		if (l->of[p].pid)
			put_process(l, side, p);
}

static int take_carefully(struct look *l, unsigned process, pid_t pid)
{
	enum { LOOKS = 3 };
	int failed = -1;

	for (int i = 0; i < LOOKS; i++) {
		snapshot_free(&l->of[process]);
		kept_clear(&l->kept[process]);
		failed = snapshot_look(&l->of[process], pid, l->host);
		if (failed || !l->of[process].moved[0])
			break;
	}
	/* snapshot_take() repeats the reading, because the machine may be busy. */
	if (!failed && l->of[process].moved[0]) {
		snapshot_free(&l->of[process]);
		kept_clear(&l->kept[process]);
		failed = snapshot_take(&l->of[process], pid, l->host);
	}
	return failed || l->of[process].moved[0] ? -1 : 0;
}

/*
 * Unless `care` is LOOK_CAREFUL, the previous reading of a mapping's entries is used again if the
 * mapping is outside the regions and its smaps is unchanged. There a new child has the same
 * mappings as the previous child.
 */
static int take(struct look *l, unsigned process, pid_t pid, const struct side *side,
		enum care care)
{
	static const unsigned without[] = {
		[LOOK_QUICK] = 1u << SOURCE_ROLLUP | 1u << SOURCE_NUMA | 1u << SOURCE_OOM |
			       1u << SOURCE_STATM,
		[LOOK_ALL] = 1u << SOURCE_OOM,
	};
	struct kept_tables *k = &l->kept[process];

	kept_clear(k);
	k->start = side->arena;
	k->end = side->arena + SIDE_WINDOWS * side->window;
	k->frames.sampled = care != LOOK_CAREFUL;
	k->before = care == LOOK_CAREFUL ? NULL : &l->before[process];
	l->host->kept = k;
	if (care == LOOK_CAREFUL)
		return take_carefully(l, process, pid);
	return snapshot_read_part(&l->of[process], pid, l->host, without[care]);
}

int look_take(struct look *l, pid_t worker, const struct side *side, enum care care)
{
	for (unsigned p = 0; p < 2; p++) {
		if (!l->of[p].pid)
			continue;
		snapshot_free(&l->before[p]);
		l->before[p] = l->of[p];
		l->of[p] = (struct snapshot) { .pid = 0 };
	}
	if (take(l, 0, worker, side, care) < 0)
		return -1;
	return side->child ? take(l, 1, side->child, side, care) : 0;
}

void look_free(struct look *l)
{
	for (unsigned p = 0; p < 2; p++) {
		snapshot_free(&l->of[p]);
		snapshot_free(&l->before[p]);
		kept_free(&l->kept[p]);
		l->of[p].pid = 0;
	}
}
