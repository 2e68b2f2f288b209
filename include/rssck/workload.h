// SPDX-License-Identifier: MIT
/*
 * What a step of a case may do: the vocabulary of the workload's side.
 *
 * Steps run in a process of their own, on one CPU, between two messages of the
 * observer. They do not read about themselves; they act, and stand still. What
 * cannot be done here is said with workload_skip(), what must not happen with
 * workload_die(); neither returns.
 */
#ifndef RSSCK_WORKLOAD_H
#define RSSCK_WORKLOAD_H

#include <rssck/step.h>
#include <rssck/uapi.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/types.h>

/* include/linux/memcontrol.h: MEMCG_CHARGE_BATCH, what a CPU may keep of a cgroup's number */
enum { CGROUP_BATCH = 64 };

enum { WORKLOAD_SLOTS = 16, WORKLOAD_PROCESSES = 33, WORKLOAD_THREADS = 512 };

struct workload {
	size_t page_size;
	size_t huge_page_size;   /* 0 where there are no huge pages */
	int64_t huge;            /* how many pages a huge page is; likewise */
	unsigned process;        /* 0 in the leader, 1.. in the processes it forked */
	const struct step *step; /* the one that is taken */
	int64_t argument;        /* of this step: its own, or the calibration's */
	const int *cpus;         /* the CPUs that the case may use */
	unsigned nr_cpus;
	void *slot[WORKLOAD_SLOTS]; /* the case's own: addresses to remember from step to step */
	int64_t number[WORKLOAD_SLOTS];
	int fd[WORKLOAD_SLOTS];
	struct workload_private *private; /* the runtime's */
};

/* madvise(2). A step for which it is missing, or forbidden whatever it is asked for, is skipped. */
int workload_madvise(void *start, size_t bytes, int advice);
#define madvise workload_madvise

/* getrusage(2), likewise. */
struct rusage workload_getrusage(int who);

/* mmap(2), remembered: the engine unmaps it at the end. Never returns MAP_FAILED. */
void *workload_map(struct workload *w, size_t bytes, int prot, int flags, int fd, off_t offset);

/* The same of so many pages, from the beginning of the file on. */
void *workload_map_pages(struct workload *w, size_t pages, int prot, int flags, int fd);

/* munmap(2) of all of such a mapping. */
void workload_unmap(struct workload *w, void *start, size_t bytes);

/* So many pages of private anonymous memory, for reading and writing, none of them touched. */
void *workload_anonymous(struct workload *w, size_t pages);

/* Move the break (brk(2)) by that many pages, down where below 0. Returns where it was. */
char *workload_break(struct workload *w, int64_t pages);

/* The same, each page of it written. */
void *workload_written(struct workload *w, size_t pages);

/* Grow the main thread's stack `bytes` down from here; its lowest page, which was touched. */
void *workload_stack_down(struct workload *w, size_t bytes);

/*
 * Private anonymous address space that is not meant to be written: 16 TiB, or half of what can be
 * had. How many bytes they are; none: NULL.
 */
void *workload_reserve(struct workload *w, size_t *bytes);

/* Remember an address range that came about otherwise (mremap, shmat). */
void workload_remember(struct workload *w, void *start, size_t bytes);

/* mremap(2), remembered: `pages` pages from p on become so many; where they are then. */
void *workload_remap(struct workload *w, void *p, size_t pages, size_t becomes, int flags,
		     void *to);

/* Forget one that the step has unmapped itself; or if that was all of it. */
void workload_forget(struct workload *w, void *start);
void workload_forget_range(struct workload *w, void *start, size_t bytes);

/* Bytes that may be written now: MemAvailable, within what the cgroups above us leave. */
int64_t workload_available(void);

/*
 * How many pages so many thousandths of all memory (MemTotal) are. Skips where
 * half of what is available is less, or writing them takes long.
 */
size_t workload_share_of_memory(struct workload *w, unsigned thousandths);

/* Write one byte, or read one, in each of `pages` pages from p on. */
void touch_write(const struct workload *w, void *p, size_t pages);
void touch_read(const struct workload *w, const void *p, size_t pages);

/*
 * Write another byte than touch_write() does in each of them, and look that it is there: of
 * pages that are there and stay no number shows a write. It calls workload_checked().
 */
