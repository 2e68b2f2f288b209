// SPDX-License-Identifier: MIT
/*
 * What each act on a range of hugetlb pages answers, and what the process, the file and the pool
 * have afterwards: whole huge pages and parts of them, in each kind of mapping.
 */
#include "kinds.h"
#include <rssck/right.h>

STEP_SYMBOLS(ACT);

/* A mapping has PAGES pages, every second of which is written. Ranges are in halves of a page. */
enum { PAGES = 4, HALVES = 2 * PAGES };

static const struct range {
	unsigned from, to;
} ranges[] = {
	{ 0, 8 }, { 4, 8 }, { 0, 4 }, { 2, 4 }, { 4, 6 }, { 0, 1 },
	{ 1, 2 }, { 2, 5 }, { 3, 6 }, { 1, 7 }, { 5, 8 },
};

/* Which ranges the kernel takes; it refuses others with EINVAL. */
enum fit { ANY, STARTS /* with a page */, SPLITS /* whole pages only */ };

/* What happens to each page that is inside the range, or that the range touches. */
enum effect { NOTHING, DROPPED, PUNCHED, UNMAPPED, FILLED, POPULATED, TRUNCATED };

static size_t huge;
static bool restores;      /* a private page that is dropped is reserved again */
static bool drops_private; /* a hole in a file drops the pages of a private mapping, too */
static bool rounds;        /* mremap(2) rounds to whole pages, as it does since 5.16 */

static struct {
	const struct kind *kind;
	char *p;
	int fd;
	struct pool before;
	int64_t size; /* VmSize without the mapping, in kB */
} now;

/* ---- acts: 0, or errno ---- */

static int result(int failed)
{
	return failed ? errno : 0;
}

static int protect(char *p, size_t bytes, int prot)
{
	return result(mprotect(p, bytes, prot));
}

static int unmap(char *p, size_t bytes, int unused)
{
	(void)unused;
	return result(munmap(p, bytes));
}

static int lock(char *p, size_t bytes, int flags)
{
	return result((int)syscall(SYS_mlock2, p, bytes, flags));
}

static int unlock(char *p, size_t bytes, int unused)
{
	(void)unused;
	return result(munlock(p, bytes));
}

static int sync_range(char *p, size_t bytes, int flags)
{
	return result(msync(p, bytes, flags));
}

static int in_core(char *p, size_t bytes, int unused)
{
	(void)unused;
	return result(mincore(p, bytes, (unsigned char *)workload_buffer));
}

static int bind_to_node(char *p, size_t bytes, int unused)
{
	unsigned long mask = 1;

	(void)unused;
	return result(
		(int)syscall(SYS_mbind, p, bytes, (long)MPOL_BIND, &mask, sizeof(mask) * 8, 0L));
}

static int grow(char *p, size_t bytes, int flags)
{
	return result(mremap(p, bytes, bytes + huge, flags) == MAP_FAILED);
}

static int allocate(char *p, size_t bytes, int mode)
{
	return result(fallocate(now.fd, mode, p - now.p, (off_t)bytes));
}

static int truncate_it(char *p, size_t unused, int unused_too)
{
	(void)unused;
	(void)unused_too;
	return result(ftruncate(now.fd, p - now.p));
}

/* Keeps what is before p. */
static int shrink(char *p, size_t bytes, int unused)
{
	size_t keeps = (size_t)(p - now.p);

	(void)unused;
	return result(mremap(now.p, keeps + bytes, keeps, 0) == MAP_FAILED);
}

enum { FILES = 1, SHARED_ONLY = 2, TAIL = 4 };

