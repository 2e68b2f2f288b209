// SPDX-License-Identifier: MIT
/*
 * The functions that a step of a case may call.
 *
 * Steps run in a separate process, on one CPU (unless the case has CASE_ALL_CPUS), between two
 * messages of the observer. A step acts and then waits. It reads numbers of its own only if the
 * kernel decides its effect, or if no snapshot has them. If this machine cannot do something, the
 * step calls workload_skip(); if something goes wrong, workload_die(). Neither returns.
 */
#ifndef RSSCK_WORKLOAD_H
#define RSSCK_WORKLOAD_H

#include <fcntl.h>
#include <rssck/step.h>
#include <rssck/uapi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/types.h>
#include <unistd.h>

/*
 * A cgroup's counter may lag by this many pages per CPU: MEMCG_CHARGE_BATCH of
 * include/linux/memcontrol.h.
 */
enum { CGROUP_BATCH = 64 };

enum { WORKLOAD_SLOTS = 16, WORKLOAD_PROCESSES = 33, WORKLOAD_THREADS = 512 };

struct workload {
	size_t page_size;
	size_t huge_page_size; /* bytes that one PMD maps, even if huge pages are disabled */
	int64_t huge;          /* base pages in huge_page_size */
	unsigned process;      /* 0 in the leader, 1 and up in processes that it forks */
	const struct step *step;
	int64_t argument; /* the step's argument, or the calibration's */
	const int *cpus;  /* the CPUs that the case may use */
	unsigned nr_cpus;
	void *slot[WORKLOAD_SLOTS]; /* addresses that the case remembers from step to step */
	int64_t number[WORKLOAD_SLOTS];
	int fd[WORKLOAD_SLOTS];
	struct workload_private *private; /* used by the runtime only */
};

/*
 * Calls madvise(2). Returns -1 with errno on failure. If the kernel refuses all advice, because it
 * lacks the call or a filter forbids it, the case is skipped after the step, unless the advice was
 * MADV_NOHUGEPAGE.
 */
int workload_madvise(void *start, size_t bytes, int advice);
#define madvise workload_madvise

/*
 * Calls madvise(2). If it fails, skips the case if kernels may lack this advice (too old, or built
 * without it); otherwise the case ends with an error.
 */
void workload_advise(struct workload *w, void *p, size_t bytes, int advice);

/* Wrappers that skip the case, after the step, if the system call is missing or forbidden. */
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

/*
 * Calls mmap(2). The engine remembers the mapping, and unmaps it at the end. Does not return if
 * mmap(2) fails.
 */
void *workload_map(struct workload *w, size_t bytes, int prot, int flags, int fd, off_t offset);

/*
 * Calls mmap(2) for a file, or for anonymous memory if fd is negative. The engine does not remember
 * the mapping. Returns NULL with errno on failure.
 */
static inline void *workload_try_map(size_t bytes, int prot, int flags, int fd)
{
	void *p = mmap(NULL, bytes, prot, flags | (fd < 0 ? MAP_ANONYMOUS : 0), fd, 0);

	return p == MAP_FAILED ? NULL : p;
}

/* Maps `pages` pages like workload_map(), from the start of the file. */
void *workload_map_pages(struct workload *w, size_t pages, int prot, int flags, int fd);

/* Maps all `pages` pages of a file shared and writable. */
static inline void *workload_shared(struct workload *w, size_t pages, int fd)
{
	return workload_map_pages(w, pages, PROT_READ | PROT_WRITE, MAP_SHARED, fd);
}

/* Unmaps a whole mapping that workload_map() made. */
void workload_unmap(struct workload *w, void *start, size_t bytes);

/* Maps private anonymous memory, readable, writable and untouched. */
void *workload_anonymous(struct workload *w, size_t pages);

/* Moves the break (brk(2)) by `pages` pages, down if negative. Returns the previous break. */
char *workload_break(struct workload *w, int64_t pages);

/* Maps private anonymous memory and writes each page. */
void *workload_written(struct workload *w, size_t pages);

/*
 * Grows the main thread's stack to `bytes` below the current position, by writing each page.
 * Returns the address of the lowest page. Skips the case if RLIMIT_STACK is less than 4 * `bytes`.
 */
void *workload_stack_down(struct workload *w, size_t bytes);

/*
 * Maps private anonymous address space that the case mostly leaves untouched: 16 TiB. If that is
 * refused, tries half as much repeatedly, and keeps half of what it gets. Sets *bytes. Returns NULL
 * if not even 64 MiB can be mapped.
 */
