// SPDX-License-Identifier: MIT
/*
 * What each act on a range of a shmem file answers, and what the file has afterwards: its size, its
 * blocks, its bytes, and which pages are mapped. The ranges begin and end inside pages, too.
 */
#include <linux/falloc.h>
#include <rssck/case.h>
#include <rssck/right.h>
#include <sys/statfs.h>

STEP_SYMBOLS(ACT);

/*
 * A file has PAGES pages, every second of which is written and mapped. Ranges are in halves of a
 * page, up to one page beyond the end.
 */
enum { PAGES = 4, MOST = 5, HALVES = 2 * PAGES, ROOM = 1024, LITTLE = 3 };

/* Which ranges the kernel takes; it refuses others with EINVAL. */
enum fit { ANY, STARTS /* with a page */ };
enum effect { NOTHING, FILLED, PUNCHED, TRUNCATED, WRITTEN, DROPPED, POPULATED };

static size_t page;
static int pagemap;
static bool unmaps_all; /* a hole in the first page, smaller than this page, unmaps the file */

static const struct kind {
	const char *name;
	int limit; /* pages of the tmpfs; 0: a memfd, if its folios are pages */
} kinds[] = { { "a memfd", 0 }, { "a tmpfs", ROOM }, { "a tmpfs with room for one page", LITTLE } };

enum { KINDS = sizeof(kinds) / sizeof(*kinds) };

static struct {
	const struct kind *kind;
	int at; /* the root of its tmpfs */
	char *p;
	int fd;
	bool there;
} now;

/* ---- acts on the bytes from `from` on: 0, or errno ---- */

static int result(int failed)
{
	return failed ? errno : 0;
}

static int allocate(size_t from, size_t bytes, int mode)
{
	return result(fallocate(now.fd, mode, (off_t)from, (off_t)bytes));
}

static int truncate_it(size_t from, size_t unused, int unused_too)
{
	(void)unused;
	(void)unused_too;
	return result(ftruncate(now.fd, (off_t)from));
}

static int write_it(size_t from, size_t bytes, int unused)
{
	(void)unused;
	memset(workload_buffer, 'x', bytes);
	return result(pwrite(now.fd, workload_buffer, bytes, (off_t)from) != (ssize_t)bytes);
}

static int advise(size_t from, size_t bytes, int advice)
{
	return result(madvise(now.p + from, bytes, advice));
}

static int sync_range(size_t from, size_t bytes, int flags)
{
	return result(msync(now.p + from, bytes, flags));
}

static const struct act {
	const char *name;
	int (*act)(size_t from, size_t bytes, int argument);
	int argument;
	enum effect effect;
	enum fit fit;
	int refused;   /* always, with this error */
	bool inside;   /* ranges inside the file only, which are mapped */
	bool may_lack; /* older kernels refuse it as unknown */
} acts[] = {
	{ "fallocate", allocate, 0, .effect = FILLED },
	{ "fallocate with KEEP_SIZE", allocate, FALLOC_FL_KEEP_SIZE, .effect = FILLED },
	{ "fallocate with PUNCH_HOLE", allocate, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
	  .effect = PUNCHED },
	{ "fallocate with PUNCH_HOLE alone", allocate, FALLOC_FL_PUNCH_HOLE,
	  .refused = EOPNOTSUPP },
	{ "fallocate with ZERO_RANGE", allocate, FALLOC_FL_ZERO_RANGE, .refused = EOPNOTSUPP },
	{ "fallocate with COLLAPSE_RANGE", allocate, FALLOC_FL_COLLAPSE_RANGE,
	  .refused = EOPNOTSUPP },
	{ "fallocate with INSERT_RANGE", allocate, FALLOC_FL_INSERT_RANGE, .refused = EOPNOTSUPP },
	{ "fallocate with UNSHARE_RANGE", allocate, FALLOC_FL_UNSHARE_RANGE,
	  .refused = EOPNOTSUPP },
	{ "fallocate with an unknown mode", allocate, 1 << 20, .refused = EOPNOTSUPP },
	{ "ftruncate", truncate_it, 0, .effect = TRUNCATED },
	{ "pwrite", write_it, 0, .effect = WRITTEN },
	{ "MADV_REMOVE", advise, MADV_REMOVE, .effect = PUNCHED, .fit = STARTS, .inside = true },
	{ "MADV_DONTNEED", advise, MADV_DONTNEED, .effect = DROPPED, .fit = STARTS,
	  .inside = true },
	{ "MADV_FREE", advise, MADV_FREE, .refused = EINVAL, .inside = true },
	{ "MADV_POPULATE_READ", advise, MADV_POPULATE_READ, .effect = POPULATED, .fit = STARTS,
	  .inside = true, .may_lack = true },
	{ "MADV_POPULATE_WRITE", advise, MADV_POPULATE_WRITE, .effect = POPULATED, .fit = STARTS,
	  .inside = true, .may_lack = true },
	{ "MADV_WIPEONFORK", advise, MADV_WIPEONFORK, .refused = EINVAL, .inside = true },
	{ "msync", sync_range, MS_SYNC, .effect = NOTHING, .fit = STARTS, .inside = true },
};

