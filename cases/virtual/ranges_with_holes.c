// SPDX-License-Identifier: MIT
/*
 * What a call about a range of addresses answers, and which pages it has changed, if the range has
 * holes or a mapping that the call refuses: each sequence of four such pages.
 */
#include <rssck/case.h>
#include <rssck/right.h>
#include <sys/uio.h>

STEP_SYMBOLS(ASK);

enum { RANGE = 4, STRIDE = RANGE + 1, SEQUENCES = 3 * 3 * 3 * 3, FLAGS = 128 };

/*
 * What the call does at a hole. GOES_ON and IGNORES change pages behind it. The kernel decides
 * about MADV_POPULATE_WRITE: 6.1 goes on, later kernels stop.
 */
enum at_hole {
	GOES_ON, /* and returns ENOMEM in the end */
	STOPS,   /* with ENOMEM; what is before is done */
	IGNORES,
	DECIDES, /* to go on or to stop */
	REFUSES, /* the whole range, with ENOMEM or EFAULT */
};

/* Letters: m mapped, h a hole, r a mapping that the call refuses with EINVAL, where it stops. */
enum refused { NOTHING, LOCKED, SHARED };

/* How an effect shows: a flag in VmFlags that comes or goes, or whether the page is present. */
enum effect { NONE, SETS, CLEARS, ABSENT, PRESENT };

static size_t page;
static char *start; /* of the first sequence; each has STRIDE pages, the last one a hole */

static long advise_cold(char *p, size_t bytes)
{
	struct iovec parts[RANGE];
	int fd = (int)syscall(SYS_pidfd_open, getpid(), 0);
	size_t n = bytes / page;
	long result;

	for (size_t i = 0; i < n; i++)
		parts[i] = (struct iovec) { p + i * page, page };
	result = syscall(SYS_process_madvise, (long)fd, parts, n, (long)MADV_COLD, 0L);
	close(fd);
	return result;
}

static long lock(char *p, size_t bytes)
{
	return mlock(p, bytes);
}

static long unlock(char *p, size_t bytes)
{
	return munlock(p, bytes);
}

static long protect(char *p, size_t bytes)
{
	return mprotect(p, bytes, PROT_READ);
}

static long sync_range(char *p, size_t bytes)
{
	return msync(p, bytes, MS_ASYNC);
}

static long unmap(char *p, size_t bytes)
{
	return munmap(p, bytes);
}

static long in_core(char *p, size_t bytes)
{
	unsigned char in[RANGE];

	return bytes > RANGE * page ? -1 : mincore(p, bytes, in);
}

static long bind_to_node(char *p, size_t bytes)
{
	unsigned long mask = 1;

	return syscall(SYS_mbind, p, bytes, (long)MPOL_BIND, &mask, sizeof(mask) * 8, 0L);
}

static const struct call {
	const char *name;
	long (*call)(char *p, size_t bytes); /* NULL: madvise(2) */
	int advice;
	enum at_hole at_hole;
	int error; /* at a hole; 0 is ENOMEM */
	enum refused refuses;
	enum effect effect;
	const char *flag;
	bool counts; /* returns the bytes done, and no error if there are any */
} calls[] = {
	{ "MADV_DONTNEED", NULL, MADV_DONTNEED, GOES_ON, 0, LOCKED, ABSENT, "", false },
	{ "MADV_FREE", NULL, MADV_FREE, GOES_ON, 0, SHARED, NONE, "", false },
	{ "MADV_DONTNEED_LOCKED", NULL, MADV_DONTNEED_LOCKED, GOES_ON, 0, NOTHING, ABSENT, "",
	  false }, /* since 5.18 */
	{ "MADV_GUARD_INSTALL", NULL, MADV_GUARD_INSTALL, GOES_ON, 0, LOCKED, ABSENT, "",
	  false }, /* since 6.13 */
	{ "MADV_DONTDUMP", NULL, MADV_DONTDUMP, GOES_ON, 0, NOTHING, SETS, "dd", false },
	{ "MADV_DONTFORK", NULL, MADV_DONTFORK, GOES_ON, 0, NOTHING, SETS, "dc", false },
	{ "MADV_RANDOM", NULL, MADV_RANDOM, GOES_ON, 0, NOTHING, SETS, "rr", false },
	{ "MADV_WIPEONFORK", NULL, MADV_WIPEONFORK, GOES_ON, 0, SHARED, SETS, "wf", false },
	{ "MADV_POPULATE_WRITE", NULL, MADV_POPULATE_WRITE, DECIDES, 0, NOTHING, PRESENT, "",
	  false }, /* since 5.14 */
	{ "mlock", lock, 0, STOPS, 0, NOTHING, SETS, "lo", false },
	{ "munlock", unlock, 0, STOPS, 0, NOTHING, CLEARS, "lo", false },
	{ "mprotect", protect, 0, STOPS, 0, NOTHING, CLEARS, "wr", false },
	{ "msync", sync_range, 0, GOES_ON, 0, NOTHING, NONE, "", false },
	{ "mincore", in_core, 0, STOPS, 0, NOTHING, NONE, "", false },
	{ "munmap", unmap, 0, IGNORES, 0, NOTHING, CLEARS, "rd", false },
	{ "mbind", bind_to_node, 0, REFUSES, EFAULT, NOTHING, NONE, "", false },
	{ "process_madvise with MADV_COLD", advise_cold, 0, STOPS, 0, NOTHING, NONE, "", true },
};

