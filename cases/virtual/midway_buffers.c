// SPDX-License-Identifier: MIT
/*
 * What a call that copies memory, or takes a vector of ranges, answers and leaves behind if one
 * page or one range is impossible: how much it says it has done, and how much it has done.
 */
#include "midway.h"
#include <sys/uio.h>

STEP_SYMBOLS(ASK);

/* The elements are pages or, for calls that report about pages, what one page of a buffer holds. */
static char *buffer;
static char *place_of_many;
static int fd = -1, ends[2];
static struct iovec *vector;

/* ---- elements ---- */

/* Fresh pages to copy to. */
static bool make_buffer(void)
{
	char *room = workload_try_map((ELEMENTS + 2) * page, PROT_NONE, MAP_PRIVATE, -1);

	buffer = room ? room + page : NULL;
	return buffer && !mprotect(buffer, ELEMENTS * page, PROT_READ | PROT_WRITE);
}

static bool two_ranges(void)
{
	return make_buffer() && midway_written();
}

/* The pages are to be written to, and hold what is never written. */
static bool two_ranges_to_write(void)
{
	if (!make_buffer() || !midway_untouched())
		return false;
	midway_fill(buffer);
	return true;
}

static bool own_memory(void)
{
	fd = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
	return fd >= 0 && two_ranges();
}

static bool own_memory_to_write(void)
{
	fd = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
	return fd >= 0 && two_ranges_to_write();
}

/* Address space of which one call reports `per_element` pages in each page of the buffer. */
static bool many_pages(size_t per_element)
{
	size_t bytes = ELEMENTS * per_element * page, table = workload_table_bytes(midway_workload);
	char *p = workload_try_map(bytes + table, PROT_NONE, MAP_PRIVATE | MAP_NORESERVE, -1);

	if (!p || !make_buffer())
		return false;
	place_of_many = p + table - (uintptr_t)p % table;
	memset(buffer, 0x7f, ELEMENTS * page);
	return true;
}

static bool byte_each(void)
{
	return many_pages(page);
}

static bool word_each(void)
{
	fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	return fd >= 0 && many_pages(page / sizeof(uint64_t));
}

static bool make_vector(char *p, int per_part)
{
	vector = workload_try_map(2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE, -1);
	for (int i = 0; vector && i < ELEMENTS / per_part; i++)
		vector[i] = (struct iovec) { p + (size_t)(i * per_part) * page,
					     (size_t)per_part * page };
	return vector;
}

static bool parts(void)
{
	return midway_written() && make_vector(place, 1);
}

static bool pairs(void)
{
	return midway_written() && make_vector(place, 2);
}

static bool parts_to_read(void)
{
	return two_ranges() && make_vector(place, 1);
}

static bool pipe_and_parts(void)
{
	return !pipe2(ends, O_CLOEXEC | O_NONBLOCK) && parts();
}

static bool with_swap(void)
{
	if (!midway_written() || madvise(place, page, MADV_PAGEOUT) || midway_present(0))
		return false;
	return parts();
}

/* ---- what is impossible ---- */

static bool no_buffer(int i)
{
	return !mprotect(buffer + (size_t)i * page, page, PROT_NONE);
}

static bool read_only(int i)
{
	return !mprotect(at(i), page, PROT_READ);
}

static bool unaligned(int i)
{
	vector[i].iov_base = at(i) + 1;
	return true;
}

/* The vector ends with its memory, behind part i - 1. */
static bool vector_ends(int i)
{
	struct iovec *end = (struct iovec *)((char *)vector + page);

	if (mprotect(end, page, PROT_NONE))
		return false;
	memmove(end - i, vector, (size_t)i * sizeof(*vector));
	vector = end - i;
	return true;
}

/* A length that is negative as a number with a sign. */
static bool too_long(int i)
{
	vector[i].iov_len = SIZE_MAX;
	return true;
}

/* ---- calls; what they return is in pages ---- */

static long in_pages(ssize_t bytes)
{
	return bytes < 0 ? -1 : bytes % (ssize_t)page ? -2 : bytes / (ssize_t)page;
}

static long read_by_mem(void)
{
	return in_pages(pread(fd, buffer, ELEMENTS * page, (off_t)(uintptr_t)place));
}