void workload_rewrite(struct workload *w, void *p, size_t pages);

/*
 * Read a byte in each of them: what touch_write() of all of them wrote, or, not `written`, 0.
 * It calls workload_checked(); where it is another byte the case fails.
 */
void workload_must_hold(struct workload *w, const void *p, size_t pages, bool written);

/*
 * A nameless file of so many pages on a real file system (pages of it are
 * page cache, not shmem): sparse, so that its pages are clean on every file
 * system. Gone with its last descriptor. Closed by the engine.
 */
int workload_file(struct workload *w, size_t pages);

/* True if the file system of workload_file() ever writes back: ramfs does not. */
bool workload_file_is_written_back(const struct workload *w, int fd);

/*
 * What a step reads, or writes, piece by piece: zeros. One for all cases: their pages are in
 * every process of every case, and each snapshot walks them.
 */
enum { WORKLOAD_BUFFER = 64 << 10 };
extern char workload_buffer[WORKLOAD_BUFFER];

/*
 * A name for what a step must give one to, and takes away before it ends: a cgroup, a file. When
 * rssck is killed in between, its guard removes what is called so in /tmp, /dev/shm, the directory
 * for files and the root of cgroups.
 */
enum { WORKLOAD_NAME = 48 };
const char *workload_name(const struct workload *w, char name[WORKLOAD_NAME]);

/* Skips the case where the file system of fd has not so much left: a write through a mapping dies.
 */
void workload_need_room(struct workload *w, int fd, size_t pages, const char *where);

/* Skips the step where that file's file system never writes back. */
void workload_needs_writeback(struct workload *w, int fd);

/* The same where no step says anything without: skips the case. */
void workload_case_needs_writeback(struct workload *w, int fd);

/* Skips the step where writing to that file, or unmapping it, may clean its pages: FUSE, or mount
 * -o sync. */
void workload_needs_lazy_writes(struct workload *w, int fd);

/* The same where no step says anything without: skips the case. */
void workload_case_needs_lazy_writes(struct workload *w, int fd);

/* Skips the case where the file's page cache may go without being told to. */
void workload_case_needs_kept_cache(struct workload *w, int fd);

/*
 * How many pages the file system of workload_file() caches for one that is read at random: as many
 * as a block has. They are mapped together, by one fault.
 */
size_t workload_cached_at_once(struct workload *w);

/* Skips the case where that is more than one. */
void workload_case_needs_single_pages(struct workload *w);

/*
 * A workload_file() with nothing in the page cache, not even what its file system wrote to make it;
 * skips the case where that never writes back.
 */
int workload_file_uncached(struct workload *w, size_t pages);

/*
 * Have the first pages of a file in the page cache, one by one and without
 * read-ahead where that is heeded: each in a folio of its own. None is mapped.
 */
void workload_cache(struct workload *w, int fd, size_t pages);

/* An executable private mapping of a file; skips the case where files may not be executed. */
void *workload_map_text(struct workload *w, int fd, size_t pages);

/* What one page table of the last level maps: as much as a huge page, which takes its place. */
static inline size_t workload_table_bytes(const struct workload *w)
{
	return w->huge_page_size ? w->huge_page_size
				 : w->page_size / sizeof(uint64_t) * w->page_size;
}

/* A nameless file of so many pages on tmpfs (memfd_create(2)), all holes. Closed by the engine. */
int workload_shmem(struct workload *w, size_t pages);

/*
 * How many of `pages` pages from p on pagemap shows as present, or as swapped
 * out: for a step whose effect the kernel decides (fault-around, page-out), so
 * that it can report what to expect of all other numbers.
 */
int64_t workload_pages_present(struct workload *w, const void *p, size_t pages);
int64_t workload_pages_swapped(struct workload *w, const void *p, size_t pages);

/*
 * How many of their entries have a bit of pagemap (PAGEMAP_GUARD and so on):
 * for a bit that not every kernel has, so that the step can say which it is.
 */
int64_t workload_pages_marked(struct workload *w, const void *p, size_t pages, uint64_t bit);

/*
 * True if each entry of the huge page at p, read alone, is that of its first page
 * with the page frame counted on.
 */
bool workload_entries_run_on(struct workload *w, const void *p, size_t pages);

/* How many of them mincore(2) calls resident. */
int64_t workload_pages_in_core(struct workload *w, const void *p, size_t pages);

