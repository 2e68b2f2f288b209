// SPDX-License-Identifier: MIT
/* file in memory.stat counts the page cache of a file until the file is truncated. */
#include <rssck/case.h>

enum { PAGES = 1024 };
STEP_SYMBOLS(IN_A_CGROUP);

static void map_and_unmap(struct workload *w, int fd, size_t bytes)
{
	void *p = workload_map(w, bytes, PROT_READ, MAP_SHARED, fd, 0);

	touch_read(w, p, PAGES);
	workload_report(w, "mapped", workload_cgroup_stat(w, "file_mapped"));
	workload_unmap(w, p, bytes);
	workload_report(w, "unmapped", workload_cgroup_stat(w, "file_mapped"));
}

/* Uses one pwrite(2) for all, so that the cache has large folios if the file system makes them. */
static void write_and_truncate(struct workload *w)
{
	size_t bytes = PAGES * w->page_size;
	void *data = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int fd = workload_file(w, 0);

	workload_cgroup_enter(w);
	workload_must(w, (pwrite(fd, data, bytes, 0) == (ssize_t)bytes) ? 0 : -1, "pwrite");
	workload_report(w, "written", workload_cgroup_stat(w, "file"));
	map_and_unmap(w, fd, bytes);
	workload_must(w, ftruncate(fd, 0), "ftruncate");
	workload_report(w, "truncated", workload_cgroup_stat(w, "file"));
	workload_cgroup_leave(w);
	munmap(data, bytes);
}

static void judge(const struct trial *t, struct judgement *j)
{
	static const struct {
		const char *reported, *what, *rule;
		int64_t pages;
	} claims[] = {
		{ "written", "memory.stat file", "the page cache that write(2) fills is charged",
		  PAGES },
		{ "mapped", "memory.stat file_mapped", "mapped page cache is in file_mapped",
		  PAGES },
		{ "unmapped", "memory.stat file_mapped",
		  "unmapped page cache is not in file_mapped", 0 },
		{ "truncated", "memory.stat file", "truncated page cache is not charged", 0 },
	};

	for (size_t i = 0; i < sizeof(claims) / sizeof(*claims); i++)
		judge_within(j, IN_A_CGROUP, 0, claims[i].what,
			     trial_reported(t, IN_A_CGROUP, claims[i].reported), claims[i].pages,
			     CGROUP_BATCH, claims[i].rule);
}

CASE(cgroup_page_cache) {
	.claim = "file in memory.stat rises by the page cache that write(2) creates, and falls "
		 "when the file is truncated; file_mapped counts the mapped part",
	.because = "__filemap_add_folio() adds all pages of a folio to NR_FILE_PAGES, and "
		   "filemap_unaccount_folio() subtracts them. The last unmapping lowers "
		   "NR_FILE_MAPPED.",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory.stat"),
	.needs = NEEDS("root"),
	.steps = STEPS(STEP_AS(IN_A_CGROUP, "in a cgroup", write_and_truncate)),
	.judge = judge,
};
