// SPDX-License-Identifier: MIT
/*
 * Implements verbs that put a uprobe into a file. Since 6.12, closing a uprobe of
 * perf_event_open(2) waits for several RCU periods, and holds a lock that all such uprobes need. A
 * link of bpf(2) to an empty program (since 6.6) makes the same uprobe; closing it waits for one
 * RCU period without the lock.
 */
#include "data.h"
#include "verbs.h"
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Constants and structures of linux/bpf.h, because older systems lack the newest ones. */
enum { PROG_LOAD = 5, LINK_CREATE = 28, PROG_TYPE_KPROBE = 2, TRACE_UPROBE_MULTI = 48 };

struct instruction {
	uint8_t code, registers;
	int16_t offset;
	int32_t value;
};

struct program {
	uint32_t type, nr_instructions;
	uint64_t instructions, license;
	uint32_t log_level, log_size;
	uint64_t log;
	uint32_t version, flags;
	char name[16];
	uint32_t interface, attach_type;
};

struct link {
	uint32_t program, target, attach_type, flags;
	uint64_t path, offsets, counters, cookies;
	uint32_t nr, more_flags, pid, unused;
};

static int load_program(void)
{
	static const struct instruction nothing[] = {
		{ .code = 0xb7 }, /* r0 = 0 */
		{ .code = 0x95 }, /* return */
	};
	static int fd = -2;
	struct program p = { .type = PROG_TYPE_KPROBE,
			     .nr_instructions = 2,
			     .instructions = (uintptr_t)nothing,
			     .license = (uintptr_t) "MIT",
			     .attach_type = TRACE_UPROBE_MULTI };

	if (fd == -2)
		fd = (int)syscall(SYS_bpf, PROG_LOAD, &p, sizeof(p));
	return fd;
}

/*
 * Only this process gets the breakpoint, as with perf_event_open(2), and its children inherit it.
 */
static int open_link(const char *path, uint64_t offset)
{
	struct link l = { .attach_type = TRACE_UPROBE_MULTI,
			  .path = (uintptr_t)path,
			  .offsets = (uintptr_t)&offset,
			  .nr = 1,
			  .pid = (uint32_t)getpid() };
	int program = load_program();

	if (program < 0)
		return -1;
	l.program = (uint32_t)program;
	return (int)syscall(SYS_bpf, LINK_CREATE, &l, sizeof(l));
}

static int open_event(const char *path, uint64_t offset)
{
	int64_t type = workload_number("/sys/bus/event_source/devices/uprobe/type", NULL, -1);
	struct perf_event_attr attr = { .type = (uint32_t)type,
					.size = sizeof(attr),
					.config1 = (uintptr_t)path,
					.config2 = offset };

	errno = ENOENT;
	return type < 0 ? -1
			: (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/*
 * Puts a uprobe into the first page of the range, after the byte that the write verbs set and after
 * the stamp. The zeroes there are a valid x86 instruction. "uprobe kept" leaves it open in
 * k->probe.
 */
void verb_probe(struct worker *k, const struct act *a)
{
	enum { BEHIND = 2 * DATA_AT };
	uint64_t offset = a->first * k->page + BEHIND;
	int file = act_file(k, a), fd = -1;
	char path[32];

	if (file >= 0) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
		fd = k->verb->value ? open_link(path, offset) : -1;
		fd = fd < 0 ? open_event(path, offset) : fd;
	}
	act_result(k, fd);
	if (k->verb->value)
		k->probe = fd;
	else if (fd >= 0)
		close(fd);
}
