// SPDX-License-Identifier: MIT
/*
 * PROCMAP_QUERY answers what a search in maps finds: for each address at the ends of each mapping,
 * and each combination of its flags.
 */
#include <rssck/case.h>
#include <rssck/procmap.h>
#include <rssck/right.h>

STEP_SYMBOLS(ASK);

/* Flags. The first four are permissions, and are in the answer, too. */
enum { READABLE = 1, WRITABLE = 2, EXECUTABLE = 4, SHARED = 8, NEXT = 16, OF_FILE = 32 };
enum { FLAGS = 64, PERMS = 8, MOST = 200, LINE = 512, NAME = 64 };

static struct map {
	uint64_t start, end, offset, inode;
	unsigned perms;
} maps[MOST];

static int nr_maps, fd;
static size_t page;
static char *named; /* a mapping whose name is `name` */
static const char name[] = "/memfd:rssck (deleted)";

/* ---- the mappings ---- */

static bool map(char *at, unsigned perms, int how, int file)
{
	int prot = (perms & READABLE ? PROT_READ : 0) | (perms & WRITABLE ? PROT_WRITE : 0) |
		   (perms & EXECUTABLE ? PROT_EXEC : 0);

	return mmap(at, page, prot, how | MAP_FIXED | (file < 0 ? MAP_ANONYMOUS : 0), file, 0) ==
	       at;
}

/* A file that is open for reading only can be mapped shared, but never becomes writable. */
static int open_for_reading(int file)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
	return open(path, O_RDONLY | O_CLOEXEC);
}

/*
 * Each set of permissions: two neighbours, private and shared, a hole, and two or three of a file.
 */
static bool map_all(void)
{
	enum { EACH = 7 };
	int file = memfd_create("rssck", MFD_CLOEXEC), read_only = open_for_reading(file);
	char *p = workload_try_map((PERMS * EACH + 1) * page, PROT_NONE, MAP_PRIVATE, -1);

	if (!p || munmap(p, (PERMS * EACH + 1) * page) || read_only < 0 ||
	    ftruncate(file, (off_t)page))
		return false;
	p += page;
	for (unsigned perms = 0; perms < PERMS; perms++, p += EACH * page)
		if (!map(p, perms, MAP_PRIVATE, -1) || !map(p + page, perms, MAP_SHARED, -1) ||
		    !map(p + 3 * page, perms, MAP_PRIVATE, file) ||
		    !map(p + 4 * page, perms, MAP_SHARED, file) ||
		    (!(perms & WRITABLE) && !map(p + 5 * page, perms, MAP_SHARED, read_only)))
			return false;
	named = p - 3 * page;
	return true;
}

/* [vsyscall] is in no process's list of mappings. */
static bool read_maps(void)
{
	char *line = workload_buffer, *next;

	if (workload_read_whole("/proc/self/maps", workload_buffer, WORKLOAD_BUFFER) <= 0)
		return false;
	for (; nr_maps < MOST && *line; line = next) {
		struct map *m = &maps[nr_maps];
		unsigned long start, end, offset, inode;
		char r, w, x, s;

		next = line + strcspn(line, "\n");
		next += *next == '\n';
		if (sscanf(line, "%lx-%lx %c%c%c%c %lx %*x:%*x %lu", &start, &end, &r, &w, &x, &s,
			   &offset, &inode) != 8)
			return false;
		*m = (struct map) { start, end, offset, inode,
				    (r == 'r' ? READABLE : 0) | (w == 'w' ? WRITABLE : 0) |
					    (x == 'x' ? EXECUTABLE : 0) | (s == 's' ? SHARED : 0) };
		nr_maps += start < end && (intptr_t)start > 0;
	}
	return nr_maps < MOST;
}

/* ---- questions ---- */

static int ask(struct query *q)
{
	return ioctl(fd, QUERY, q) ? errno : 0;
}

static bool fits(const struct map *m, unsigned flags)
{
	unsigned perms = flags & (READABLE | WRITABLE | EXECUTABLE | SHARED);

	return (m->perms & perms) == perms && (m->inode || !(flags & OF_FILE));
}

static const struct map *find(uint64_t address, unsigned flags)
{
	for (int i = 0; i < nr_maps; i++) {
		const struct map *m = &maps[i];

		if (m->end <= address)
			continue;
		if (!(flags & NEXT))
			return m->start <= address && fits(m, flags) ? m : NULL;
		if (fits(m, flags))
			return m;
	}
	return NULL;
}

static int try_question(uint64_t address, unsigned flags)
{
	struct query q = { .size = sizeof(q), .query_flags = flags, .query_addr = address };
	const struct map *m = find(address, flags);
	int error = ask(&q);

	if (error != (m ? 0 : ENOENT))
		return workload_say(WRONG, "%#llx with flags %#x: '%s', and maps says %s",
				    (unsigned long long)address, flags, strerror(error),
				    m ? "that there is a mapping" : "that there is none");
	if (m && (q.vma_start != m->start || q.vma_end != m->end || q.vma_flags != m->perms ||
		  q.vma_offset != (m->inode ? m->offset : 0) || q.inode != m->inode))
		return workload_say(
			WRONG,
			"%#llx with flags %#x: %#llx, permissions %#llx instead of %#llx, %#x",
			(unsigned long long)address, flags, (unsigned long long)q.vma_start,
			(unsigned long long)q.vma_flags, (unsigned long long)m->start, m->perms);
	return RIGHT;
}