enum { ACTS = sizeof(acts) / sizeof(*acts) };

static bool absent[ACTS];

/* ---- what must be there ---- */

static struct model {
	unsigned halves; /* of the file's size */
	bool own[MOST], mapped[MOST], written[2 * MOST];
} model;

static void model_new(void)
{
	model = (struct model) { .halves = HALVES };
	for (int i = 1; i < PAGES; i += 2)
		model.own[i] = model.mapped[i] = model.written[2 * i] = model.written[2 * i +
										      1] = true;
}

/* Advice is for whole pages. */
static unsigned end_of(const struct act *a, unsigned to)
{
	return a->fit == STARTS ? to + to % 2 : to;
}

static int new_pages(unsigned from, unsigned to)
{
	int n = 0;

	for (unsigned i = from / 2; 2 * i < to; i++)
		n += !model.own[i];
	return n;
}

static int own_pages(void)
{
	int n = 0;

	for (int i = 0; i < MOST; i++)
		n += model.own[i];
	return n;
}

/* The bytes become 0; whole pages go, and with a new size also the last one, behind it. */
static void punch(unsigned from, unsigned to)
{
	for (unsigned h = from; h < to; h++)
		model.written[h] = false;
	for (unsigned i = 0; i < MOST; i++)
		if (from <= 2 * i && 2 * i + 2 <= to)
			model.own[i] = model.mapped[i] = false;
}

static void apply(const struct act *a, unsigned from, unsigned to)
{
	if (a->effect == PUNCHED)
		punch(from, to);
	if (a->effect == PUNCHED && !from && to == 1 && unmaps_all)
		memset(model.mapped, 0, sizeof(model.mapped));
	if (a->effect == TRUNCATED) {
		punch(from, 2 * MOST);
		model.halves = from;
	}
	for (unsigned i = from / 2; 2 * i < to; i++) {
		if (a->effect == FILLED || a->effect == WRITTEN || a->effect == POPULATED)
			model.own[i] = true;
		if (a->effect == DROPPED || a->effect == POPULATED)
			model.mapped[i] = a->effect == POPULATED;
	}
	for (unsigned h = from; h < to && a->effect == WRITTEN; h++)
		model.written[h] = true;
	if (to > model.halves && (a->effect == WRITTEN || (a->effect == FILLED && !a->argument)))
		model.halves = to;
}

static bool takes_pages(const struct act *a)
{
	return a->effect == FILLED || a->effect == WRITTEN || a->effect == POPULATED;
}

static bool has_room(unsigned from, unsigned to)
{
	return !now.kind->limit || own_pages() + new_pages(from, to) <= now.kind->limit;
}

static int expect(const struct act *a, unsigned from, unsigned to)
{
	if (a->refused)
		return a->refused;
	if (a->fit == STARTS && from % 2)
		return EINVAL;
	if (takes_pages(a) && !has_room(from, to))
		return ENOSPC;
	apply(a, from, end_of(a, to));
	return 0;
}

