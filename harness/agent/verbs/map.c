// SPDX-License-Identifier: MIT
/* Implements verbs that map, unmap, move, protect and lock address space. */
#include "base/guest.h"
#include "verbs.h"
#include <errno.h>
#include <linux/prctl.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static int file_behind(struct worker *k, const struct act *a, const struct verb *v)
{
	size_t pages = a->first + a->pages;

	if (v->backing == BACKED_BY_NOTHING || v->backing == BACKED_BY_HUGETLB)
		return -1;
	return v->backing == BACKED_BY_FILE ? workload_file(k->w, pages)
					    : workload_shmem(k->w, pages);
}

void verb_mmap(struct worker *k, const struct act *a)
{
	const struct verb *v = k->verb;
	struct region *r = &k->regions[a->region];
	int fd = file_behind(k, a, v);
	int flags = MAP_FIXED | v->flags | (fd < 0 ? MAP_ANONYMOUS : 0);
	void *p;

	/* MAP_DROPPABLE replaces MAP_PRIVATE and MAP_SHARED. */
	if (v->flags != MAP_DROPPABLE)
		flags |= v->shared ? MAP_SHARED : MAP_PRIVATE;
	if (v->backing == BACKED_BY_HUGETLB)
		flags |= MAP_HUGETLB;
	p = mmap(act_address(k, a), act_bytes(k, a), act_protection(a), flags, fd,
		 fd < 0 ? 0 : (off_t)(a->first * k->page));

	act_result(k, p == MAP_FAILED ? -1 : 0);
	if (p == MAP_FAILED)
		return;
	k->files[a->serial] = fd;
	r->file = fd < 0 ? 0 : a->serial;
	r->huge = v->huge;
	r->hugetlb = v->backing == BACKED_BY_HUGETLB;
	r->on_disk = v->backing == BACKED_BY_FILE;
	r->locked |= k->locks_new;
	r->placed |= v->shared || fd >= 0;
}

/*
 * "beside" maps private anonymous memory directly after a mapping, with which it merges if both are
 * alike; "over" maps it in place of existing pages.
 */
