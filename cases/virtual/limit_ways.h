// SPDX-License-Identifier: MIT
/* The ways in which memory grows towards a limit of setrlimit(2), for virtual/limit_exact. */
#ifndef CASES_VIRTUAL_LIMIT_WAYS_H
#define CASES_VIRTUAL_LIMIT_WAYS_H

#include "base/kernel_file.h"
#include <rssck/case.h>

/*
 * HELD + N + 1 pages of 4 KiB fit into the kernel's default RLIMIT_MEMLOCK (64 KiB up to 5.15).
 * ROOM is more than the gap of 256 pages that the kernel keeps below a growing mapping
 * (stack_guard_gap).
 */
enum { HELD = 4, N = 8, ROOM = 4096 };
enum number { SIZE, DATA_SIZE, STACK_SIZE, LOCKED, PEAK, NUMBERS };

static const char *const names[NUMBERS] = { "VmSize", "VmData", "VmStk", "VmLck", "VmPeak" };

/* The child process of each row has its own copy. */
static struct place {
	char *p;       /* HELD pages; memory grows beside them or inside them */
	size_t page;   /* size of a page */
	int64_t pages; /* pages of the growing stack */
	int fd;        /* /dev/zero, a file, a memfd or a segment */
} place;

enum { READ_WRITE = PROT_READ | PROT_WRITE, ANONYMOUS = MAP_PRIVATE | MAP_ANONYMOUS };

/* Returns a size from /proc/self/status in kB, without allocating memory; -1 if it is missing. */
static int64_t status_kib(const char *name)
{
	workload_read_text("/proc/self/status", workload_buffer, WORKLOAD_BUFFER);
	return kernel_number_in(workload_buffer, name, -1);
}

