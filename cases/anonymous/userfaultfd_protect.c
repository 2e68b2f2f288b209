// SPDX-License-Identifier: MIT
/* Write-protecting through userfaultfd moves nothing, on memory that is there and that is not. */
#include <errno.h>
#include <linux/userfaultfd.h>
#include <rssck/case.h>
#include <rssck/workload.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

enum { PAGES = 128, REGION = 0, UFFD = 0 };

static void make(struct workload *w)
{
	w->slot[REGION] = workload_map(w, PAGES * w->page_size, PROT_READ | PROT_WRITE,
				       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	touch_write(w, w->slot[REGION], PAGES / 2);
	w->fd[UFFD] = workload_userfaultfd(w, w->slot[REGION], PAGES * w->page_size,
					   UFFDIO_REGISTER_MODE_WP);
}

static void set(struct workload *w, uint64_t mode)
{
	struct uffdio_writeprotect p = {
		.range = { (uintptr_t)w->slot[REGION], PAGES * w->page_size }, .mode = mode
	};

	if (ioctl(w->fd[UFFD], UFFDIO_WRITEPROTECT, &p) < 0)
		workload_skip(w, "UFFDIO_WRITEPROTECT: %s", strerror(errno));
}

static void protect(struct workload *w)
{
	set(w, UFFDIO_WRITEPROTECT_MODE_WP);
}

static void unprotect(struct workload *w)
{
	set(w, 0);
}

static void write_all(struct workload *w)
{
	touch_write(w, w->slot[REGION], PAGES);
}

CASE(anonymous_userfaultfd_protect) {
	.claim = "UFFDIO_WRITEPROTECT and its undoing move no number; a write afterwards counts as "
		 "ever",
	.because = "The entries of present pages lose their write bit; nothing else of them is "
		   "changed. Untouched memory stays untouched.",
	.said_by = SAID_BY("ioctl_userfaultfd(2), UFFDIO_WRITEPROTECT"),
	.steps = STEPS(STEP("register", make, VIRT_DATA(PAGES), ANON_WRITE(PAGES / 2)),
		       STEP("protect", protect), STEP("unprotect", unprotect),
		       STEP("write all", write_all, ANON_WRITE(PAGES / 2))),
};