/* The addresses at the ends of each mapping, also inside a page. */
static int try_each(void)
{
	int result = RIGHT;

	for (int i = 0; i < nr_maps; i++) {
		const uint64_t places[] = { maps[i].start - 1, maps[i].start, maps[i].start + 1,
					    maps[i].end - 1, maps[i].end };

		for (size_t p = 0; p < sizeof(places) / sizeof(*places); p++)
			for (unsigned flags = 0; flags < FLAGS && result == RIGHT; flags++)
				result = try_question(places[p], flags);
	}
	return result;
}

/* ---- sizes, and what is refused ---- */

static int say(const char *what, int error)
{
	return workload_say(WRONG, "%s: '%s'", what, strerror(error));
}

static int try_refused(void)
{
	static const struct {
		const char *name;
		struct query q;
		int error;
	} refused[] = {
		{ "an unknown flag",
		  { .size = sizeof(struct query), .query_flags = FLAGS },
		  EINVAL },
		{ "a structure without an address", { .size = 16 }, EINVAL },
		{ "a structure of many pages", { .size = 1 << 20 }, E2BIG },
		{ "a size of a name without a buffer",
		  { .size = sizeof(struct query), .vma_name_size = 1 },
		  EINVAL },
		{ "a buffer for a name without a size",
		  { .size = sizeof(struct query), .vma_name_addr = 1 },
		  EINVAL },
		{ "a size of a build ID without a buffer",
		  { .size = sizeof(struct query), .build_id_size = 1 },
		  EINVAL },
	};

	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
		struct query q = refused[i].q;
		int error;

		q.query_addr = (uintptr_t)named;
		error = ask(&q);
		if (error != refused[i].error)
			return say(refused[i].name, error);
	}
	return RIGHT;
}

/* A structure of each size gets as many bytes of the answer. */
static int try_sizes(void)
{
	struct query whole = { .size = sizeof(whole), .query_addr = (uintptr_t)named }, q;

	if (ask(&whole))
		return say("the named mapping", errno);
	for (size_t size = offsetof(struct query, vma_start); size < sizeof(q); size++) {
		int error;

		memset(&q, 0, sizeof(q));
		memset((char *)&q + size, 'x', sizeof(q) - size);
		q.size = size;
		q.query_addr = whole.query_addr;
		error = ask(&q);
		if (error)
			return say("a structure of another size", error);
		q.size = sizeof(q);
		for (size_t i = 0; i < sizeof(q); i++)
			if (((char *)&q)[i] != (i < size ? ((char *)&whole)[i] : 'x'))
				return workload_say(WRONG, "a structure of %zu bytes: byte %zu",
						    size, i);
	}
	return RIGHT;
}

/* A buffer that is one byte too small is refused; one that is large enough is filled. */
static int try_names(void)
{
	for (unsigned size = 1; size < NAME; size++) {
		char text[NAME + 1];
		struct query q = { .size = sizeof(q),
				   .query_addr = (uintptr_t)named,
				   .vma_name_size = size,
				   .vma_name_addr = (uintptr_t)text };
		bool fits_in = size >= sizeof(name);
		int error;

		memset(text, 'x', sizeof(text));
		error = ask(&q);
		if (error != (fits_in ? 0 : ENAMETOOLONG))
			return say("a name", error);
		if (text[fits_in ? sizeof(name) : 0] != 'x')
			return workload_say(WRONG, "a buffer of %u bytes: too much is written",
					    size);
		if (fits_in &&
		    (q.vma_name_size != sizeof(name) || memcmp(text, name, sizeof(name)) != 0))
			return workload_say(WRONG, "a buffer of %u bytes: '%s', %u bytes", size,
					    text, q.vma_name_size);
	}
	return RIGHT;
}

/* ---- the case ---- */

static int try_all(const struct workload *w)
{
	struct query q = { .size = sizeof(q) };
	int result;

	page = w->page_size;
	fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	if (fd < 0 || ask(&q) == ENOTTY)
		return workload_say(CANNOT, "PROCMAP_QUERY (Linux 6.11)");
	if (!map_all() || !read_maps())
		return workload_say(CANNOT, "mappings with each permission, and maps");
	result = try_each();
	if (result == RIGHT)
		result = try_refused();
	if (result == RIGHT)
		result = try_sizes();
	if (result == RIGHT)
		result = try_names();
	return result == RIGHT ? workload_say(RIGHT, "%d", nr_maps) : result;
}

static void ask_all(struct workload *w)
{
	workload_report_if_right(w, try_all, "PROCMAP_QUERY (Linux 6.11)", "mappings");
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_true(j, ASK, trial_reported(t, ASK, "mappings") >= 4 * PERMS,
		   "each kind of mapping is there");
}

CASE(scanners_procmap_query) {
	.claim =
		"PROCMAP_QUERY finds, for each address at the ends of each mapping and each combination of flags, the mapping that a search in maps finds: the one that covers the address or, if asked for, the next one with these permissions or of a file",
	.because =
		"query_matching_vma() looks for the first mapping that ends behind the address, and goes on behind each that lacks a permission or a file if the next one is asked for. As many bytes are copied as the caller's structure has.",
	.said_by = SAID_BY("include/uapi/linux/fs.h, PROCMAP_QUERY"),
	.limit_s = 60,
	.flags = CASE_ONE_CPU,
	.steps = STEPS(STEP_AS(ASK, "ask with each flag", ask_all, .checks = 1)),
	.judge = judge,
};
