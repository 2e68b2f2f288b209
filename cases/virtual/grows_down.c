// SPDX-License-Identifier: MIT
/* VmStk includes every mapping with MAP_GROWSDOWN, not only [stack]. */
#include "../anonymous/stack.h"

/*
 * ROOM is more than the gap of 256 pages that the kernel keeps below a growing mapping
 * (stack_guard_gap).
 */
enum { PAGES = 16, MORE = 32, ROOM = 4096 };

/* Maps at the upper end of an unmapped range, so that the mapping can grow down. */
static void map(struct workload *w)
{
	size_t room = ROOM * w->page_size, bytes = PAGES * w->page_size;
	char *hole = workload_try_map(room, PROT_NONE, MAP_PRIVATE, -1);
	char *p;

	if (!hole || munmap(hole, room) < 0)
		workload_die(w, "an unmapped range of %zu bytes: %m", room);
	p = mmap(hole + room - bytes, bytes, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN | MAP_FIXED, -1, 0);
	if (p == MAP_FAILED)
		workload_skip(w, "MAP_GROWSDOWN: %m");
	/* Remembers the size that the mapping will have after it has grown. */
	workload_remember(w, p - MORE * w->page_size, (PAGES + MORE) * w->page_size);
	w->slot[EDGE] = p;
}

CASE(virtual_grows_down) {
	.claim = "VmStk counts every mapping with MAP_GROWSDOWN, writable or not, and its growth; "
		 "its pages are RssAnon",
	.because = "is_stack_mapping() tests only VM_STACK. expand_downwards() adds the new "
		   "pages to total_vm and stack_vm when a fault below the mapping extends it.",
	.said_by = SAID_BY("mmap(2), MAP_GROWSDOWN", "proc_pid_status(5), VmStk"),
	.steps = STEPS(STEP("map", map, MOVES(VIRT_STACK(PAGES))),
		       STEP("write", step_write, .pages = PAGES, MOVES(ANON_WRITE(PAGES))),
		       STEP("write below", grow_down, .pages = MORE,
			    MOVES(VIRT_STACK(MORE), ANON_WRITE(MORE))),
		       STEP("make it read-only", step_protect, .pages = PAGES, .prot = PROT_READ),
		       STEP("unmap the upper part", step_unmap, .pages = PAGES,
			    MOVES(VIRT_STACK(-PAGES), ANON_WRITE(-PAGES)))),
};