void *workload_reserve(struct workload *w, size_t *bytes);

/* Remembers a range that mremap(2), shmat(2) or the like has mapped. */
void workload_remember(struct workload *w, void *start, size_t bytes);

/*
 * Calls mremap(2) for `pages` pages from p on, which become `becomes` pages, and remembers the
 * result. Returns their new address.
 */
void *workload_remap(struct workload *w, void *p, size_t pages, size_t becomes, int flags,
		     void *to);

/*
 * Forgets a mapping that the step itself has unmapped; workload_forget_range() only if the range is
 * the whole mapping.
 */
void workload_forget(struct workload *w, void *start);
void workload_forget_range(struct workload *w, void *start, size_t bytes);

/*
 * Returns the number of pages in `thousandths` / 1000 of MemTotal. Skips the case if less than
 * twice as much is available within the limits of its cgroups, or if the pages are more than 4 GiB,
 * because writing them takes too long.
 */
size_t workload_share_of_memory(struct workload *w, unsigned thousandths);

/* Writes, or reads, one byte in each of `pages` pages from p on. */
void touch_write(const struct workload *w, void *p, size_t pages);
void touch_read(const struct workload *w, const void *p, size_t pages);

/*
 * Writes another byte than touch_write() to each page, and reads it back. If the pages are present,
 * writable and dirty, no number changes. Calls workload_checked().
 */
void workload_rewrite(struct workload *w, void *p, size_t pages);

/*
 * Reads a byte of each page, which must be that of touch_write(), or 0 if `written` is false.
 * Otherwise the case fails. Calls workload_checked().
 */
void workload_must_hold(struct workload *w, const void *p, size_t pages, bool written);

/*
 * Makes an unnamed file of `pages` pages on a real file system, so that its pages are page cache
 * and not shmem. The file is sparse, so that its pages start clean. The engine closes it; the last
 * close removes it.
 */
int workload_file(struct workload *w, size_t pages);

/*
 * Opens a file of `pages` pages for reading, for code that must run under any limit (measuring,
 * settling). If RLIMIT_FSIZE forbids such a file, opens the workload's own program, if that is
 * large enough. Returns -1 with errno on failure. The caller closes it.
 */
int workload_file_or_program(struct workload *w, size_t pages);

/*
 * Makes a shmem file of `pages` holes: a memfd, or a nameless file in /dev/shm. Returns -1 if
 * neither is possible; the caller then uses MAP_SHARED | MAP_ANONYMOUS.
 */
int workload_shmem_or_none(const struct workload *w, size_t pages);

/*
 * Returns whether write(2) and fallocate(2) add only the pages of their range to a memfd. With
 * shmem_enabled=always (also of a folio size) they add whole folios. Tries it.
 */
bool workload_memfd_of_pages(const struct workload *w);

/*
 * A buffer for read(2) and write(2). All cases share this one, because each buffer adds pages to
 * every process, and every snapshot walks those pages.
 */
enum { WORKLOAD_BUFFER = 64 << 10 };
extern char workload_buffer[WORKLOAD_BUFFER];

/*
 * Writes a name for an object that a step makes and removes (a cgroup, a file), and returns it. If
 * rssck is killed in between, its guard removes what has this name in /tmp, /dev/shm, the directory
 * for files, the root of cgroups, and rssck's own v1 cgroups (memory, hugetlb).
 */
enum { WORKLOAD_NAME = 48 };
const char *workload_name(const struct workload *w, char name[WORKLOAD_NAME]);

/*
 * Skips the case if the file system of fd has no room for `pages` pages: a write through a mapping
 * would then kill the process. `where` names the file system.
 */
void workload_need_room(struct workload *w, int fd, size_t pages, const char *where);

/* Skips the step if the file system of fd never writes pages back. */
void workload_needs_writeback(struct workload *w, int fd);

/* Like workload_needs_writeback(), but skips the case: for cases whose steps all need writeback. */
void workload_case_needs_writeback(struct workload *w, int fd);

/*
 * Skips the step if the file system of fd may clean pages when they are written or unmapped, as
 * FUSE, mount -o sync and chattr +S do.
 */
void workload_needs_lazy_writes(struct workload *w, int fd);

/* Like workload_needs_lazy_writes(), but skips the case. */
void workload_case_needs_lazy_writes(struct workload *w, int fd);

