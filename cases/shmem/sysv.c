// SPDX-License-Identifier: MIT
/* A System V segment is RssShmem; its name in maps contains its key. */
#include <rssck/case.h>
#include <sys/ipc.h>

enum { PAGES = 256, REGION = 0, AGAIN = 1 };
STEP_SYMBOLS(ATTACH, WRITE);

/*
 * Marks the segment for removal after attaching it, so that it is freed with its last attachment,
 * even if rssck is killed.
 */
static void attach(struct workload *w)
{
	int id = shmget(IPC_PRIVATE, PAGES * w->page_size, IPC_CREAT | 0600);

	if (id < 0)
		workload_skip(w, "shmget(2): %m");
	w->slot[REGION] = shmat(id, NULL, 0);
	w->slot[AGAIN] = shmat(id, NULL, SHM_RDONLY);
	shmctl(id, IPC_RMID, NULL);
	if (w->slot[REGION] == (void *)-1 || w->slot[AGAIN] == (void *)-1)
		workload_die(w, "shmat(2): %m");
	workload_remember(w, w->slot[REGION], PAGES * w->page_size);
	workload_report(w, "address", (int64_t)(uintptr_t)w->slot[REGION]);
}

static void detach_one(struct workload *w)
{
	shmdt(w->slot[AGAIN]);
}

static void judge(const struct trial *t, struct judgement *j)
{
	const struct mapping *m = trial_mapping(t, WRITE, 0, ATTACH, "address");

	judge_true(j, WRITE, m && !strcmp(m->name, "/SYSV00000000 (deleted)"),
		   "maps shows the mapping's name as /SYSV00000000 (deleted)");
}

CASE(shmem_sysv) {
	.claim =
		"A System V segment is RssShmem once it is touched, separately for each attachment",
	.because = "shmget(2) makes a file on the kernel's internal tmpfs, named after the key, "
		   "and shmat(2) maps it shared. RSS counts the pages that were touched through "
		   "an attachment.",
	.said_by = SAID_BY("sysvipc(7)", "shmat(2)"),
	.steps = STEPS(STEP_AS(ATTACH, "attach", attach, MOVES(VIRT_OTHER(2 * PAGES))),
		       STEP_AS(WRITE, "write", step_write, .slot = REGION, .pages = PAGES,
			       MOVES(SHMEM_WRITE(PAGES))),
		       STEP("detach the untouched one", detach_one, MOVES(VIRT_OTHER(-PAGES)))),
	.judge = judge,
};