enum { CALLS = sizeof(calls) / sizeof(*calls) };

/* ---- sequences ---- */

static char letter(int sequence, int i)
{
	for (; i; i--)
		sequence /= 3;
	return "mhr"[sequence % 3];
}

static bool has_letter(int sequence, char c)
{
	for (int i = 0; i < RANGE; i++)
		if (letter(sequence, i) == c)
			return true;
	return false;
}

static char *place(int sequence, int i)
{
	return start + (size_t)(sequence * STRIDE + i) * page;
}

static bool make_page(const struct workload *w, const struct call *c, char *p, bool refused)
{
	int how = refused && c->refuses == SHARED ? MAP_SHARED : MAP_PRIVATE;

	if (mmap(p, page, PROT_READ | PROT_WRITE, how | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != p)
		return false;
	if (c->effect != PRESENT)
		touch_write(w, p, 1);
	return !((refused && c->refuses == LOCKED) || c->call == unlock) || !mlock(p, page);
}

static bool make_sequences(const struct workload *w, const struct call *c)
{
	for (int s = 0; s < SEQUENCES; s++)
		for (int i = 0; i < RANGE; i++)
			if (letter(s, i) != 'h' &&
			    !make_page(w, c, place(s, i), letter(s, i) == 'r'))
				return false;
	return true;
}

/* ---- what is expected, what is seen ---- */

struct answer {
	long result;
	int error;
	bool done[RANGE];
};

static enum at_hole decision; /* of this kernel */

static struct answer expect(const struct call *c, int s)
{
	enum at_hole at_hole = c->at_hole == DECIDES ? decision : c->at_hole;
	struct answer a = { 0, 0, { false } };
	int error = c->error ? c->error : ENOMEM;

	if (at_hole == REFUSES && has_letter(s, 'h'))
		return (struct answer) { -1, error, { false } };
	for (int i = 0; i < RANGE; i++) {
		char x = letter(s, i);
		bool hole = x == 'h' && at_hole != IGNORES;

		a.done[i] = x == 'm';
		if (hole)
			a.error = error;
		if (x == 'r')
			a.error = EINVAL;
		if (x == 'r' || (hole && at_hole == STOPS))
			break;
		a.result += c->counts ? (long)page : 0;
	}
	if (c->counts && a.result > 0)
		a.error = 0;
	if (a.error)
		a.result = -1;
	return a;
}

static char flags_of[SEQUENCES][RANGE][FLAGS]; /* VmFlags; "" in a hole */

static bool read_flags(void)
{
	FILE *f = fopen("/proc/self/smaps", "re");
	unsigned long from = 0, to = 0, x, y;
	char line[512];

	memset(flags_of, 0, sizeof(flags_of));
	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%lx-%lx ", &x, &y) == 2) {
			from = x;
			to = y;
		}
		if (strncmp(line, "VmFlags:", 8) != 0)
			continue;
		for (int s = 0; s < SEQUENCES; s++)
			for (int i = 0; i < RANGE; i++)
				if ((uintptr_t)place(s, i) - from < to - from)
					snprintf(flags_of[s][i], FLAGS, "%.120s", line + 8);
	}
	if (f)
		fclose(f);
	return f;
}

static bool is_done(const struct call *c, int pagemap, int s, int i)
{
	char flag[8];

	snprintf(flag, sizeof(flag), " %s", c->flag);
	if (c->effect == ABSENT || c->effect == PRESENT)
		return workload_is_present(pagemap, place(s, i), page) == (c->effect == PRESENT);
	return (strstr(flags_of[s][i], flag) != NULL) == (c->effect == SETS);
}

