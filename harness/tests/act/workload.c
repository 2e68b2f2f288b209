// SPDX-License-Identifier: MIT
/*
 * The workload's side: wraps the calls by which a step acts, and lists them in the text of the
 * reply, which is otherwise empty. The act that the environment names is left out but reported as
 * done.
 */
#include "act.h"
#include "agent/agent.h"
#include <rssck/uapi.h>
#include <rssck/workload.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

static bool acting;
static char out[ACT_NAME]; /* the act that this step leaves out, or "" */
static char acts[sizeof(((struct reply *)0)->text)];
static size_t length;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

enum part { ALL, HALF, NONE };

/*
 * Reads the environment at the beginning of a step. getenv() in the wrappers would make a thread's
 * stack grow by a page.
 */
static void begin(uint32_t step)
{
	const char *s = getenv(ACT_LEAVE_OUT);
	char *rest;

	acting = s != NULL;
	length = 0;
	acts[0] = '\0';
	out[0] = '\0';
	if (acting && strtoul(s, &rest, 10) == step && *rest == ' ')
		memcpy(out, rest + 1, strnlen(rest + 1, ACT_NAME - 1) + 1);
}

static void remember(const char *name)
{
	size_t len = strlen(name);
	const char *at = strstr(acts, name);

	if (at && (at == acts || at[-1] == ' ') && at[len] == ' ')
		return;
	if (length + len + 2 > sizeof(acts))
		return;
	memcpy(acts + length, name, len);
	memcpy(acts + length + len, " ", 2);
	length += len + 1;
}

static enum part part_of(const char *name, bool has_half)
{
	size_t len = strlen(name);
	char half[ACT_NAME + sizeof(ACT_HALF)];

	if (!acting)
		return ALL;
	memcpy(half, name, len);
	memcpy(half + len, ACT_HALF, sizeof(ACT_HALF));
	pthread_mutex_lock(&lock);
	remember(name);
	if (has_half)
		remember(half);
	pthread_mutex_unlock(&lock);
	if (!strcmp(out, name))
		return NONE;
	return has_half && !strcmp(out, half) ? HALF : ALL;
}

/*
 * Half of a range is rounded down to a multiple of 4096 bytes. Half of a 4 kB page would be 0, so
 * such a page is not halved.
 */
static size_t some(enum part p, size_t bytes)
{
	return p == HALF ? bytes / 2 / 4096 * 4096 : bytes;
}

/* Writes "madvise:21". It avoids stdio, which would grow the heap in the middle of a step. */
static const char *name_of(char name[ACT_NAME], const char *call, unsigned long number)
{
	char *at = stpcpy(name, call);
	char digits[20];
	int n = 0;

	*at++ = ':';
	do
		digits[n++] = (char)('0' + number % 10);
	while (number /= 10);
	while (n)
		*at++ = digits[--n];
	*at = '\0';
	return name;
}

/* ---- the loop ---- */

ssize_t __real_recv(int fd, void *buf, size_t size, int flags);
ssize_t __wrap_recv(int fd, void *buf, size_t size, int flags)
{
	ssize_t n = __real_recv(fd, buf, size, flags);
	struct request *q = buf;

	if (n != sizeof(*q) || size != sizeof(*q) || q->kind != REQUEST_STEP)
		return n;
	begin(q->step);
	/* Replaces the step by a settle request for no pages, which does nothing. */
	if (!strcmp(out, ACT_STEP))
		*q = (struct request) { .kind = REQUEST_SETTLE };
	return n;
}

ssize_t __real_send(int fd, const void *buf, size_t size, int flags);
ssize_t __wrap_send(int fd, const void *buf, size_t size, int flags)
{
	const struct reply *r = buf;

	if (acting && size == sizeof(*r) && r->kind == REPLY_DONE)
		memcpy((char *)r->text, acts, length + 1);
	acting = false;
	return __real_send(fd, buf, size, flags);
}

/* ---- threads: the wrappers need more stack than the calls ---- */

static struct start {
	void *(*fn)(void *arg);
	void *arg;
} starts[WORKLOAD_THREADS];

/* Touches the pages of the stack that the wrappers will use, before memory is counted. */
static __attribute__((noinline)) void deepen(void)
{
	char deep[16 << 10];

	memset(deep, 1, sizeof(deep));
	__asm__ volatile("" : : "r"(deep) : "memory");
}

static void *start_deep(void *arg)
{
	const struct start *s = arg;

	deepen();
	return s->fn(s->arg);
}

