// SPDX-License-Identifier: MIT
/*
 * Implements verbs that map memory other than ordinary files: secret memory, rings, System V shared
 * memory.
 */
#include "agent/agent.h"
#include "verbs.h"
#include <linux/io_uring.h>
#include <rssck/uapi.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef IORING_OFF_SQES
#define IORING_OFF_SQES 0x10000000ULL
#endif

/*
 * The file is closed at the end, with the files of all acts. `has_size` is false if later acts
 * cannot use it as a file.
 */
static void map_file(struct worker *k, const struct act *a, int fd, off_t offset, bool has_size)
{
	struct region *r = &k->regions[a->region];
	void *p;

	act_result(k, fd);
	if (k->outcome.error)
		return;
	k->files[a->serial] = fd;
	p = mmap(act_address(k, a), act_bytes(k, a), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
		 fd, offset);
	act_result(k, p == MAP_FAILED ? -1 : 0);
	r->file = has_size ? a->serial : 0;
	r->placed = true;
}

/*
 * The pages of a memfd_secret(2) are not in the kernel's direct map (enabled by default since 6.5,
 * before that by secretmem.enable).
 */
void verb_mmap_secret(struct worker *k, const struct act *a)
{
	int fd = (int)syscall(SYS_memfd_secret, O_CLOEXEC);

	if (fd >= 0 && ftruncate(fd, (off_t)((a->first + a->pages) * k->page)) < 0) {
		close(fd);
		fd = -1;
	}
	map_file(k, a, fd, (off_t)(a->first * k->page), true);
}

/*
 * The kernel allocates an io_uring's pages itself. They are not page cache, and mmap(2) fills their
 * page table entries.
 */
void verb_mmap_ring(struct worker *k, const struct act *a)
{
	struct io_uring_params p = { .flags = 0 };
	unsigned entries = (unsigned)(act_bytes(k, a) / sizeof(struct io_uring_sqe));

	map_file(k, a, (int)syscall(SYS_io_uring_setup, entries, &p), IORING_OFF_SQES, false);
}

void verb_mmap_sysv(struct worker *k, const struct act *a)
{
	int id = shmget(IPC_PRIVATE, act_bytes(k, a), IPC_CREAT | 0600);
	void *p = id < 0 ? (void *)-1 : shmat(id, act_address(k, a), SHM_REMAP);

	act_result(k, p == (void *)-1 ? -1 : 0);
	if (id >= 0)
		shmctl(id, IPC_RMID, NULL);
	k->regions[a->region].placed = true;
}
