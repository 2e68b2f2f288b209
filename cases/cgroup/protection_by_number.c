// SPDX-License-Identifier: MIT
/*
 * memory.min of a parent and of its two children, in numbers: how much of each child is left after
 * all that may be reclaimed has been, by a reclaim that starts at the parent, above it, or above
 * its parent.
 */
#include "tree.h"

/* Each child uses USED pages, or more on a machine with many CPUs. */
enum { USED = 1024, LISTS = 4, CLUSTER = 32, CHILDREN = 2, HALVES = 2, ALL = -1 };

/* Settings, in halves of what one child uses. `parent` is that of a/b, and of a. */
static const struct row {
	int parent, child[CHILDREN];
} rows[] = {
	{ 1, { 0, 0 } }, { 1, { 1, 1 } }, { 1, { 2, 1 } }, { 1, { 2, 2 } },
	{ 2, { 0, 0 } }, { 2, { 1, 0 } }, { 2, { 1, 2 } }, { 3, { 1, 0 } },
	{ 3, { 1, 1 } }, { 3, { 2, 2 } }, { 4, { 0, 2 } }, { 0, { 2, 2 } },
};

enum { ROWS = sizeof(rows) / sizeof(*rows) };

static const size_t children[CHILDREN] = { INNER, BESIDE_INNER };

/* Where reclaim starts: settings of this cgroup and of those above it do not matter. */
enum root { AT_PARENT, ABOVE, TWO_ABOVE, ROOTS };

static const char *const root_names[ROOTS] = { "a/b", "a", "the cgroup outside of a" };

static struct {
	const struct row *row;
	enum root root;
	bool recursive; /* memory_recursiveprot */
	bool other;     /* with the other mount option than before */
	int child;      /* that reads now */
	int file[CHILDREN];
	int64_t used, slack; /* pages */
} at;

/* ---- the rule ---- */

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t claim(int i)
{
	return least(at.used * at.row->child[i] / HALVES, at.used);
}

/* What the parent may pass on to its children. */
static int64_t granted(void)
{
	return at.used * at.row->parent / HALVES;
}

/*
 * effective_protection() of mm/page_counter.c, when nothing more is reclaimed: each child has no
 * more than its protection. The children's claims hold in full if the parent is granted as much.
 * Otherwise both together are left what it is granted. If it is granted more than they claim, then
 * with memory_recursiveprot they share the rest by what they use.
 */
static int64_t left_of_both(void)
{
	int64_t claims = claim(0) + claim(1);

	if (at.root == AT_PARENT)
		return claims;
	if (at.recursive)
		return least(granted(), CHILDREN * at.used);
	return least(granted(), claims);
}

/* True if the mount option decides what is left. */
static bool option_matters(void)
{
	int64_t with, without;
	bool was = at.recursive;

	at.recursive = true;
	with = left_of_both();
	at.recursive = false;
	without = left_of_both();
	at.recursive = was;
	return with != without;
}

/* A child keeps its claim, unless the parent is granted less than both claim. */
static int64_t least_left(int i)
{
	if (at.root == AT_PARENT || claim(0) + claim(1) <= granted())
		return claim(i);
	return granted() - claim(!i);
}

static int64_t most_left(int i)
{
	return at.root != AT_PARENT && at.recursive ? left_of_both() - least_left(!i) : claim(i);
}

/* ---- acts ---- */

static int64_t read_file(const struct workload *w)
{
	off_t size = (off_t)at.used * (off_t)w->page_size;

	if (!tree_join(children[at.child]))
		return errno;
	for (off_t i = 0; i < size; i += WORKLOAD_BUFFER)
		if (pread(at.file[at.child], workload_buffer, WORKLOAD_BUFFER, i) <= 0)
			return errno;
	return 0;
}

static void set_pages(size_t node, int64_t pages)
{
	tree_set_bytes(node, "memory.min", pages * (int64_t)tree.w->page_size);
}

static void set_all(void)
{
	set_pages(OUTER, at.root == TWO_ABOVE ? granted() : 0);
	set_pages(MIDDLE, granted());
	for (int i = 0; i < CHILDREN; i++)
		set_pages(children[i], at.used * at.row->child[i] / HALVES);
}