/* Maps HELD pages with ROOM unmapped pages on both sides. */
static bool map_held(int prot, int flags)
{
	size_t bytes = (2 * ROOM + HELD) * place.page;
	char *hole = workload_try_map(bytes, PROT_NONE, ANONYMOUS | MAP_NORESERVE, -1);

	if (!hole || munmap(hole, bytes))
		return false;
	place.p = mmap(hole + ROOM * place.page, HELD * place.page, prot,
		       flags | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	return place.p != MAP_FAILED;
}

static bool hold(void)
{
	return map_held(READ_WRITE, MAP_PRIVATE);
}

static bool hold_shared(void)
{
	return map_held(READ_WRITE, MAP_SHARED);
}

static bool hold_locked(void)
{
	return hold() && !mlock(place.p, HELD * place.page);
}

/* read(2) from /dev/zero grows a stack, and returns EFAULT instead of raising SIGSEGV. */
static bool hold_stack(void)
{
	place.fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	place.pages = HELD;
	return place.fd >= 0 && map_held(READ_WRITE, MAP_PRIVATE | MAP_GROWSDOWN);
}

static bool hold_locked_stack(void)
{
	return hold_stack() && !mlock(place.p, HELD * place.page);
}

static bool hold_main_stack(void)
{
	const char *line;
	unsigned long start, end;

	if (!hold_stack())
		return false;
	workload_read_text("/proc/self/maps", workload_buffer, WORKLOAD_BUFFER);
	line = strstr(workload_buffer, "[stack]");
	while (line && line > workload_buffer && line[-1] != '\n')
		line--;
	if (!line || sscanf(line, "%lx-%lx", &start, &end) != 2)
		return false;
	place.p = (char *)start;
	place.pages = (int64_t)((end - start) / place.page);
	return true;
}

/* Maps memory that mprotect(2) makes writable, or mlock(2) locks. */
static bool hold_readable(void)
{
	place.p = workload_try_map((HELD + N + 1) * place.page, PROT_READ, MAP_PRIVATE, -1);
	return place.p;
}

/* The locked part ends in the middle of what the row locks. */
static bool hold_partly_locked(void)
{
	return hold_readable() && !mlock(place.p, HELD * place.page);
}

/* The locked part begins N + 1 pages after the start. */
static bool hold_end_locked(void)
{
	return hold_readable() && !mlock(place.p + (N + 1) * place.page, HELD * place.page);
}

static bool hold_lockable(void)
{
	return hold_readable() && !syscall(SYS_mlock2, place.p, 0, MLOCK_ONFAULT);
}

static bool hold_segment(void)
{
	int id = shmget(IPC_PRIVATE, place.page, 0600);

	return id >= 0 && !shmctl(id, IPC_RMID, NULL);
}

static bool hold_future(void)
{
	return hold() && !mlockall(MCL_FUTURE | MCL_ONFAULT);
}

/* Some kernels do not lock secret memory, so its mappings are not limited. */
static bool hold_secret(void)
{
	void *p;
	int64_t locked;

	place.fd = (int)syscall(SYS_memfd_secret, O_CLOEXEC);
	if (place.fd < 0 || ftruncate(place.fd, (N + 1) * (off_t)place.page))
		return false;
	p = workload_try_map(place.page, READ_WRITE, MAP_SHARED, place.fd);
	locked = status_kib("VmLck");
	return p && !munmap(p, place.page) && locked > 0;
}

/*
 * mlockall(2) compares VmSize with the limit, so all memory is locked already, before the row drops
 * its privilege. VmPeak is as high as the row brings it by a call that is refused.
 */
static bool hold_all(void)
{
	size_t bytes = (N + 1) * place.page;
	void *p;

	if (mlockall(MCL_CURRENT | MCL_ONFAULT))
		return false;
	p = workload_try_map(bytes, PROT_NONE, MAP_PRIVATE, -1);
	return p && !munmap(p, bytes);
}

static bool hold_memfd(void)
{
	place.fd = memfd_create("rssck", MFD_CLOEXEC);
	return place.fd >= 0;
}

static bool is_mapped(const void *p)
{
	return p != MAP_FAILED;
}

static bool map(size_t bytes)
{
	return is_mapped(mmap(NULL, bytes, READ_WRITE, ANONYMOUS, -1, 0));
}

static bool map_unreserved(size_t bytes)
{
	return is_mapped(mmap(NULL, bytes, PROT_NONE, ANONYMOUS | MAP_NORESERVE, -1, 0));
}

static bool map_shared(size_t bytes)
{
	return is_mapped(mmap(NULL, bytes, READ_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
}

static bool map_file(size_t bytes)
{
	return is_mapped(mmap(NULL, bytes, READ_WRITE, MAP_PRIVATE, place.fd, 0));
}

static bool map_file_shared(size_t bytes)
{
	return is_mapped(mmap(NULL, bytes, READ_WRITE, MAP_SHARED, place.fd, 0));
}

static bool map_locked(size_t bytes)
{
	return is_mapped(mmap(NULL, bytes, READ_WRITE, ANONYMOUS | MAP_LOCKED, -1, 0));
}

static bool map_over(size_t bytes)
{
	return is_mapped(
		mmap(place.p, HELD * place.page + bytes, READ_WRITE, ANONYMOUS | MAP_FIXED, -1, 0));
}

static bool attach(size_t bytes)
{
	int id = shmget(IPC_PRIVATE, bytes, 0600);
	void *p = shmat(id, NULL, 0);

	shmctl(id, IPC_RMID, NULL);
	return is_mapped(p);
}

static bool grow_break(size_t bytes)
{
	uintptr_t at = (uintptr_t)syscall(SYS_brk, 0);
	uintptr_t to = (at + place.page - 1) / place.page * place.page + bytes;

	return (uintptr_t)syscall(SYS_brk, to) == to;
}

static bool grow_in_place(size_t bytes)
{
	size_t held = HELD * place.page;

	return is_mapped(mremap(place.p, held, held + bytes, 0));
}

/* A mapping above the memory lets it grow only if it moves. */
static bool hold_below(void)
{
	return hold() && is_mapped(mmap(place.p + HELD * place.page, place.page, PROT_NONE,
					ANONYMOUS | MAP_FIXED, -1, 0));
}

static bool grow_and_move(size_t bytes)
{
	size_t held = HELD * place.page;

	return is_mapped(mremap(place.p, held, held + bytes, MREMAP_MAYMOVE));
}

/* An old size of 0 maps shared memory a second time. */
static bool duplicate(size_t bytes)
{
	return is_mapped(mremap(place.p, 0, bytes, MREMAP_MAYMOVE));
}

static bool touch_below(size_t bytes)
{
	return read(place.fd, place.p - bytes, 1) == 1;
}

static bool make_writable(size_t bytes)
{
	return !mprotect(place.p, bytes, READ_WRITE);
}

static bool lock(size_t bytes)
{
	return !mlock(place.p, bytes);
}

static bool lock_on_fault(size_t bytes)
{
	return !syscall(SYS_mlock2, place.p, bytes, MLOCK_ONFAULT);
}

static bool lock_across(size_t bytes)
{
	size_t half = HELD / 2 * place.page;

	return !mlock(place.p + half, half + bytes);
}

static bool lock_towards(size_t bytes)
{
	return !mlock(place.p + (N + 1) * place.page - bytes, bytes + HELD / 2 * place.page);
}

static bool lock_around(size_t bytes)
{
	return !mlock(place.p, HELD * place.page + bytes);
}

static bool map_and_lock_all(size_t bytes)
{
	void *p = workload_try_map(bytes, PROT_NONE, MAP_PRIVATE, -1);
	bool done = p && !mlockall(MCL_CURRENT | MCL_ONFAULT);

	if (!done && p)
		munmap(p, bytes);
	return done;
}

#define KIND(number) (1U << (number))

/* Some kernels lack what an OPTIONAL row needs, or do not limit it. */
enum need { REQUIRED, OPTIONAL };

static const struct way {
	const char *name;
	bool (*hold)(void); /* prepares `place`; false: the kernel lacks what the row needs */
	bool (*grow)(size_t bytes);
	unsigned raises; /* the numbers that rise by the pages, as a set of KIND() */
	enum need need;
} as_ways[] = {
	{ "mmap", hold, map, KIND(SIZE) | KIND(DATA_SIZE), REQUIRED },
	{ "mmap with PROT_NONE", hold, map_unreserved, KIND(SIZE), REQUIRED },
	{ "mmap with MAP_SHARED", hold, map_shared, KIND(SIZE), REQUIRED },
	{ "mmap of a memfd", hold_memfd, map_file_shared, KIND(SIZE), REQUIRED },
	{ "mmap with MAP_FIXED", hold, map_over, KIND(SIZE) | KIND(DATA_SIZE), REQUIRED },
	{ "shmat", hold_segment, attach, KIND(SIZE), OPTIONAL },
	{ "brk", hold, grow_break, KIND(SIZE) | KIND(DATA_SIZE), REQUIRED },
	{ "mremap in place", hold, grow_in_place, KIND(SIZE) | KIND(DATA_SIZE), REQUIRED },
	{ "mremap that moves", hold_below, grow_and_move, KIND(SIZE) | KIND(DATA_SIZE), REQUIRED },
	{ "mremap of shared memory", hold_shared, grow_and_move, KIND(SIZE), REQUIRED },
	{ "mremap with an old size of 0", hold_shared, duplicate, KIND(SIZE), REQUIRED },
	{ "a growing stack", hold_main_stack, touch_below, KIND(SIZE) | KIND(STACK_SIZE), REQUIRED },
	{ "MAP_GROWSDOWN", hold_stack, touch_below, KIND(SIZE) | KIND(STACK_SIZE), REQUIRED },
}, data_ways[] = {
	{ "mmap", hold, map, KIND(SIZE) | KIND(DATA_SIZE), REQUIRED },
	{ "mmap of a memfd", hold_memfd, map_file, KIND(SIZE) | KIND(DATA_SIZE), REQUIRED },
	{ "mmap with MAP_FIXED", hold, map_over, KIND(SIZE) | KIND(DATA_SIZE), REQUIRED },
	{ "mprotect", hold_readable, make_writable, KIND(DATA_SIZE), REQUIRED },
	{ "brk", hold, grow_break, KIND(SIZE) | KIND(DATA_SIZE), REQUIRED },
	{ "mremap in place", hold, grow_in_place, KIND(SIZE) | KIND(DATA_SIZE), REQUIRED },
	{ "mremap that moves", hold_below, grow_and_move, KIND(SIZE) | KIND(DATA_SIZE), REQUIRED },
}, stack_ways[] = {
	{ "the main stack", hold_main_stack, touch_below, KIND(SIZE) | KIND(STACK_SIZE), REQUIRED },
	{ "MAP_GROWSDOWN", hold_stack, touch_below, KIND(SIZE) | KIND(STACK_SIZE), REQUIRED },
}, memlock_ways[] = {
	{ "mlock", hold_readable, lock, KIND(LOCKED), REQUIRED },
	{ "mlock2", hold_lockable, lock_on_fault, KIND(LOCKED), OPTIONAL },
	{ "mlock from the middle of locked memory", hold_partly_locked, lock_across, KIND(LOCKED), REQUIRED },
	{ "mlock into the middle of locked memory", hold_end_locked, lock_towards, KIND(LOCKED), REQUIRED },
	{ "mlock around locked memory", hold_partly_locked, lock_around, KIND(LOCKED), REQUIRED },
	{ "MAP_LOCKED", hold_locked, map_locked, KIND(SIZE) | KIND(DATA_SIZE) | KIND(LOCKED), REQUIRED },
	{ "mmap after mlockall", hold_future, map, KIND(SIZE) | KIND(DATA_SIZE) | KIND(LOCKED), OPTIONAL },
	{ "brk after mlockall", hold_future, grow_break,
	  KIND(SIZE) | KIND(DATA_SIZE) | KIND(LOCKED), OPTIONAL },
	{ "mremap in place", hold_locked, grow_in_place,
	  KIND(SIZE) | KIND(DATA_SIZE) | KIND(LOCKED), REQUIRED },
	{ "a growing stack", hold_locked_stack, touch_below,
	  KIND(SIZE) | KIND(STACK_SIZE) | KIND(LOCKED), REQUIRED },
	{ "memfd_secret", hold_secret, map_file_shared, KIND(SIZE) | KIND(LOCKED), OPTIONAL },
}, mlockall_ways[] = {
	{ "mlockall", hold_all, map_and_lock_all, KIND(SIZE) | KIND(LOCKED), OPTIONAL },
};

enum { WAYS_AS, WAYS_DATA, WAYS_STACK, WAYS_MEMLOCK, WAYS_MLOCKALL };

static const struct limit {
	int resource;
	enum number counts; /* the number that the kernel compares with the limit */
	const struct way *ways;
	size_t nr;
} limits[] = {
#define WAYS(list) (list), sizeof(list) / sizeof(*(list))
	[WAYS_AS] = { RLIMIT_AS, SIZE, WAYS(as_ways) },
	[WAYS_DATA] = { RLIMIT_DATA, DATA_SIZE, WAYS(data_ways) },
	[WAYS_STACK] = { RLIMIT_STACK, STACK_SIZE, WAYS(stack_ways) },
	[WAYS_MEMLOCK] = { RLIMIT_MEMLOCK, LOCKED, WAYS(memlock_ways) },
	[WAYS_MLOCKALL] = { RLIMIT_MEMLOCK, SIZE, WAYS(mlockall_ways) },
#undef WAYS
};

#endif
