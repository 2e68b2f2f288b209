// SPDX-License-Identifier: MIT
/*
 * VmFlags after each act on a mapping that sets or clears a flag, followed by each other act, then
 * after mlockall(2) and in a forked child. An act changes its own flags and no other.
 */
#include <rssck/case.h>
#include <rssck/right.h>

#ifndef SYS_mseal
#define SYS_mseal 462
#endif

STEP_SYMBOLS(PAIRS);

enum { REGION = 4, STRIDE = 8, FLAGS = 40, MOST = 24 }; /* the first two are in pages */
enum { REGISTER_MISSING = 1, REGISTER_WP = 2 };

struct region {
	char *start;
	size_t bytes;
	int uffd;
};

static struct {
	struct region region;             /* of the pair that is being made */
	char *start;                      /* of the first region */
	char *elsewhere;                  /* where mremap(2) moves a region for a moment */
	bool made[MOST][MOST];            /* both acts were done */
	char seen[MOST][MOST][FLAGS * 3]; /* VmFlags; "" if the mapping is not there */
	bool differ[MOST][MOST];          /* the region is several mappings with different flags */
	int unprinted; /* bit i: this kernel does not print flag i of `letters` */
} all;

static bool lock(const struct region *r)
{
	return !mlock(r->start, r->bytes);
}

static bool lock_on_fault(const struct region *r)
{
	return !mlock2(r->start, r->bytes, MLOCK_ONFAULT);
}

static bool unlock(const struct region *r)
{
	return !munlock(r->start, r->bytes);
}

/* Takes the rights of the part in the middle, and gives them back, so that all merges again. */
static bool protect_part(const struct region *r)
{
	char *middle = r->start + r->bytes / REGION;

	return !mprotect(middle, r->bytes / 2, PROT_NONE) &&
	       !mprotect(middle, r->bytes / 2, PROT_READ | PROT_WRITE);
}

static bool watch_missing(const struct region *r)
{
	return !workload_register_userfaultfd(r->uffd, r->start, r->bytes, REGISTER_MISSING);
}

static bool watch_writes(const struct region *r)
{
	return !workload_register_userfaultfd(r->uffd, r->start, r->bytes, REGISTER_WP);
}

static bool move_to_and_fro(const struct region *r)
{
	int how = MREMAP_MAYMOVE | MREMAP_FIXED;

	return mremap(r->start, r->bytes, r->bytes, how, all.elsewhere) == all.elsewhere &&
	       mremap(all.elsewhere, r->bytes, r->bytes, how, r->start) == r->start;
}

static bool seal(const struct region *r)
{
	return !syscall(SYS_mseal, r->start, r->bytes, 0UL);
}

static bool nothing(const struct region *r)
{
	(void)r;
	return true;
}

/*
 * A second registration replaces the first one's modes
 * (userfaultfd_register_range()); a lock replaces the kind of the lock.
 */
static const struct act {
	const char *name;
	bool (*act)(const struct region *r); /* NULL: madvise(2) */
	const char *sets, *clears;
	int advice;
} acts[] = {
	{ "nothing", nothing, "", "", 0 },
	{ "MADV_SEQUENTIAL", NULL, "sr", "rr", MADV_SEQUENTIAL },
	{ "MADV_RANDOM", NULL, "rr", "sr", MADV_RANDOM },
	{ "MADV_NORMAL", NULL, "", "sr rr", MADV_NORMAL },
	{ "MADV_DONTFORK", NULL, "dc", "", MADV_DONTFORK },
	{ "MADV_DOFORK", NULL, "", "dc", MADV_DOFORK },
	{ "MADV_DONTDUMP", NULL, "dd", "", MADV_DONTDUMP },
	{ "MADV_DODUMP", NULL, "", "dd", MADV_DODUMP },
	{ "MADV_WIPEONFORK", NULL, "wf", "", MADV_WIPEONFORK },
	{ "MADV_KEEPONFORK", NULL, "", "wf", MADV_KEEPONFORK },
	{ "MADV_HUGEPAGE", NULL, "hg", "nh", MADV_HUGEPAGE },
	{ "MADV_NOHUGEPAGE", NULL, "nh", "hg", MADV_NOHUGEPAGE },
	{ "MADV_MERGEABLE", NULL, "mg", "", MADV_MERGEABLE },
	{ "MADV_UNMERGEABLE", NULL, "", "mg", MADV_UNMERGEABLE },
	{ "MADV_DONTNEED", NULL, "", "", MADV_DONTNEED },
	{ "mlock", lock, "lo", "lf", 0 },
	{ "mlock2 with MLOCK_ONFAULT", lock_on_fault, "lo lf", "", 0 },
	{ "munlock", unlock, "", "lo lf", 0 },
	{ "mprotect of a part, twice", protect_part, "", "", 0 },
	{ "UFFDIO_REGISTER for missing pages", watch_missing, "um", "uw", 0 },
	{ "UFFDIO_REGISTER for writes", watch_writes, "uw", "um", 0 },
	{ "mremap to and fro", move_to_and_fro, "", "um uw", 0 },
	{ "mseal", seal, "sl", "", 0 },
};