static const struct act {
	const char *name;
	int (*act)(char *p, size_t bytes, int argument); /* NULL: madvise(2) */
	int argument;
	enum fit fit;
	enum effect effect;
	bool touched;  /* the effect is on all pages that the range touches */
	unsigned only; /* FILES: with a file; SHARED_ONLY: else EACCES; TAIL: ranges to the end */
	int refused;   /* always, with this error */
	bool may_lack; /* older kernels, or some configurations, refuse it as unknown */
} acts[] = {
	{ "MADV_NORMAL", NULL, MADV_NORMAL, .fit = ANY },
	{ "MADV_RANDOM", NULL, MADV_RANDOM, .fit = SPLITS },
	{ "MADV_SEQUENTIAL", NULL, MADV_SEQUENTIAL, .fit = SPLITS },
	{ "MADV_WILLNEED", NULL, MADV_WILLNEED, .fit = ANY },
	{ "MADV_DONTNEED", NULL, MADV_DONTNEED, .fit = STARTS, .effect = DROPPED,
	  .may_lack = true },
	{ "MADV_DONTNEED_LOCKED", NULL, MADV_DONTNEED_LOCKED, .fit = STARTS, .effect = DROPPED,
	  .may_lack = true },
	{ "MADV_FREE", NULL, MADV_FREE, .refused = EINVAL },
	{ "MADV_REMOVE", NULL, MADV_REMOVE, .effect = PUNCHED, .only = SHARED_ONLY },
	{ "MADV_DONTFORK", NULL, MADV_DONTFORK, .fit = SPLITS },
	{ "MADV_DOFORK", NULL, MADV_DOFORK, .fit = ANY, .may_lack = true },
	{ "MADV_MERGEABLE", NULL, MADV_MERGEABLE, .fit = ANY, .may_lack = true },
	{ "MADV_UNMERGEABLE", NULL, MADV_UNMERGEABLE, .fit = ANY, .may_lack = true },
	{ "MADV_HUGEPAGE", NULL, MADV_HUGEPAGE, .fit = SPLITS, .may_lack = true },
	{ "MADV_NOHUGEPAGE", NULL, MADV_NOHUGEPAGE, .fit = SPLITS, .may_lack = true },
	{ "MADV_DONTDUMP", NULL, MADV_DONTDUMP, .fit = SPLITS },
	{ "MADV_DODUMP", NULL, MADV_DODUMP, .fit = ANY },
	{ "MADV_WIPEONFORK", NULL, MADV_WIPEONFORK, .refused = EINVAL },
	{ "MADV_KEEPONFORK", NULL, MADV_KEEPONFORK, .fit = ANY },
	{ "MADV_COLD", NULL, MADV_COLD, .refused = EINVAL },
	{ "MADV_PAGEOUT", NULL, MADV_PAGEOUT, .refused = EINVAL },
	{ "MADV_POPULATE_READ", NULL, MADV_POPULATE_READ, .effect = POPULATED, .touched = true,
	  .may_lack = true },
	{ "MADV_POPULATE_WRITE", NULL, MADV_POPULATE_WRITE, .effect = POPULATED, .touched = true,
	  .may_lack = true },
	{ "MADV_COLLAPSE", NULL, MADV_COLLAPSE, .refused = EINVAL },
	{ "MADV_GUARD_INSTALL", NULL, MADV_GUARD_INSTALL, .refused = EINVAL },
	{ "MADV_GUARD_REMOVE", NULL, MADV_GUARD_REMOVE, .refused = EINVAL },
	{ "unknown advice", NULL, 77, .refused = EINVAL },
	{ "mprotect to nothing", protect, PROT_NONE, .fit = SPLITS },
	{ "mprotect to read", protect, PROT_READ, .fit = SPLITS },
	{ "munmap", unmap, 0, .fit = SPLITS, .effect = UNMAPPED },
	{ "mlock", lock, 0, .effect = POPULATED, .touched = true },
	{ "mlock2", lock, MLOCK_ONFAULT, .effect = POPULATED, .touched = true },
	{ "munlock", unlock, 0, .fit = ANY },
	{ "msync", sync_range, MS_SYNC, .fit = ANY },
	{ "mincore", in_core, 0, .fit = ANY },
	{ "mbind", bind_to_node, 0, .fit = SPLITS, .may_lack = true },
	{ "mremap that grows", grow, 0, .refused = EINVAL },
	{ "mremap that grows and may move", grow, MREMAP_MAYMOVE, .refused = EINVAL },
	{ "mremap that shrinks", shrink, 0, .effect = UNMAPPED, .only = TAIL },
	{ "fallocate", allocate, 0, .effect = FILLED, .touched = true, .only = FILES },
	{ "fallocate with KEEP_SIZE", allocate, FALLOC_FL_KEEP_SIZE, .effect = FILLED,
	  .touched = true, .only = FILES },
	{ "fallocate with PUNCH_HOLE", allocate, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
	  .effect = PUNCHED, .only = FILES },
	{ "fallocate with ZERO_RANGE", allocate, FALLOC_FL_ZERO_RANGE, .only = FILES,
	  .refused = EOPNOTSUPP },
	{ "fallocate with COLLAPSE_RANGE", allocate, FALLOC_FL_COLLAPSE_RANGE, .only = FILES,
	  .refused = EOPNOTSUPP },
	{ "fallocate with INSERT_RANGE", allocate, FALLOC_FL_INSERT_RANGE, .only = FILES,
	  .refused = EOPNOTSUPP },
	{ "ftruncate", truncate_it, 0, .fit = STARTS, .effect = TRUNCATED, .only = FILES | TAIL },
};

