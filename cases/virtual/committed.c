// SPDX-License-Identifier: MIT
/*
 * Checks Committed_AS after each act on each kind of memory. The kernel keeps it as one sum, so it
 * stays wrong until the next boot if an act adds too much or forgets to subtract.
 */
#include "committed.h"
#include <inttypes.h>

STEP_SYMBOLS(ACT);

static const struct kind kinds[] = {
	{ "private memory", PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, WRITABLE,
	  NO_FILE },
	{ "private read-only memory", PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, READ_ONLY, NO_FILE },
	{ "inaccessible memory", PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, READ_ONLY, NO_FILE },
	{ "MAP_NORESERVE memory", PROT_READ | PROT_WRITE,
	  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, NOTHING, NO_FILE },
	{ "shared memory", PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, SHARED, NO_FILE },
	{ "shared read-only memory", PROT_READ, MAP_SHARED | MAP_ANONYMOUS, SHARED, NO_FILE },
	{ "a memfd", PROT_READ | PROT_WRITE, MAP_SHARED, BY_PAGE, MEMFD },
	{ "a shared file", PROT_READ | PROT_WRITE, MAP_SHARED, NOTHING, PLAIN_FILE },
	{ "a private file", PROT_READ | PROT_WRITE, MAP_PRIVATE, WRITABLE, PLAIN_FILE },
	{ "a private read-only file", PROT_READ, MAP_PRIVATE, READ_ONLY, PLAIN_FILE },
};

#define COUNT(list) (sizeof(list) / sizeof(*(list)))

enum { KINDS = COUNT(kinds) };

static int64_t committed(const struct workload *w)
{
	return workload_meminfo_pages(w, "Committed_AS");
}

static int map_over(const struct region *r, char *at, size_t pages, int prot, int flags, int fd)
{
	return mmap(at, bytes(r, pages), prot, flags | MAP_FIXED, fd, 0) == MAP_FAILED ? -1 : 0;
}