enum { ACTS = sizeof(acts) / sizeof(*acts) };

static bool is_done(const struct act *a, const struct region *r)
{
	return a->act ? a->act(r) : !madvise(r->start, r->bytes, a->advice);
}

static const char letters[] = "sr rr dc dd wf hg nh mg lo lf um uw sl";

static const char *next_flag(const char *flag)
{
	flag += strcspn(flag, " ");
	return flag + (*flag == ' ');
}

static bool has(const char *flags, const char *flag)
{
	for (; *flags; flags = next_flag(flags))
		if (!strncmp(flags, flag, 2))
			return true;
	return false;
}

/* Adds the flags of `more` that are not in `without`, each followed by a blank. */
static void add(char to[FLAGS * 3], const char *more, const char *without)
{
	for (; *more; more = next_flag(more)) {
		size_t len = strlen(to);

		if (!has(without, more) && !has(to, more))
			snprintf(to + len, FLAGS * 3 - len, "%.2s ", more);
	}
}

static char *place(const struct workload *w, int a, int b)
{
	return all.start + (size_t)(a * ACTS + b) * STRIDE * w->page_size;
}

static bool make_pairs(const struct workload *w)
{
	size_t bytes = (size_t)(ACTS * ACTS + 1) * STRIDE * w->page_size;
	struct region *r = &all.region;

	all.start = workload_try_map(bytes, PROT_NONE, MAP_PRIVATE | MAP_NORESERVE, -1);
	if (!all.start)
		return false;
	r->uffd = workload_open_userfaultfd(0);
	r->bytes = REGION * w->page_size;
	all.elsewhere = place(w, ACTS, 0);
	for (int a = 0; a < ACTS; a++) {
		for (int b = 0; b < ACTS; b++) {
			r->start = place(w, a, b);
			if (mmap(r->start, r->bytes, PROT_READ | PROT_WRITE,
				 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != r->start)
				return false;
			/* A page that is not there could make mlock(2) wait for the userfaultfd. */
			memset(r->start, 1, r->bytes);
			all.made[a][b] = is_done(&acts[a], r) && is_done(&acts[b], r);
		}
	}
	return true;
}

static void keep(const struct workload *w, uint64_t start, const char *flags)
{
	size_t at = (start - (uintptr_t)all.start) / (STRIDE * w->page_size);
	size_t page = (start - (uintptr_t)all.start) / w->page_size % STRIDE;
	char *seen, text[FLAGS * 3] = "";

	if (start < (uintptr_t)all.start || at >= ACTS * ACTS || page >= REGION)
		return;
	seen = all.seen[at / ACTS][at % ACTS];
	add(text, flags, "");
	if (*seen && strcmp(seen, text))
		all.differ[at / ACTS][at % ACTS] = true;
	snprintf(seen, FLAGS * 3, "%s", text);
}

static bool read_flags(const struct workload *w)
{
	FILE *f = fopen("/proc/self/smaps", "re");
	unsigned long start = 0, from, to;
	char line[512];

	memset(all.seen, 0, sizeof(all.seen));
	memset(all.differ, 0, sizeof(all.differ));
	while (f && fgets(line, sizeof(line), f)) {
		char *flags = line + strlen("VmFlags: ");

		if (sscanf(line, "%lx-%lx ", &from, &to) == 2)
			start = from;
		if (strncmp(line, "VmFlags: ", strlen("VmFlags: ")) != 0)
			continue;
		flags[strcspn(flags, "\n")] = '\0';
		keep(w, start, flags);
	}
	if (f)
		fclose(f);
	return f && all.seen[0][0][0];
}

/* What happens to all regions after the pairs: flags that it sets and clears everywhere. */
struct after {
	const char *name, *sets, *clears;
	bool in_child; /* the child has no region with dc and no userfaultfd */
};

static int compare_each(int a, int b, const struct after *x, const char *expected)
{
	const char *seen = all.seen[a][b];
	int i = 0;

	for (const char *flag = letters; *flag; flag = next_flag(flag), i++)
		if (!(all.unprinted >> i & 1) && has(expected, flag) != has(seen, flag))
			return workload_say(WRONG, "%s, then %s, %s: VmFlags %s %.2s", acts[a].name,
					    acts[b].name, x->name,
					    has(seen, flag) ? "must not have" : "lacks", flag);
	return RIGHT;
}

static int compare(int a, int b, const struct after *x)
{
	char expected[FLAGS * 3] = "", both[FLAGS * 3] = "";
	char clears[FLAGS * 3] = "", *seen = all.seen[a][b];

	if (!all.made[a][b])
		return RIGHT;
	if (all.differ[a][b])
		return workload_say(WRONG, "%s, then %s, %s: its parts have different VmFlags",
				    acts[a].name, acts[b].name, x->name);
	add(clears, acts[b].clears, acts[b].sets);
	add(both, acts[a].sets, clears);
	add(both, acts[b].sets, "");
	if (x->in_child && has(both, "dc"))
		return *seen ? workload_say(WRONG, "%s, then %s, %s: the mapping is there",
					    acts[a].name, acts[b].name, x->name)
			     : RIGHT;
	add(expected, both, x->clears);
	add(expected, x->sets, "");
	return compare_each(a, b, x, expected);
}

static int compare_all(const struct workload *w, const struct after *x)
{
	int result = RIGHT;

	if (!read_flags(w))
		return CANNOT;
	for (int a = 0; a < ACTS && result == RIGHT; a++)
		for (int b = 0; b < ACTS && result == RIGHT; b++)
			result = compare(a, b, x);
	return result;
}

/* Some kernels do not print each flag, such as lf or sl. */
static void find_unprinted(void)
{
	int i = 0;

	for (const char *flag = letters; *flag; flag = next_flag(flag), i++)
		for (int act = 0; act < ACTS; act++)
			if (all.made[0][act] && has(acts[act].sets, flag) &&
			    !has(all.seen[0][act], flag))
				all.unprinted |= 1 << i;
}

static int compare_in_child(const struct workload *w, const struct after *x)
{
	pid_t pid = fork();

	if (!pid)
		_exit(compare_all(w, x));
	return workload_result_of(pid, CANNOT);
}

static int try_all(const struct workload *w)
{
	static const struct after pairs = { "that is all", "", "", false },
				  fork_ = { "then fork", "", "lo lf um uw", true },
				  locked = { "then mlockall with MCL_ONFAULT", "lo lf", "", false },
				  unlocked = { "then munlockall", "", "lo lf", false };
	int result;

	if (!make_pairs(w) || !read_flags(w))
		return CANNOT;
	find_unprinted();
	result = compare_all(w, &pairs);
	if (result == RIGHT)
		result = compare_in_child(w, &fork_);
	if (result == RIGHT && !mlockall(MCL_CURRENT | MCL_ONFAULT)) {
		result = compare_all(w, &locked);
		munlockall();
		if (result == RIGHT)
			result = compare_all(w, &unlocked);
	}
	return result == RIGHT ? workload_say(RIGHT, "%d", all.unprinted) : result;
}

static void act_in_child(struct workload *w)
{
	char needs[48];

	snprintf(needs, sizeof(needs), "%d mappings with VmFlags in smaps", 2 * ACTS * ACTS);
	workload_report_if_right(w, try_all, needs, "unprinted");
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t unprinted = trial_reported(t, PAIRS, "unprinted");
	char names[FLAGS * 3] = "";
	int i = 0;

	for (const char *flag = letters; *flag; flag = next_flag(flag), i++)
		if (unprinted >> i & 1)
			add(names, (const char[]) { flag[0], flag[1], '\0' }, "");
	names[names[0] ? strlen(names) - 1 : 0] = '\0';
	judge_fact(j, "vmflags.not_printed", "%s", names[0] ? names : "none");
}

CASE(scanners_flags_of_two_acts) {
	.claim =
		"Each act on a mapping changes its own VmFlags and no other, whatever act came before; fork drops the lock and the userfaultfd, mlockall and munlockall change lo and lf only",
	.because =
		"vm_flags is one word. Each act sets or clears its bits, and the mapping is split or merged around them.",
	.said_by = SAID_BY("proc_pid_smaps(5), VmFlags", "madvise(2)"),
	.steps = STEPS(STEP_AS(PAIRS, "each act after each other act", act_in_child, .checks = 1)),
	.facts = FACTS(FACT("vmflags.not_printed",
			    "Which flags of these acts does VmFlags not have?", NULL)),
	.judge = judge,
};
