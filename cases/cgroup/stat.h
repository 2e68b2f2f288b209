// SPDX-License-Identifier: MIT
/*
 * A process in a cgroup performs one act that moves one line of memory.stat. The lines in `as_much`
 * rise by the same number of pages, those in `free` by any number; no other line of stat_fields may
 * move. A case describes its act in a struct stat_act. stat_pay() is its step, stat_judge() its
 * judge.
 */
#ifndef CASES_CGROUP_STAT_H
#define CASES_CGROUP_STAT_H

#include <linux/membarrier.h>
#include <rssck/case.h>

enum {
	STAT_PAGES = 2048, /* pages by which most acts move their line */
	STAT_PATIENCE_S = 20,
	STAT_GRACE_PERIODS = 3,
	STAT_READINGS = 8,
	STAT_TABLES = 4,   /* levels of page tables; each mapping may need one table per level */
	STAT_OBJECTS = 8,  /* pages of small kernel objects: mappings, inodes, tree nodes */
	STAT_MISSING = -1, /* this kernel does not have the line */
};

struct stat_act {
	const char *field;
	/*
	 * Runs in a child process. Returns the pages by which the line must rise, or -errno if the
	 * act is not possible.
	 */
	int64_t (*act)(const struct workload *w);
	const char *needs;     /* the missing resource, reported if the act is not possible */
	const char *uncharged; /* values of the boot option cgroup.memory= with which no cgroup is
				  charged for the act (mm/memcontrol.c cgroup_memory()) */
	const char *exact; /* reason to skip the case if memory.stat lags; NULL: a lag is allowed */
	const char *as_much; /* lines that rise by the same number, such as " anon " */
	const char *free;    /* lines that may rise by any number, such as " slab " */
	int64_t least;       /* the line rises by at least pages / least; 0: by all pages */
	int64_t least_here;  /* pages; the kernel does not charge for the act if neither the line
				nor one in as_much rises by at least this */
};

static const char *const stat_fields[] = {
	"anon",        "file",          "shmem",       "file_mapped", "file_dirty",
	"anon_thp",    "shmem_thp",     "file_thp",    "swapcached",  "file_writeback",
	"unevictable", "inactive_file", "active_file", "percpu",      "sock",
	"vmalloc",     "kernel_stack",  "pagetables",  "kernel",      "slab",
};

enum { STAT_FIELDS = sizeof(stat_fields) / sizeof(*stat_fields) };

static inline bool stat_is_in(const char *list, const char *field)
{
	char word[32];

	snprintf(word, sizeof(word), " %s ", field);
	return list && strstr(list, word);
}

/*
 * Returns by how many pages a reading of the line may be off. workload_cgroup_settle() maps and
 * unmaps memory, and RCU frees the page tables some time later.
 */
static inline int64_t stat_noise(const struct workload *w, const char *field)
{
	int64_t cpus = sysconf(_SC_NPROCESSORS_CONF);
	int64_t tables = 4 * CGROUP_BATCH * cpus / (int64_t)(w->page_size / 8) + STAT_TABLES + 1;

	tables *= 2 * STAT_READINGS;
	if (!strcmp(field, "pagetables"))
		return tables;
	if (!strcmp(field, "slab"))
		return STAT_OBJECTS + 2 * cpus;
	return strcmp(field, "kernel") ? 0 : tables + STAT_OBJECTS + 2 * cpus;
}

static inline void stat_lines_read(struct workload *w, int64_t *of)
{
	int64_t then[STAT_FIELDS];
	bool same = false;

	/*
	 * Another task may flush the per-CPU parts between settling and reading, so the function
	 * reads until two readings agree (except in lines with noise), at most STAT_READINGS times.
	 */
	for (int i = 0; i < STAT_READINGS && !same; i++) {
		memcpy(then, of, sizeof(then));
		workload_cgroup_stats(w, stat_fields, of, STAT_FIELDS);
		same = i > 0;
		for (size_t k = 0; k < STAT_FIELDS; k++)
			same &= of[k] == then[k] || stat_noise(w, stat_fields[k]);
	}
}

/*
 * Returns by how many pages a line may lag: 0 if memory.stat shows a single page immediately, else
 * one batch per CPU.
 */
static inline int64_t stat_lag(struct workload *w)
{
	int64_t before = workload_cgroup_stat(w, "anon"), lag = 0;
	char *p = workload_anonymous(w, 1);

	for (int i = 0; i < STAT_READINGS && !lag; i++) {
		*(volatile char *)p = 1;
		if (workload_cgroup_stat(w, "anon") != before + 1)
			lag = CGROUP_BATCH * sysconf(_SC_NPROCESSORS_CONF);
		madvise(p, w->page_size, MADV_DONTNEED);
		if (workload_cgroup_stat(w, "anon") != before)
			lag = CGROUP_BATCH * sysconf(_SC_NPROCESSORS_CONF);
	}
	workload_unmap(w, p, w->page_size);
	return lag;
}