/* ---- what is there ---- */

static int differs(const struct act *a, unsigned from, unsigned to, const char *what,
		   long long seen, long long expected)
{
	return workload_say(WRONG, "%s of halves %u to %u of %s: %s is %lld instead of %lld",
			    a->name, from, to, now.kind->name, what, seen, expected);
}

static int compare_bytes(const struct act *a, unsigned from, unsigned to)
{
	for (unsigned h = 0; h < model.halves; h++) {
		size_t at = h * page / 2, ends[] = { at, at + page / 2 - 1 };

		for (int e = 0; e < 2; e++) {
			char byte = 0;

			if (pread(now.fd, &byte, 1, (off_t)ends[e]) != 1 ||
			    (byte != 0) != model.written[h])
				return differs(a, from, to,
					       h % 2 ? "a second half" : "a first half", byte,
					       model.written[h]);
		}
	}
	return RIGHT;
}

static int compare(const struct act *a, unsigned from, unsigned to)
{
	struct statfs fs = { 0 };
	struct stat st = { 0 };

	fstat(now.fd, &st);
	fstatfs(now.fd, &fs);
	if (st.st_size != (off_t)(model.halves * page / 2))
		return differs(a, from, to, "st_size", st.st_size,
			       (long long)(model.halves * page / 2));
	if (st.st_blocks != (blkcnt_t)(own_pages() * (long)page / 512))
		return differs(a, from, to, "st_blocks", st.st_blocks,
			       own_pages() * (long long)page / 512);
	if (now.kind->limit && (int)(fs.f_blocks - fs.f_bfree) != own_pages())
		return differs(a, from, to, "the pages of the tmpfs in use",
			       (long long)(fs.f_blocks - fs.f_bfree), own_pages());
	for (int i = 0; i < PAGES; i++)
		if (workload_is_present(pagemap, now.p + (size_t)i * page, page) != model.mapped[i])
			return differs(a, from, to,
				       i % 2 ? "an odd page mapped" : "an even page mapped",
				       !model.mapped[i], model.mapped[i]);
	return compare_bytes(a, from, to);
}

/* ---- one file ---- */

/* The tmpfs ends with its last open file. */
static bool begin(const struct workload *w, const struct kind *k)
{
	char options[48];

	now.kind = k;
	now.at = -1;
	if (!k->limit)
		return workload_memfd_of_pages(w);
	snprintf(options, sizeof(options), "size=%zu", (size_t)k->limit * page);
	now.at = workload_tmpfs_of_pages(options);
	return now.at >= 0;
}

static bool make(const struct workload *w)
{
	now.fd = now.kind->limit ? openat(now.at, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600)
				 : memfd_create("rssck", MFD_CLOEXEC);
	if (now.fd < 0 || ftruncate(now.fd, (off_t)(PAGES * page)))
		return false;
	now.p = workload_try_map(PAGES * page, PROT_READ | PROT_WRITE, MAP_SHARED, now.fd);
	if (!now.p)
		return false;
	for (size_t i = 1; i < PAGES; i += 2) {
		touch_write(w, now.p + i * page, 1);
		memset(now.p + i * page, 'x', page);
	}
	model_new();
	return true;
}

static void drop(void)
{
	now.there = false;
	munmap(now.p, PAGES * page);
	close(now.fd);
}

/* A write, or a fault, of what does not fit does a part: only fallocate(2) does all or nothing. */
static bool applies(const struct act *a, unsigned from, unsigned to)
{
	if (a->inside && to > HALVES)
		return false;
	return a->effect == FILLED || !takes_pages(a) || has_room(from, to);
}

