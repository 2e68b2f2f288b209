// SPDX-License-Identifier: MIT
/*
 * Postings: the words by which a case says what a step moves.
 *
 *         ANON_WRITE(256)                                256 anonymous pages are added, dirty
 *         ANON_WRITE(-256)                               they are removed
 *         ANON_WRITE(256, .process = CHILD)              added in process CHILD
 *         ANON_WRITE(256, .sharers = 2)                  two page tables map each of them
 *         FILE_WRITE(256, .also = PAGE_LOCKED)           with one more attribute
 *
 * Each word takes a number of pages, negative if they are removed, and then fields of struct
 * posting by name. A posting of 0 pages moves nothing.
 */
#ifndef RSSCK_POSTING_H
#define RSSCK_POSTING_H

#include <rssck/metric.h>
#include <stddef.h>
#include <stdint.h>

/* The pages that one account of one process gains, or loses if `pages` is negative. */
struct posting {
	enum account account;
	_Alignas(8) int64_t pages;
	unsigned attributes; /* PAGE_DIRTY and the like; set by the word */
	unsigned sharers;    /* page tables that map each page; 0 means 1 */
	unsigned process;    /* the process; 0 is the leader */
	unsigned also;       /* attributes besides those of the word */
};

/*
 * THP stands for the number of pages in a huge page, which differs between machines. `first` and
 * `pages` of a step and its MOVES() may contain THP - 1, 2 * THP, -THP / 2 and the like. pages_of()
 * returns the number of pages, where `huge` is the number in a huge page.
 */
enum { THP = 1 << 28, THP_QUARTER = THP / 4 };
static inline int64_t pages_of(int64_t n, int64_t huge)
{
	/* Other numbers are far smaller than a quarter of THP, so rounding finds the quarters. */
	int64_t quarters = (n + (n < 0 ? -THP_QUARTER : THP_QUARTER) / 2) / THP_QUARTER;

	return n - quarters * THP_QUARTER + quarters * huge / 4;
}

struct postings {
	const struct posting *list;
	size_t nr;
};

enum { POSTINGS_MAX = 24 };

/* clang-format off */

/* The initializer of a struct postings. */
#define POSTINGS(...)                                                                         \
	{                                                                                     \
		.list = (const struct posting[]) { __VA_ARGS__ }, .nr = NR_POSTINGS(__VA_ARGS__) \
	}
#define NR_POSTINGS(...) (sizeof((const struct posting[]) { __VA_ARGS__ }) / sizeof(struct posting))

/* A posting of any account and attributes; each word below sets both. */
#define POSTING(what, how, n, ...) { .account = (what), .attributes = (how), .pages = (n), __VA_ARGS__ }

/* Address space, in pages. */
#define VIRT_DATA(n, ...)   POSTING(ACCOUNT_PRIVATE_WRITABLE, 0, n, __VA_ARGS__) /* private, writable */
#define VIRT_STACK(n, ...)  POSTING(ACCOUNT_STACK, 0, n, __VA_ARGS__)
#define VIRT_EXEC(n, ...)   POSTING(ACCOUNT_EXEC, 0, n, __VA_ARGS__)
#define VIRT_OTHER(n, ...)  POSTING(ACCOUNT_OTHER, 0, n, __VA_ARGS__) /* shared, or private read-only */
/* in addition to the word of the mapping */
#define VIRT_LOCKED(n, ...) POSTING(ACCOUNT_LOCKED_VM, 0, n, __VA_ARGS__)

/* Resident anonymous pages. */
#define ANON_WRITE(n, ...)  POSTING(ACCOUNT_ANON, PAGE_DIRTY, n, __VA_ARGS__)
#define ANON_CLEAN(n, ...)  POSTING(ACCOUNT_ANON, 0, n, __VA_ARGS__) /* read back from swap */
#define ANON_LOCKED(n, ...) POSTING(ACCOUNT_ANON, PAGE_DIRTY | PAGE_LOCKED, n, __VA_ARGS__)
#define ANON_HUGE(n, ...)   POSTING(ACCOUNT_ANON, PAGE_DIRTY | PAGE_HUGE, n, __VA_ARGS__) /* mapped by a PMD */
#define ANON_LAZYFREE(n, ...) \
	POSTING(ACCOUNT_ANON, PAGE_LAZYFREE | PAGE_NOT_SWAPBACKED, n, __VA_ARGS__)