static int differs(const struct call *c, int s, const char *what, long seen, long expected)
{
	return workload_say(WRONG, "%s of %c%c%c%c: %s is %ld instead of %ld", c->name,
			    letter(s, 0), letter(s, 1), letter(s, 2), letter(s, 3), what, seen,
			    expected);
}

static int compare_effects(const struct call *c, int pagemap)
{
	if (c->effect == NONE)
		return RIGHT;
	if (!read_flags())
		return CANNOT;
	for (int s = 0; s < SEQUENCES; s++) {
		struct answer a = expect(c, s);

		if (has_letter(s, 'r') && c->refuses == NOTHING)
			continue;
		for (int i = 0; i < RANGE; i++)
			if (letter(s, i) == 'm' && is_done(c, pagemap, s, i) != a.done[i])
				return differs(c, s,
					       i ? "a later page's change" : "page 0's change",
					       !a.done[i], a.done[i]);
	}
	return RIGHT;
}

static int try_call(const struct call *c, int pagemap, int *tried)
{
	for (int s = 0; s < SEQUENCES; s++) {
		struct answer a = expect(c, s);
		long result;

		if (has_letter(s, 'r') && c->refuses == NOTHING)
			continue;
		result = c->call ? c->call(place(s, 0), RANGE * page)
				 : madvise(place(s, 0), RANGE * page, c->advice);
		/* Sequence 0 has no hole: this kernel lacks the call. */
		if (s == 0 && result < 0 && (errno == EINVAL || errno == ENOSYS || errno == EPERM))
			return RIGHT;
		if (result != a.result)
			return differs(c, s, "the result", result, a.result);
		if (result < 0 && errno != a.error)
			return differs(c, s, "errno", errno, a.error);
	}
	++*tried;
	if (c->at_hole == DECIDES) /* sequence 1 begins with a hole */
		decision = workload_is_present(pagemap, place(1, 1), page) ? GOES_ON : STOPS;
	return compare_effects(c, pagemap);
}

static int try_all(const struct workload *w)
{
	size_t bytes = (size_t)SEQUENCES * STRIDE * w->page_size;
	int pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	int result = RIGHT, tried = 0;

	page = w->page_size;
	decision = DECIDES;
	start = workload_try_map(bytes, PROT_NONE, MAP_PRIVATE, -1);
	if (!start || pagemap < 0)
		return CANNOT;
	for (int i = 0; i < CALLS && result == RIGHT; i++) {
		munmap(start, bytes);
		if (!make_sequences(w, &calls[i]))
			return workload_say(CANNOT, "pages that may be locked");
		result = try_call(&calls[i], pagemap, &tried);
	}
	return result == RIGHT ? workload_say(RIGHT, "%d %d", tried, (int)decision) : result;
}

static void ask(struct workload *w)
{
	workload_report_if_right(w, try_all, "pagemap, and VmFlags in smaps", "tried", "decision");
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t decision = trial_reported(t, ASK, "decision");

	judge_true(j, ASK, trial_reported(t, ASK, "tried") > CALLS / 2,
		   "the kernel has more than half of the calls");
	if (decision == GOES_ON || decision == STOPS)
		judge_fact(j, "madvise.populate_at_a_hole", "%s",
			   decision == STOPS ? "stops" : "goes on");
}

CASE(virtual_ranges_with_holes) {
	.claim =
		"madvise(2) and msync(2) act behind a hole in their range, and return ENOMEM in the end. mlock(2), munlock(2) and mprotect(2) stop at the hole, munmap(2) ignores it, mbind(2) refuses the range. All stop at a mapping that they refuse, and all before it is done",
	.because =
		"madvise_walk_vmas() remembers that there was a hole and goes on; an error of a mapping ends it. process_madvise(2) returns the bytes of the parts before the first error.",
	.said_by = SAID_BY("madvise(2), ENOMEM", "mlock(2), ENOMEM", "mprotect(2)", "msync(2)",
			   "process_madvise(2)", "mbind(2), EFAULT"),
	.limit_s = 120,
	.steps = STEPS(STEP_AS(ASK, "each call, each sequence", ask, .checks = 1)),
	.facts = FACTS(FACT("madvise.populate_at_a_hole", "MADV_POPULATE_WRITE at a hole",
			    "goes on|stops")),
	.judge = judge,
};