/*
 * Writes every page of each private writable mapping, so that the act itself copies no page that
 * fork(2) shared.
 */
static inline void stat_prefault(const struct workload *w)
{
	FILE *f = fopen("/proc/self/maps", "re");
	char line[512], rights[8];
	unsigned long start, end;

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "%lx-%lx %7s", &start, &end, rights) == 3 &&
		    !strcmp(rights, "rw-p"))
			for (volatile char *p = (char *)start; p < (char *)end; p += w->page_size)
				*p = *p;
	if (f)
		fclose(f);
}

/*
 * Sends a 0 when it has written its memory, waits for a byte, performs the act, sends the act's
 * result, and waits until it is killed.
 */
static inline _Noreturn void stat_be_actor(const struct workload *w, const struct stat_act *a,
					   int told, int answer)
{
	int64_t pages;
	char byte;

	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	stat_prefault(w);
	if (write(answer, &(int64_t) { 0 }, sizeof(pages)) < 0 || read(told, &byte, 1) != 1)
		_exit(1);
	pages = a->act(w);
	if (write(answer, &pages, sizeof(pages)) < 0)
		_exit(1);
	for (;;)
		pause();
}

struct stat_actor {
	pid_t pid;
	int tell, answer;
};

static inline int64_t stat_answer(struct workload *w, const struct stat_actor *a)
{
	int64_t pages;

	if (read(a->answer, &pages, sizeof(pages)) != sizeof(pages))
		workload_die(w, "the child process that performs the act has ended");
	return pages;
}

static inline struct stat_actor stat_actor_start(struct workload *w, const struct stat_act *act)
{
	int told[2], answer[2];
	struct stat_actor a;

	workload_must(w, pipe(told), "pipe");
	workload_must(w, pipe(answer), "pipe");
	a = (struct stat_actor) { fork(), told[1], answer[0] };
	if (a.pid == 0)
		stat_be_actor(w, act, told[0], answer[1]);
	workload_must(w, a.pid, "fork");
	close(told[0]);
	close(answer[1]);
	stat_answer(w, &a);
	return a;
}

static inline void stat_actor_ends(const struct stat_actor *a)
{
	workload_companion_ends(a->pid);
	close(a->tell);
	close(a->answer);
}

static inline bool stat_is_given_back(struct workload *w, const struct stat_act *a,
				      const int64_t *before, int64_t lag)
{
	int64_t now[STAT_FIELDS];
	bool falls = true;

	workload_cgroup_stats(w, stat_fields, now, STAT_FIELDS);
	for (size_t i = 0; i < STAT_FIELDS; i++)
		if (before[i] >= 0 &&
		    (!strcmp(stat_fields[i], a->field) || stat_is_in(a->as_much, stat_fields[i])))
			falls &= now[i] <=
				 before[i] + lag + STAT_OBJECTS + stat_noise(w, stat_fields[i]);
	return falls;
}

/*
 * Waits up to STAT_PATIENCE_S seconds until the lines have fallen, because RCU frees memory later.
 * Returns true if they have, and also if too few grace periods have passed to tell.
 */
static inline bool stat_falls(struct workload *w, const struct stat_act *a, const int64_t *before,
			      int64_t lag)
{
	struct patience p = { .seconds = STAT_PATIENCE_S };
	int periods = 0;

	while (!stat_is_given_back(w, a, before, lag))
		if (!workload_pause(&p))
			return periods < STAT_GRACE_PERIODS;
		else
			periods += !syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
	return true;
}

/*
 * Creates and removes the cgroup in this step. Reports by how many pages each line rises (or
 * STAT_MISSING), the act's "pages", the "lag", and whether the memory was "given back".
 */