void verb_mmap_beside(struct worker *k, const struct act *a)
{
	const struct region *r = &k->regions[a->region];
	void *p = MAP_FAILED;

	errno = EBUSY;
	if (!r->file && !r->huge && !r->hugetlb)
		p = mmap(act_address(k, a), act_bytes(k, a), act_protection(a),
			 MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	act_result(k, p == MAP_FAILED ? -1 : 0);
}

/* Names anonymous memory (5.17). Neighbours with different names are separate mappings. */
void verb_name(struct worker *k, const struct act *a)
{
	static const char *const names[] = { "one", "another", NULL };

	act_result(k, prctl(PR_SET_VMA, PR_SET_VMA_ANON_NAME, act_address(k, a), act_bytes(k, a),
			    names[a->option % 3]));
}

/* A change through one mapping may then be visible through the other. */
void verb_mmap_again(struct worker *k, const struct act *a)
{
	struct region *from = &k->regions[a->region], *to = &k->regions[a->to];
	int fd = act_file(k, a);
	void *p = MAP_FAILED;

	if (fd >= 0)
		p = mmap(to->at + a->first * k->page, act_bytes(k, a), PROT_READ | PROT_WRITE,
			 MAP_FIXED | (k->verb->shared ? MAP_SHARED : MAP_PRIVATE), fd,
			 (off_t)(a->first * k->page));
	act_result(k, p == MAP_FAILED ? -1 : 0);
	if (p == MAP_FAILED)
		return;
	to->file = from->file;
	to->huge = from->huge;
	to->hugetlb = false;
	to->placed = true;
	to->locked |= k->locks_new;
	to->on_disk |= from->on_disk;
}

void verb_munmap(struct worker *k, const struct act *a)
{
	act_result(k, munmap(act_address(k, a), act_bytes(k, a)));
}

void verb_mprotect(struct worker *k, const struct act *a)
{
	act_result(k, mprotect(act_address(k, a), act_bytes(k, a), act_protection(a)));
}

/* mremap(2) would move the whole hugetlb page, because mm/mremap.c aligns the length. */
static bool is_part_of_hugetlb_page(const struct worker *k, const struct region *r,
				    const struct act *a)
{
	return r->hugetlb && act_bytes(k, a) % k->w->huge_page_size;
}

/*
 * mremap(2) of a part of a hugetlb mapping leaves huge pages reserved until the next boot (FINDINGS
 * 51), so it is called only in a guest.
 */
static bool may_lose_reservation(const struct region *r)
{
	return r->hugetlb && !guest_is_here();
}

void verb_mremap(struct worker *k, const struct act *a)
{
	bool beside = act_is_beside(a);
	struct region *from = &k->regions[a->region];
	struct region *to = beside ? from : &k->regions[a->to];
	uint32_t first = beside ? a->first + a->pages : a->first;
	size_t more = k->verb->options ? act_growth(a) * k->page : 0;
	void *p = MAP_FAILED;

	errno = EINVAL;
	if (!is_part_of_hugetlb_page(k, from, a) && !may_lose_reservation(from) &&
	    !(more && from->hugetlb) && !(beside && (from->placed || !act_has_room_beside(a))))
		p = mremap(act_address(k, a), act_bytes(k, a), act_bytes(k, a) + more,
			   MREMAP_MAYMOVE | MREMAP_FIXED | k->verb->value,
			   to->at + first * k->page);
	act_result(k, p == MAP_FAILED ? -1 : 0);
	if (p == MAP_FAILED)
		return;
	to->file = from->file;
	to->huge = from->huge;
	to->hugetlb = from->hugetlb;
	to->watched |= from->watched;
	to->locked |= from->locked;
	to->on_disk |= from->on_disk;
	to->merged |= from->merged;
	to->placed |= from->placed;
}

/* The range must be the end of its mapping. */
void verb_grow(struct worker *k, const struct act *a)
{
	size_t bytes = act_bytes(k, a);
	void *p = mremap(act_address(k, a), bytes, bytes + act_growth(a) * k->page, 0);

	act_result(k, p == MAP_FAILED ? -1 : 0);
}

/* Afterwards the range is no longer mapped. mremap(2) keeps the page before the range. */
void verb_shrink(struct worker *k, const struct act *a)
{
	void *p = MAP_FAILED;

	errno = EINVAL;
	if (a->first && !k->regions[a->region].hugetlb)
		p = mremap(act_address(k, a) - k->page, act_bytes(k, a) + k->page, k->page, 0);
	act_result(k, p == MAP_FAILED ? -1 : 0);
}

bool act_ends_no_fault(struct worker *k, const struct act *a, bool locked, bool watched)
{
	if (!k->regions[a->region].on_disk || !locked || !watched)
		return false;
	errno = EBUSY;
	act_result(k, -1);
	return true;
}

void verb_mlock(struct worker *k, const struct act *a)
{
	void *p = act_address(k, a);
	struct region *r = &k->regions[a->region];

	if (k->verb->value >= 0 && act_ends_no_fault(k, a, true, r->watched))
		return;
	r->locked |= k->verb->value >= 0;
	if (k->verb->value < 0)
		act_result(k, munlock(p, act_bytes(k, a)));
	else if (k->verb->value)
		act_result(k, syscall(SYS_mlock2, p, act_bytes(k, a), k->verb->value));
	else
		act_result(k, mlock(p, act_bytes(k, a)));
}

/*
 * Locks memory mapped later. MCL_CURRENT is not used: on 7.3 it maps pages of the vvar permanently.
 * MCL_ONFAULT is not used, because then the memory that settles the counters would not be
 * populated. Outside a guest the verb fails, because RLIMIT_MEMLOCK could apply to that memory.
 */
void verb_mlockall(struct worker *k, const struct act *a)
{
	(void)a;
	if (!act_is_in_guest(k))
		return;
	act_result(k, mlockall(MCL_FUTURE));
	k->locks_new |= !k->outcome.error;
}

void verb_munlockall(struct worker *k, const struct act *a)
{
	(void)a;
	act_result(k, munlockall());
	k->locks_new = false;
}

/* Sets a limit for the next operation, whose call may then fail at the start or half-way. */
void verb_limit(struct worker *k, const struct act *a)
{
	if (a->option && !act_is_in_guest(k))
		return;
	k->limit = 1 + a->option;
}

#define MAPPINGS_MOST "/proc/sys/vm/max_map_count"

static int64_t count_mappings(void)
{
	FILE *f = fopen("/proc/self/maps", "re");
	int64_t n = 0;
	int c;

	while (f && (c = fgetc(f)) != EOF)
		n += c == '\n';
	if (f)
		fclose(f);
	return n;
}

static void set_mappings(int64_t most)
{
	char text[32];

	snprintf(text, sizeof(text), "%lld", (long long)most);
	workload_try_to_set(MAPPINGS_MOST, text);
}

void act_limits_set(struct worker *k, bool about_region, struct act_limits *l)
{
	struct rlimit now;

	/* The limit is not set for a fork, because the child would inherit it. */
	l->limit = k->verb->effect == EFFECT_FORK ? 0 : k->limit;
	k->limit = 0;
	now = k->stack_limit;
	if (about_region)
		now.rlim_cur = 0;
	setrlimit(RLIMIT_STACK, &now);
	if (!l->limit)
		return;
	l->mappings = l->limit == 2 ? workload_number(MAPPINGS_MOST, NULL, -1) : -1;
	if (l->mappings > 0)
		set_mappings(count_mappings());
	getrlimit(RLIMIT_AS, &l->address_space);
	now = l->address_space;
	now.rlim_cur = (rlim_t)workload_status_pages(k->w, "VmSize") * k->page;
	if (l->limit == 1)
		setrlimit(RLIMIT_AS, &now);
}

void act_limits_lift(const struct worker *k, const struct act_limits *l)
{
	setrlimit(RLIMIT_STACK, &k->stack_limit);
	if (!l->limit)
		return;
	setrlimit(RLIMIT_AS, &l->address_space);
	if (l->mappings > 0)
		set_mappings(l->mappings);
}