/* Skips the case if fd is on FUSE, which drops a file's page cache when the file is truncated. */
void workload_case_needs_kept_cache(struct workload *w, int fd);

/*
 * Returns how many pages the file system of workload_file() caches when one is read at random: the
 * pages of a block, at most 64; 1 if that is unknown. One fault may map all of them.
 */
size_t workload_cached_at_once(struct workload *w);

/* Skips the case if workload_cached_at_once() is more than 1. */
void workload_case_needs_single_pages(struct workload *w);

/*
 * Makes a file like workload_file(), and drops all its pages from the page cache. Skips the case if
 * the file system never writes pages back.
 */
int workload_file_uncached(struct workload *w, size_t pages);

/* Like workload_file_uncached(), but returns -1 if the file system never writes pages back. */
int workload_try_file_uncached(struct workload *w, size_t pages);

/*
 * Reads the first `pages` pages of a file into the page cache, one by one and without mapping them.
 * Each page gets its own folio if the file system obeys POSIX_FADV_RANDOM.
 */
void workload_cache(struct workload *w, int fd, size_t pages);

/* Maps a file private and executable; skips the case if files may not be executed. */
void *workload_map_text(struct workload *w, int fd, size_t pages);

/* Returns how many bytes one last-level page table maps, which is the size of a huge page. */
static inline size_t workload_table_bytes(const struct workload *w)
{
	return w->huge_page_size ? w->huge_page_size
				 : w->page_size / sizeof(uint64_t) * w->page_size;
}

/* Makes a memfd of `pages` pages, all of them holes. The engine closes it. */
int workload_shmem(struct workload *w, size_t pages);

/*
 * workload_mount_nowhere() makes a file system of a type, such as "hugetlbfs", that is mounted
 * nowhere and ends with its last open file, workload_tmpfs() a tmpfs. `options` are those of
 * mount(8), such as "huge=always,size=64k". Returns a descriptor of its root, or -1 with errno. The
 * caller closes it.
 */
int workload_mount_nowhere(const char *type, const char *options);
int workload_tmpfs(const char *options);

/* Like workload_tmpfs(), without huge pages. */
int workload_tmpfs_of_pages(const char *options);

/* Changes options of such a tmpfs, such as "size=64k". Returns false with errno if it is refused.
 */
bool workload_tmpfs_set(int at, const char *options);

/*
 * Makes a nameless file, of 0 bytes, on a tmpfs of its own, which ends with the file. Returns -1
 * with errno on failure. The caller closes it.
 */
int workload_tmpfs_file(const char *options);

/*
 * workload_pages_present() returns how many of the `pages` pages from p on are present according to
 * pagemap, workload_pages_swapped() how many are swapped; the bit for swapped is also set for
 * migration entries and markers. For steps whose effect the kernel decides (fault-around,
 * page-out): the step posts this number, and all other numbers must agree.
 */
int64_t workload_pages_present(struct workload *w, const void *p, size_t pages);
int64_t workload_pages_swapped(struct workload *w, const void *p, size_t pages);

/*
 * Returns how many of the pages have this bit of pagemap, such as PAGEMAP_GUARD. If only some
 * kernels have the bit, the step can report what this kernel does.
 */
int64_t workload_pages_marked(struct workload *w, const void *p, size_t pages, uint64_t bit);

/*
 * workload_entry() returns the page's entry in the open `pagemap`, 0 if it cannot be read;
 * workload_is_present() whether it says that the page is present. For forked processes, which
 * cannot fail the case.
 */
uint64_t workload_entry(int pagemap, const void *p, size_t page_size);
bool workload_is_present(int pagemap, const void *p, size_t page_size);

/*
 * Reads a sample of the huge page's pagemap entries, each alone: pages 1, 3, 7, 15 ... Returns true
 * if each of them is the first entry with the page frame number advanced.
 */
bool workload_entries_run_on(struct workload *w, const void *p, size_t pages);

/* Returns how many of the pages are resident according to mincore(2). */
int64_t workload_pages_in_core(struct workload *w, const void *p, size_t pages);

/*
 * Calls PAGEMAP_SCAN on this process. Returns the number of ranges. Skips the case on any error,
 * including when the kernel lacks PAGEMAP_SCAN.
 */
struct scan_arg;
int workload_scan(struct workload *w, struct scan_arg *arg);

/*
 * Write-protects the pages that were written (PM_SCAN_WP_MATCHING), without asking which these are.
 */
