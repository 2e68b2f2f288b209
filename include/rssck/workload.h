// SPDX-License-Identifier: MIT
/*
 * What a step of a case may do: the vocabulary of the workload.
 *
 * Steps run in a process of their own, on one CPU, between two messages of the observer. They act
 * and then stand still; they do not read their own numbers. If something cannot be done here the
 * step calls workload_skip(), and if something goes wrong workload_die(); neither returns.
 */
#ifndef RSSCK_WORKLOAD_H
#define RSSCK_WORKLOAD_H

#include <rssck/step.h>
#include <rssck/uapi.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/types.h>
#include <unistd.h>

/*
 * include/linux/memcontrol.h MEMCG_CHARGE_BATCH: the pages that a CPU may hold back from a
 * cgroup's counter
 */
enum { CGROUP_BATCH = 64 };

enum { WORKLOAD_SLOTS = 16, WORKLOAD_PROCESSES = 33, WORKLOAD_THREADS = 512 };

struct workload {
	size_t page_size;
	size_t huge_page_size;   /* 0: no huge pages */
	int64_t huge;            /* number of base pages in a huge page; 0: no huge pages */
	unsigned process;        /* 0 in the leader, 1.. in the processes it forked */
	const struct step *step; /* the current step */
	int64_t argument;        /* the argument of this step, or the calibration's */
	const int *cpus;         /* the CPUs that the case may use */
	unsigned nr_cpus;
	void *slot[WORKLOAD_SLOTS]; /* for the case's use: addresses to remember from step to step
				     */
	int64_t number[WORKLOAD_SLOTS];
	int fd[WORKLOAD_SLOTS];
	struct workload_private *private; /* the runtime's */
};

/*
 * madvise(2). If the kernel lacks it, or a filter forbids it for every advice, the step
 * is skipped.
 */
int workload_madvise(void *start, size_t bytes, int advice);
#define madvise workload_madvise

/* Likewise. */
struct rusage workload_getrusage(int who);
int workload_munmap(void *start, size_t bytes);
int workload_munlock(const void *start, size_t bytes);
int workload_msync(void *start, size_t bytes, int flags);
int workload_shmdt(const void *start);
ssize_t workload_pwrite(int fd, const void *from, size_t bytes, off_t at);
#define munmap  workload_munmap
#define munlock workload_munlock
#define msync   workload_msync
#define shmdt   workload_shmdt
#define pwrite  workload_pwrite

/* mmap(2). The engine remembers the mapping and unmaps it at the end. Never returns MAP_FAILED. */
void *workload_map(struct workload *w, size_t bytes, int prot, int flags, int fd, off_t offset);

/* Maps `pages` pages in the same way, from the start of the file. */
void *workload_map_pages(struct workload *w, size_t pages, int prot, int flags, int fd);

/* munmap(2) of a whole mapping made in that way. */
void workload_unmap(struct workload *w, void *start, size_t bytes);

/* That many pages of private anonymous memory, readable and writable, untouched. */
void *workload_anonymous(struct workload *w, size_t pages);

/* Moves the break (brk(2)) by that many pages, down if negative. Returns the previous break. */
char *workload_break(struct workload *w, int64_t pages);

/* Returns the same memory with each page written. */
void *workload_written(struct workload *w, size_t pages);

/*
 * Grows the main thread's stack by `bytes` below the current position. Returns its lowest page,
 * which was touched.
 */
void *workload_stack_down(struct workload *w, size_t bytes);

/*
 * Private anonymous address space that will not be written: 16 TiB, or half of what is available.
 * Sets *bytes; NULL: there is none.
 */
void *workload_reserve(struct workload *w, size_t *bytes);

/* Remembers an address range that was mapped in another way (mremap, shmat). */
void workload_remember(struct workload *w, void *start, size_t bytes);

/*
 * mremap(2), remembered: `pages` pages from p on become `becomes` pages; returns their new address.
 */
void *workload_remap(struct workload *w, void *p, size_t pages, size_t becomes, int flags,
		     void *to);

/*
 * Forgets a mapping that the step has unmapped itself, or a range if the step unmapped only
 * that.
 */
void workload_forget(struct workload *w, void *start);
void workload_forget_range(struct workload *w, void *start, size_t bytes);

/*
 * The number of pages in that many thousandths of all memory (MemTotal). Skips if half of the
 * available memory is less, or if writing them would take long.
 */
size_t workload_share_of_memory(struct workload *w, unsigned thousandths);

/* Writes one byte, or reads one, in each of `pages` pages from p on. */
void touch_write(const struct workload *w, void *p, size_t pages);
void touch_read(const struct workload *w, const void *p, size_t pages);

