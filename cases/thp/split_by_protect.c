// SPDX-License-Identifier: MIT
/* Protecting part of a huge page splits its mapping: AnonHugePages falls, RES stays. */
#include <errno.h>
#include <rssck/case.h>
#include <rssck/workload.h>
#include <string.h>
#include <sys/mman.h>

enum { REGION = 0 };

static int64_t pages(const struct workload *w)
{
	return (int64_t)(w->huge_page_size / w->page_size);
}

static void map_and_touch(struct workload *w)
{
	w->slot[REGION] = workload_huge_map(w, 1, -1);
	workload_huge_write(w, w->slot[REGION], 1);
	workload_expect(w, (struct posting)VIRT_DATA(pages(w)));
	workload_expect(w, (struct posting)ANON_HUGE(pages(w)));
}

static void protect(struct workload *w, size_t bytes, int prot)
{
	if (mprotect(w->slot[REGION], bytes, prot) < 0)
		workload_die(w, "mprotect: %s", strerror(errno));
}

static void protect_all(struct workload *w)
{
	protect(w, w->huge_page_size, PROT_READ);
	workload_expect(w, (struct posting)VIRT_DATA(-pages(w)));
	workload_expect(w, (struct posting)VIRT_OTHER(pages(w)));
}

static void unprotect_half(struct workload *w)
{
	protect(w, w->huge_page_size / 2, PROT_READ | PROT_WRITE);
	workload_expect(w, (struct posting)VIRT_OTHER(-pages(w) / 2));
	workload_expect(w, (struct posting)VIRT_DATA(pages(w) / 2));
	workload_expect(w, (struct posting)ANON_HUGE(-pages(w)));
	workload_expect(w, (struct posting)ANON_WRITE(pages(w)));
}

CASE(thp_split_by_protect) {
	.claim =
		"mprotect() of a whole huge page keeps it huge; of a part it splits the mapping and "
		"moves no RES",
	.because =
		"change_huge_pmd() changes the one PMD; a boundary inside it makes two mappings, "
		"and __split_huge_pmd() writes 512 entries for the same memory.",
	.said_by = SAID_BY("Documentation/mm/transhuge.rst"),
	.needs = NEEDS("thp"),
	.flags = CASE_THP,
	.steps = STEPS(STEP("touch one huge page", map_and_touch),
		       STEP("protect all of it", protect_all),
		       STEP("unprotect half", unprotect_half)),
};