static inline void stat_pay(struct workload *w, const struct stat_act *a)
{
	int64_t before[STAT_FIELDS] = { 0 }, there[STAT_FIELDS] = { 0 }, pages, lag;
	bool is_there = false, pays;
	struct stat_actor actor;

	workload_cgroup_enter(w);
	lag = stat_lag(w);
	actor = stat_actor_start(w, a);
	stat_lines_read(w, before);
	if (write(actor.tell, "", 1) != 1)
		workload_die(w, "pipe: %m");
	pages = stat_answer(w, &actor);
	stat_lines_read(w, there);
	stat_actor_ends(&actor);
	for (size_t i = 0; i < STAT_FIELDS; i++) {
		bool here = before[i] >= 0 && there[i] >= 0;

		is_there |= here && !strcmp(stat_fields[i], a->field);
		workload_report(w, stat_fields[i], here ? there[i] - before[i] : STAT_MISSING);
	}
	workload_report(w, "given back", stat_falls(w, a, before, lag));
	workload_report(w, "pages", pages);
	workload_report(w, "lag", lag);
	pays = there[STAT_FIELDS - 1] > 0 || there[STAT_FIELDS - 2] > 0;
	workload_cgroup_leave(w);
	if (pages < 0)
		workload_skip(w, "%s (%s)", a->needs, strerror((int)-pages));
	if (a->uncharged && workload_booted_with("cgroup.memory", a->uncharged))
		workload_skip(
			w,
			"a kernel that charges a cgroup for this memory (boot without cgroup.memory=%s)",
			a->uncharged);
	if (!is_there)
		workload_skip(w, "%s in memory.stat", a->field);
	if (lag && a->exact)
		workload_skip(w, "%s", a->exact);
	if (!pays && stat_noise(w, a->field))
		workload_skip(
			w,
			"a cgroup that is charged for kernel memory (boot without cgroup.memory=nokmem)");
}

/* An act for struct stat_act: maps STAT_PAGES anonymous pages with these flags and writes them. */
static inline int64_t stat_write_mapping(const struct workload *w, int flags)
{
	size_t bytes = STAT_PAGES * w->page_size;
	char *p = workload_try_map(bytes, PROT_READ | PROT_WRITE, flags, -1);

	if (!p)
		return -ENOMEM;
	if (flags == MAP_PRIVATE)
		madvise(p, bytes, MADV_NOHUGEPAGE);
	touch_write(w, p, STAT_PAGES);
	return STAT_PAGES;
}

static inline bool stat_pays(const struct trial *t, unsigned step, const struct stat_act *a)
{
	bool pays = trial_reported(t, step, a->field) >= a->least_here;

	for (size_t i = 0; i < STAT_FIELDS && !pays; i++)
		pays = stat_is_in(a->as_much, stat_fields[i]) &&
		       trial_reported(t, step, stat_fields[i]) >= a->least_here;
	return pays;
}

/*
 * Checks that the act's line and the lines in as_much rise by the pages of the act (at least by
 * pages / least), that no other line moves, except those in `free`, and that the memory was given
 * back. If the kernel does not charge for the act, the lines in as_much must not move either, and
 * the act's line is not checked.
 */
static inline void stat_judge(const struct trial *t, struct judgement *j, unsigned step,
			      const struct stat_act *a)
{
	const struct workload w = { .page_size = t->host->page_size };
	int64_t pages = trial_reported(t, step, "pages"), lag = trial_reported(t, step, "lag");
	int64_t least = a->least ? pages / a->least : pages;
	bool pays = stat_pays(t, step, a);

	for (size_t i = 0; i < STAT_FIELDS; i++) {
		int64_t rose = trial_reported(t, step, stat_fields[i]);
		int64_t bound = lag + stat_noise(&w, stat_fields[i]);
		bool is_line = !strcmp(stat_fields[i], a->field);

		if (rose == STAT_MISSING || stat_is_in(a->free, stat_fields[i]) ||
		    (is_line && !pays))
			continue;
		if (pays && (is_line || stat_is_in(a->as_much, stat_fields[i])))
			judge_within(j, step, 0, stat_fields[i], rose, (least + pages) / 2,
				     (pages - least + 1) / 2 + bound,
				     "the line rises by the memory that the process allocated");
		else
			judge_within(j, step, 0, stat_fields[i], rose, 0, bound,
				     "no other line of memory.stat moves");
	}
	judge_true(j, step, trial_reported(t, step, "given back"),
		   "the line falls after the process has ended");
}

#define STAT_CASE(id, act, ...)                                                                   \
	STEP_SYMBOLS(IN_A_CGROUP);                                                                \
	static void pay(struct workload *w)                                                       \
	{                                                                                         \
		stat_pay(w, &(act));                                                              \
	}                                                                                         \
	static void judge(const struct trial *t, struct judgement *j)                             \
	{                                                                                         \
		stat_judge(t, j, IN_A_CGROUP, &(act));                                            \
	}                                                                                         \
	CASE(id)                                                                                  \
	{                                                                                         \
		.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory.stat"),       \
		.needs = NEEDS("root"), .steps = STEPS(STEP_AS(IN_A_CGROUP, "in a cgroup", pay)), \
		.judge = judge, __VA_ARGS__                                                       \
	}

#endif
