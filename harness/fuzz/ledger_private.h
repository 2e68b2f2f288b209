// SPDX-License-Identifier: MIT
/* Declarations shared by the ledger's own files. */
#ifndef RSSCK_FUZZ_LEDGER_PRIVATE_H
#define RSSCK_FUZZ_LEDGER_PRIVATE_H

#include "ledger.h"

/* An operation on the pages of one process. */
struct entry {
	struct ledger *l;
	const struct act *a;
	const struct verb *v;
	bool failed;
	struct ledger_process *p;
	struct ledger_region *r;
};

/* Resets a process that has ended or does not exist yet. */
void forget_process(struct ledger_process *p);

/* Extends the region's array of pages up to page number `top`. */
void reach(struct ledger_region *r, uint32_t top);

/* Call fn for every page of one process, or of all processes. */
void each_page_of(struct ledger_process *p, void (*fn)(struct ledger_page *g));
void each_page(struct ledger *l, void (*fn)(struct ledger_page *g));

static inline bool is_droppable(const struct ledger_page *g)
{
	return g->kind == KIND_DROPPABLE || g->kind == KIND_DROPPABLE_LOCKED;
}

/* clear_page(): the page is no longer mapped. drop_page(): the page is mapped but absent. */
void clear_page(struct ledger_page *g);
void drop_page(struct ledger_page *g);

/* The state of the page is unknown from now on. */
void lose_page(struct ledger_page *g);

/* has_memory(): true if page number `i` is within its file. */
bool has_memory(const struct ledger *l, const struct ledger_page *g, uint32_t i);
void touch_neighbours(struct entry *e, bool writes);
void enter_access(struct entry *e, bool writes);
void enter_remote_write(struct entry *e, bool forced);
void set_flag(struct ledger_page *g, uint16_t flag, bool is);
void lock_page(const struct ledger *l, struct ledger_page *g);
void protect_page(struct entry *e, struct ledger_page *g);
void enter_map(struct entry *e);
void enter_map_again(struct entry *e);
void enter_move(struct entry *e);
void enter_growth(struct entry *e);
void adopt(struct ledger_page *g, const struct mapping *map);
void adopt_lock(struct ledger_page *g, const struct mapping *map, int64_t *lost);
void adopt_droppable(struct ledger_process *p, struct ledger_page *g, const struct mapping *map);
void populate_page(const struct ledger *l, struct ledger_page *g);
void pin_page(struct ledger_page *g);

/*
 * Updates the userfaultfd protection: lose_protection() before an operation is applied,
 * enter_protection() after it.
 */
void lose_protection(struct entry *e);
void enter_protection(struct entry *e, const struct act_outcome *o);

/* A move's target and the pages around it, which may lose their userfaultfd registration. */
struct page_run {
	uint32_t begin, end;
};

struct page_run watched_beside(const struct entry *e, const struct ledger_region *to,
			       uint32_t first);
void may_lose_watch(struct ledger_region *to, struct page_run run);
void race_for_watch(struct ledger_process *p);
void see_watch(struct ledger_page *g, const struct mapping *map);

void split_neighbours(struct entry *e);
void let_splits_mark(struct ledger *l);
void count_split(struct entry *e);
void let_merge(struct ledger_region *r);
void enter_page_out(struct entry *e);
void enter_collapse(struct entry *e);
void enter_merge(struct entry *e);
void enter_merge_all_zeroes(struct ledger *l);
void unmerge_page(struct ledger_page *g);
void enter_unmerge(struct ledger *l);
void enter_carry(struct entry *e);
void enter_shake(struct ledger *l);
void enter_unlock(struct ledger_process *p);
void split_all(struct ledger *l, const struct ledger_region *own);
void enter_punch(struct entry *e);
void enter_truncate(struct entry *e);
void enter_extend(struct entry *e);
void enter_probe(struct entry *e);
void enter_fork(struct ledger *l, const struct act *a);
void enter_clean(struct ledger_process *p);

/* After swapoff, each swapped page of every process may be in memory. */
void enter_swapoff(struct ledger *l);

#endif