/* PAGEMAP_SCAN, on ourselves; how many ranges. Skips the case where that is not to be had. */
struct scan_arg;
int workload_scan(struct workload *w, struct scan_arg *arg);

/*
 * How many of `pages` pages from p on it finds, by the flags and masks of `question`; where
 * `categories` is not NULL, there is what those of the last range are.
 */
int64_t workload_scan_pages(struct workload *w, const struct scan_arg *question, const void *p,
			    size_t pages, uint64_t *categories);

/* How many pages of the mapping at p smaps calls clean, where that is the kernel's choice too. */
int64_t workload_pages_clean(struct workload *w, const void *p);

/* How many of them smaps calls private: on some kernels a large folio has no count a page. */
int64_t workload_pages_private(struct workload *w, const void *p);

/* How many smaps calls referenced. */
int64_t workload_pages_referenced(struct workload *w, const void *p);

/* How many smaps says are on swap: of shmem no page table tells. */
int64_t workload_pages_in_swap(struct workload *w, const void *p);

/*
 * Fork process number `process` (1..). It comes back in the child as a fresh
 * workload that waits for its own steps; the parent goes on when the child
 * stands still.
 */
void workload_fork(struct workload *w, unsigned process);

/* Start process number `process` as a program that has just been exec'ed and does nothing. */
void workload_exec_fresh(struct workload *w, unsigned process);

/*
 * What fn() returns, 0 to 255, in a process that is forked for it and has ended then: a count
 * that is wrong there is gone with it. Whether something can be done there is part of what it
 * returns: the process can neither skip nor fail.
 */
int workload_in_child(struct workload *w, int (*fn)(const struct workload *w));

/*
 * The same of a process that stays until workload_companion_ends(): for what is seen of us while
 * another process maps what we map. *answer is what fn() returned there, if `answer` is not NULL.
 */
pid_t workload_companion(struct workload *w, int64_t (*fn)(const struct workload *w),
			 int64_t *answer);
void workload_companion_ends(pid_t pid);

/* End process number `process` and reap it. */
void workload_reap(struct workload *w, unsigned process);

/*
 * Threads: start `n` that run fn(w, index) and then wait, taking part in
 * settling; have all of them run another; end them all. Their stacks are small, for
 * vm.overcommit_memory=2 counts each whole.
 */
enum { WORKLOAD_THREAD_STACK = 256 << 10 };
void workload_threads(struct workload *w, unsigned n,
		      void (*fn)(struct workload *w, unsigned index));
void workload_threads_run(struct workload *w, void (*fn)(struct workload *w, unsigned index));
void workload_threads_end(struct workload *w);

/*
 * Report to the judge "maxrss" (in pages), "minflt" and "majflt": getrusage(2) of `who`, or what
 * wait4(2) said.
 */
void workload_report_rusage(struct workload *w, int who);
void workload_report_usage(struct workload *w, const struct rusage *usage);

/* A field of /proc/TASK/stat, as proc_pid_stat(5) numbers them; `task`: "self", "self/task/TID". */
int64_t workload_stat(struct workload *w, const char *task, unsigned field);

/* A size of our own /proc/PID/status ("VmLck"), in pages; -1: not there. */
int64_t workload_status_pages(const struct workload *w, const char *name);

/*
 * The number in a file of the kernel's, or that of a field in it ("VmLck:	8 kB", "anon 4096"):
 * as it stands there, whatever its unit. `missing` where there is none.
 */
int64_t workload_number(const char *path, const char *field, int64_t missing);

/* Write a value to a file of the kernel's; skips the case where it is refused: "PATH: errno". */
void workload_set(struct workload *w, const char *path, const char *value);

/* The same; false with errno where it is refused. */
bool workload_try_to_set(const char *path, const char *value);

/*
 * Waiting for what others do in their own time (ksmd, a worker of the kernel's): ask, wait, ask.
 *
 *	struct patience p = { .seconds = 8 };
 *
 *	while (merging(w) != PAGES)
 *		workload_wait(w, &p, "a ksmd that merges %d pages", PAGES);
 *
 * When the time is over the case is skipped: "a ksmd that merges 64 pages in 8 s".
 */
