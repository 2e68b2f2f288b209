// SPDX-License-Identifier: MIT
/*
 * The readers, one per source. Each takes text, or a descriptor if the source is not text. It
 * returns 0, or -1 with *e filled in. Missing fields are absent from the result; in stat and statm
 * they are an error, because the text is then cut off.
 */
#ifndef RSSCK_SOURCE_H
#define RSSCK_SOURCE_H

#include <rssck/host.h>
#include <rssck/snapshot.h>

/* The content of a file; `len` does not count the terminating NUL. */
struct text {
	char *data;
	size_t len;
	size_t capacity;
};

/*
 * Reads a whole file below /proc/PID ("smaps", "task/12/stat") or, if pid is 0, an absolute path.
 * The buffer grows as needed; the next call reuses it. Returns 0 or a negative errno: -ESRCH if the
 * process has ended.
 */
int text_read(struct text *t, pid_t pid, const char *file);
void text_free(struct text *t);

/*
 * Like text_read(), for a file in an open folder. A descriptor of /proc/PID refers to the same
 * process even if its PID is reused. When that process has ended, reading fails with -ENOENT or
 * -ESRCH.
 */
int text_read_at(struct text *t, int folder, const char *file);

/* stat_read() counts fields from the last ')', because comm may contain any character. */
int stat_read(const char *data, size_t len, struct values *v, struct source_error *e);
int statm_read(const char *data, size_t len, struct values *v, struct source_error *e);
int status_read(const char *data, size_t len, struct values *v, struct source_error *e);
int oom_score_read(const char *data, size_t len, struct values *v, struct source_error *e);

/*
 * Parse /proc/PID/maps or smaps, and replace s->maps and s->strings. smaps_read() also sets the
 * sums over the mappings in s->values, and adds unknown fields to s->unknown.
 */
int maps_read(const char *data, size_t len, struct snapshot *s, struct source_error *e);
int smaps_read(const char *data, size_t len, struct snapshot *s, struct source_error *e);
/*
 * Reads an open smaps, and calls each() for each mapping, whose name and flags are valid until
 * each() returns. Returns 0, or -1 with *e; -1 also if each() does not return 0.
 */
typedef int mapping_fn(const struct mapping *m, void *arg);
int smaps_each(int fd, mapping_fn *each, void *arg, struct source_error *e);

/*
 * Asks PROCMAP_QUERY about the first 512 mappings, and fills in maps[i].query. Leaves them empty if
 * the kernel lacks it (before 6.11) or refuses it.
 */
void queries_take(struct snapshot *s);

int rollup_read(const char *data, size_t len, struct snapshot *s, struct source_error *e);

/*
 * Walks /proc/PID/pagemap for each mapping of s that can have pages. Fills in maps[i].pagemap and
 * the pagemap.* sums. Without PAGEMAP_SCAN, two kinds of mappings are not walked: those of more
 * than 1 GiB that smaps shows as empty, and those of more than 64 GiB. If PFNs are visible, looks
 * up the frames in kpageflags and kpagecount, and fills in maps[i].frames, their sums and
 * s->error[SOURCE_FRAMES].
 */
int pagemap_read(int fd, const struct host *h, struct snapshot *s, struct source_error *e);

/*
 * Counts the categories of PAGEMAP_SCAN for each mapping of s that can have pages. One call may
 * return `vec_len` ranges. If these are all used, the next call starts at the end of the last
 * range, never at walk_end, which may be stale (seen on 6.18).
 */
int scan_read(int fd, const struct host *h, size_t vec_len, struct snapshot *s,
	      struct source_error *e);

/* Parses /proc/PID/numa_maps: fills in maps[i].numa and the numa_maps.* sums. */
int numa_read(const char *data, size_t len, long page_size, struct snapshot *s,
	      struct source_error *e);

/*
 * Reads the entries of [start, end): one 64-bit word of pagemap per page. Returns the number of
 * entries, or -1.
 */
int64_t pagemap_entries(int fd, long page_size, uint64_t start, uint64_t end, uint64_t *words);

#define PAGEMAP_SOFT_DIRTY (1ULL << 55)
#define PAGEMAP_EXCLUSIVE  (1ULL << 56)
#define PAGEMAP_UFFD_WP    (1ULL << 57)
#define PAGEMAP_GUARD      (1ULL << 58)
#define PAGEMAP_FILE       (1ULL << 61)
#define PAGEMAP_SWAP       (1ULL << 62)
#define PAGEMAP_PRESENT    (1ULL << 63)
#define PAGEMAP_PFN(word)  ((word) & ((1ULL << 55) - 1))

/*
 * Bits 0 to 4 of a swap entry's word are its type. The kernel reserves the highest of the 32 types
 * for entries that are not on swap: poison, migration, device memory, PTE markers and swap-in
 * errors (SWP_*_NUM and MAX_SWAPFILES in include/linux/swap.h). With all options 5.10 reserves 5
 * types, 5.19 to 6.1 reserve 10, and later kernels at most 9. So types below PAGEMAP_RESERVED_TYPE
 * are always swap areas. The others count as reserved, although a kernel that reserves fewer types
 * may have a 23rd swap area.
 */
#define PAGEMAP_SWAP_TYPE(word) ((word)&31)
enum { PAGEMAP_SWAP_TYPE_BITS = 5, PAGEMAP_RESERVED_TYPE = 32 - 10 };