enum { ACTS = sizeof(acts) / sizeof(*acts), RANGES = sizeof(ranges) / sizeof(*ranges) };

static bool absent[ACTS]; /* this kernel lacks the act */

/* ---- what must be there ---- */

/* own: allocated for this mapping or, if it is shared, for its file. */
static struct huge_page {
	bool is_there, mapped, own, reserved, in_file;
} model[PAGES];

static bool is_shared(void)
{
	return now.kind->flags & MAP_SHARED;
}

static void model_new(void)
{
	for (int i = 0; i < PAGES; i++)
		model[i] = (struct huge_page) { .is_there = true,
						.mapped = i % 2,
						.own = i % 2,
						.reserved = i % 2 == 0 && now.kind->reserves };
}

static void drop_page(struct huge_page *p)
{
	p->mapped = false;
	if (p->own && !is_shared()) {
		p->own = false;
		p->reserved = restores && now.kind->reserves;
	}
}

static void punch_page(struct huge_page *p)
{
	p->in_file = false;
	if (!is_shared() && drops_private)
		drop_page(p);
	else if (is_shared() && p->own)
		*p = (struct huge_page) { .is_there = true };
}

static void fill_page(struct huge_page *p)
{
	if (is_shared())
		p->own = true;
	else
		p->in_file = true;
	p->reserved = p->reserved && !is_shared();
}

static void apply(enum effect effect, struct huge_page *p)
{
	switch (effect) {
	case DROPPED:
		return drop_page(p);
	case PUNCHED:
		return punch_page(p);
	case UNMAPPED:
		*p = (struct huge_page) { .own = is_shared() && p->own,
					  .reserved = is_shared() && p->reserved };
		return;
	case FILLED:
		return fill_page(p);
	case POPULATED:
		if (!p->mapped)
			*p = (struct huge_page) { .is_there = true, .mapped = true, .own = true };
		return;
	case TRUNCATED:
		if (is_shared())
			*p = (struct huge_page) { .is_there = true };
		else
			drop_page(p);
		return;
	default:
		return;
	}
}

static bool is_affected(const struct act *a, const struct range *r, unsigned i)
{
	unsigned start = 2 * i, end = start + 2;

	return a->touched ? r->from < end && r->to > start : r->from <= start && end <= r->to;
}

static int expect(const struct act *a, const struct range *r)
{
	if (a->refused)
		return a->refused;
	if (a->only & SHARED_ONLY && !is_shared())
		return EACCES;
	if (a->act == shrink && !rounds && r->from % 2)
		return EINVAL;
	if ((a->fit != ANY && r->from % 2) || (a->fit == SPLITS && r->to % 2))
		return EINVAL;
	for (unsigned i = 0; i < PAGES; i++)
		if (is_affected(a, r, i))
			apply(a->effect, &model[i]);
	return 0;
}

/* ---- what is there ---- */

enum { MAPPED, SMAPS, ALLOCATED, RESERVED, SURPLUS, SIZE, LOCKED, BLOCKS, NUMBERS };

static const char *const names[NUMBERS] = {
	"HugetlbPages of status",
	"Private_Hugetlb and Shared_Hugetlb of smaps_rollup",
	"the fall of HugePages_Free",
	"the rise of HugePages_Rsvd",
	"the rise of HugePages_Surp",
	"VmSize",
	"VmLck",
	"st_blocks",
};

static int64_t status(const char *name)
{
	return workload_number("/proc/self/status", name, 0);
}

static int64_t smaps_hugetlb(void)
{
	int64_t sum = 0;

	workload_read_whole("/proc/self/smaps_rollup", workload_buffer, WORKLOAD_BUFFER);
	sum += kernel_number_in(workload_buffer, "Private_Hugetlb", 0);
	sum += kernel_number_in(workload_buffer, "Shared_Hugetlb", 0);
	return sum;
}

static void look(int64_t seen[NUMBERS])
{
	int64_t kib = (int64_t)(huge / 1024);
	struct pool pool = look_at_pool();
	struct stat st = { 0 };

	if (now.fd >= 0)
		fstat(now.fd, &st);
	workload_read_text("/proc/self/status", workload_buffer, WORKLOAD_BUFFER);
	seen[MAPPED] = kernel_number_in(workload_buffer, "HugetlbPages", -1) / kib;
	seen[SIZE] = (kernel_number_in(workload_buffer, "VmSize", -1) - now.size) / kib;
	seen[LOCKED] = kernel_number_in(workload_buffer, "VmLck", -1);
	seen[SMAPS] = smaps_hugetlb() / kib;
	seen[ALLOCATED] = now.before.free - pool.free;
	seen[RESERVED] = pool.reserved - now.before.reserved;
	seen[SURPLUS] = pool.surplus - now.before.surplus;
	seen[BLOCKS] = (int64_t)st.st_blocks / 2 / kib;
}

