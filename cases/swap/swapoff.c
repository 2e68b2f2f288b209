// SPDX-License-Identifier: MIT
/* swapoff brings every page back: from VmSwap to RssAnon, without a touch. */
#include <errno.h>
#include <rssck/case.h>
#include <stdio.h>
#include <string.h>
#include <sys/swap.h>

enum { PAGES = 256, REGION = 0 };

static void write_and_page_out(struct workload *w)
{
	w->slot[REGION] = workload_map(w, PAGES * w->page_size, PROT_READ | PROT_WRITE,
				       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	touch_write(w, w->slot[REGION], PAGES);
	workload_page_out(w, w->slot[REGION], PAGES);
}

/* The machine has its swap back before anybody else runs: it is the next case's, too. */
static void swap_off_and_on(struct workload *w)
{
	FILE *f = fopen("/proc/swaps", "re");
	char device[128] = "";
	int error, clean;

	if (f && fscanf(f, "%*[^\n]\n%127s", device) != 1)
		device[0] = '\0';
	if (f)
		fclose(f);
	if (!device[0])
		workload_skip(w, "a swap device in /proc/swaps");
	error = swapoff(device) < 0 ? errno : 0;
	clean = (int)workload_pages_clean(w, w->slot[REGION]);
	if (!error && swapon(device, 0) < 0)
		workload_die(w, "swapon(2) of %s: %s", device, strerror(errno));
	if (error)
		workload_skip(w, "swapoff(2) of %s: %s", device, strerror(error));
	workload_expect(w, (struct posting)ANON_CLEAN(clean));
	workload_expect(w, (struct posting)ANON_WRITE(PAGES - clean));
	workload_tell(w, "clean", clean);
}

static void look(struct workload *w)
{
	const char *p = w->slot[REGION];

	for (size_t i = 0; i < PAGES; i++)
		if (p[i * w->page_size] != (char)(i | 1))
			workload_fail(w, "page %zu came back from swap with other content", i);
}

CASE(swap_swapoff) {
	.claim =
		"swapoff moves what was swapped out from VmSwap back to RssAnon, in processes that "
		"stand still",
	.because =
		"unuse_pte() puts the page back into each entry that refers to the slot, and the "
		"count from MM_SWAPENTS to MM_ANONPAGES.",
	.said_by = SAID_BY("swapoff(2)"),
	.needs = NEEDS("guest", "swap"),
	.steps = STEPS(STEP("write and page out", write_and_page_out, VIRT_DATA(PAGES),
			    SWAPPED(PAGES)),
		       STEP("swapoff", swap_off_and_on, SWAPPED(-PAGES)), STEP("look at it", look)),
};
