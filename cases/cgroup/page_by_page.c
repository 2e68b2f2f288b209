// SPDX-License-Identifier: MIT
/*
 * /proc/kpagecgroup has the cgroup that is charged for a page frame. All pages of a large folio are
 * charged to one cgroup; it stays the same when the process moves, and becomes the parent when the
 * cgroup is removed.
 */
#include "../machine/flags.h"
#include <inttypes.h>
#include <rssck/case.h>

STEP_SYMBOLS(EACH_KIND);

enum { PAGES = 16, FOLIOS = 2, FILE_SLOT = 0, PATIENCE_S = 10, BYTES_MOST = 32 << 20 };

/* How many other pages of folios show the folio's cgroup, and how many show none. */
struct tails {
	int64_t same, none;
};

/* ---- kinds; each returns NULL if it is not possible here ---- */

static char *map_pages(struct workload *w, size_t *bytes)
{
	*bytes = PAGES * w->page_size;
	return workload_written(w, PAGES);
}

static char *map_shared(struct workload *w, size_t *bytes)
{
	char *p = workload_shared(w, PAGES, workload_shmem(w, PAGES));

	*bytes = PAGES * w->page_size;
	touch_write(w, p, PAGES);
	return p;
}

static char *map_file(struct workload *w, size_t *bytes)
{
	char *p = workload_shared(w, PAGES, w->fd[FILE_SLOT]);

	*bytes = PAGES * w->page_size;
	touch_read(w, p, PAGES);
	return p;
}

static char *map_huge(struct workload *w, size_t *bytes)
{
	char *p;

	*bytes = w->huge_page_size;
	if (!*bytes || *bytes > BYTES_MOST)
		return NULL;
	p = workload_aligned_map(w, *bytes, *bytes, -1);
	if (workload_try_huge_write(w, p, 1))
		return p;
	workload_unmap(w, p, *bytes);
	return NULL;
}

static char *map_folios(struct workload *w, size_t *bytes)
{
	*bytes = FOLIOS * workload_folio_bytes(w);
	return *bytes ? workload_folios(w, FOLIOS, *bytes / FOLIOS) : NULL;
}

static char *map_huge_shared(struct workload *w, size_t *bytes)
{
	int fd = workload_tmpfs_file("huge=always");
	char *p;

	*bytes = w->huge_page_size;
	if (fd < 0 || !*bytes || *bytes > BYTES_MOST || ftruncate(fd, (off_t)*bytes) < 0)
		return NULL;
	p = workload_aligned_map(w, *bytes, *bytes, fd);
	touch_write(w, p, *bytes / w->page_size);
	return p;
}

static const struct kind {
	const char *name;
	char *(*map)(struct workload *w, size_t *bytes);
} kinds[] = {
	{ "anonymous memory", map_pages },
	{ "shared memory", map_shared },
	{ "a file", map_file },
	{ "a huge page", map_huge },
	{ "large folios", map_folios },
	{ "a huge page of a tmpfs", map_huge_shared },
};

enum { KINDS = sizeof(kinds) / sizeof(*kinds) };

/* ---- reading ---- */

enum { PAGEMAP, OWNERS, FLAGS_OF, FILES };

static const char *const files[FILES] = { "/proc/self/pagemap", "/proc/kpagecgroup",
					  "/proc/kpageflags" };
static int opened[FILES];

static void open_files(struct workload *w)
{
	for (int i = 0; i < FILES; i++)
		opened[i] = workload_open(w, files[i], O_RDONLY);
}

static void close_files(void)
{
	for (int i = 0; i < FILES; i++)
		close(opened[i]);
}

static uint64_t entry_of(struct workload *w, int file, uint64_t index)
{
	uint64_t entry;

	if (pread(opened[file], &entry, sizeof(entry), (off_t)(index * sizeof(entry))) !=
	    sizeof(entry))
		workload_skip(w, "%s: %m", files[file]);
	return entry;
}

/* Returns the frame of the page at p. */
static uint64_t frame_of(struct workload *w, const char *p)
{
	uint64_t entry = entry_of(w, PAGEMAP, (uintptr_t)p / w->page_size);

	if (!(entry & PAGEMAP_PRESENT))
		workload_skip_step(w, "memory that is not paged out meanwhile");
	if (!PAGEMAP_PFN(entry))
		workload_skip(w, "page frame numbers (CAP_SYS_ADMIN)");
	return PAGEMAP_PFN(entry);
}

/* The inode number of the cgroup of the workload, or of one below it. */
static uint64_t inode_of(struct workload *w, const char *name)
{
	char path[WORKLOAD_CGROUP_PATH];
	struct stat st;

	workload_must(w, stat(workload_cgroup_path(w, name, path), &st), path);
	return st.st_ino;
}

