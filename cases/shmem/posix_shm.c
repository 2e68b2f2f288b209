// SPDX-License-Identifier: MIT
/*
 * POSIX shared memory is a file on /dev/shm: RssShmem counts it, and maps shows its name even after
 * unlink.
 */
#include <rssck/case.h>

enum { PAGES = 256, REGION = 0 };
STEP_SYMBOLS(MAP, WRITE);

/* Unlinks the file immediately, so that nothing remains if rssck is killed later. */
static void map(struct workload *w)
{
	char name[WORKLOAD_NAME];
	int fd;

	fd = shm_open(workload_name(w, name), O_RDWR | O_CREAT | O_EXCL, 0600);
	if (fd < 0)
		workload_skip(w, "shm_open(3): %m");
	shm_unlink(name);
	workload_need_room(w, fd, PAGES, "/dev/shm");
	workload_must(w, ftruncate(fd, (off_t)(PAGES * w->page_size)), "ftruncate");
	w->slot[REGION] = workload_shared(w, PAGES, fd);
	close(fd);
	workload_report(w, "address", (int64_t)(uintptr_t)w->slot[REGION]);
}

static void judge(const struct trial *t, struct judgement *j)
{
	const struct mapping *m = trial_mapping(t, WRITE, 0, MAP, "address");

	judge_true(j, WRITE,
		   m && !strncmp(m->name, "/dev/shm/rssck.", 15) && strstr(m->name, " (deleted)"),
		   "maps shows the file's name and (deleted)");
}

CASE(shmem_posix_shm) {
	.claim = "POSIX shared memory is RssShmem; after unlink it stays mapped, and maps still "
		 "shows its old name",
	.because = "shm_open(3) opens a file on the tmpfs at /dev/shm. The mapping refers to the "
		   "file, so unlinking frees nothing before the last munmap().",
	.said_by = SAID_BY("shm_overview(7)", "top(1), SHR"),
	.steps = STEPS(STEP_AS(MAP, "map", map, MOVES(VIRT_OTHER(PAGES))),
		       STEP_AS(WRITE, "write", step_write, .pages = PAGES,
			       MOVES(SHMEM_WRITE(PAGES)))),
	.judge = judge,
};