/* A write to memory.high reclaims until the usage is below, or nothing more can be reclaimed. */
static void reclaim_all(void)
{
	static const size_t roots[ROOTS] = { [AT_PARENT] = MIDDLE, [ABOVE] = OUTER };

	if (at.root != TWO_ABOVE)
		tree_drain(roots[at.root]);
	else if (!workload_cgroup_write(tree.w, "memory.high", "0") ||
		 !workload_cgroup_write(tree.w, "memory.high", "max"))
		tree_wrong("memory.high: %s", strerror(errno));
}

static int64_t usage_of(size_t node)
{
	return tree_number(node, "memory.current", NULL) / (int64_t)tree.w->page_size;
}

static void must_be(const char *what, int64_t pages, int64_t from, int64_t to)
{
	if (pages < from - at.slack || pages > to + at.slack)
		tree_wrong("%" PRId64 " pages of %s are left, not %" PRId64 " to %" PRId64
			   " (+- %" PRId64 ")",
			   pages, what, from, to, at.slack);
}

static void try_row(struct workload *w)
{
	int64_t error;

	set_all();
	for (at.child = 0; at.child < CHILDREN; at.child++) {
		posix_fadvise(at.file[at.child], 0, 0, POSIX_FADV_DONTNEED);
		workload_companion_ends(workload_companion(w, read_file, &error));
		if (error)
			tree_wrong("%s", strerror((int)error));
		must_be(nodes[children[at.child]], usage_of(children[at.child]), at.used, at.used);
	}
	reclaim_all();
	for (int i = 0; i < CHILDREN; i++)
		must_be(nodes[children[i]], usage_of(children[i]), least_left(i), most_left(i));
	must_be("both children", usage_of(MIDDLE), left_of_both(), left_of_both());
}

/* The parent's own setting does not matter if reclaim starts there: one value of it is enough. */
static void try_all(struct workload *w)
{
	static const int only[ROOTS] = { [AT_PARENT] = 1, [ABOVE] = ALL, [TWO_ABOVE] = 2 };

	for (int root = 0; root < ROOTS; root++)
		for (size_t r = 0; r < ROWS && !*tree.wrong; r++) {
			at.root = (enum root)root;
			at.row = &rows[r];
			if ((only[root] == ALL || only[root] == rows[r].parent) &&
			    (!at.other || option_matters()))
				try_row(w);
		}
}

static void each_row(struct workload *w)
{
	/* What CPUs charge in advance, and one more round of reclaim of each list of each child. */
	at.slack = CGROUP_BATCH * sysconf(_SC_NPROCESSORS_ONLN) + CHILDREN * LISTS * CLUSTER;
	at.used = at.slack * 3 > USED ? at.slack * 3 : USED;
	for (int i = 0; i < CHILDREN; i++) {
		at.file[i] = workload_file_uncached(w, (size_t)at.used);
		posix_fadvise(at.file[i], 0, 0, POSIX_FADV_RANDOM);
	}
	tree_make(w);
	at.recursive = tree_has_option("memory_recursiveprot");
	if (!workload_cgroup_write(w, "side/memory.min", "max"))
		tree_wrong("side/memory.min: %s", strerror(errno));
	try_all(w);
	tree_remove();
	if (*tree.wrong)
		workload_fail(
			w,
			"reclaim of %s; memory.min of the parent %d, of the children %d and %d halves of what each uses: %s",
			root_names[at.root], at.row->parent, at.row->child[0], at.row->child[1],
			tree.wrong);
	workload_checked(w);
}

static void other_option(struct workload *w)
{
	at.other = true;
	tree_with_other_option(w, "memory_recursiveprot", each_row);
}

CASE(cgroup_protection_by_number) {
	.claim =
		"Two children keep what memory.min claims for them if the parent has as much, otherwise together what it has; what it has beyond their claims protects them only with memory_recursiveprot. In a reclaim of the parent itself its own memory.min does not count",
	.because = "effective_protection() shares the parent's protection in proportion to what "
		   "the children claim and use, and with memory_recursiveprot the rest by what "
		   "they use. Below the cgroup that is reclaimed each claim holds in full. Reclaim "
		   "skips a child when its usage is no more than its effective protection.",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory.min",
			   "Documentation/admin-guide/cgroup-v2.rst, memory_recursiveprot"),
	.needs = NEEDS("root", "guest"),
	.flags = CASE_ONE_CPU,
	.limit_s = 240,
	.steps = STEPS(STEP("each row", each_row, .checks = 1),
		       STEP("with the other mount option", other_option, .checks = 1)),
};