/* Replaces mappings by address space without access, which is not charged. */
static int unmap_pages(const struct region *r, char *at, size_t pages)
{
	return map_over(r, at, pages, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
}

static void touch(const struct region *r, size_t from, size_t pages, int prot)
{
	char *p = r->at + bytes(r, from);

	if (prot & PROT_WRITE)
		touch_write(r->w, p, pages);
	else if (prot & PROT_READ)
		touch_read(r->w, p, pages);
}

static int open_backing(struct region *r)
{
	r->fd = -1;
	if (r->kind->backing == PLAIN_FILE)
		r->fd = workload_file(r->w, ALL);
	if (r->kind->backing == MEMFD) {
		r->fd = memfd_create("rssck", MFD_CLOEXEC);
		return ftruncate(r->fd, (off_t)bytes(r, ALL));
	}
	return 0;
}

static int map(struct region *r)
{
	return map_over(r, r->at, PAGES, r->kind->prot, r->kind->flags, r->fd);
}

static int touch_all(struct region *r)
{
	touch(r, 0, PAGES, r->kind->prot);
	return 0;
}

/*
 * Newer kernels uncharge private memory that becomes read-only before it is written. The two calls
 * together change nothing.
 */
static int protect_and_back(struct region *r)
{
	if (mprotect(r->at, bytes(r, PAGES), PROT_READ) < 0)
		return -1;
	return mprotect(r->at, bytes(r, PAGES), r->kind->prot);
}

/* The kernel refuses this mmap(2) unless vm.overcommit_memory is 1. */
static int map_too_much(struct region *r)
{
	size_t most = bytes(r, 2 * (size_t)workload_all_pages(r->w));
	char *p = workload_try_map(most, PROT_READ | PROT_WRITE, MAP_PRIVATE, -1);

	return p ? munmap(p, most) : 0;
}

/* The file of shared anonymous memory can be opened only by its name in /proc/self/map_files. */
static int resize_shared(const struct region *r, size_t pages)
{
	char name[80];
	int fd, result;

	if (r->kind->charge != SHARED)
		return REFUSED;
	snprintf(name, sizeof(name), "/proc/self/map_files/%" PRIxPTR "-%" PRIxPTR,
		 (uintptr_t)r->at, (uintptr_t)r->at + bytes(r, PAGES));
	fd = open(name, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return errno == EPERM ? REFUSED : -1; /* it needs CAP_CHECKPOINT_RESTORE */
	result = ftruncate(fd, (off_t)bytes(r, pages));
	close(fd);
	return result;
}

static int enlarge_shared(struct region *r)
{
	return resize_shared(r, ALL);
}

static int reduce_shared(struct region *r)
{
	return resize_shared(r, PAGES);
}

static int64_t charged_for_child(const struct region *r)
{
	int64_t before = committed(r->w), then;
	pid_t pid = workload_companion(r->w, NULL, NULL);

	then = committed(r->w);
	workload_companion_ends(pid);
	return then - before;
}

/*
 * The child is charged for other memory, too. A second fork, without the region, measures how much.
 */
static int fork_with_and_without(struct region *r)
{
	r->for_child = charged_for_child(r);
	if (madvise(r->at, bytes(r, PAGES), MADV_DONTFORK) < 0)
		return -1;
	r->for_child -= charged_for_child(r);
	return madvise(r->at, bytes(r, PAGES), MADV_DOFORK);
}

/* Frees the address space behind the region first, so that mremap(2) can grow in place. */
static int grow(struct region *r)
{
	char *end = r->at + bytes(r, PAGES);

	if (munmap(end, bytes(r, PAGES)) < 0)
		return -1;
	return mremap(r->at, bytes(r, PAGES), bytes(r, ALL), 0) == r->at ? 0 : -1;
}

static int shrink(struct region *r)
{
	if (mremap(r->at, bytes(r, ALL), bytes(r, PAGES), 0) != r->at)
		return -1;
	return unmap_pages(r, r->at + bytes(r, PAGES), PAGES);
}

/* Growing fails, because RLIMIT_AS allows no more address space. */
static int grow_in_vain(struct region *r)
{
	struct rlimit before, none = { .rlim_cur = 0 };
	int got;

	if (getrlimit(RLIMIT_AS, &before) < 0)
		return -1;
	none.rlim_max = before.rlim_max;
	if (setrlimit(RLIMIT_AS, &none) < 0)
		return -1;
	got = mremap(r->at, bytes(r, PAGES), bytes(r, ALL), MREMAP_MAYMOVE) != MAP_FAILED;
	return setrlimit(RLIMIT_AS, &before) < 0 || got ? -1 : 0;
}

static int move_by(struct region *r, int flags)
{
	char *from = r->at, *to = r->other;

	if (mremap(from, bytes(r, PAGES), bytes(r, PAGES), flags, to) != to)
		return -1;
	r->at = to;
	r->other = from;
	return 0;
}

static int move(struct region *r)
{
	return move_by(r, MREMAP_MAYMOVE | MREMAP_FIXED) ? -1 : unmap_pages(r, r->other, PAGES);
}

static int move_and_leave(struct region *r)
{
	r->left = !move_by(r, MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP);
	if (r->left)
		return 0;
	/* A refused mremap(2) may have unmapped its destination. */
	return unmap_pages(r, r->other, PAGES) ? -1 : REFUSED;
}

static int unmap_left(struct region *r)
{
	return r->left ? unmap_pages(r, r->other, PAGES) : REFUSED;
}

/*
 * Makes half of the memory writable and writes it, if it is private and not writable. Makes half of
 * other memory read-only.
 */
static int protect_half(struct region *r)
{
	bool becomes_writable = !(r->kind->prot & PROT_WRITE) && r->kind->charge == READ_ONLY;
	int prot = becomes_writable ? PROT_READ | PROT_WRITE : PROT_READ;

	if (mprotect(r->at, bytes(r, HALF), prot) < 0)
		return -1;
	touch(r, 0, HALF, prot);
	return 0;
}

static int protect_back(struct region *r)
{
	return mprotect(r->at, bytes(r, HALF), r->kind->prot);
}

static int remove_half(struct region *r)
{
	if (r->kind->backing != MEMFD)
		return REFUSED;
	return madvise(r->at + bytes(r, HALF), bytes(r, HALF), MADV_REMOVE);
}

static int touch_half(struct region *r)
{
	touch(r, HALF, HALF, r->kind->prot);
	return 0;
}

static int drop(struct region *r)
{
	return madvise(r->at, bytes(r, PAGES), MADV_DONTNEED);
}

static int replace_half(struct region *r)
{
	return unmap_pages(r, r->at, HALF);
}

/* The other half stays in place, so the mapping is split. */
static int move_half(struct region *r)
{
	size_t half = bytes(r, HALF);

	return mremap(r->at, half, half, MREMAP_MAYMOVE | MREMAP_FIXED, r->other) == r->other ? 0
											      : -1;
}

static int unmap_moved_half(struct region *r)
{
	return unmap_pages(r, r->other, HALF);
}

static int unmap_rest(struct region *r)
{
	return unmap_pages(r, r->at, PAGES);
}

/* The engine closes a plain file. */
static int close_memfd(struct region *r)
{
	return r->kind->backing == MEMFD ? close(r->fd) : 0;
}

/* `halves` is how many halves of the region an act charges, for each enum charge. */
static const struct act {
	const char *name;
	int (*act)(struct region *r);
	int halves[CHARGES];
} on_region[] = {
	{ "open", open_backing, { 0, 0, 0, 0, 0 } },
	{ "mmap", map, { 2, 0, 2, 0, 0 } },
	{ "mprotect before the first access", protect_and_back, { 0, 0, 0, 0, 0 } },
	{ "ftruncate(2) to twice the size", enlarge_shared, { 0, 0, 2, 0, 0 } },
	{ "ftruncate(2) to the old size", reduce_shared, { 0, 0, -2, 0, 0 } },
	{ "the first access", touch_all, { 0, 0, 0, 2, 0 } },
	{ "fork", fork_with_and_without, { 2, 0, 0, 0, 0 } },
	{ "an mremap that fails", grow_in_vain, { 0, 0, 0, 0, 0 } },
	{ "mremap to a larger size", grow, { 2, 0, 0, 0, 0 } },
	{ "mremap to a smaller size", shrink, { -2, 0, 0, 0, 0 } },
	{ "mremap to another place", move, { 0, 0, 0, 0, 0 } },
	{ "MREMAP_DONTUNMAP", move_and_leave, { 2, 0, 0, 0, 0 } },
	{ "munmap of the old place", unmap_left, { -2, 0, 0, 0, 0 } },
	{ "the second access", touch_all, { 0, 0, 0, 0, 0 } },
	{ "mprotect of a half", protect_half, { 0, 1, 0, 0, 0 } },
	{ "mprotect back", protect_back, { 0, 0, 0, 0, 0 } },
	{ "MADV_REMOVE of a half", remove_half, { 0, 0, 0, -1, 0 } },
	{ "an access to that half", touch_half, { 0, 0, 0, 1, 0 } },
	{ "MADV_DONTNEED", drop, { 0, 0, 0, 0, 0 } },
	{ "MAP_FIXED of PROT_NONE over a half", replace_half, { -1, -1, 0, 0, 0 } },
	{ "MAP_FIXED over that and the other half", map, { 1, 0, 0, 0, 0 } },
	{ "MAP_FIXED over itself", map, { 0, 0, 0, 0, 0 } },
	{ "mremap of a half to another place", move_half, { 0, 0, 0, 0, 0 } },
	{ "munmap of that half", unmap_moved_half, { -1, 0, 0, 0, 0 } },
	{ "munmap", unmap_rest, { -1, 0, -2, 0, 0 } },
	{ "close", close_memfd, { 0, 0, 0, -2, 0 } },
};

/* Acts that do not use the region. Only the first of their `halves` counts. */
static const struct act on_others[] = {
	{ "a failing mmap(2) beyond all memory and swap", map_too_much, { 0 } },
	{ "brk to a higher address", raise_break, { 2 } },
	{ "brk to the old address", lower_break, { -2 } },
	{ "writes to a tmpfs", fill_tmpfs, { 2 } },
	{ "a write to a full tmpfs", write_to_full_tmpfs, { 0 } },
	{ "unmounting a tmpfs", unmount_tmpfs, { -2 } },
	{ "mmap of a private hugetlb page", map_private_hugetlb, { 0 } },
	{ "munmap of a private hugetlb page", unmap_hugetlb, { 0 } },
	{ "mmap of a shared hugetlb page", map_shared_hugetlb, { 0 } },
	{ "munmap of a shared hugetlb page", unmap_hugetlb, { 0 } },
	{ "mmap of a hugetlb page with MAP_NORESERVE", map_unreserved_hugetlb, { 0 } },
	{ "munmap of a hugetlb page with MAP_NORESERVE", unmap_hugetlb, { 0 } },
	{ "a private mapping of a memfd", map_private_memfd, { 2 } },
	{ "unmapping a private mapping of a memfd", unmap_private_memfd, { -2 } },
	{ "shmget(2)", make_reserved_segment, { 2 } },
	{ "writes to a System V segment", write_segment, { 0 } },
	{ "removing a System V segment", remove_segment, { -2 } },
};

/* With vm.overcommit_memory 2, newseg() ignores SHM_NORESERVE. */
static const struct act on_unreserved[] = {
	{ "shmget(2)", make_unreserved_segment, { [WRITABLE] = 2, [BY_PAGE] = 0 } },
	{ "writes", write_segment, { [WRITABLE] = 0, [BY_PAGE] = 2 } },
	{ "removing", remove_segment, { [WRITABLE] = -2, [BY_PAGE] = -2 } },
};

/* The acts on one kind of memory, one after another. */
struct round {
	struct workload *w;
	char *arena;
	const struct kind *kind;
	const struct act *acts;
	size_t nr_acts;
	bool stays; /* munmap(2) has not subtracted the mapping that MREMAP_DONTUNMAP left */
};

/* An act after which Committed_AS was wrong; `act` is NULL if there is none. */
struct wrong {
	const struct act *act;
	int64_t seen, expected; /* pages */
};

static enum charge charge_of(const struct kind *k)
{
	bool reserve = workload_number("/proc/sys/vm/overcommit_memory", NULL, 0) ==
		       NEVER_OVERCOMMIT;

	return k->flags & MAP_NORESERVE && reserve ? WRITABLE : k->charge;
}

static struct wrong act_on(struct round *o)
{
	struct region r = { .w = o->w, .kind = o->kind, .at = o->arena };
	enum charge charge = charge_of(o->kind);
	struct wrong f = { .act = NULL };

	r.other = o->arena + bytes(&r, ALL);
	for (const struct act *a = o->acts; a < o->acts + o->nr_acts; a++) {
		int64_t before = committed(o->w), seen, expected;
		int result = a->act(&r);

		if (result < 0)
			workload_die(o->w, "%s of %s: %m", a->name, o->kind->name);
		seen = committed(o->w) - before;
		if (a->act == fork_with_and_without)
			seen += r.for_child;
		expected = result == REFUSED ? 0 : (int64_t)a->halves[charge] * HALF;
		if (a->act == unmap_left && seen == 0)
			o->stays |= expected != 0;
		else if (seen != expected && !f.act)
			f = (struct wrong) { a, seen, expected };
	}
	return f;
}

/* Other processes are charged, too, so only an error that is the same each time counts. */
static void check(struct round *o)
{
	struct wrong first = act_on(o), next = first;

	for (int i = 1; i < TIMES && next.act; i++) {
		next = act_on(o);
		if (next.act != first.act || next.seen != first.seen)
			workload_skip(o->w, "a machine on which no other process maps memory");
	}
	if (next.act)
		workload_fail(o->w,
			      "%s of %s changes Committed_AS by %" PRId64
			      " pages, should be %" PRId64,
			      next.act->name, o->kind->name, next.seen, next.expected);
	workload_checked(o->w);
}

static void act_all(struct workload *w)
{
	static const struct kind others = { .name = "the workload" }, unreserved = {
		.name = "a segment with SHM_NORESERVE", .flags = MAP_NORESERVE, .charge = BY_PAGE
	};
	size_t bytes = 2 * ALL * w->page_size;
	struct round o = { .w = w, .acts = on_region, .nr_acts = COUNT(on_region) };

	o.arena = workload_map(w, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	committed(w);
	for (o.kind = kinds; o.kind < kinds + KINDS; o.kind++)
		check(&o);
	o.kind = &others;
	o.acts = on_others;
	o.nr_acts = COUNT(on_others);
	check(&o);
	o.kind = &unreserved;
	o.acts = on_unreserved;
	o.nr_acts = COUNT(on_unreserved);
	check(&o);
	workload_report(w, "stays", o.stays);
	workload_unmap(w, o.arena, bytes);
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_fact(j, "committed.memory_that_DONTUNMAP_has_left", "%s",
		   trial_reported(t, ACT, "stays") ? "stays" : "is given back");
}

CASE(virtual_committed) {
	.claim =
		"Committed_AS counts private writable memory, shared memory without a file and the pages of memfds, but no hugetlb pages, and follows mmap, mremap, mprotect, fork and munmap; on 6.16 munmap does not subtract the mapping that MREMAP_DONTUNMAP left",
	.because = "mmap_region(), mremap_to(), mprotect_fixup() and dup_mmap() charge a mapping "
		   "that may get private copies of pages (accountable_mapping()). A shared "
		   "mapping without a file is charged as a whole when it is made, a memfd page "
		   "by page (shmem_acct_size(), shmem_acct_blocks()).",
	.said_by = SAID_BY("proc_meminfo(5), Committed_AS", "mmap(2), MAP_NORESERVE"),
	.needs = NEEDS("guest"),
	.steps = STEPS(STEP_AS(ACT, "map, change and unmap each kind of memory", act_all,
			       .checks = KINDS + 2)),
	.facts = FACTS(FACT("committed.memory_that_DONTUNMAP_has_left",
			    "Committed_AS, when the mapping that MREMAP_DONTUNMAP left is unmapped",
			    "is given back|stays")),
	.judge = judge,
};
