// SPDX-License-Identifier: MIT
/* Numbers of memory.stat that are the sum of others in it: slab, pgscan and pgsteal. */
#include <inttypes.h>
#include <rssck/case.h>
#include <stdlib.h>
#include <string.h>

/* A tmpfs makes an inode and a dentry of each file, which are reclaimable slabs. */
enum { FILES = 4096, PAGES = 1024, TRIES = 50, NAME = 48 };
STEP_SYMBOLS(READ);

static const struct sum {
	const char *whole, *parts; /* what the names of the parts begin with */
	bool is_moved;             /* must be more than 0 while the files are there */
} sums[] = {
	{ "slab", "slab_", true },
	{ "pgscan", "pgscan_", false },
	{ "pgsteal", "pgsteal_", false },
};

struct seen {
	int64_t whole, parts; /* whole: -1 if there is no such line */
	int nr, nr_above_0;
};

static struct seen read_sum(const char *text, const struct sum *sum)
{
	struct seen s = { .whole = -1 };

	for (const char *line = text; line && *line;) {
		char name[NAME];
		int64_t value;

		if (sscanf(line, "%47s %" SCNd64, name, &value) == 2) {
			if (!strcmp(name, sum->whole))
				s.whole = value;
			if (!strncmp(name, sum->parts, strlen(sum->parts))) {
				s.parts += value;
				s.nr_above_0 += value > 0;
				s.nr++;
			}
		}
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	return s;
}

/* Reads until the sum is right, because the counters move while the file is printed. */
static void check(struct workload *w, const struct sum *sum)
{
	char path[WORKLOAD_CGROUP_PATH];
	struct seen s;

	workload_cgroup_path(w, "memory.stat", path);
	for (int i = 0; i < TRIES; i++) {
		workload_read_text(path, workload_buffer, WORKLOAD_BUFFER);
		s = read_sum(workload_buffer, sum);
		if (s.whole < 0 || !s.nr)
			return;
		if (s.whole == s.parts && (!sum->is_moved || s.nr_above_0 == s.nr))
			return;
	}
	workload_fail(w,
		      "%s is %" PRId64 ", but its %d parts (%s*, %d of them above 0) are %" PRId64,
		      sum->whole, s.whole, s.nr, sum->parts, s.nr_above_0, s.parts);
}

static int make_files(struct workload *w)
{
	int folder = workload_tmpfs("size=1m");
	char name[16];

	if (folder < 0)
		workload_skip(w, "a tmpfs: %m");
	for (int i = 0; i < FILES; i++) {
		snprintf(name, sizeof(name), "%d", i);
		close(openat(folder, name, O_CREAT | O_RDWR | O_CLOEXEC, 0600));
	}
	return folder;
}

/* memory.reclaim (5.19) scans page cache. Without it pgscan and pgsteal are 0. */
static void scan_pages(struct workload *w)
{
	char *p = workload_map_pages(w, PAGES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				     -1);

	touch_write(w, p, PAGES);
	workload_cgroup_write(w, "memory.reclaim", "2M");
	workload_unmap(w, p, PAGES * w->page_size);
}

static void read_sums(struct workload *w)
{
	int folder;

	workload_cgroup_enter(w); /* who makes a file pays for its inode */
	folder = make_files(w);
	scan_pages(w);
	for (size_t i = 0; i < sizeof(sums) / sizeof(*sums); i++)
		check(w, &sums[i]);
	close(folder);
	workload_cgroup_leave(w);
	workload_checked(w);
}

CASE(cgroup_stat_sums) {
	.claim =
		"In memory.stat slab is the sum of slab_reclaimable and slab_unreclaimable, and pgscan and pgsteal are the sums of their parts, for whom the pages were reclaimed",
	.because = "memcg_stat_format() adds the parts up itself, in code of its own.",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory.stat"),
	.needs = NEEDS("root"),
	.steps = STEPS(STEP_AS(READ, "make files, reclaim pages, read memory.stat", read_sums,
			       .checks = 1)),
};
