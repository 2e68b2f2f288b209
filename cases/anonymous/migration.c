// SPDX-License-Identifier: MIT
/* Page migration puts other frames below the same pages: no number moves. */
#include <errno.h>
#include <rssck/case.h>
#include <rssck/workload.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MPOL_MOVE = 2, NODES_MAX = 64, TRIES = 5, PAGES = 256, ANON = 0, SHMEM = 1, REGIONS = 2 };

static void map_and_write(struct workload *w)
{
	for (int i = 0; i < REGIONS; i++) {
		w->slot[i] = workload_map(w, PAGES * w->page_size, PROT_READ | PROT_WRITE,
					  MAP_ANONYMOUS | (i == ANON ? MAP_PRIVATE : MAP_SHARED),
					  -1, 0);
		touch_write(w, w->slot[i], PAGES);
	}
}

/* How many of the pages are on that node afterwards, or -1: there is no such node. */
static int move_to(struct workload *w, void *region, int node)
{
	void *pages[PAGES];
	int nodes[PAGES], status[PAGES], there = 0;

	for (size_t i = 0; i < PAGES; i++) {
		pages[i] = (char *)region + i * w->page_size;
		nodes[i] = node;
	}
	if (syscall(SYS_move_pages, 0, PAGES, pages, nodes, status, MPOL_MOVE) < 0)
		return -1;
	if (syscall(SYS_move_pages, 0, PAGES, pages, NULL, status, 0) < 0)
		workload_die(w, "move_pages(2): %s", strerror(errno));
	for (int i = 0; i < PAGES; i++)
		there += status[i] == node;
	return there;
}

/* To each node in turn: wherever they were, they move. */
static void migrate(struct workload *w)
{
	int nodes = 0;

	for (int node = 0; node < NODES_MAX; node++) {
		bool is_node = false;

		for (int i = 0; i < REGIONS; i++) {
			int there = move_to(w, w->slot[i], node);

			for (int try = 0; there >= 0 && there < PAGES && try < TRIES; try++)
				there = move_to(w, w->slot[i], node);
			if (there >= 0 && there < PAGES)
				workload_die(w, "%d of %d pages moved to node %d", there, PAGES,
					     node);
			is_node = there == PAGES;
		}
		nodes += is_node;
	}
	if (nodes < 2)
		workload_skip(w, "a second memory node (in QEMU: -numa node)");
}

static void write_again(struct workload *w)
{
	for (int i = 0; i < REGIONS; i++)
		touch_write(w, w->slot[i], PAGES);
}

CASE(anonymous_migration) {
	.claim = "Page migration moves no number: the same pages are resident, in other frames",
	.because = "try_to_migrate() replaces each entry by a migration entry, and "
		   "remove_migration_pte() that by one of the new frame; the mm's counters are "
		   "left alone on both ways.",
	.said_by = SAID_BY("move_pages(2)", "Documentation/mm/page_migration.rst"),
	.steps = STEPS(STEP("write", map_and_write, VIRT_DATA(PAGES), VIRT_OTHER(PAGES),
			    ANON_WRITE(PAGES), SHMEM_WRITE(PAGES)),
		       STEP("migrate", migrate), STEP("and again", migrate),
		       STEP("write again", write_again)),
};
