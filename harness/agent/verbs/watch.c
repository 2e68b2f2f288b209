// SPDX-License-Identifier: MIT
/*
 * Implements verbs with userfaultfd(2), mainly write protection. No thread handles events: a fault
 * raises a signal, or the kernel resolves it itself (WP_ASYNC, 6.7).
 */
#include "agent/agent.h"
#include "verbs.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <rssck/source.h>
#include <rssck/states.h>
#include <rssck/uapi.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* From <linux/userfaultfd.h> of 5.11. */
enum { USER_MODE_ONLY = 1 };

static int watch_open(uint64_t features)
{
	struct uffdio_api api = { .api = UFFD_API, .features = features };
	int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | USER_MODE_ONLY);

	if (fd < 0)
		fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return -1;
	if (ioctl(fd, UFFDIO_API, &api) == 0)
		return fd;
	close(fd);
	return -1;
}

int watch_for_now(struct worker *k, void *at, size_t bytes, uint64_t mode, uint64_t features)
{
	struct uffdio_register area = { .range = { (uintptr_t)at, bytes }, .mode = mode };
	int fd = watch_open(features);

	act_result(k, fd < 0 ? -1 : ioctl(fd, UFFDIO_REGISTER, &area));
	if (!k->outcome.error)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

static const uint64_t features[] = {
	UFFD_FEATURE_SIGBUS | UFFD_FEATURE_PAGEFAULT_FLAG_WP,
	UFFD_FEATURE_WP_ASYNC | UFFD_FEATURE_WP_UNPOPULATED | UFFD_FEATURE_PAGEFAULT_FLAG_WP,
};

/*
 * A forked process opens a userfaultfd of its own, because the inherited one belongs to its parent.
 */
static int watch_of(struct worker *k, unsigned which)
{
	if (k->watcher != getpid()) {
		memset(k->watch, -1, sizeof(k->watch));
		k->watcher = getpid();
	}
	if (k->watch[which] < 0)
		k->watch[which] = watch_open(features[which]);
	return k->watch[which];
}

int act_watch(struct worker *k, const struct act *a)
{
	return watch_of(k, a->option);
}

/* Registers the range. Returns the userfaultfd, or -1 if the operation has failed. */
static int watch(struct worker *k, const struct act *a)
{
	struct uffdio_register area = {
		.range = { (uintptr_t)act_address(k, a), act_bytes(k, a) },
		.mode = UFFDIO_REGISTER_MODE_WP,
	};
	struct region *r = &k->regions[a->region];
	int fd;

	if (act_ends_no_fault(k, a, r->locked, true))
		return -1;
	fd = act_watch(k, a);
	act_result(k, fd < 0 ? -1 : ioctl(fd, UFFDIO_REGISTER, &area));
	r->watched |= !k->outcome.error;
	return k->outcome.error ? -1 : fd;
}

void verb_watch(struct worker *k, const struct act *a)
{
	watch(k, a);
}

int watch_copy_pages(int fd, uintptr_t to, size_t page, uint32_t pages, uint64_t mode)
{
	static char source[64 << 10] __attribute__((aligned(64 << 10)));

	for (uint32_t i = 0; i < pages; i++) {
		struct uffdio_copy c = {
			.dst = to + i * page, .src = (uintptr_t)source, .len = page, .mode = mode
		};

		if (ioctl(fd, UFFDIO_COPY, &c) < 0 && errno != EEXIST)
			return -1;
	}
	return 0;
}

/* Memory registered only for write protection can be filled, too (mfill_atomic()). */
void verb_watch_copy_protected(struct worker *k, const struct act *a)
{
	int fd = watch(k, a);

	if (fd >= 0)
		act_result(k, watch_copy_pages(fd, (uintptr_t)act_address(k, a), k->page, a->pages,
					       UFFDIO_COPY_MODE_WP));
}

void verb_watch_protect(struct worker *k, const struct act *a)
{
	int failed = -1;

	errno = EBADF;
	for (unsigned i = 0; i < 2 && failed; i++)
		if (k->watcher == getpid() && k->watch[i] >= 0)
			failed = workload_userfaultfd_protect(k->watch[i], act_address(k, a),
							      act_bytes(k, a), k->verb->value);
	act_result(k, failed);
}

/* Unregistering the range clears its uffd-wp bits. */
void verb_watch_end(struct worker *k, const struct act *a)
{
	struct uffdio_range range = { (uintptr_t)act_address(k, a), act_bytes(k, a) };
	int failed = -1;

	errno = EBADF;
	for (unsigned i = 0; i < 2 && failed; i++)
		if (k->watcher == getpid() && k->watch[i] >= 0)
			failed = ioctl(k->watch[i], UFFDIO_UNREGISTER, &range);
	act_result(k, failed);
	k->regions[a->region].watched &= failed != 0;
}

/* Closing the userfaultfds unregisters all memory of this process. */
void verb_watch_close(struct worker *k, const struct act *a)
{
	int failed = -1;

	(void)a;
	errno = EBADF;
	for (unsigned i = 0; i < 2; i++) {
		if (k->watcher != getpid() || k->watch[i] < 0)
			continue;
		failed = close(k->watch[i]);
		k->watch[i] = -1;
	}
	act_result(k, failed);
	for (unsigned r = 0; r < ACT_REGIONS && !failed; r++)
		k->regions[r].watched = false;
}

void verb_scan_protect(struct worker *k, const struct act *a)
{
	static struct scan_region regions[ACT_REGION_PAGES];
	struct scan_arg arg = { SCAN_OF(act_address(k, a), act_bytes(k, a), regions,
					ACT_REGION_PAGES),
				.flags = PM_SCAN_WP_MATCHING, .category_mask = SCAN_WRITTEN,
				.return_mask = SCAN_WRITTEN };

	act_result(k, agent_scan(&arg));
}