#define ANON_TAKEN_BACK(n, ...) /* written again after MADV_FREE */ \
	POSTING(ACCOUNT_ANON, PAGE_DIRTY | PAGE_NOT_SWAPBACKED, n, __VA_ARGS__)

/* Resident pages of the page cache. */
#define FILE_READ(n, ...)   POSTING(ACCOUNT_FILE, 0, n, __VA_ARGS__)
#define FILE_WRITE(n, ...)  POSTING(ACCOUNT_FILE, PAGE_DIRTY, n, __VA_ARGS__)
#define FILE_HUGE(n, ...)   POSTING(ACCOUNT_FILE, PAGE_HUGE, n, __VA_ARGS__)
#define SHMEM_READ(n, ...)  POSTING(ACCOUNT_SHMEM, 0, n, __VA_ARGS__)
#define SHMEM_WRITE(n, ...) POSTING(ACCOUNT_SHMEM, PAGE_DIRTY, n, __VA_ARGS__)
#define SHMEM_HUGE(n, ...)  POSTING(ACCOUNT_SHMEM, PAGE_DIRTY | PAGE_HUGE, n, __VA_ARGS__)
#define HUGETLB(n, ...)     POSTING(ACCOUNT_HUGETLB, PAGE_DIRTY, n, __VA_ARGS__)

/* Entries without a resident page (the zero page, swap, markers), and states of pages. */
#define ZERO_READ(n, ...)      POSTING(ACCOUNT_ZERO, PAGE_ONLY_READ, n, __VA_ARGS__)
#define ZERO_PLACED(n, ...)    POSTING(ACCOUNT_ZERO, 0, n, __VA_ARGS__) /* by KSM, UFFDIO_ZEROPAGE */
#define SWAPPED(n, ...)        POSTING(ACCOUNT_SWAP, 0, n, __VA_ARGS__)
#define SHMEM_SWAPPED(n, ...)  POSTING(ACCOUNT_SHMEM_SWAP, 0, n, __VA_ARGS__)
#define GUARDED(n, ...)        POSTING(ACCOUNT_GUARD, 0, n, __VA_ARGS__)
#define UFFD_PROTECTED(n, ...) POSTING(ACCOUNT_UFFD_WP, 0, n, __VA_ARGS__) /* besides its class */
#define PINNED(n, ...)         POSTING(ACCOUNT_PINNED, 0, n, __VA_ARGS__)  /* besides its class */

/* Pages that move from one word to another. */
#define DATA_TO_OTHER(n, ...) VIRT_DATA(-(n), __VA_ARGS__), VIRT_OTHER(n, __VA_ARGS__)
#define DATA_TO_EXEC(n, ...)  VIRT_DATA(-(n), __VA_ARGS__), VIRT_EXEC(n, __VA_ARGS__)
#define ANON_TO_LOCKED(n)     ANON_WRITE(-(n)), ANON_LOCKED(n), VIRT_LOCKED(n)
#define FILE_TO_ANON(n, ...)  FILE_READ(-(n), __VA_ARGS__), ANON_WRITE(n, __VA_ARGS__)
#define SHMEM_TO_ANON(n, ...) SHMEM_WRITE(-(n), __VA_ARGS__), ANON_WRITE(n, __VA_ARGS__)
#define ZERO_TO_ANON(n, ...)  ZERO_READ(-(n), __VA_ARGS__), ANON_WRITE(n, __VA_ARGS__)
#define FILE_DIRTIED(n, ...)  FILE_READ(-(n), __VA_ARGS__), FILE_WRITE(n, __VA_ARGS__)
#define FILE_CLEANED(n, ...)  FILE_WRITE(-(n), __VA_ARGS__), FILE_READ(n, __VA_ARGS__)

/*
 * Pages of a word that `before` page tables mapped and `after` page tables map now:
 * RESHARED(ANON_WRITE, 256, 2, 1, .process = CHILD).
 */
#define RESHARED(word, n, before, after, ...)             \
	word(-(n), .sharers = (before), __VA_ARGS__),     \
	word(n, .sharers = (after), __VA_ARGS__)

/* Pages that only the leader mapped; now the child maps them, too. */
#define SHARED_WITH(child, word, n) \
	RESHARED(word, n, 1, 2), word(n, .sharers = 2, .process = (child))

/* Pages that the leader and the child shared; now each process has its own. */
#define PARTED_FROM(child, word, n) \
	RESHARED(word, n, 2, 1), RESHARED(word, n, 2, 1, .process = (child))

/* clang-format on */

#endif