/*
 * Writes a byte in each page that differs from touch_write()'s, and reads it back: a write to a
 * page that is already present moves no number. Calls workload_checked().
 */
void workload_rewrite(struct workload *w, void *p, size_t pages);

/*
 * Reads a byte in each page, which must be what touch_write() wrote, or 0 if not `written`. Calls
 * workload_checked(); another byte fails the case.
 */
void workload_must_hold(struct workload *w, const void *p, size_t pages, bool written);

/*
 * A nameless file of that many pages on a real file system (its pages are page cache, not shmem):
 * sparse, so that its pages are clean on every file system. Removed with its last descriptor.
 * Closed by the engine.
 */
int workload_file(struct workload *w, size_t pages);

/*
 * A file to read, for code that must run under any limit (measuring, settling). If no file of
 * that size may be made (RLIMIT_FSIZE), it is the workload's own program, provided that is as
 * large. -1 with errno: there is none. The caller closes it.
 */
int workload_file_or_program(struct workload *w, size_t pages);

/*
 * The same for shmem, filled with zeros. -1: none can be made; use MAP_SHARED | MAP_ANONYMOUS
 * instead.
 */
int workload_shmem_or_none(const struct workload *w, size_t pages);

/*
 * A buffer of zeroes for reads and writes in pieces. All cases share it, because its pages are
 * in every process of every case, and each snapshot walks them.
 */
enum { WORKLOAD_BUFFER = 64 << 10 };
extern char workload_buffer[WORKLOAD_BUFFER];

/*
 * A name for an object that a step creates and removes again: a cgroup, a file. If rssck is killed
 * in between, its guard removes objects with this name from /tmp, /dev/shm, the directory for files
 * and the root of cgroups.
 */
enum { WORKLOAD_NAME = 48 };
const char *workload_name(const struct workload *w, char name[WORKLOAD_NAME]);

/*
 * Skips the case if the file system of fd has room for fewer than `pages` pages: a write through a
 * mapping would kill the process.
 */
void workload_need_room(struct workload *w, int fd, size_t pages, const char *where);

/* Skips the step if the file system of fd never writes back. */
void workload_needs_writeback(struct workload *w, int fd);

/* The same, but skips the case: for cases in which every step needs it. */
void workload_case_needs_writeback(struct workload *w, int fd);

/*
 * Skips the step if writing to that file, or unmapping it, may clean its pages: FUSE, or mount -o
 * sync.
 */
void workload_needs_lazy_writes(struct workload *w, int fd);

/* The same, but skips the case: for cases in which every step needs it. */
void workload_case_needs_lazy_writes(struct workload *w, int fd);

/* Skips the case if the kernel may drop the file's page cache without being asked. */
void workload_case_needs_kept_cache(struct workload *w, int fd);

/*
 * How many pages the file system of workload_file() caches when one is read at random: the pages of
 * a block. One fault maps all of them.
 */
size_t workload_cached_at_once(struct workload *w);

/* Skips the case if that number is more than one. */
void workload_case_needs_single_pages(struct workload *w);

/*
 * A workload_file() without any page in the page cache; even those that the file system wrote to
 * create it are dropped. Skips the case if the file system never writes back.
 */
int workload_file_uncached(struct workload *w, size_t pages);

/*
 * Reads the first pages of a file into the page cache one by one, each into its own folio if
 * the file system respects the request for no read-ahead. None is mapped.
 */
void workload_cache(struct workload *w, int fd, size_t pages);

/* An executable private mapping of a file; skips the case if files may not be executed. */
void *workload_map_text(struct workload *w, int fd, size_t pages);

/* The size of the range that one last-level page table maps, which is that of a huge page. */
static inline size_t workload_table_bytes(const struct workload *w)
{
	return w->huge_page_size ? w->huge_page_size
				 : w->page_size / sizeof(uint64_t) * w->page_size;
}

/*
 * A nameless file of that many pages on tmpfs (memfd_create(2)), all holes. Closed by the engine.
 */
int workload_shmem(struct workload *w, size_t pages);

/*
 * How many of the `pages` pages from p on are present, or swapped, according to pagemap. For a
 * step whose effect the kernel decides (fault-around, page-out): the step posts the number it
 * finds, and all other numbers must agree.
 */
int64_t workload_pages_present(struct workload *w, const void *p, size_t pages);
int64_t workload_pages_swapped(struct workload *w, const void *p, size_t pages);

/*
 * How many of their entries have that bit of pagemap (PAGEMAP_GUARD and so on). For a bit that
 * only some kernels have, so that the step can report what this kernel does.
 */
int64_t workload_pages_marked(struct workload *w, const void *p, size_t pages, uint64_t bit);