void workload_scan_protect(struct workload *w, const void *p, size_t bytes);

/*
 * Runs PAGEMAP_SCAN with the flags and masks of `question` on the `pages` pages at p. Returns how
 * many of them it finds. Sets *categories, unless it is NULL, to those of the last range.
 */
int64_t workload_scan_pages(struct workload *w, const struct scan_arg *question, const void *p,
			    size_t pages, uint64_t *categories);

/*
 * Returns how many pages of the mapping at p are clean in smaps, for cases in which the kernel may
 * decide this.
 */
int64_t workload_pages_clean(struct workload *w, const void *p);

/*
 * Returns how many pages of the mapping at p are private in smaps. Some kernels keep no mapcount
 * for each page of a large folio.
 */
int64_t workload_pages_private(struct workload *w, const void *p);

/* Returns how many pages of the mapping at p are Referenced in smaps. */
int64_t workload_pages_referenced(struct workload *w, const void *p);

/*
 * Returns Swap of the mapping at p from smaps, in pages. For shmem no page table shows this number.
 */
int64_t workload_pages_in_swap(struct workload *w, const void *p);

/*
 * workload_smaps_lines() reads the lines of the mapping at p in smaps, without the first, which has
 * the addresses. workload_smaps_field() returns a field of this mapping, as printed; -1 if there is
 * none.
 */
enum { WORKLOAD_SMAPS = 2048 };
void workload_smaps_lines(struct workload *w, const void *p, char text[WORKLOAD_SMAPS]);
int64_t workload_smaps_field(struct workload *w, const void *p, const char *field);

/*
 * Forks process number `process` (from 1 on). The child does not return: it becomes a new workload
 * that waits for its own steps. The parent returns when the child waits.
 */
void workload_fork(struct workload *w, unsigned process);

/* Starts process number `process` as a new program that does nothing after exec. */
void workload_exec_fresh(struct workload *w, unsigned process);

/*
 * Forks a process that runs fn() and ends; returns the result of fn(), 0 to 255. If fn() makes the
 * kernel miscount, the wrong counters end with this process. fn() can neither skip nor fail the
 * case, so its result must show whether it could do its work.
 */
int workload_in_child(struct workload *w, int (*fn)(const struct workload *w));

/*
 * Like workload_in_child(), with a text: fn() writes it by workload_say(), which returns `result`.
 * The text is what fn() found wrong, or what it lacks.
 */
int workload_in_child_that_says(struct workload *w, int (*fn)(const struct workload *w), char *text,
				size_t size);
