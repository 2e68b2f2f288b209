// SPDX-License-Identifier: MIT
/* UFFDIO_ZEROPAGE maps the zero page: present, in no RSS, until it is written. */
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
	w->fd[UFFD] = workload_userfaultfd(w, w->slot[REGION], PAGES * w->page_size,
					   UFFDIO_REGISTER_MODE_MISSING, 0);
}

static void provide(struct workload *w)
{
	struct uffdio_zeropage z = { .range = { (uintptr_t)w->slot[REGION],
						PAGES * w->page_size } };

	if (ioctl(w->fd[UFFD], UFFDIO_ZEROPAGE, &z) < 0)
		workload_die(w, "UFFDIO_ZEROPAGE: %s", strerror(errno));
}

static void read_all(struct workload *w)
{
	touch_read(w, w->slot[REGION], PAGES);
}

static void write_half(struct workload *w)
{
	touch_write(w, w->slot[REGION], PAGES / 2);
}

CASE(anonymous_userfaultfd_zeropage) {
	.claim = "What UFFDIO_ZEROPAGE provides is present and in no RSS; a write makes it memory",
	.because = "mfill_atomic_pte_zeropage() maps the one zero page, as a read fault does, and "
		   "touches no counter.",
	.said_by = SAID_BY("ioctl_userfaultfd(2), UFFDIO_ZEROPAGE"),
	.steps = STEPS(STEP("register", make, VIRT_DATA(PAGES)),
		       STEP("provide zero pages", provide, ZERO_READ(PAGES)),
		       STEP("read them", read_all),
		       STEP("write half", write_half, ZERO_TO_ANON(PAGES / 2))),
};