/*
 * True if each entry of the huge page at p, read alone, is that of its first page with the page
 * frame advanced.
 */
bool workload_entries_run_on(struct workload *w, const void *p, size_t pages);

/* How many of them mincore(2) reports as resident. */
int64_t workload_pages_in_core(struct workload *w, const void *p, size_t pages);

/*
 * PAGEMAP_SCAN on this process; returns the number of ranges. Skips the case if the kernel does not
 * have it.
 */
struct scan_arg;
int workload_scan(struct workload *w, struct scan_arg *arg);

/*
 * How many of `pages` pages from p on a scan finds, with the flags and masks of `question`;
 * *categories, if not NULL, is set to those of the last range.
 */
int64_t workload_scan_pages(struct workload *w, const struct scan_arg *question, const void *p,
			    size_t pages, uint64_t *categories);

/*
 * How many pages of the mapping at p are clean in smaps, for cases in which the kernel may
 * choose that.
 */
int64_t workload_pages_clean(struct workload *w, const void *p);

/*
 * How many of them are private in smaps: some kernels keep no count for each page of a large folio.
 */
int64_t workload_pages_private(struct workload *w, const void *p);

/* How many are Referenced in smaps. */
int64_t workload_pages_referenced(struct workload *w, const void *p);

/* How many are in Swap of smaps: no page table shows that for shmem. */
int64_t workload_pages_in_swap(struct workload *w, const void *p);

/*
 * Forks process number `process` (1..). It returns in the child as a fresh workload that waits for
 * its own steps; the parent continues when the child stands still.
 */
void workload_fork(struct workload *w, unsigned process);

/* Starts process number `process` as a new program, which does nothing after its exec. */
void workload_exec_fresh(struct workload *w, unsigned process);

/*
 * Returns the result of fn(), 0 to 255, from a forked process that has ended by then, so that a
 * wrong count ends with it. That process can neither skip nor fail, so its result must include
 * whether fn() could do its work.
 */
int workload_in_child(struct workload *w, int (*fn)(const struct workload *w));

/*
 * The same for a process that stays until workload_companion_ends(), so that the workload's
 * numbers can be read while another process maps the same memory. *answer, if not NULL, is set
 * to the result of fn() there.
 */
pid_t workload_companion(struct workload *w, int64_t (*fn)(const struct workload *w),
			 int64_t *answer);
void workload_companion_ends(pid_t pid);

/* Ends process number `process` and reaps it. */
void workload_reap(struct workload *w, unsigned process);

/*
 * Threads. workload_threads() starts `n` that run fn(w, index) and then wait, taking part in
 * settling; workload_threads_run() makes all of them run another function; workload_threads_end()
 * ends them. Their stacks are small, because vm.overcommit_memory=2 counts each whole.
 */
enum { WORKLOAD_THREAD_STACK = 256 << 10 };
void workload_threads(struct workload *w, unsigned n,
		      void (*fn)(struct workload *w, unsigned index));
void workload_threads_run(struct workload *w, void (*fn)(struct workload *w, unsigned index));
void workload_threads_end(struct workload *w);

/*
 * Reports to the judge "maxrss" (in pages), "minflt" and "majflt": from getrusage(2) of `who`, or
 * from wait4(2).
 */
void workload_report_rusage(struct workload *w, int who);
void workload_report_usage(struct workload *w, const struct rusage *usage);

/* A field of /proc/TASK/stat, as proc_pid_stat(5) numbers them; `task`: "self", "self/task/TID". */
int64_t workload_stat(struct workload *w, const char *task, unsigned field);

/* A size from our own /proc/PID/status ("VmLck"), in pages; -1: missing. */
int64_t workload_status_pages(const struct workload *w, const char *name);

/*
 * The number in a kernel file, or that of a field in it ("VmLck: 8 kB", "anon 4096"), as printed,
 * whatever its unit. `missing` if there is none.
 */
int64_t workload_number(const char *path, const char *field, int64_t missing);

/* Writes a value to a kernel file; skips the case with "PATH: errno" if that is refused. */
void workload_set(struct workload *w, const char *path, const char *value);

/* Opens a kernel file, or skips the case with its path and the reason. */
int workload_open(struct workload *w, const char *path, int flags);

/* Writes a value to a kernel file; false with errno if that is refused. */
bool workload_try_to_set(const char *path, const char *value);

/*
 * Our cgroup, "/user.slice", of a controller of version 1, or NULL: of version 2; and the first
 * swap area that is on, "/dev/zram0". False if there is none.
 */
bool workload_own_cgroup(const char *controller, char *name, size_t size);
bool workload_swap_area(char *area, size_t size);