int workload_say(int result, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Waits for a forked process. Returns its exit status; `none` if it has none, or does not exist. */
int workload_result_of(pid_t pid, int none);

/*
 * Forks a process that runs fn() and stays until workload_companion_ends(), so that the workload's
 * numbers can be read while another process maps the same memory. Sets *answer, unless it is NULL,
 * to the result of fn(), or 0 if fn is NULL. Returns the process.
 */
pid_t workload_companion(struct workload *w, int64_t (*fn)(const struct workload *w),
			 int64_t *answer);
void workload_companion_ends(pid_t pid);

/*
 * workload_beside() pins the workload to its first CPU and forks a process, on its second CPU if it
 * has one. That process calls act() with the workload's PID, repeatedly, from workload_beside_go()
 * until workload_beside_stop(), which waits for the last call. workload_beside_acts() returns how
 * many calls have returned true so far; workload_beside_ends() kills the process and returns the
 * total.
 */
typedef bool workload_act(const struct workload *w, pid_t of);
struct beside;
struct beside *workload_beside(struct workload *w, workload_act *act);
void workload_beside_go(struct beside *b);
void workload_beside_stop(struct beside *b);
int64_t workload_beside_acts(const struct beside *b);
int64_t workload_beside_ends(struct workload *w, struct beside *b);

/*
 * Acts for the process of workload_beside(), on the memory of process `of`.
 *
 * workload_migrate_to_and_fro() migrates up to 256 pages to node 1, by the next call to node 0, and
 * so on. `how` is MPOL_MF_MOVE or, if pages that other processes map migrate too, MPOL_MF_MOVE_ALL.
 * Returns true if the first page arrives.
 *
 * workload_page_out_of() returns the number of bytes that process_madvise(2) with MADV_PAGEOUT
 * advises; -1 with errno on failure.
 */
enum { WORKLOAD_TO_AND_FRO = 256 };
bool workload_migrate_to_and_fro(const struct workload *w, pid_t of, void *start, size_t pages,
				 int how);
ssize_t workload_page_out_of(pid_t of, void *start, size_t bytes);

/*
 * workload_guard_begin() forks a process that runs undo() at workload_guard_end(), or when the
 * calling process ends, even by SIGKILL. What undo() restores must be known before the call.
 */
struct workload_guard {
	pid_t pid;
	int end;
};
struct workload_guard workload_guard_begin(struct workload *w, void (*undo)(void));
void workload_guard_end(struct workload *w, const struct workload_guard *g);

/* Ends process number `process` and reaps it. */
void workload_reap(struct workload *w, unsigned process);

/*
 * workload_threads() starts `n` threads that run fn(w, index) and then wait; they take part in
 * settling. workload_threads_run() makes all of them run another function. workload_threads_end()
 * ends them. Their stacks are small, because vm.overcommit_memory=2 counts each stack in full.
 */
enum { WORKLOAD_THREAD_STACK = 256 << 10 };
void workload_threads(struct workload *w, unsigned n,
		      void (*fn)(struct workload *w, unsigned index));
void workload_threads_run(struct workload *w, void (*fn)(struct workload *w, unsigned index));
void workload_threads_end(struct workload *w);

/*
 * Report "maxrss" (in pages), "minflt" and "majflt" to judge(): those of getrusage(2) of `who`, or
 * those that wait4(2) returned.
 */
void workload_report_rusage(struct workload *w, int who);
void workload_report_usage(struct workload *w, const struct rusage *usage);

/*
 * Returns a field of /proc/TASK/stat, by its number in proc_pid_stat(5). `task` is "self" or
 * "self/task/TID".
 */
int64_t workload_stat(struct workload *w, const char *task, unsigned field);

/* Returns a size from the workload's status, such as "VmLck", in pages; -1 if it is missing. */
int64_t workload_status_pages(const struct workload *w, const char *name);

/*
 * Returns a line of /proc/meminfo in kB, such as "MemTotal", in pages; 0 if it is missing.
 * workload_all_pages() returns the pages of all memory and swap.
 */
int64_t workload_meminfo_pages(const struct workload *w, const char *name);
int64_t workload_all_pages(const struct workload *w);

/*
 * Returns the number in a kernel file, or of a field in this file ("VmLck: 8 kB", "anon 4096"), as
 * printed, in any unit. Returns `missing` if there is none.
 */
int64_t workload_number(const char *path, const char *field, int64_t missing);

/*
 * Reads the start of a file into `text`. Returns the number of bytes; -1 with errno on failure,
 * with `text` empty.
 */
ssize_t workload_read_text(const char *path, char *text, size_t size);

/*
 * Like workload_read_text(), up to the end of the file or of `text`: a read(2) of a seq_file
 * returns at most about a page of whole lines.
 */
ssize_t workload_read_whole(const char *path, char *text, size_t size);

/*
 * Returns true if the kernel was booted with an option that has one of these values, such as
 * "cgroup.memory" and "nobpf,nokmem".
 */
bool workload_booted_with(const char *option, const char *values);

/*
 * workload_open_log() opens the kernel log at its end; returns -1 if that is not permitted.
 * workload_next_of_log() reads the next message into `text`; returns false if there is none.
 */
int workload_open_log(void);
bool workload_next_of_log(int log, char *text, size_t size);

/* Writes a value to a kernel file. On failure, skips the case with "PATH: errno". */
void workload_set(struct workload *w, const char *path, const char *value);

/* Opens a kernel file. On failure, skips the case with the path and the reason. */
int workload_open(struct workload *w, const char *path, int flags);
static inline int workload_open_pagemap(struct workload *w)
{
	return workload_open(w, "/proc/self/pagemap", O_RDONLY);
}

/* Writes a value to a kernel file. Returns false with errno on failure. */
bool workload_try_to_set(const char *path, const char *value);

/* Like workload_set() and workload_try_to_set(), for a number. */
void workload_set_number(struct workload *w, const char *path, int64_t value);
bool workload_try_to_set_number(const char *path, int64_t value);

/*
 * workload_own_cgroup() writes the workload's cgroup, such as "/user.slice", of a v1 controller, or
 * of v2 if `controller` is NULL. workload_swap_area() writes the first active swap area, such as
 * "/dev/zram0". Both return false if there is none.
 */
bool workload_own_cgroup(const char *controller, char *name, size_t size);
bool workload_swap_area(char *area, size_t size);

/*
 * Waits for asynchronous work, of ksmd or a kernel worker: check, wait, check again.
 *
 *	struct patience p = { .seconds = 8 };
 *
 *	while (merging(w) != PAGES)
 *		workload_wait(w, &p, "a ksmd that merges %d pages", PAGES);
 *
 * When the time is over, the case is skipped: "a ksmd that merges 64 pages in 8 s".
 */
struct patience {
	unsigned seconds;
	unsigned pause_us;
	int64_t until;
};
void workload_wait(struct workload *w, struct patience *p, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Like workload_wait(), but returns false when the time is over, for callers that must restore
 * something before they skip.
 */
bool workload_pause(struct patience *p);

/*
 * Waits for some RCU grace periods, after which the kernel frees objects such as a removed cgroup:
 * four calls of membarrier(2) wait for one each, unless only one CPU is online.
 */
void workload_await_frees(void);

/* Writes '1' to '5' to the workload's own clear_refs. */
void workload_clear_refs(struct workload *w, char what);

/*
 * Makes a v2 cgroup with the memory controller below the root, and enters it. Skips the case if
 * this fails. The same step must call workload_cgroup_leave(), which fails the step if an event of
 * the cgroup is below 0, or if memory.events and memory.events.local differ though the cgroup had
 * no children.
 */
void workload_cgroup_enter(struct workload *w);
void workload_cgroup_leave(struct workload *w);

/*
 * Changes so many pages that the next read of memory.stat updates it. The kernel does that only if
 * more than a batch of pages per CPU has changed (memcg_vmstats_needs_flush()).
 */
void workload_cgroup_settle(struct workload *w);

/*
 * Returns the number of bytes in a file of the cgroup, or of a field of this file, converted to
 * pages; -1 if there is none.
 */
int64_t workload_cgroup_pages(struct workload *w, const char *file, const char *field);

/*
 * Returns the number in a file of the cgroup, or of a field of this file, as printed; -1 if there
 * is none.
 */
int64_t workload_cgroup_number(struct workload *w, const char *file, const char *field);

/* Returns a field of memory.stat in pages, after workload_cgroup_settle(). */
int64_t workload_cgroup_stat(struct workload *w, const char *field);

/* Like workload_cgroup_stat(), for up to 32 fields in one reading. */
void workload_cgroup_stats(struct workload *w, const char *const *fields, int64_t *pages,
			   size_t nr);

/*
 * Returns a field of memory.stat that counts events, such as pgfault, as printed; -1 if there is
 * none.
 */
int64_t workload_cgroup_events(struct workload *w, const char *field);

/*
 * Removes paged-out memory from the swap cache by memory.reclaim, because a page in the swap cache
 * is reused when it is read, and may keep its slot when it is dropped (7.1). Returns true if
 * swapcached of memory.stat is 0 or missing; false if it is not 0 after ten seconds, or if
 * memory.reclaim is missing.
 */
bool workload_cgroup_empties_swap_cache(struct workload *w);

/*
 * Writes a number of pages, converted to bytes, to a file of the cgroup; "max" if it is negative.
 * Skips the case if this fails.
 */
void workload_cgroup_set(struct workload *w, const char *file, int64_t pages);

/*
 * workload_cgroup_path() writes the path of a file of the cgroup, or of a child of it, into `path`,
 * and returns it. workload_cgroup_write() writes a value to this file; returns false with errno on
 * failure.
 */
enum { WORKLOAD_CGROUP_PATH = 160 };
const char *workload_cgroup_path(const struct workload *w, const char *file,
				 char path[WORKLOAD_CGROUP_PATH]);
bool workload_cgroup_write(const struct workload *w, const char *file, const char *value);

/*
 * Makes or removes a cgroup below that of the workload, by a name such as "a/b".
 * workload_cgroup_make() returns false with errno on failure.
 */
bool workload_cgroup_make(const struct workload *w, const char *name);
void workload_cgroup_remove(const struct workload *w, const char *name);

/*
 * workload_cgroup_delegate() gives the children of a cgroup (`name`; NULL: the workload's) the
 * controllers memory and, if there are such, hugetlb and pids. Returns false with errno on failure.
 * workload_cgroup_undelegate() takes the controllers back.
 */
bool workload_cgroup_delegate(const struct workload *w, const char *name);
void workload_cgroup_undelegate(const struct workload *w, const char *name);

/*
 * Moves the workload from its cgroup to a new one below it, "side", and back, so that the cgroup
 * can have controllers for its children. workload_cgroup_step_aside() returns false with errno on
 * failure.
 */
bool workload_cgroup_step_aside(const struct workload *w);
void workload_cgroup_step_back(const struct workload *w);

/* Like workload_cgroup_set(), but returns false with errno on failure. */
bool workload_cgroup_try_to_set(const struct workload *w, const char *file, int64_t pages);

/* The last numbers of a process under a limit, in pages, and whether it was killed. */
struct limited {
	int64_t current, inactive_file, active_file, anon, file, rss;
	bool killed;
};

/*
 * Runs act() in a separate process of the workload's cgroup, which the OOM killer chooses first.
 * act() must call workload_limited_look() repeatedly: the numbers of the last call are returned.
 */
struct limited workload_limited(struct workload *w, void (*act)(struct workload *w));
void workload_limited_look(struct workload *w);

/* A user that no other process has. */
enum { WORKLOAD_UNUSED_USER = 1934567890 };

/*
 * Adds a capability, such as CAP_IPC_LOCK, to the effective ones of the calling thread, or removes
 * it. Returns 0, or -1 with errno.
 */
int workload_set_capability(unsigned capability, bool on);

/* Pins the calling thread to a CPU. */
void workload_pin(struct workload *w, int cpu);

/*
 * Adds postings to those of the current step, for numbers that only the workload knows:
 * workload_expect(w, VIRT_DATA(pages), ANON_WRITE(pages)).
 */
#define workload_expect(w, ...) workload_expect_postings(w, (struct postings)POSTINGS(__VA_ARGS__))
void workload_expect_postings(struct workload *w, struct postings p);

/*
 * Counts one check that the step made itself and that succeeded. If a check does not succeed, the
 * step calls workload_fail() instead. The number of checks must be the step's `.checks`.
 */
void workload_checked(struct workload *w);

/* Reports a number to judge(), under a name that the case chooses. */
void workload_report(struct workload *w, const char *name, int64_t value);

/* Reports a number of a moment or an act, under the name "WHEN: NAME", for trial_reported_of(). */
void workload_report_of(struct workload *w, const char *when, const char *name, int64_t value);

/*
 * Lets the process survive SIGBUS. The access that raised it is repeated, endlessly if it raises
 * SIGBUS each time.
 */
void workload_survive_sigbus(void);

/*
 * Skips the case because this machine lacks something. The text names what is missing, for example
 * "memfd_secret(2): %m".
 */
_Noreturn void workload_skip(struct workload *w, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Skips only this step and its postings. The case is skipped if no step is possible. */
_Noreturn void workload_skip_step(struct workload *w, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Fails the case: the workload itself has seen that the claim is false, by a file's content or an
 * errno.
 */
_Noreturn void workload_fail(struct workload *w, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Fails the case without another try, which would not show the error again, because the kernel has
 * lost what it needs, such as hugetlb pages.
 */
_Noreturn void workload_fail_once(struct workload *w, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Ends the case with an error, because something that the case relies on failed. Skips the case if
 * errno means a missing call, a full disk or a limit, or if a filter of system calls may have
 * caused EPERM.
 */
_Noreturn void workload_die(struct workload *w, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Calls workload_die() with errno if `result`, the value of the call that `what` names, is
 * negative. Check one call at a time: `a() || b()` is 1 on failure, which is not negative. Such
 * expressions, with an operator whose result is 0 or 1, do not compile (-Wparentheses, in the
 * sizeofs). A conditional expression compiles if its condition is in parentheses.
 */
#define workload_must(w, result, what)                                                    \
	((void)sizeof(1 && result), (void)sizeof(1 || result), (void)sizeof(0 == result), \
	 workload_must_(w, result, what))

static inline void workload_must_(struct workload *w, long result, const char *what)
{
	if (result < 0)
		workload_die(w, "%s: %m", what);
}

/* Calls mprotect(2). */
static inline void workload_protect(struct workload *w, void *p, size_t bytes, int prot)
{
	workload_must(w, mprotect(p, bytes, prot), "mprotect");
}

/* Punches a hole into a file. */
static inline void workload_punch(struct workload *w, int fd, off_t from, off_t bytes)
{
	workload_must(w, fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, from, bytes),
		      "fallocate");
}

#endif