static void predict(int64_t expected[NUMBERS])
{
	memset(expected, 0, NUMBERS * sizeof(*expected));
	for (int i = 0; i < PAGES; i++) {
		expected[MAPPED] += model[i].mapped;
		expected[ALLOCATED] += model[i].own + model[i].in_file;
		expected[RESERVED] += model[i].reserved;
		expected[SIZE] += model[i].is_there;
		expected[BLOCKS] += (is_shared() && model[i].own) + model[i].in_file;
	}
	expected[SMAPS] = expected[MAPPED];
}

static int compare(const struct act *a, const struct range *r, bool refused)
{
	int64_t seen[NUMBERS], expected[NUMBERS];

	look(seen);
	predict(expected);
	for (int i = 0; i < NUMBERS; i++)
		if (seen[i] != expected[i])
			return workload_say(
				WRONG,
				"%s of halves %u to %u, %s, which is %s: %s is %lld instead of %lld",
				a->name, r->from, r->to, now.kind->name,
				refused ? "refused" : "done", names[i], (long long)seen[i],
				(long long)expected[i]);
	return RIGHT;
}

/* ---- one mapping ---- */

static bool make(const struct workload *w, const struct kind *k)
{
	now.kind = k;
	now.before = look_at_pool();
	now.size = status("VmSize");
	now.fd = k->of_file ? memfd_create("rssck", MFD_CLOEXEC | MFD_HUGETLB) : -1;
	if (k->of_file && (now.fd < 0 || ftruncate(now.fd, (off_t)(PAGES * huge))))
		return false;
	now.p = workload_try_map(PAGES * huge, PROT_READ | PROT_WRITE, k->flags, now.fd);
	if (!now.p)
		return false;
	for (int i = 1; i < PAGES; i += 2)
		touch_write(w, now.p + (size_t)i * huge, 1);
	model_new();
	return true;
}

static void drop(void)
{
	munmap(now.p, PAGES * huge);
	if (now.fd >= 0)
		close(now.fd);
}

static int drop_and_compare(const struct act *a, const struct range *r)
{
	struct pool after;

	drop();
	after = look_at_pool();
	if (after.free == now.before.free && after.reserved == now.before.reserved)
		return RIGHT;
	return workload_say(
		WRONG,
		"%s of halves %u to %u, %s: after all is unmapped %lld more pages are free, %lld more reserved",
		a->name, r->from, r->to, now.kind->name, (long long)(after.free - now.before.free),
		(long long)(after.reserved - now.before.reserved));
}

static int do_it(const struct act *a, const struct range *r)
{
	char *p = now.p + r->from * huge / 2;
	size_t bytes = (r->to - r->from) * huge / 2;

	return a->act ? a->act(p, bytes, a->argument) : result(madvise(p, bytes, a->argument));
}

static bool applies(const struct act *a, const struct range *r, const struct kind *k)
{
	return !absent[a - acts] && (k->of_file || !(a->only & FILES)) &&
	       (r->to == HALVES || !(a->only & TAIL)) && (r->from || !(a->only & TAIL));
}

/* A mapping serves until an act changes it; *there says whether it still does. */
static int try_act(const struct workload *w, const struct act *a, const struct range *r,
		   const struct kind *k, bool *there)
{
	int error, expected, result;

	if (!*there && !make(w, k))
		return workload_say(CANNOT, "%d hugetlb pages", PAGES);
	expected = expect(a, r);
	error = do_it(a, r);
	*there = error || (a->effect == NOTHING && a->fit == ANY);
	if (error != expected)
		return workload_say(WRONG, "%s of halves %u to %u, %s: '%s' instead of '%s'",
				    a->name, r->from, r->to, k->name, strerror(error),
				    strerror(expected));
	result = compare(a, r, error);
	return result == RIGHT && !*there ? drop_and_compare(a, r) : result;
}

