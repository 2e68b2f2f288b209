// SPDX-License-Identifier: MIT
/* pagemap can only be read in whole entries, and shows page frames only to privileged processes. */
#include <linux/capability.h>
#include <rssck/case.h>

enum { REGION = 0, ENTRY = sizeof(uint64_t) };

static off_t entry_of(const struct workload *w, size_t page)
{
	return (off_t)(((uintptr_t)w->slot[REGION] / w->page_size + page) * ENTRY);
}

static uint64_t read_entry(struct workload *w, int fd, size_t page)
{
	uint64_t entry;

	if (pread(fd, &entry, ENTRY, entry_of(w, page)) != ENTRY)
		workload_die(w, "pagemap: %m");
	return entry;
}

static void read_oddly(struct workload *w)
{
	int fd = workload_open_pagemap(w);
	char buf[2 * ENTRY];

	if (pread(fd, buf, ENTRY, entry_of(w, 0) + 1) >= 0 || errno != EINVAL)
		workload_fail(w, "reading pagemap from an offset that is not a multiple of 8 "
				 "did not fail with EINVAL");
	if (pread(fd, buf, ENTRY + 1, entry_of(w, 0)) >= 0 || errno != EINVAL)
		workload_fail(w, "reading pagemap with a size that is not a multiple of 8 did "
				 "not fail with EINVAL");
	workload_checked(w);
	close(fd);
}

static void read_untouched(struct workload *w)
{
	int fd = workload_open_pagemap(w);
	uint64_t entry = read_entry(w, fd, 1);

	close(fd);
	/* All pages of a new mapping are soft-dirty, even untouched ones. */
	if (entry & ~PAGEMAP_SOFT_DIRTY)
		workload_fail(
			w,
			"the pagemap entry of an untouched page is %#llx, should be 0 except for soft-dirty",
			(unsigned long long)entry);
	workload_checked(w);
}

/* The kernel checks CAP_SYS_ADMIN when pagemap is opened. */
static void read_frames(struct workload *w)
{
	uint64_t with, without;
	int fd;

	if (workload_set_capability(CAP_SYS_ADMIN, true) < 0)
		workload_skip_step(w, "CAP_SYS_ADMIN, which the step drops and takes back");
	workload_must(w, workload_set_capability(CAP_SYS_ADMIN, false), "capset");
	fd = workload_open_pagemap(w);
	without = read_entry(w, fd, 0);
	close(fd);
	workload_must(w, workload_set_capability(CAP_SYS_ADMIN, true), "capset");
	fd = workload_open_pagemap(w);
	with = read_entry(w, fd, 0);
	close(fd);
	if (!(with & without & PAGEMAP_PRESENT))
		workload_fail(w, "a written page is not present");
	if (PAGEMAP_PFN(without))
		workload_fail(w,
			      "without CAP_SYS_ADMIN pagemap shows page frame %#llx, should be 0",
			      (unsigned long long)PAGEMAP_PFN(without));
	if (!PAGEMAP_PFN(with))
		workload_skip_step(
			w, "page frame numbers (this is a user namespace, or pagemap hides them)");
	workload_checked(w);
}

CASE(scanners_pagemap_read) {
	.claim =
		"pagemap can only be read in whole entries; it shows no page frames without CAP_SYS_ADMIN, and for untouched memory no bit other than soft-dirty",
	.because = "pagemap_read() refuses offsets and sizes that are not multiples of 8. It shows "
		   "page frames only if the process had CAP_SYS_ADMIN when it opened the file.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/pagemap.rst"),
	.steps = STEPS(STEP("map two, write one", step_map, .pages = 2, .written = 1,
			    MOVES(VIRT_DATA(2), ANON_WRITE(1))),
		       STEP("read at odd offsets and sizes", read_oddly, .checks = 1),
		       STEP("read the untouched page", read_untouched, .checks = 1),
		       STEP("read frames", read_frames, .checks = 1)),
};
