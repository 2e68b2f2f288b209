// SPDX-License-Identifier: MIT
/*
 * Reads maps and smaps byte by byte, and changes the mappings of an area between two read(2) calls.
 * For a one-byte read(2) the kernel prints at most one mapping and then releases its lock.
 */
#include <rssck/case.h>

/* The area has AREA pages. Changes are made to [FROM, TO), or to its end, [TO, AREA). */
enum { AREA = 12, FROM = 4, TO = 8, LINES_MAX = 4 };
enum { MERGED, SPLIT, REPLACED, UNMAPPED, SHRUNK, GROWN, CHANGES };
enum { MAPS, SMAPS };
STEP_SYMBOLS(IN_MAPS, IN_SMAPS);

static const char *const files[] = { [MAPS] = "/proc/self/maps", [SMAPS] = "/proc/self/smaps" };

#define RW (PROT_READ | PROT_WRITE)

static bool map_at(struct workload *w, char *area, int from, int to, int prot)
{
	return mmap(area + from * w->page_size, (size_t)(to - from) * w->page_size, prot,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
}

static bool protect(struct workload *w, char *area, int prot)
{
	return !mprotect(area + FROM * w->page_size, (TO - FROM) * w->page_size, prot);
}

static bool whole(struct workload *w, char *area)
{
	return map_at(w, area, 0, AREA, RW);
}

static bool split(struct workload *w, char *area)
{
	return whole(w, area) && protect(w, area, PROT_READ);
}

static bool merge(struct workload *w, char *area)
{
	return protect(w, area, RW);
}

static bool split_now(struct workload *w, char *area)
{
	return protect(w, area, PROT_READ);
}

static bool replace(struct workload *w, char *area)
{
	return map_at(w, area, FROM, TO, PROT_READ);
}

static bool unmap_part(struct workload *w, char *area)
{
	return !munmap(area + FROM * w->page_size, (TO - FROM) * w->page_size);
}

static bool unmap_end(struct workload *w, char *area)
{
	return !munmap(area + TO * w->page_size, (AREA - TO) * w->page_size);
}

static bool without_end(struct workload *w, char *area)
{
	return whole(w, area) && unmap_end(w, area);
}

static bool grow(struct workload *w, char *area)
{
	return mremap(area, TO * w->page_size, AREA * w->page_size, 0) == area;
}

static const struct {
	const char *name;
	bool (*before)(struct workload *w, char *area);
	bool (*act)(struct workload *w, char *area);
	int gone_from, gone_to; /* pages not mapped before or after the change */
} changes[CHANGES] = {
	[MERGED] = { "merged", split, merge, 0, 0 },
	[SPLIT] = { "split", whole, split_now, 0, 0 },
	[REPLACED] = { "replaced", whole, replace, 0, 0 },
	[UNMAPPED] = { "unmapped", split, unmap_part, FROM, TO },
	[SHRUNK] = { "shrunk", whole, unmap_end, TO, AREA },
	[GROWN] = { "grown", without_end, grow, TO, AREA },
};

struct reading {
	char *area;
	int lines;              /* mappings listed in the area */
	unsigned char of[AREA]; /* how many times each page is listed */
};

static void take_line(struct workload *w, struct reading *r, const char *line)
{
	uint64_t area = (uintptr_t)r->area, end = area + AREA * w->page_size;
	unsigned long long from, to;

	if (sscanf(line, "%llx-%llx ", &from, &to) != 2 || from >= end || to <= area)
		return;
	r->lines++;
	for (size_t i = 0; i < AREA; i++)
		r->of[i] += from <= area + i * w->page_size && area + i * w->page_size < to;
}

/*
 * Reads the file and makes the change after the header of mapping number `lines` of the area.
 * Returns false if the change fails.
 */
static bool read_and_change(struct workload *w, const char *path, struct reading *r, int change,
			    int lines)
{
	char line[512];
	size_t len = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool changed = false, done = true;

	if (fd < 0)
		workload_die(w, "%s: %m", path);
	while (read(fd, line + len, 1) == 1) {
		if (line[len] != '\n' && len < sizeof(line) - 1) {
			len++;
			continue;
		}
		line[len] = '\0';
		len = 0;
		take_line(w, r, line);
		if (!changed && r->lines == lines) {
			changed = true;
			done = changes[change].act(w, r->area);
		}
	}
	close(fd);
	return done;
}

/* Makes the change after the first, second and third mapping of the area, in one reading each. */
static void try_change(struct workload *w, const char *path, char *area, int change)
{
	int64_t twice = 0, missing = 0;
	char name[32];

	for (int lines = 1; lines < LINES_MAX; lines++) {
		struct reading r = { .area = area };

		if (!changes[change].before(w, area) ||
		    !read_and_change(w, path, &r, change, lines))
			workload_die(w, "%s: %m", changes[change].name);
		for (int i = 0; i < AREA; i++) {
			bool stays = i < changes[change].gone_from || i >= changes[change].gone_to;

			twice += r.of[i] > 1;
			missing += stays && !r.of[i];
		}
	}
	snprintf(name, sizeof(name), "%s: twice", changes[change].name);
	workload_report(w, name, twice);
	snprintf(name, sizeof(name), "%s: missing", changes[change].name);
	workload_report(w, name, missing);
}

static void read_between(struct workload *w)
{
	size_t bytes = (AREA + 2) * w->page_size;
	/* A PROT_NONE page on each side keeps the area from merging with other mappings. */
	char *p = workload_map(w, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	for (int i = 0; i < CHANGES; i++)
		try_change(w, files[w->argument], p + w->page_size, i);
	workload_unmap(w, p, bytes);
	workload_checked(w);
}

static void judge_file(const struct trial *t, struct judgement *j, unsigned step,
		       const char *merged, const char *grown)
{
	char name[32];

	for (int i = 0; i < CHANGES; i++) {
		snprintf(name, sizeof(name), "%s: missing", changes[i].name);
		judge_reported(t, j, step, name, name, 0, "every page that stays mapped is listed");
		snprintf(name, sizeof(name), "%s: twice", changes[i].name);
		if (i == MERGED || i == GROWN)
			judge_fact(j, i == MERGED ? merged : grown, "%s",
				   trial_reported(t, step, name) ? "twice" : "once");
		else
			judge_reported(t, j, step, name, name, 0, "no page is listed twice");
	}
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_file(t, j, IN_MAPS, "maps.pages_that_merge_between_reads",
		   "maps.pages_of_a_mapping_that_grows_between_reads");
	judge_file(t, j, IN_SMAPS, "smaps.pages_that_merge_between_reads",
		   "smaps.pages_of_a_mapping_that_grows_between_reads");
}

CASE(scanners_changed_between_reads) {
	.claim = "If a process changes its mappings between two reads of maps or smaps, every "
		 "page that stays mapped is listed; but pages already listed are listed again if "
		 "their mapping merges with the next (in smaps since 6.17 also if it grows), so "
		 "sums over smaps count them twice",
	.because = "Each read(2) releases its lock. In the next one, m_start() looks up the first "
		   "mapping that ends above the saved address, and all of it is printed, "
		   "from vm_start (fs/proc/task_mmu.c).",
	.said_by =
		SAID_BY("Documentation/filesystems/proc.rst: 'no two regions will ever overlap'"),
	.steps = STEPS(STEP_AS(IN_MAPS, "read maps", read_between, .argument = MAPS, .checks = 1),
		       STEP_AS(IN_SMAPS, "read smaps", read_between, .argument = SMAPS,
			       .checks = 1)),
	.facts = FACTS(FACT("maps.pages_that_merge_between_reads",
			    "When mappings merge between two reads, maps lists their pages",
			    "once|twice"),
		       FACT("maps.pages_of_a_mapping_that_grows_between_reads",
			    "When a mapping grows between two reads, maps lists its pages",
			    "once|twice"),
		       FACT("smaps.pages_that_merge_between_reads",
			    "When mappings merge between two reads, smaps lists their pages",
			    "once|twice"),
		       FACT("smaps.pages_of_a_mapping_that_grows_between_reads",
			    "When a mapping grows between two reads, smaps lists its pages",
			    "once|twice")),
	.judge = judge,
};