static int try_kind(const struct workload *w, const struct kind *k)
{
	int result = RIGHT;
	bool there = false;

	for (int a = 0; a < ACTS; a++)
		for (int r = 0; r < RANGES && result == RIGHT; r++)
			if (applies(&acts[a], &ranges[r], k))
				result = try_act(w, &acts[a], &ranges[r], k, &there);
	if (there)
		drop();
	return result;
}

/* ---- the case ---- */

/* No act refuses the first two ranges for their ends. */
static bool learn(const struct workload *w, const struct kind *k)
{
	for (int a = 0; a < ACTS; a++) {
		const struct range *r = &ranges[acts[a].only & TAIL ? 1 : 0];
		int error;

		if (!applies(&acts[a], r, k))
			continue;
		if (!make(w, k))
			return false;
		error = do_it(&acts[a], r);
		absent[a] = acts[a].may_lack &&
			    (error == EINVAL || error == ENOSYS || error == EPERM);
		if (acts[a].effect == DROPPED && !error)
			restores = look_at_pool().reserved - now.before.reserved == PAGES;
		drop();
	}
	return true;
}

static bool learn_about_parts(const struct workload *w)
{
	if (!make(w, &OF_FILE))
		return false;
	rounds = !shrink(now.p + PAGES * huge - huge / 2, huge / 2, 0);
	allocate(now.p, PAGES * huge, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE);
	drops_private = !status("HugetlbPages");
	drop();
	return true;
}

static int try_all(const struct workload *w)
{
	static const struct kind *const kinds[] = { &PRIVATE, &UNRESERVED, &OF_FILE, &SHARED,
						    &SHARED_UNRESERVED };
	int result = RIGHT, missing = 0, refuses_dofork = 0;

	huge = workload_hugetlb_bytes();
	if (!learn(w, &PRIVATE) || !learn_about_parts(w))
		return workload_say(CANNOT, "%d hugetlb pages", PAGES);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds) && result == RIGHT; i++)
		result = try_kind(w, kinds[i]);
	for (int a = 0; a < ACTS; a++) {
		missing += absent[a];
		refuses_dofork += absent[a] && acts[a].argument == MADV_DOFORK;
	}
	return result == RIGHT ? workload_say(RIGHT, "%d %d %d %d", ACTS - missing, restores,
					      drops_private, refuses_dofork)
			       : result;
}

static void act(struct workload *w)
{
	workload_report_if_right(w, try_all, "hugetlb pages", "acts", "restores", "drops",
				 "refuses");
}

static void judge(const struct trial *t, struct judgement *j)
{
	bool is_done = trial_reported(t, ACT, "acts") > ACTS / 2;

	judge_true(j, ACT, is_done, "the kernel has more than half of the acts");
	if (!is_done)
		return;
	judge_fact(j, "hugetlb.dropped_private_page_is_reserved_again", "%s",
		   trial_reported(t, ACT, "restores") ? "yes" : "no");
	judge_fact(j, "hugetlb.hole_drops_private_copies", "%s",
		   trial_reported(t, ACT, "drops") ? "yes" : "no");
	judge_fact(j, "hugetlb.dofork", "%s",
		   trial_reported(t, ACT, "refuses") ? "refused" : "done");
}

CASE(hugetlb_each_act) {
	.claim =
		"An act on hugetlb memory that the kernel refuses changes nothing. One that is done changes the whole huge pages in its range (populating and allocating: all that it touches), and HugetlbPages, smaps_rollup, st_blocks, HugePages_Free and HugePages_Rsvd by the same pages",
	.because =
		"A hugetlb mapping cannot be split inside a huge page (hugetlb_vm_op_split()). MADV_DONTNEED and holes round to whole pages inwards, fallocate(2) and faults outwards. mlock(2) only populates.",
	.said_by = SAID_BY("madvise(2)", "mmap(2), MAP_HUGETLB", "fallocate(2)", "mremap(2)"),
	.needs = NEEDS("hugetlb", "guest"),
	.limit_s = 300,
	.flags = CASE_ONE_CPU,
	.steps = STEPS(STEP_AS(ACT, "each act on each range of each kind", act, .checks = 1)),
	.facts = FACTS(
		FACT("hugetlb.dropped_private_page_is_reserved_again",
		     "A private hugetlb page that MADV_DONTNEED or a hole in its file drops is reserved again",
		     "no|yes"),
		FACT("hugetlb.hole_drops_private_copies",
		     "A hole that is punched into a hugetlb file drops the copies of private mappings",
		     "yes|no"),
		FACT("hugetlb.dofork",
		     "MADV_DOFORK, which undoes MADV_DONTFORK, of hugetlb memory is",
		     "done|refused")),
	.judge = judge,
};