/* A file serves until an act is done. */
static int try_range(const struct workload *w, const struct act *a, unsigned from, unsigned to)
{
	int error, expected;

	if (!now.there && !make(w))
		return workload_say(CANNOT, "%s", now.kind->name);
	now.there = true;
	if (!applies(a, from, to))
		return RIGHT;
	expected = expect(a, from, to);
	error = a->act(from * page / 2, (to - from) * page / 2, a->argument);
	if (error != expected)
		return workload_say(WRONG, "%s of halves %u to %u of %s: '%s' instead of '%s'",
				    a->name, from, to, now.kind->name, strerror(error),
				    strerror(expected));
	if (compare(a, from, to) != RIGHT)
		return WRONG;
	if (!error)
		drop();
	return RIGHT;
}

static int try_act(const struct workload *w, const struct act *a)
{
	int result = RIGHT;

	for (unsigned from = 0; from < 2 * MOST; from++)
		for (unsigned to = from + 1; to <= 2 * MOST && result == RIGHT; to++)
			result = try_range(w, a, from, to);
	return result;
}

/* ---- the case ---- */

static bool is_absent(const struct workload *w, const struct act *a)
{
	int error;

	if (!a->may_lack || !make(w))
		return false;
	error = a->act(0, PAGES * page, a->argument);
	drop();
	return error == EINVAL;
}

/* shmem_fallocate() unmaps from 0 on 0 bytes then, which unmap_mapping_range() takes for all. */
static bool learn(const struct workload *w)
{
	if (!make(w))
		return false;
	allocate(0, page / 2, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE);
	unmaps_all = !workload_is_present(pagemap, now.p + page, page);
	drop();
	for (int i = 0; i < ACTS; i++)
		absent[i] = is_absent(w, &acts[i]);
	return true;
}

static int try_kind(const struct workload *w)
{
	int result = RIGHT;

	for (int i = 0; i < ACTS && result == RIGHT; i++)
		if (!absent[i])
			result = try_act(w, &acts[i]);
	if (now.there)
		drop();
	return result;
}

static int try_all(const struct workload *w)
{
	int result = RIGHT, tried = 0;

	page = w->page_size;
	pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	if (pagemap < 0 || 2 * MOST * page / 2 > WORKLOAD_BUFFER)
		return workload_say(CANNOT, "pagemap, and pages of 4 KiB");
	for (int i = 0; i < KINDS && result == RIGHT; i++) {
		if (!begin(w, &kinds[i]) || (!tried && !learn(w)))
			continue;
		result = try_kind(w);
		close(now.at);
		tried++;
	}
	if (!tried)
		return workload_say(CANNOT, "a memfd or a tmpfs without large folios");
	return result == RIGHT ? workload_say(RIGHT, "%d %d", tried, unmaps_all) : result;
}

static void act(struct workload *w)
{
	workload_report_if_right(w, try_all, "a memfd or a tmpfs without large folios", "kinds",
				 "unmaps");
}

static void judge(const struct trial *t, struct judgement *j)
{
	bool is_done = trial_reported(t, ACT, "kinds") > 0;

	judge_true(j, ACT, is_done, "some kind of file can be made");
	if (is_done)
		judge_fact(j, "shmem.hole_in_a_part_of_the_first_page", "%s",
			   trial_reported(t, ACT, "unmaps") ? "unmaps all" : "unmaps nothing");
}

CASE(shmem_each_act) {
	.claim =
		"An act on a shmem file that the kernel refuses, also because the file system is full, changes nothing. fallocate(2), holes, ftruncate(2), writes and advice change st_size, st_blocks, the bytes, the mapped pages and the room of the tmpfs by exactly their range, whole pages or parts",
	.because =
		"shmem_fallocate() allocates each page that the range touches, and removes them again if one does not fit. A hole removes whole pages, and clears the rest of the bytes.",
	.said_by = SAID_BY("fallocate(2)", "ftruncate(2)", "tmpfs(5)", "madvise(2)"),
	.limit_s = 300,
	.flags = CASE_ONE_CPU,
	.steps = STEPS(STEP_AS(ACT, "each act on each range", act, .checks = 1)),
	.facts = FACTS(FACT("shmem.hole_in_a_part_of_the_first_page",
			    "A hole that is punched into a part of the first page of a shmem file",
			    "unmaps all|unmaps nothing")),
	.judge = judge,
};