static long write_by_mem(void)
{
	return in_pages(pwrite(fd, buffer, ELEMENTS * page, (off_t)(uintptr_t)place));
}

static long vm_call(long call, const struct iovec *local, unsigned long locals,
		    const struct iovec *remote, unsigned long remotes)
{
	return in_pages(syscall(call, (long)getpid(), local, locals, remote, remotes, 0UL));
}

static struct iovec all_of(char *p)
{
	return (struct iovec) { p, ELEMENTS * page };
}

static long vm_read(void)
{
	struct iovec local = all_of(buffer), remote = all_of(place);

	return vm_call(SYS_process_vm_readv, &local, 1, &remote, 1);
}

static long vm_write(void)
{
	struct iovec local = all_of(buffer), remote = all_of(place);

	return vm_call(SYS_process_vm_writev, &local, 1, &remote, 1);
}

static long vm_read_parts(void)
{
	struct iovec local = all_of(buffer);

	return vm_call(SYS_process_vm_readv, &local, 1, vector, ELEMENTS);
}

static long in_core(void)
{
	return mincore(place_of_many, ELEMENTS * page * page, (unsigned char *)buffer);
}

static long read_pagemap(void)
{
	uintptr_t first = (uintptr_t)place_of_many / page;

	return in_pages(pread(fd, buffer, ELEMENTS * page, (off_t)(first * sizeof(uint64_t))));
}

static long advise(int advice, int nr)
{
	int self = (int)syscall(SYS_pidfd_open, (long)getpid(), 0L);

	return in_pages(
		syscall(SYS_process_madvise, (long)self, vector, (long)nr, (long)advice, 0L));
}

static long drop(void)
{
	return advise(MADV_DONTNEED, ELEMENTS);
}

static long drop_pairs(void)
{
	return advise(MADV_DONTNEED, ELEMENTS / 2);
}

static long page_out(void)
{
	return advise(MADV_PAGEOUT, ELEMENTS);
}

static long into_pipe(void)
{
	return in_pages(vmsplice(ends[1], vector, ELEMENTS, SPLICE_F_NONBLOCK));
}

static long write_pipe(void)
{
	return in_pages(writev(ends[1], vector, ELEMENTS));
}

/* ---- effects ---- */

static bool is_copied(int i)
{
	char *p = buffer + (size_t)i * page;

	return !mprotect(p, page, PROT_READ) && *p == (char)(i + 1);
}

static bool is_written(int i)
{
	unsigned char byte;
	struct iovec local = { &byte, 1 }, remote = { at(i), 1 };

	return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == 1 && byte == i + 1;
}

static bool is_reported(int i)
{
	char *p = buffer + (size_t)i * page;

	return !mprotect(p, page, PROT_READ) && *p != 0x7f;
}

/* Asked in order, it reads the pipe. */
static bool is_in_pipe(int i)
{
	return read(ends[0], workload_buffer, page) == (ssize_t)page &&
	       workload_buffer[0] == (char)(i + 1);
}

