// SPDX-License-Identifier: MIT
/* Implements verbs that grow address space outside the regions and unmap it again. */
#include "verbs.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGES = 20 };

/* The system call is used, because sbrk(3) remembers a break of its own. */
static char *move_break(char *to)
{
	return (char *)syscall(SYS_brk,
			       to); /* NOLINT: brk(2) returns the current break, moved or not */
}

/*
 * Grows and shrinks the heap. The locked variant then clears MCL_FUTURE with munlockall(2), which
 * also unlocks the regions. MCL_CURRENT is not used: on 7.3 it maps pages of the vvar permanently.
 */
void verb_brk(struct worker *k, const struct act *a)
{
	char *was = move_break(NULL), *now = was + PAGES * k->page;

	(void)a;
	if (k->verb->value)
		act_result(k, mlockall(MCL_FUTURE));
	errno = ENOMEM;
	if (!k->outcome.error)
		act_result(k, move_break(now) == now ? 0 : -1);
	if (!k->outcome.error)
		touch_write(k->w, was, PAGES);
	move_break(was);
	if (k->verb->value)
		verb_munlockall(k, a);
}

/*
 * Grows the stack by letting the kernel write to it. If it cannot grow, the write fails with EFAULT
 * and raises no signal.
 */
static void grow_down(struct worker *k, char *edge)
{
	int fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);

	act_result(k, fd);
	for (size_t i = 1; i <= PAGES && !k->outcome.error; i++)
		act_result(k, pread(fd, edge - i * k->page, 1, 0));
	if (fd >= 0)
		close(fd);
}

/*
 * The kernel keeps a gap of 256 pages below a mapping that grows (stack_guard_gap), so PAGES pages
 * fit into 512 pages of free space.
 */
void verb_stack(struct worker *k, const struct act *a)
{
	enum { ROOM = 512 };
	char *hole = workload_try_map(ROOM * k->page, PROT_NONE, MAP_PRIVATE, -1);
	char *edge = hole + (ROOM - 1) * k->page;
	void *p = MAP_FAILED;

	if (hole && !munmap(hole, ROOM * k->page))
		p = mmap(edge, k->page, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN | MAP_FIXED, -1, 0);
	act_result(k, p == MAP_FAILED ? -1 : 0);
	if (k->outcome.error)
		return;
	(void)a;
	act_result(k, k->verb->value ? mlock(edge, k->page) : 0);
	if (!k->outcome.error)
		grow_down(k, edge);
	munmap(edge - PAGES * k->page, (PAGES + 1) * k->page);
}