struct patience {
	unsigned seconds;
	unsigned pause_us;
	int64_t until;
};
void workload_wait(struct workload *w, struct patience *p, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The same; false when the time is over, for who has something to put back before a skip. */
bool workload_pause(struct patience *p);

/* Write '1' .. '5' to our clear_refs. */
void workload_clear_refs(struct workload *w, char what);

/*
 * Make a cgroup with a memory controller and go there; skips the case where
 * that is not to be had. Leave and remove it in the same step.
 */
void workload_cgroup_enter(struct workload *w);
void workload_cgroup_leave(struct workload *w);

/*
 * memory.stat is summed up when it is read, if more than a batch of pages on
 * each CPU has changed since (memcg_vmstats_needs_flush()): so much is changed.
 */
void workload_cgroup_settle(struct workload *w);

/* A number of bytes in one of its files, or of a field in that file, in pages; -1: not there. */
int64_t workload_cgroup_pages(struct workload *w, const char *file, const char *field);

/* A number in one of its files, or that of a field, as it stands there; -1: not there. */
int64_t workload_cgroup_number(struct workload *w, const char *file, const char *field);

/* A field of memory.stat, settled first. */
int64_t workload_cgroup_stat(struct workload *w, const char *field);

/* A number of events in memory.stat, such as pgfault, as it stands there; -1: not there. */
int64_t workload_cgroup_events(struct workload *w, const char *field);

/*
 * Have what was paged out leave the swap cache, by memory.reclaim: a page that is still there
 * is taken as it is when it is read, and may keep its slot when it is given up (7.1). False
 * where memory.stat's swapcached does not become 0.
 */
bool workload_cgroup_empties_swap_cache(struct workload *w);

/* Write a number of pages, as bytes, to one of its files; below 0: "max". Skips where it cannot. */
void workload_cgroup_set(struct workload *w, const char *file, int64_t pages);

/* The same; false with errno where it is refused. */
bool workload_cgroup_try_to_set(struct workload *w, const char *file, int64_t pages);

/* What a process under a limit saw last, in pages; and whether it was killed. */
struct limited {
	int64_t current, inactive_file, active_file, anon, file, rss;
	bool killed;
};

/*
 * Run act() in a process of its own in our cgroup, the first that an OOM killer takes. It calls
 * workload_limited_look() as it goes.
 */
struct limited workload_limited(struct workload *w, void (*act)(struct workload *w));
void workload_limited_look(struct workload *w);

/* Pin the calling thread. */
void workload_pin(struct workload *w, int cpu);

/*
 * Add to what this step is expected to have moved, where only the workload knows the number:
 * workload_expect(w, VIRT_DATA(pages), ANON_WRITE(pages)).
 */
#define workload_expect(w, ...) workload_expect_postings(w, (struct postings)POSTINGS(__VA_ARGS__))
void workload_expect_postings(struct workload *w, struct postings p);

/*
 * A step that looks at something itself, and would say workload_fail(), has done so once
 * more: the step's `.checks` says how often it must.
 */
void workload_checked(struct workload *w);

/* Report a number to the judge, under a name of the case's own. */
void workload_report(struct workload *w, const char *name, int64_t value);

/* This cannot be done here; names the missing thing: "memfd_secret(2): ENOSYS". The case is
 * skipped. */
_Noreturn void workload_skip(struct workload *w, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* This step alone cannot be done here; the case goes on without it and without its postings. */
_Noreturn void workload_skip_step(struct workload *w, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The claim is false, seen by the workload itself (a file's content, an errno). */
_Noreturn void workload_fail(struct workload *w, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Something that the case relies on failed; not a verdict about the kernel. */
_Noreturn void workload_die(struct workload *w, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * The same where `result`, of the call that `what` names, says so: -1, with errno. One
 * call each time: of `a() || b()` the value is 1, which is no failure. What holds an
 * operator that makes 0 and 1 does not compile (-Wparentheses, in the sizeofs); a
 * choice by one does, with the condition in parentheses.
 */
#define workload_must(w, result, what)                                                    \
	((void)sizeof(1 && result), (void)sizeof(1 || result), (void)sizeof(0 == result), \
	 workload_must_(w, result, what))

static inline void workload_must_(struct workload *w, long result, const char *what)
{
	if (result < 0)
		workload_die(w, "%s: %m", what);
}

#endif