/* clang-format off */
static const struct midway rows[] = {
	{ ROW("process_vm_readv of one part, hole", two_ranges, midway_hole, vm_read, is_copied), LAW(COUNTS, EFAULT), COUNTED },
	{ ROW("process_vm_readv of one part, no access", two_ranges, midway_no_access, vm_read, is_copied), LAW(COUNTS, EFAULT), COUNTED },
	{ ROW("process_vm_readv of parts, hole", parts_to_read, midway_hole, vm_read_parts, is_copied), LAW(COUNTS, EFAULT), COUNTED },
	{ ROW("process_vm_readv, no buffer", two_ranges, no_buffer, vm_read, is_copied), LAW(COUNTS, EFAULT), COUNTED },
	{ ROW("process_vm_readv of parts, too long", parts_to_read, too_long, vm_read_parts, is_copied), LAW(REFUSES, EINVAL), COUNTED },
	{ ROW("process_vm_readv, vector ends", parts_to_read, vector_ends, vm_read_parts, is_copied), LAW(REFUSES, EFAULT), COUNTED },
	{ ROW("process_vm_writev, read-only", two_ranges_to_write, read_only, vm_write, is_written), LAW(COUNTS, EFAULT), COUNTED },
	{ ROW("process_vm_writev, hole", two_ranges_to_write, midway_hole, vm_write, is_written), LAW(COUNTS, EFAULT), COUNTED },
	{ ROW("process_vm_writev, no buffer", two_ranges_to_write, no_buffer, vm_write, is_written), LAW(COUNTS, EFAULT), COUNTED },
	{ ROW("read of mem, hole", own_memory, midway_hole, read_by_mem, is_copied), LAW(COUNTS, EIO), COUNTED },
	{ ROW("read of mem, no buffer", own_memory, no_buffer, read_by_mem, is_copied), LAW(STOPS, EFAULT), COUNTED },
	{ ROW("write to mem, hole", own_memory_to_write, midway_hole, write_by_mem, is_written), LAW(COUNTS, EIO), COUNTED },
	{ ROW("write to mem, no buffer", own_memory_to_write, no_buffer, write_by_mem, is_written), LAW(STOPS, EFAULT), COUNTED },
	{ ROW("read of pagemap, no buffer", word_each, no_buffer, read_pagemap, is_reported), LAW(STOPS, EFAULT), COUNTED },
	{ ROW("mincore, no buffer", byte_each, no_buffer, in_core, is_reported), LAW(STOPS, EFAULT) },
	{ ROW("process_madvise, hole", parts, midway_hole, drop, midway_absent), LAW(COUNTS, ENOMEM), COUNTED },
	{ ROW("process_madvise, unaligned", parts, unaligned, drop, midway_absent), LAW(COUNTS, EINVAL), COUNTED },
	{ ROW("process_madvise, locked", parts, midway_locked, drop, midway_absent), LAW(COUNTS, EINVAL), COUNTED },
	{ ROW("process_madvise of pairs, locked", pairs, midway_locked, drop_pairs, midway_absent), LAW(FORGETS, EINVAL), COUNTED },
	{ ROW("process_madvise, too long", parts, too_long, drop, midway_absent), LAW(REFUSES, EINVAL), COUNTED },
	{ ROW("process_madvise, vector ends", parts, vector_ends, drop, midway_absent), LAW(REFUSES, EFAULT), COUNTED },
	{ ROW("process_madvise to page out, locked", with_swap, midway_locked, page_out, midway_absent), LAW(COUNTS, EINVAL), COUNTED },
	{ ROW("vmsplice, hole", pipe_and_parts, midway_hole, into_pipe, is_in_pipe), LAW(COUNTS, EFAULT), COUNTED },
	{ ROW("vmsplice, no access", pipe_and_parts, midway_no_access, into_pipe, is_in_pipe), LAW(COUNTS, EFAULT), COUNTED },
	{ ROW("vmsplice, vector ends", pipe_and_parts, vector_ends, into_pipe, is_in_pipe), LAW(REFUSES, EFAULT), COUNTED },
	{ ROW("writev to a pipe, hole", pipe_and_parts, midway_hole, write_pipe, is_in_pipe), LAW(COUNTS, EFAULT), COUNTED },
};
/* clang-format on */

enum { ROWS = sizeof(rows) / sizeof(*rows) };

static void ask(struct workload *w)
{
	midway_report(w, rows, ROWS);
}

static void judge(const struct trial *t, struct judgement *j)
{
	midway_judge(t, j, ASK, rows, ROWS);
}

CASE(virtual_midway_buffers) {
	.claim =
		"process_vm_readv(2), process_madvise(2), vmsplice(2) and /proc/PID/mem stop at the first page of memory that is impossible, even inside a part of a vector, and return what is done before it. A vector that cannot be read, or a part that is too long, is refused as a whole. pagemap, mincore(2) and /proc/PID/mem with a bad buffer return EFAULT, though the pages before it are filled",
	.because =
		"process_vm_rw_single_vec() and mem_rw() work page by page; mem_rw(), pagemap_read() and mincore(2) return the error of copy_to_user() instead of the count. process_madvise(2) counts whole parts only, so pages of a part that fails midway are done and not counted.",
	.said_by = SAID_BY("process_vm_readv(2)", "process_madvise(2)", "mincore(2)",
			   "vmsplice(2)"),
	.limit_s = 120,
	.steps = STEPS(STEP_AS(ASK, "each call, each place", ask, .checks = 1)),
	.judge = judge,
};