/*
 * Waits for asynchronous work (of ksmd, or a kernel worker): check, wait, check again.
 *
 * 	struct patience p = { .seconds = 8 };
 *
 * 	while (merging(w) != PAGES)
 * 		workload_wait(w, &p, "a ksmd that merges %d pages", PAGES);
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

/*
 * Like workload_wait(), but returns false when the time is over: for callers that must restore
 * something before a skip.
 */
bool workload_pause(struct patience *p);

/* Writes '1' .. '5' to the workload's own clear_refs. */
void workload_clear_refs(struct workload *w, char what);

/*
 * Creates a cgroup with a memory controller and enters it; skips the case if that fails. Leave and
 * remove it in the same step.
 */
void workload_cgroup_enter(struct workload *w);
void workload_cgroup_leave(struct workload *w);

/*
 * Changes enough pages that the next read of memory.stat updates it: the kernel does so
 * only if more than a batch of pages on each CPU has changed (memcg_vmstats_needs_flush()).
 */
void workload_cgroup_settle(struct workload *w);

/*
 * A number in bytes from one of the cgroup's files, or from a field of that file, converted to
 * pages; -1: missing.
 */
int64_t workload_cgroup_pages(struct workload *w, const char *file, const char *field);

/* The number in one of the cgroup's files, or of a field in it, as printed; -1: missing. */
int64_t workload_cgroup_number(struct workload *w, const char *file, const char *field);

/* A field of memory.stat in pages, after workload_cgroup_settle(). */
int64_t workload_cgroup_stat(struct workload *w, const char *field);

/* The same for up to 32 fields, in one reading. */
void workload_cgroup_stats(struct workload *w, const char *const *fields, int64_t *pages,
			   size_t nr);

/* A field of memory.stat that counts events, such as pgfault, as printed; -1: missing. */
int64_t workload_cgroup_events(struct workload *w, const char *field);

/*
 * Removes paged-out memory from the swap cache with memory.reclaim: a page still in the swap
 * cache is reused when it is read, and may keep its slot when it is dropped (7.1). False if
 * memory.stat's swapcached does not become 0.
 */
bool workload_cgroup_empties_swap_cache(struct workload *w);

/*
 * Writes a number of pages, as bytes, to one of the cgroup's files; a negative one: "max".
 * Skips the case if that fails.
 */
void workload_cgroup_set(struct workload *w, const char *file, int64_t pages);

/* The same; returns false with errno if that is refused. */
bool workload_cgroup_try_to_set(struct workload *w, const char *file, int64_t pages);

/* The last numbers of a process under a limit, in pages; and whether it was killed. */
struct limited {
	int64_t current, inactive_file, active_file, anon, file, rss;
	bool killed;
};

/*
 * Runs act() in a process of its own in the workload's cgroup, which the OOM killer chooses
 * first. act() calls workload_limited_look() repeatedly.
 */
struct limited workload_limited(struct workload *w, void (*act)(struct workload *w));
void workload_limited_look(struct workload *w);

/* Pins the calling thread to that CPU. */
void workload_pin(struct workload *w, int cpu);

/*
 * Adds postings to those of the current step, for numbers that only the workload knows:
 * workload_expect(w, VIRT_DATA(pages), ANON_WRITE(pages)).
 */
#define workload_expect(w, ...) workload_expect_postings(w, (struct postings)POSTINGS(__VA_ARGS__))
void workload_expect_postings(struct workload *w, struct postings p);

/*
 * Counts one check that a step makes itself and that has succeeded; on failure it would
 * have called workload_fail(). The step's `.checks` says how many there must be.
 */
void workload_checked(struct workload *w);

/* Reports a number to the judge, under a name that the case chooses. */
void workload_report(struct workload *w, const char *name, int64_t value);

/*
 * Something cannot be done here; names what is missing: "memfd_secret(2): ENOSYS". The case is
 * skipped.
 */
_Noreturn void workload_skip(struct workload *w, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Only this step cannot be done here; the case continues without it and without its postings. */
_Noreturn void workload_skip_step(struct workload *w, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The claim is false, as seen by the workload itself (a file's content, an errno). */
_Noreturn void workload_fail(struct workload *w, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Something that the case relies on failed; not a verdict about the kernel. */
_Noreturn void workload_die(struct workload *w, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Calls workload_die() with errno if `result`, the value of the call that `what` names, is -1.
 * Check one call at a time: the value of `a() || b()` is 1, which is no failure. An expression with
 * an operator whose result is 0 or 1 does not compile (-Wparentheses, in the sizeofs); a
 * conditional expression does, with its condition in parentheses.
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
