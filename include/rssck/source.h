// SPDX-License-Identifier: MIT
/*
 * The readers, one for each source. The *_read() functions take text (or a descriptor if the source
 * is not text), return 0, or -1 with *e filled in. None decides anything: missing fields stay
 * absent, unknown ones are listed.
 */
#ifndef RSSCK_SOURCE_H
#define RSSCK_SOURCE_H

#include <rssck/host.h>
#include <rssck/snapshot.h>

/* The whole content of a file. `len` does not count the NUL that terminates it. */
struct text {
	char *data;
	size_t len;
	size_t capacity;
};

/*
 * Reads a whole file below /proc/PID ("smaps", "task/12/stat") or, with pid 0, an absolute path.
 * The buffer grows as needed and is reused by the next call. Returns 0 or a negative errno: -ESRCH
 * if the process is gone.
 */
int text_read(struct text *t, pid_t pid, const char *file);
void text_free(struct text *t);

/*
 * The same for a file in an open folder. A descriptor of /proc/PID stays that process's, even if
 * its number is reused: then the file is gone (-ENOENT or -ESRCH).
 */
int text_read_at(struct text *t, int folder, const char *file);

/* /proc/PID/stat: fields are counted from the last ')', because comm may hold anything. */
int stat_read(const char *data, size_t len, struct values *v, struct source_error *e);
int statm_read(const char *data, size_t len, struct values *v, struct source_error *e);
int status_read(const char *data, size_t len, struct values *v, struct source_error *e);
int oom_score_read(const char *data, size_t len, struct values *v, struct source_error *e);

/*
 * Parses /proc/PID/maps or smaps into s->maps and s->strings (both replaced), and for smaps the
 * sums over the mappings into s->values. Unknown fields go to s->unknown. Copies the names.
 */
int maps_read(const char *data, size_t len, struct snapshot *s, struct source_error *e);
int smaps_read(const char *data, size_t len, struct snapshot *s, struct source_error *e);
/*
 * Reads an open smaps, and calls each() for one mapping after the other; its name and flags are
 * valid until it returns. Returns 0, or -1 with *e, also if each() did not return 0.
 */
typedef int mapping_fn(const struct mapping *m, void *arg);
int smaps_each(int fd, mapping_fn *each, void *arg, struct source_error *e);

int rollup_read(const char *data, size_t len, struct snapshot *s, struct source_error *e);

/*
 * Walks /proc/PID/pagemap through fd for every mapping of s that can hold pages, fills in
 * maps[i].pagemap and the pagemap.* sums. A mapping that is empty according to smaps and too large
 * to read entry by entry is not walked (reservations of terabytes). If PFNs are visible every frame
 * is looked up in kpageflags and kpagecount as well: maps[i].frames, the sums, and
 * s->error[SOURCE_FRAMES].
 */
int pagemap_read(int fd, const struct host *h, struct snapshot *s, struct source_error *e);

/*
 * Counts by PAGEMAP_SCAN in the same way. `vec_len` is how many ranges one call may return; a full
 * vector is continued from the end of its last range, never from walk_end, which can be stale (seen
 * on 6.18).
 */
int scan_read(int fd, const struct host *h, size_t vec_len, struct snapshot *s,
	      struct source_error *e);

/* /proc/PID/numa_maps: fill in maps[i].numa and the numa_maps.* sums. */
int numa_read(const char *data, size_t len, long page_size, struct snapshot *s,
	      struct source_error *e);

/*
 * Reads the entries of [start, end), one of pagemap's 64-bit words for each page. Returns the
 * number read or -1.
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

/* include/uapi/linux/fs.h of 6.7 and later; our own, because installed headers may be older. */
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

/*
 * Reads one word of /proc/kpagecount or /proc/kpageflags for a page frame. Returns 0 or a negative
 * errno.
 */
int kpage_word(int fd, uint64_t pfn, uint64_t *word);

/* Reads the words of n consecutive page frames. Returns how many there are, or a negative errno. */
ssize_t kpage_range(int fd, uint64_t pfn, uint64_t *words, size_t n);

/*
 * Reads the words of n page frames in any order, n below 1 << KPAGE_BATCH_BITS: sorted, so that
 * neighbours share a read. A frame beyond the last one gets the word `beyond`. Returns 0 or a
 * negative errno.
 */
enum { KPAGE_BATCH_BITS = 20 };
int kpage_words(int fd, const uint64_t *pfns, size_t n, uint64_t beyond, uint64_t *words);

/*
 * The words of kpageflags and kpagecount already read, by frame number, so that a second look
 * at a frame needs no second read.
 */
struct frame_words {
	struct frame_word {
		uint64_t pfn, flags, count;
	} * of; /* open addressing, by pfn; pfn 0: free */
	size_t room, nr;
	/*
	 * In a mapping of more than FRAMES_SAMPLED pages, look up only some frames if the entries
	 * show the rest: frame_is_sampled().
	 */
	bool sampled;
};

enum { FRAMES_SAMPLED = 64 };

/* True if the frame of that page of a large mapping is among those looked up. */
static inline bool frame_is_sampled(size_t page)
{
	return page < FRAMES_SAMPLED / 2 || page % FRAMES_SAMPLED == 0;
}

/*
 * A cache for an observer that reads one process repeatedly, mostly at a few addresses. Mappings at
 * those addresses are read each time; others only if their block in smaps has changed.
 */
struct kept_tables {
	struct frame_words frames;
	uint64_t start, end;           /* the addresses */
	const struct snapshot *before; /* NULL: everything is read */
	uint64_t *words;               /* pagemap's entries of the mappings in `before`, in their
					* order */
	size_t nr_words, words_room;
	struct kept_block {
		uint64_t start;
		size_t first, nr; /* of words */
	} * blocks;
	size_t nr_blocks, blocks_room;
	struct scan_region *ranges; /* PAGEMAP_SCAN's ranges that have any category */
	size_t nr_ranges, ranges_room;
};

/* pagemap_read() and scan_read() add to it if host.kept is set. */
void kept_clear(struct kept_tables *k);
void kept_free(struct kept_tables *k);
void kept_add_words(struct kept_tables *k, uint64_t start, const uint64_t *words, size_t n);
void kept_add_range(struct kept_tables *k, const struct scan_region *r);
/* The kept entries of a mapping; sets *n to their number. */
const uint64_t *kept_words(const struct kept_tables *k, const struct mapping *m, size_t *n);
/* The mapping as it was read before, if its block in smaps is unchanged; else NULL. */
const struct mapping *kept_mapping(const struct kept_tables *k, const struct mapping *m);

void frame_words_add(struct frame_words *f, uint64_t pfn, uint64_t flags, uint64_t count);
/* The words of a frame; NULL: it was not looked up. */
const struct frame_word *frame_words_find(const struct frame_words *f, uint64_t pfn);

/*
 * Up to this size reading all entries is faster than finding the non-empty ones first: some 10 ms.
 */
#define PAGEMAP_READ_ALL (16ULL << 30)

/*
 * Calls found() with the pagemap entries of a mapping, block by block: `words` are those of the n
 * pages from `start` on. In mappings of more than `sparse_above` bytes empty parts are skipped if
 * the kernel can name them (PAGEMAP_SCAN). Returns 0, a negative errno (-EFBIG: the entries of a
 * reservation of terabytes, and no PAGEMAP_SCAN), or what found() returned if not 0.
 */
int pagemap_blocks(int fd, const struct host *h, const struct mapping *m, uint64_t sparse_above,
		   int (*found)(uint64_t start, const uint64_t *words, size_t n, void *arg),
		   void *arg);

#endif