/* From include/uapi/linux/fs.h of 6.7; defined here, because installed headers may be older. */
struct scan_region {
	uint64_t start, end, categories;
};

struct scan_arg {
	uint64_t size, flags, start, end, walk_end;
	uint64_t vec, vec_len, max_pages;
	uint64_t category_inverted, category_mask, category_anyof_mask, return_mask;
};

#define SCAN_IOCTL      _IOWR('f', 16, struct scan_arg)
#define SCAN_WPALLOWED  (1 << 0)
#define SCAN_WRITTEN    (1 << 1)
#define SCAN_FILE       (1 << 2)
#define SCAN_PRESENT    (1 << 3)
#define SCAN_SWAPPED    (1 << 4)
#define SCAN_PFNZERO    (1 << 5)
#define SCAN_HUGE       (1 << 6)
#define SCAN_SOFT_DIRTY (1 << 7)

/* The first fields of a scan of `bytes` bytes at p, with room for `nr` ranges. */
#define SCAN_OF(p, bytes, ranges, nr)                                                              \
	.size = sizeof(struct scan_arg), .start = (uintptr_t)(p), .end = (uintptr_t)(p) + (bytes), \
	.vec = (uintptr_t)(ranges), .vec_len = (nr)

/*
 * Reads one word of /proc/kpagecount or /proc/kpageflags for a page frame. Returns 0 or a negative
 * errno.
 */
int kpage_word(int fd, uint64_t pfn, uint64_t *word);

/*
 * Reads the words of n consecutive page frames. Returns how many it has read, or a negative errno.
 */
ssize_t kpage_range(int fd, uint64_t pfn, uint64_t *words, size_t n);

/*
 * Reads the words of n page frames in any order; n must be below 1 << KPAGE_BATCH_BITS. Sorts the
 * frames, so that neighbours share a read. A frame beyond the last one gets the word `beyond`.
 * Returns 0 or a negative errno.
 */
enum { KPAGE_BATCH_BITS = 20 };
int kpage_words(int fd, const uint64_t *pfns, size_t n, uint64_t beyond, uint64_t *words);

/*
 * The words of kpageflags and kpagecount that have been read, so that each frame is read only once.
 */
struct frame_words {
	struct frame_word {
		uint64_t pfn, flags, count;
	} * of; /* hash table with open addressing by pfn; an entry with pfn 0 is free */
	size_t room, nr;
	/*
	 * If set, a mapping of more than FRAMES_SAMPLED pages has only some of its frames looked
	 * up: those of frame_is_sampled(), and those whose class the pagemap entry does not show.
	 */
	bool sampled;
};

enum { FRAMES_SAMPLED = 64 };

/* Returns true if the frame of this page is looked up although `sampled` is set. */
static inline bool frame_is_sampled(size_t page)
{
	return page < FRAMES_SAMPLED / 2 || page % FRAMES_SAMPLED == 0;
}

/*
 * A cache for an observer that reads one process repeatedly, mostly at a few addresses. Mappings at
 * these addresses are read each time, other mappings only if their block in smaps has changed.
 */
struct kept_tables {
	struct frame_words frames;
	uint64_t start, end;           /* the few addresses */
	const struct snapshot *before; /* NULL if everything must be read */
	uint64_t *words; /* entries of pagemap at these addresses, in ascending order */
	size_t nr_words, words_room;
	struct kept_block {
		uint64_t start;
		size_t first, nr; /* positions in words */
	} * blocks;
	size_t nr_blocks, blocks_room;
	struct scan_region *ranges; /* ranges of PAGEMAP_SCAN that have a category */
	size_t nr_ranges, ranges_room;
};

/* pagemap_read() and scan_read() fill the cache if host.kept is set. */
void kept_clear(struct kept_tables *k);
void kept_free(struct kept_tables *k);
void kept_add_words(struct kept_tables *k, uint64_t start, const uint64_t *words, size_t n);
void kept_add_range(struct kept_tables *k, const struct scan_region *r);
/* Returns the cached entries of a mapping, or NULL; sets *n to their number. */
const uint64_t *kept_words(const struct kept_tables *k, const struct mapping *m, size_t *n);
/*
 * Returns the mapping as it was read before, if it is outside [start, end) and its block in smaps
 * has not changed; else NULL.
 */
const struct mapping *kept_mapping(const struct kept_tables *k, const struct mapping *m);

void frame_words_add(struct frame_words *f, uint64_t pfn, uint64_t flags, uint64_t count);
/* Returns the words of a frame, or NULL if they were not read. */
const struct frame_word *frame_words_find(const struct frame_words *f, uint64_t pfn);

/*
 * Mappings up to this size are read whole, even if the kernel has PAGEMAP_SCAN: all their entries
 * are read in some tens of milliseconds.
 */
#define PAGEMAP_READ_ALL (16ULL << 30)

/*
 * Calls found() with the pagemap entries of a mapping, block by block: `words` are the entries of
 * the n pages from `start` on. Skips empty parts of a mapping of more than `sparse_above` bytes, if
 * the kernel has PAGEMAP_SCAN. Returns 0, the result of found() if that is not 0, or a negative
 * errno: -EFBIG for more than 256 GiB without PAGEMAP_SCAN, -ESRCH if pagemap ends early.
 */
int pagemap_blocks(int fd, const struct host *h, const struct mapping *m, uint64_t sparse_above,
		   int (*found)(uint64_t start, const uint64_t *words, size_t n, void *arg),
		   void *arg);

#endif
