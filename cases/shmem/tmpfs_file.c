// SPDX-License-Identifier: MIT
/* A file on tmpfs is shmem, although it has a name like any other file. */
#include <rssck/case.h>
#include <sys/vfs.h>

enum { PAGES = 256, SHARED = 0, PRIVATE = 1 };

static void map_and_write(struct workload *w)
{
	char name[WORKLOAD_NAME], path[WORKLOAD_NAME + 16];
	struct statfs fs;
	int fd;

	snprintf(path, sizeof(path), "/dev/shm/%s", workload_name(w, name));
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd < 0)
		workload_skip(w, "a writable tmpfs (/dev/shm: %m)");
	unlink(path);
	if (fstatfs(fd, &fs) < 0 || (unsigned)fs.f_type != TMPFS_MAGIC)
		workload_skip(w, "a tmpfs on /dev/shm");
	workload_need_room(w, fd, PAGES, "/dev/shm");
	workload_must(w, ftruncate(fd, (off_t)(PAGES * w->page_size)), "ftruncate");
	w->slot[SHARED] = workload_shared(w, PAGES, fd);
	w->slot[PRIVATE] = workload_map_pages(w, PAGES, PROT_READ, MAP_PRIVATE, fd);
	close(fd);
	touch_write(w, w->slot[SHARED], PAGES);
}

CASE(shmem_tmpfs_file) {
	.claim =
		"RssShmem, not RssFile, counts the touched pages of a mapped file on tmpfs, also in a private mapping that is only read",
	.because = "mm_counter_file() tests PG_swapbacked, which is set for page cache of tmpfs "
		   "and not for page cache of a disk. Pages that no process maps stay in the "
		   "file and are in no RSS.",
	.said_by = SAID_BY("proc_pid_status(5), RssShmem", "tmpfs(5)"),
	.steps = STEPS(STEP("map and write", map_and_write,
			    MOVES(VIRT_OTHER(2 * PAGES), SHMEM_WRITE(PAGES))),
		       STEP("unmap the shared mapping", step_unmap, .slot = SHARED, .pages = PAGES,
			    MOVES(VIRT_OTHER(-PAGES), SHMEM_WRITE(-PAGES))),
		       STEP("read the private mapping", step_read, .slot = PRIVATE, .pages = PAGES,
			    MOVES(SHMEM_WRITE(PAGES)))),
};