/*
 * The memory at p must be charged to the cgroup. Kernels that look up the cgroup by the page, and
 * not by its folio, have 0 for the pages of a folio after the first.
 */
static void check(struct workload *w, const char *what, const char *p, size_t bytes,
		  uint64_t cgroup, struct tails *t)
{
	for (const char *end = p + bytes; p < end; p += w->page_size) {
		uint64_t frame = frame_of(w, p);
		uint64_t seen = entry_of(w, OWNERS, frame);
		bool tail = entry_of(w, FLAGS_OF, frame) & COMPOUND_TAIL;

		if (frame_of(w, p) != frame)
			workload_skip_step(w, "memory that is not migrated meanwhile");
		t->same += tail && seen == cgroup;
		t->none += tail && !seen;
		if (seen != cgroup && (seen || !tail))
			workload_fail(w,
				      "%s: kpagecgroup has %" PRIu64 " for %s page of a folio, "
				      "should be %" PRIu64,
				      what, seen, tail ? "another" : "the first", cgroup);
	}
}

/* ---- acts ---- */

static void each_kind(struct workload *w)
{
	struct tails t = { 0 };
	size_t bytes;

	w->fd[FILE_SLOT] = workload_file_uncached(w, PAGES);
	open_files(w);
	workload_cgroup_enter(w);
	for (size_t i = 0; i < KINDS; i++) {
		char *p = kinds[i].map(w, &bytes);

		if (!p)
			continue;
		check(w, kinds[i].name, p, bytes, inode_of(w, ""), &t);
		workload_unmap(w, p, bytes);
	}
	workload_cgroup_leave(w);
	close_files();
	workload_report(w, "same", t.same);
	workload_report(w, "none", t.none);
	workload_checked(w);
}

static void leave_children(struct workload *w)
{
	workload_cgroup_undelegate(w, NULL);
	workload_cgroup_write(w, "cgroup.procs", "0");
	workload_cgroup_remove(w, "from");
	workload_cgroup_remove(w, "to");
	workload_cgroup_leave(w);
}

static bool enter_children(struct workload *w)
{
	return workload_cgroup_make(w, "from") && workload_cgroup_make(w, "to") &&
	       workload_cgroup_write(w, "from/cgroup.procs", "0") &&
	       workload_cgroup_delegate(w, NULL);
}

/* The kernel takes a removed cgroup offline later, in a work queue. */
static void move_and_remove(struct workload *w)
{
	struct patience patience = { .seconds = PATIENCE_S };
	struct tails t = { 0 };
	uint64_t from, parent;
	size_t bytes;
	char *p;

	open_files(w);
	workload_cgroup_enter(w);
	if (!enter_children(w)) {
		leave_children(w);
		workload_skip_step(w, "a cgroup inside a cgroup");
	}
	from = inode_of(w, "from");
	parent = inode_of(w, "");
	p = map_pages(w, &bytes);
	check(w, "written in a child", p, bytes, from, &t);
	workload_cgroup_write(w, "to/cgroup.procs", "0");
	check(w, "after the process has moved", p, bytes, from, &t);
	workload_cgroup_remove(w, "from");
	while (entry_of(w, OWNERS, frame_of(w, p)) == from && workload_pause(&patience))
		;
	check(w, "after the cgroup was removed", p, bytes, parent, &t);
	leave_children(w);
	close_files();
	workload_unmap(w, p, bytes);
	workload_checked(w);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t same = trial_reported(t, EACH_KIND, "same");
	int64_t none = trial_reported(t, EACH_KIND, "none");

	if (same + none)
		judge_fact_of(j, "kpagecgroup.tails_show", same, same + none, "0",
			      "the folio's cgroup", "mixed");
}

CASE(cgroup_page_by_page) {
	.claim =
		"kpagecgroup has the inode number of the cgroup that is charged for a page frame, still after the process has moved; after that cgroup was removed, its parent's",
	.because = "page_cgroup_ino() looks up the memory cgroup of the folio, and goes up until "
		   "it finds one that is online. Before 6.4 it looked it up by the page, and "
		   "only the first page of a folio has it.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/pagemap.rst, kpagecgroup",
			   "commit ec342603fe6d"),
	.needs = NEEDS("root"),
	.flags = CASE_THP,
	.steps =
		STEPS(STEP_AS(EACH_KIND, "memory of each kind in a cgroup", each_kind, .checks = 1),
		      STEP("move the process and remove the cgroup", move_and_remove, .checks = 1)),
	.facts = FACTS(FACT("kpagecgroup.tails_show",
			    "The pages of a large folio after the first show in kpagecgroup",
			    "the folio's cgroup|0")),
	.judge = judge,
};
