// SPDX-License-Identifier: MIT
/*
 * A mapping that an act on its middle splits: each part has the name, the device and the inode of
 * the whole, and the offsets go on.
 */
#include <inttypes.h>
#include <rssck/case.h>
#include <rssck/right.h>
#include <sys/ipc.h>

STEP_SYMBOLS(SPLIT);

enum { PAGES = 12, PART = 4, LEAST_PARTS = 3, NAME = 128 };

static size_t page;
static int file;

/* ---- kinds of mappings, of PAGES pages each ---- */

static char *of(int flags, int fd)
{
	return workload_try_map(PAGES * page, PROT_READ | PROT_WRITE, flags, fd);
}

static char *heap(void)
{
	char *end = sbrk(0);
	size_t odd = (uintptr_t)end % page;

	if (sbrk((intptr_t)(PAGES * page + (odd ? page - odd : 0))) == (void *)-1)
		return NULL;
	return end + (odd ? page - odd : 0);
}

static char *private_file(void)
{
	return of(MAP_PRIVATE, file);
}

static char *shared_file(void)
{
	return of(MAP_SHARED, file);
}

static char *shared_memory(void)
{
	return of(MAP_SHARED | MAP_ANONYMOUS, -1);
}

static char *memory_file(void)
{
	int fd = memfd_create("parts", MFD_CLOEXEC);

	return fd < 0 || ftruncate(fd, (off_t)(PAGES * page)) ? NULL : of(MAP_SHARED, fd);
}

static char *segment(void)
{
	int id = shmget(IPC_PRIVATE, PAGES * page, 0600);
	char *p = id < 0 ? (char *)-1 : shmat(id, NULL, 0);

	if (id >= 0)
		shmctl(id, IPC_RMID, NULL);
	return p == (char *)-1 ? NULL : p;
}

/* PR_SET_VMA_ANON_NAME is there since 5.17, if the configuration has it. */
static char *named(void)
{
	char *p = of(MAP_PRIVATE | MAP_ANONYMOUS, -1);

	return p && !prctl(0x53564d41 /* PR_SET_VMA */, 0UL, p, PAGES * page, "parts") ? p : NULL;
}

static const struct kind {
	const char *name;
	char *(*make)(void);
	const char *label; /* a part of each line; NULL: any */
} kinds[] = {
	{ "the heap", heap, "[heap]" },
	{ "a private file mapping", private_file, NULL },
	{ "a shared file mapping", shared_file, NULL },
	{ "shared anonymous memory", shared_memory, "/dev/zero" },
	{ "a memfd", memory_file, "/memfd:parts" },
	{ "a System V segment", segment, "/SYSV" },
	{ "named memory", named, "[anon:parts]" },
};

/* ---- acts, each on the middle; 0 if done ---- */

static int protect(char *p, size_t bytes)
{
	return mprotect(p, bytes, PROT_READ);
}

static int lock(char *p, size_t bytes)
{
	return mlock(p, bytes);
}

static int keep_from_children(char *p, size_t bytes)
{
	return madvise(p, bytes, MADV_DONTFORK);
}

static int leave_out_of_dumps(char *p, size_t bytes)
{
	return madvise(p, bytes, MADV_DONTDUMP);
}

static const struct act {
	const char *name;
	int (*act)(char *p, size_t bytes);
} acts[] = {
	{ "mprotect", protect },
	{ "mlock", lock },
	{ "MADV_DONTFORK", keep_from_children },
	{ "MADV_DONTDUMP", leave_out_of_dumps },
};

/* ---- what maps and smaps say ---- */

struct line {
	uint64_t start, end, offset, inode;
	char device[16], name[NAME];
};

static bool parse(const char *text, struct line *l)
{
	int at = 0;

	*l = (struct line) { .name = "" };
	if (sscanf(text, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %15s %" SCNu64 " %n", &l->start,
		   &l->end, &l->offset, l->device, &l->inode, &at) != 5)
		return false;
	snprintf(l->name, sizeof(l->name), "%.*s", (int)strcspn(text + at, "\n"), text + at);
	return true;
}

static bool is_continued(const struct line *a, const struct line *b)
{
	bool has_offset = a->inode;

	return a->end == b->start && a->inode == b->inode && !strcmp(a->device, b->device) &&
	       !strcmp(a->name, b->name) &&
	       (!has_offset || b->offset == a->offset + (a->end - a->start));
}

/* Compares the lines of the range with each other. Sets *parts to their number. */
static int compare(const char *path, const char *p, const struct kind *k, const char *act,
		   int *parts)
{
	uint64_t from = (uintptr_t)p, to = from + PAGES * page;
	struct line l, last = { .name = "" };
	FILE *f = fopen(path, "re");
	char text[512];
	int result = RIGHT;

	for (*parts = 0; f && result == RIGHT && fgets(text, sizeof(text), f);) {
		if (!parse(text, &l) || l.end <= from || l.start >= to)
			continue;
		if ((k->label && !strstr(l.name, k->label)) || (*parts && !is_continued(&last, &l)))
			result = workload_say(
				WRONG, "%s, after %s of its middle: a part in %s is '%s'%s%s",
				k->name, act, path, strtok(text, "\n"), *parts ? ", after " : "",
				*parts ? last.name : "");
		last = l;
		++*parts;
	}
	if (f)
		fclose(f);
	return result;
}

static int try_act(const struct kind *k, const struct act *a, int *tried)
{
	static const char *const files[] = { "/proc/self/maps", "/proc/self/smaps" };
	char *p = k->make();
	int result = RIGHT, parts;
	bool done;

	if (!p)
		return RIGHT;
	done = !a->act(p + PART * page, PART * page);
	for (size_t i = 0; i < sizeof(files) / sizeof(*files) && result == RIGHT; i++) {
		result = compare(files[i], p, k, a->name, &parts);
		if (result == RIGHT && done && parts < LEAST_PARTS)
			result = workload_say(WRONG, "%s, after %s of its middle: %d parts in %s",
					      k->name, a->name, parts, files[i]);
		*tried += done;
	}
	if (k->make != heap)
		munmap(p, PAGES * page);
	return result;
}

static int split_all(const struct workload *w)
{
	int result = RIGHT, tried = 0;

	page = w->page_size;
	file = w->fd[0];
	for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++)
		for (size_t a = 0; a < sizeof(acts) / sizeof(*acts) && result == RIGHT; a++)
			result = try_act(&kinds[k], &acts[a], &tried);
	return result == RIGHT ? workload_say(RIGHT, "%d", tried) : result;
}

static void split(struct workload *w)
{
	w->fd[0] = workload_file(w, PAGES);
	workload_report_if_right(w, split_all, "a second process", "tried");
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_true(j, SPLIT, trial_reported(t, SPLIT, "tried") > 0,
		   "an act on the middle of a mapping is done");
}

CASE(virtual_parts_keep_names) {
	.claim =
		"A mapping that mprotect, mlock or madvise of its middle splits keeps its name in maps and smaps, in each part: [heap], a file, a memfd, a System V segment, a name given by prctl; the offsets into the file go on",
	.because = "__split_vma() copies the mapping with its file and anonymous name, and adds "
		   "the distance to vm_pgoff. vma_is_initial_heap() is true for each mapping "
		   "between start_brk and brk.",
	.said_by = SAID_BY("proc_pid_maps(5)", "PR_SET_VMA(2const)"),
	.flags = CASE_ONE_CPU,
	.steps = STEPS(STEP_AS(SPLIT, "split mappings of each kind", split, .checks = 1)),
	.judge = judge,
};
