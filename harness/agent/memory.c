// SPDX-License-Identifier: MIT
/* Maps memory for steps, and remembers it so that it can be unmapped at the end. */
#include "agent.h"
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

void workload_remember(struct workload *w, void *start, size_t bytes)
{
	struct workload_private *p = w->private;

	if (p->nr_ranges == RANGES_MAX)
		workload_die(w, "more than %d mappings", RANGES_MAX);
	p->ranges[p->nr_ranges++] = (struct range) { start, bytes, p->request };
}

void workload_forget(struct workload *w, void *start)
{
	struct workload_private *p = w->private;

	for (unsigned i = 0; i < p->nr_ranges; i++) {
		if (p->ranges[i].start != start)
			continue;
		p->ranges[i] = p->ranges[--p->nr_ranges];
		return;
	}
}

void workload_forget_range(struct workload *w, void *start, size_t bytes)
{
	const struct workload_private *p = w->private;

	for (unsigned i = 0; i < p->nr_ranges; i++)
		if (p->ranges[i].start == start && p->ranges[i].bytes == bytes)
			return workload_forget(w, start);
}

void *workload_map(struct workload *w, size_t bytes, int prot, int flags, int fd, off_t offset)
{
	void *p = mmap(NULL, bytes, prot, flags, fd, offset);

	if (p == MAP_FAILED && errno == EPERM && prot & PROT_EXEC && fd >= 0)
		workload_skip(
			w,
			"executable files: %s is mounted noexec; choose another directory with $TMPDIR or --directory",
			w->private->hello.directory);
	if (p == MAP_FAILED)
		workload_die(w, "mmap of %zu bytes: %s", bytes, strerror(errno));
	workload_remember(w, p, bytes);
	return p;
}

void *workload_remap(struct workload *w, void *p, size_t pages, size_t becomes, int flags, void *to)
{
	void *moved = mremap(p, pages * w->page_size, becomes * w->page_size, flags, to);

	if (moved == MAP_FAILED)
		workload_die(w, "mremap of %zu pages: %s", pages, strerror(errno));
	workload_forget(w, p);
	workload_remember(w, moved, becomes * w->page_size);
	return moved;
}

void *workload_map_pages(struct workload *w, size_t pages, int prot, int flags, int fd)
{
	return workload_map(w, pages * w->page_size, prot, flags, fd, 0);
}

void workload_unmap(struct workload *w, void *start, size_t bytes)
{
	munmap(start, bytes);
	workload_forget(w, start);
}

/*
 * Moves the break. With glibc this uses sbrk(), because glibc's malloc() moves the break, too.
 * musl's brk() always fails, so the system call is used.
 */
static void *move_break(intptr_t bytes)
{
#ifdef __GLIBC__
	return sbrk(bytes);
#else
	intptr_t now = syscall(SYS_brk, 0);

	return bytes && syscall(SYS_brk, now + bytes) != now + bytes ? (void *)-1 : (void *)now;
#endif
}

char *workload_break(struct workload *w, int64_t pages)
{
	char *now = move_break(0);

	if (syscall(SYS_brk, 0) == -1)
		workload_skip(w, "brk(2): %m");
	if (move_break((intptr_t)(pages * (int64_t)w->page_size)) != now)
		workload_die(w, "brk by %lld pages: %m", (long long)pages);
	return now;
}

void *workload_anonymous(struct workload *w, size_t pages)
{
	return workload_map(w, pages * w->page_size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

void *workload_reserve(struct workload *w, size_t *bytes)
{
	const uint64_t most = 16ULL << 40;
	uint64_t size = most;
	void *p = NULL;

	for (; size >= 64 << 20; size /= 2) {
		if (size <= SIZE_MAX)
			p = workload_try_map((size_t)size, PROT_READ | PROT_WRITE,
					     MAP_PRIVATE | MAP_NORESERVE, -1);
		if (p)
			break;
	}
	if (!p)
		return NULL;
	/*
	 * The cause may be vm.overcommit_memory=2. The reservation then counts against the
	 * machine's commit limit, so keep only half of it.
	 */
	if (size < most) {
		size /= 2;
		munmap((char *)p + size, (size_t)size);
	}
	*bytes = (size_t)size;
	workload_remember(w, p, *bytes);
	return p;
}

void touch_write(const struct workload *w, void *p, size_t pages)
{
	volatile char *c = p;

	for (size_t i = 0; i < pages; i++)
		c[i * w->page_size] = (char)(i | 1);
}

void *workload_written(struct workload *w, size_t pages)
{
	void *p = workload_anonymous(w, pages);

	touch_write(w, p, pages);
	return p;
}

void *workload_stack_down(struct workload *w, size_t bytes)
{
	char here = 0;
	uintptr_t edge = ((uintptr_t)&here - bytes) / w->page_size * w->page_size;
	struct rlimit limit;

	if (getrlimit(RLIMIT_STACK, &limit) < 0 || limit.rlim_cur < 4 * bytes)
		workload_skip(w, "a stack of %zu kB; RLIMIT_STACK is %llu kB: raise it (ulimit -s)",
			      4 * bytes / 1024, (unsigned long long)limit.rlim_cur / 1024);
	for (uintptr_t at = (uintptr_t)&here; at >= edge; at -= w->page_size)
		*(volatile char *)at = *(volatile char *)at;
	*(volatile char *)edge = 0;
	return (void *)edge;
}

void touch_read(const struct workload *w, const void *p, size_t pages)
{
	const volatile char *c = p;

	for (size_t i = 0; i < pages; i++)
		(void)c[i * w->page_size];
}

void workload_rewrite(struct workload *w, void *p, size_t pages)
{
	volatile char *c = p;

	for (size_t i = 0; i < pages; i++)
		c[i * w->page_size] = (char)~(i | 1);
	for (size_t i = 0; i < pages; i++)
		if (c[i * w->page_size] != (char)~(i | 1))
			workload_fail(w, "page %zu does not contain the value just written", i);
	workload_checked(w);
}

void workload_must_hold(struct workload *w, const void *p, size_t pages, bool written)
{
	const volatile char *c = p;

	for (size_t i = 0; i < pages; i++)
		if (c[i * w->page_size] != (written ? (char)(i | 1) : 0))
			workload_fail(w, "page %zu contains %d, expected %s", i,
				      c[i * w->page_size], written ? "the written value" : "0");
	workload_checked(w);
}