/* Needs no lock: one thread starts all others, and never more than WORKLOAD_THREADS at a time. */
int __real_pthread_create(pthread_t *id, const pthread_attr_t *attr, void *(*fn)(void *arg),
			  void *arg);
int __wrap_pthread_create(pthread_t *id, const pthread_attr_t *attr, void *(*fn)(void *arg),
			  void *arg)
{
	static unsigned nr;
	struct start *s = &starts[nr++ % WORKLOAD_THREADS];

	/* The case sets the stack itself, so the wrapper does not change it. */
	if (attr)
		return __real_pthread_create(id, attr, fn, arg);
	*s = (struct start) { fn, arg };
	return __real_pthread_create(id, attr, start_deep, s);
}

/* ---- calls with a length that can be halved ---- */

#define ON_A_RANGE(call)                                                       \
	int __real_##call(void *p, size_t bytes);                              \
	int __wrap_##call(void *p, size_t bytes)                               \
	{                                                                      \
		enum part part = part_of(#call, some(HALF, bytes) > 0);        \
                                                                               \
		return part == NONE ? 0 : __real_##call(p, some(part, bytes)); \
	}

ON_A_RANGE(munmap)
ON_A_RANGE(mlock)
ON_A_RANGE(munlock)

#define ON_A_RANGE_AS(call)                                                         \
	int __real_##call(void *p, size_t bytes, int how);                          \
	int __wrap_##call(void *p, size_t bytes, int how)                           \
	{                                                                           \
		char name[ACT_NAME];                                                \
		enum part part = part_of(name_of(name, #call, (unsigned)how),       \
					 some(HALF, bytes) > 0);                    \
                                                                                    \
		return part == NONE ? 0 : __real_##call(p, some(part, bytes), how); \
	}

ON_A_RANGE_AS(madvise)
ON_A_RANGE_AS(mprotect)
ON_A_RANGE_AS(msync)
ON_A_RANGE_AS(mlock2)

void __real_touch_write(const struct workload *w, void *p, size_t pages);
void __wrap_touch_write(const struct workload *w, void *p, size_t pages)
{
	enum part part = pages ? part_of("touch_write", pages > 1) : ALL;

	if (part != NONE)
		__real_touch_write(w, p, part == HALF ? pages / 2 : pages);
}

void __real_touch_read(const struct workload *w, const void *p, size_t pages);
void __wrap_touch_read(const struct workload *w, const void *p, size_t pages)
{
	enum part part = pages ? part_of("touch_read", pages > 1) : ALL;

	if (part != NONE)
		__real_touch_read(w, p, part == HALF ? pages / 2 : pages);
}

/* ---- calls that, if left out, return `instead` ---- */

#define CALL(result, call, instead, parameters, ...) \
	result __real_##call parameters;             \
	result __wrap_##call parameters              \
	{                                            \
		if (part_of(#call, false) == NONE)   \
			return instead;              \
		return __real_##call(__VA_ARGS__);   \
	}

CALL(int, mlockall, 0, (int flags), flags)
CALL(int, munlockall, 0, (void), )
CALL(int, ftruncate, 0, (int fd, off_t size), fd, size)
CALL(int, fallocate, 0, (int fd, int mode, off_t from, off_t size), fd, mode, from, size)
CALL(int, fsync, 0, (int fd), fd)
CALL(int, fdatasync, 0, (int fd), fd)
CALL(int, sync_file_range, 0, (int fd, off64_t from, off64_t size, unsigned flags), fd, from, size,
     flags)
CALL(int, posix_fadvise, 0, (int fd, off_t from, off_t size, int advice), fd, from, size, advice)
CALL(ssize_t, readahead, 0, (int fd, off64_t from, size_t size), fd, from, size)
CALL(ssize_t, write, (ssize_t)size, (int fd, const void *buf, size_t size), fd, buf, size)
CALL(ssize_t, pwrite, (ssize_t)size, (int fd, const void *buf, size_t size, off_t at), fd, buf,
     size, at)
CALL(int, remap_file_pages, 0, (void *p, size_t size, int prot, size_t page, int flags), p, size,
     prot, page, flags)
CALL(int, setrlimit, 0, (int what, const struct rlimit *limit), what, limit)
CALL(int, shmdt, 0, (const void *p), p)
CALL(int, swapoff, 0, (const char *path), path)
CALL(int, unlink, 0, (const char *path), path)
CALL(int, link, 0, (const char *from, const char *to), from, to)
CALL(int, rename, 0, (const char *from, const char *to), from, to)
CALL(int, pkey_mprotect, 0, (void *p, size_t size, int prot, int key), p, size, prot, key)

/* ---- ioctls, by the number of the request ---- */

int __real_ioctl(int fd, unsigned long request, void *arg);
int __wrap_ioctl(int fd, unsigned long request, void *arg)
{
	char name[ACT_NAME];

	if (part_of(name_of(name, "ioctl", request), false) == NONE)
		return 0;
	return __real_ioctl(fd, request, arg);
}

int __real_prctl(int what, unsigned long a, unsigned long b, unsigned long c, unsigned long d);
int __wrap_prctl(int what, unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
	char name[ACT_NAME];

	if (part_of(name_of(name, "prctl", (unsigned)what), false) == NONE)
		return 0;
	return __real_prctl(what, a, b, c, d);
}

/* Only these raw system calls can be left out. */
static bool acts_on_memory(long number)
{
	return number == SYS_process_madvise || number == SYS_mlock2 || number == SYS_move_pages ||
	       number == SYS_io_uring_register;
}

static long all_bytes(const struct iovec *v, unsigned long nr)
{
	size_t bytes = 0;

	for (unsigned long i = 0; i < nr; i++)
		bytes += v[i].iov_len;
	return (long)bytes;
}

long __real_syscall(long number, long a, long b, long c, long d, long e, long f);
long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f)
{
	char name[ACT_NAME];

	if (!acts_on_memory(number) ||
	    part_of(name_of(name, "syscall", (unsigned long)number), false) != NONE)
		return __real_syscall(number, a, b, c, d, e, f);
	return number == SYS_process_madvise ? all_bytes((const struct iovec *)b, (unsigned long)c)
					     : 0;
}

/* ---- functions of the workload library ---- */

/* Creating an object is a preparation for an act, not an act. */
#define MAKER(result, word, parameters, ...)       \
	result __real_##word parameters;           \
	result __wrap_##word parameters            \
	{                                          \
		bool was = acting;                 \
		result made;                       \
                                                   \
		acting = false;                    \
		made = __real_##word(__VA_ARGS__); \
		acting = was;                      \
		return made;                       \
	}

MAKER(int, workload_file, (struct workload * w, size_t pages), w, pages)
MAKER(int, workload_shmem, (struct workload * w, size_t pages), w, pages)
MAKER(int, workload_hugetlb_file, (struct workload * w, int pages, int64_t *bytes), w, pages, bytes)
MAKER(void *, workload_huge_map, (struct workload * w, size_t huge_pages, int fd), w, huge_pages,
      fd)
MAKER(void *, workload_map_text, (struct workload * w, int fd, size_t pages), w, fd, pages)

/* Both may write memory to make the kernel update memory.stat; that is no act of the step. */
MAKER(int64_t, workload_cgroup_stat, (struct workload * w, const char *field), w, field)
MAKER(bool, workload_cgroup_empties_swap_cache, (struct workload * w), w)

MAKER(void *, workload_huge_page, (struct workload * w), w)
MAKER(void *, workload_huge_zero_page, (struct workload * w), w)
MAKER(void *, workload_large_folios, (struct workload * w, size_t nr), w, nr)
MAKER(void *, workload_folios, (struct workload * w, size_t folios, size_t bytes), w, folios, bytes)

#define VOID_MAKER(word, parameters, ...)   \
	void __real_##word parameters;      \
	void __wrap_##word parameters       \
	{                                   \
		bool was = acting;          \
                                            \
		acting = false;             \
		__real_##word(__VA_ARGS__); \
		acting = was;               \
	}

VOID_MAKER(workload_cache, (struct workload * w, int fd, size_t pages), w, fd, pages)
VOID_MAKER(workload_cgroup_settle, (struct workload * w), w)

#define WORD(word, parameters, ...)                 \
	void __real_##word parameters;              \
	void __wrap_##word parameters               \
	{                                           \
		if (part_of(#word, false) != NONE)  \
			__real_##word(__VA_ARGS__); \
	}

WORD(workload_clear_refs, (struct workload * w, char what), w, what)
WORD(workload_threads_end, (struct workload * w), w)
WORD(workload_threads_run, (struct workload * w, void (*fn)(struct workload *w, unsigned index)), w,
     fn)
WORD(workload_page_out, (struct workload * w, void *p, size_t pages), w, p, pages)
WORD(workload_page_out_shmem, (struct workload * w, void *p, size_t pages), w, p, pages)
WORD(workload_reap, (struct workload * w, unsigned process), w, process)
