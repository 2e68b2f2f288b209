// SPDX-License-Identifier: MIT
/*
 * The workload that most cases of tools share. Metrics that a tool might confuse have different
 * values: each class of pages has a different number of pages, and the sums of classes differ, too.
 */
#ifndef CASES_TOOLS_APART_H
#define CASES_TOOLS_APART_H

#include "../anonymous/drain.h"
#include <sys/sysinfo.h>

enum {
	ANON = 300,
	FILE_PRIVATE = 70, /* read */
	FILE_SHARED = 25,  /* written */
	SHMEM = 110,
	LOCKED = 12, /* 48 KiB with 4 KiB pages (RLIMIT_MEMLOCK: 64 KiB); half is touched */
	GIVEN_UP = 45,
	UNREADABLE = 530, /* PROT_NONE, so not in DATA */
	EXECUTABLE = 21,
	UNTOUCHED = 1040,
	HELD_BACK = 20, /* less than any batch */
	SWAPPED_OUT = 50,
};
STEP_SYMBOLS(HOLD_BACK, SHARE_SHMEM);

enum { SLOT_ANON, SLOT_SHMEM, SLOT_SWAP, SLOT_FILE };

/* VmLck counts all of this memory, Locked its resident half. */
static void apart_lock(struct workload *w)
{
	void *p = workload_anonymous(w, LOCKED);

	touch_write(w, p, LOCKED / 2);
	if (mlock2(p, LOCKED * w->page_size, MLOCK_ONFAULT) == 0)
		workload_expect(w, VIRT_LOCKED(LOCKED), ANON_LOCKED(LOCKED / 2));
	else
		workload_expect(w, ANON_WRITE(LOCKED / 2));
}

static void apart_give_up(struct workload *w)
{
	const int rw = PROT_READ | PROT_WRITE, anonymous = MAP_PRIVATE | MAP_ANONYMOUS;
	void *lazy = workload_map_pages(w, GIVEN_UP, rw, anonymous, -1);
	void *scratch = workload_map_pages(w, 1, rw, anonymous, -1);

	touch_write(w, lazy, GIVEN_UP);
	drain(w, scratch);
	madvise(lazy, GIVEN_UP * w->page_size, MADV_FREE);
	drain(w, scratch);
}

static void apart_fill(struct workload *w)
{
	const int rw = PROT_READ | PROT_WRITE, anonymous = MAP_PRIVATE | MAP_ANONYMOUS;

	w->slot[SLOT_ANON] = workload_map_pages(w, ANON, rw, anonymous, -1);
	w->slot[SLOT_SWAP] = workload_map_pages(w, SWAPPED_OUT, rw, anonymous, -1);
	w->slot[SLOT_SHMEM] = workload_map_pages(w, SHMEM, rw, MAP_SHARED | MAP_ANONYMOUS, -1);
	touch_write(w, w->slot[SLOT_ANON], ANON);
	touch_write(w, w->slot[SLOT_SWAP], SWAPPED_OUT);
	touch_write(w, w->slot[SLOT_SHMEM], SHMEM);
	apart_give_up(w);
	touch_read(w,
		   workload_map_pages(w, FILE_PRIVATE, rw, MAP_PRIVATE,
				      workload_file(w, FILE_PRIVATE)),
		   FILE_PRIVATE);
	w->slot[SLOT_FILE] = workload_map_pages(w, FILE_SHARED, rw, MAP_SHARED,
						workload_file(w, FILE_SHARED));
	workload_map_pages(w, UNREADABLE, PROT_NONE, anonymous, -1);
	workload_map_pages(w, EXECUTABLE, PROT_READ | PROT_EXEC, anonymous, -1);
	workload_map_pages(w, UNTOUCHED, rw, anonymous, -1);
	apart_lock(w);
}

static void apart_swap_out(struct workload *w)
{
	struct sysinfo si;

	if (sysinfo(&si) < 0 || !si.totalswap)
		workload_skip_step(w, "swap");
	workload_page_out(w, w->slot[SLOT_SWAP], SWAPPED_OUT);
#ifdef MADV_PAGEOUT
	/* Swaps out up to half of the shmem: smaps' Swap counts it, VmSwap does not. */
	madvise(w->slot[SLOT_SHMEM], SHMEM / 2 * w->page_size, MADV_PAGEOUT);
#endif
}

/*
 * Writes as late as possible. The kernel cleans a file half a minute after its first page became
 * dirty, and the tools that run after each step may take long.
 */
static void apart_write_file(struct workload *w)
{
	touch_write(w, w->slot[SLOT_FILE], FILE_SHARED);
}

/* Counters that lag are too low from this step on. */
static void apart_hold_back(struct workload *w)
{
	touch_write(w, workload_anonymous(w, HELD_BACK), HELD_BACK);
}

/*
 * Forks a child that shares the anonymous pages, and shmem once it touches shmem. Then reserves
 * address space that is too large for some columns ("16.0t"). The fork comes first, because the
 * child goes through each page of the mappings that it inherits (agent_prefault()).
 */
static void apart_share_and_reserve(struct workload *w)
{
	size_t bytes;

	workload_fork(w, 1);
	workload_reserve(w, &bytes);
}

static void apart_touch_shared(struct workload *w)
{
	workload_must_hold(w, w->slot[SLOT_SHMEM], SHMEM, true);
}

#define APART_FILLED                                                                            \
	MOVES(VIRT_DATA(ANON + SWAPPED_OUT + GIVEN_UP + 1 + FILE_PRIVATE + UNTOUCHED + LOCKED), \
	      VIRT_OTHER(SHMEM + FILE_SHARED + UNREADABLE), VIRT_EXEC(EXECUTABLE),              \
	      ANON_WRITE(ANON + SWAPPED_OUT), ANON_LAZYFREE(GIVEN_UP), SHMEM_WRITE(SHMEM),      \
	      FILE_READ(FILE_PRIVATE))

/*
 * Tools run after two of the steps. After the first one (HOLD_BACK), sizes fit the tools' columns
 * and counters lag. After the second one (SHARE_SHMEM), pages are shared, up to 16 TiB of address
 * space are reserved, and the memory of the first one is still mapped.
 */
#define APART_STEPS                                                                              \
	STEPS(STEP("fill", apart_fill, .flags = STEP_NO_TOOLS, APART_FILLED),                    \
	      STEP("swap out", apart_swap_out, .flags = STEP_ANY_PAGES | STEP_NO_TOOLS),         \
	      STEP("write a file", apart_write_file, .flags = STEP_NO_TOOLS,                     \
		   MOVES(FILE_WRITE(FILE_SHARED))),                                              \
	      STEP_AS(HOLD_BACK, "hold back", apart_hold_back, .flags = STEP_UNSETTLED,          \
		      MOVES(VIRT_DATA(HELD_BACK), ANON_WRITE(HELD_BACK))),                       \
	      STEP("share", apart_share_and_reserve, .flags = STEP_ANY_PAGES | STEP_NO_TOOLS),   \
	      STEP_AS(SHARE_SHMEM, "share shmem", apart_touch_shared, .process = 1, .checks = 1, \
		      .flags = STEP_ANY_PAGES))

/* The case uses one CPU, because its tools only read files. */
#define APART .steps = APART_STEPS, .processes = 1, .flags = CASE_ONE_CPU

#endif
