// SPDX-License-Identifier: MIT
/* memory.current of a cgroup after its processes have ended: the arithmetic, and a real cgroup. */
#include "base/kernel_file.h"
#include "machine/cgroups.h"
#include "scan/keep/remains.h"
#include "tests/support/child.h"
#include <sys/stat.h>

enum { MIB = 1 << 20 };

static struct memory_group made_up(void)
{
	return (struct memory_group) { .frames = true,
				       .current = 1000,
				       .stock = 100,
				       .part = { [GROUP_ANON] = 400,
						 [GROUP_CACHE_MAPPED] = 200,
						 [GROUP_SHMEM_MAPPED] = 100,
						 [GROUP_SHMEM_UNMAPPED] = 50,
						 [GROUP_PGTABLE] = 80,
						 [GROUP_SLAB] = 120,
						 [GROUP_STOCK] = 50 } };
}

TEST(freed_kept_and_unknown_memory_are_separated)
{
	struct memory_group g = made_up();
	struct remains r = { .of[REMAINS_FREED] = { [GROUP_ANON] = 390,
						    [GROUP_SHMEM_MAPPED] = 60,
						    [GROUP_PGTABLE] = 90 },
			     .of[REMAINS_KEPT] = { [GROUP_ANON] = 7 } };

	remains_divide(&r, &g);
	assert_int_equal(r.of[REMAINS_FREED][GROUP_PGTABLE], 80); /* no more than is charged */
	assert_int_equal(r.of[REMAINS_KEPT][GROUP_ANON], 7);
	assert_int_equal(r.of[REMAINS_UNKNOWN][GROUP_ANON], 3);
	assert_int_equal(r.of[REMAINS_UNKNOWN][GROUP_SHMEM_MAPPED], 40);
	assert_int_equal(r.of[REMAINS_UNKNOWN][GROUP_SHMEM_UNMAPPED], 50);
	assert_int_equal(r.of[REMAINS_UNKNOWN][GROUP_SLAB], 120);
	assert_int_equal(r.least, 7 + 200);
	assert_int_equal(r.most, 10 + 200 + 40 + 50 + 120 + 100);
}

TEST(page_cache_of_deleted_files_may_be_freed)
{
	struct memory_group g = made_up();
	struct remains r = { .deleted = 70 };

	remains_divide(&r, &g);
	assert_int_equal(r.least, 200 - 70);
	r = (struct remains) { .deleted = 7000 };
	remains_divide(&r, &g);
	assert_int_equal(r.least, 0);
}

TEST(page_cache_of_deleted_files_is_not_said_to_stay)
{
	struct memory_group g = made_up();
	struct remains r = { .nr = 1, .deleted = 70 };

	for (int i = 0; i < 2; i++) {
		remains_divide(&r, &g);
		assert_says(PRINTED(out, remains_print(&r, &g, out)),
			    r.deleted ? "200  stays, except for deleted files: " : "200  stays: ");
		r = (struct remains) { .nr = 1 };
	}
}

/* Moves a process to a cgroup. */
static bool enter(const char *folder)
{
	char path[512], pid[16];

	snprintf(path, sizeof(path), "%s/cgroup.procs", folder);
	snprintf(pid, sizeof(pid), "%d", getpid());
	return kernel_set(path, pid);
}

static pid_t child_in(const char *folder)
{
	int ready[2];
	pid_t pid = child_begin(ready);

	if (pid == 0) {
		char *own, *shared;

		if (!enter(folder))
			_exit(1);
		own = map_private(8 * MIB);
		shared = map_shared(4 * MIB);
		memset(own, 1, 8 * MIB);
		memset(shared, 1, 4 * MIB);
		/* A memfd of 4 MiB without a mapping; half of it has no pages. */
		int fd = memfd_create("rssck-remains", MFD_CLOEXEC);

		if (ftruncate(fd, 4 * MIB) || pwrite(fd, own, 2 * MIB, 1 * MIB) != 2 * MIB)
			_exit(1);
		child_stands(ready);
	}
	child_await(ready);
	return pid;
}

/* Returns -1 if the cgroup does not count memory. */
static int64_t current_of(const char *folder, bool v1)
{
	char path[512];
	int64_t bytes;

	snprintf(path, sizeof(path), "%s/%s", folder,
		 v1 ? "memory.usage_in_bytes" : "memory.current");
	bytes = kernel_number(path, NULL, -1);
	return bytes < 0 ? -1 : bytes / 1024;
}

/* RCU, and tasks that are still exiting, free their pages a moment later. */
static int64_t settled(const char *folder, bool v1, int64_t most)
{
	int64_t kb = current_of(folder, v1);

	for (int i = 0; i < 100 && kb > most; i++) {
		usleep(50000);
		kb = current_of(folder, v1);
	}
	return kb;
}

TEST(memory_current_of_a_real_cgroup_ends_within_the_range)
{
	char mount[256], folder[400], why[512] = "";
	static struct memory_group g;
	struct machine_reader m;
	struct remains r;
	struct host h;
	int64_t left;
	int status;
	pid_t pid;

	if (!cgroups_mount(mount, sizeof(mount), &g.v1))
		skip();
	snprintf(folder, sizeof(folder), "%s/rssck-remains-%d", mount, getpid());
	if (mkdir(folder, 0755))
		skip();
	if (current_of(folder, g.v1) < 0 || host_probe(&h, why, sizeof(why)) || !enter(folder)) {
		rmdir(folder);
		skip();
	}
	enter(mount);
	pid = child_in(folder);
	status = memory_group_find(&g, GROUP_BY_PATH, folder, why, sizeof(why));
	machine_reader_open(&m, &h);
	status = status ? status : memory_group_read(&g, &m, why, sizeof(why));
	status = status ? status : remains_read(&r, &g, &m, why, sizeof(why));
	child_end(pid);
	if (status == 0) {
		assert_int_equal(r.nr, 1);
		assert_true(r.of[REMAINS_FREED][GROUP_ANON] >= 8 * 1024);
		assert_int_equal(r.of[REMAINS_FREED][GROUP_SHMEM_MAPPED], 4 * 1024);
		assert_int_equal(r.of[REMAINS_FREED][GROUP_SHMEM_UNMAPPED], 2 * 1024);
		assert_true(r.of[REMAINS_FREED][GROUP_PGTABLE] > 0);
		assert_true(r.most < g.current - 12 * 1024 + g.stock);
		left = settled(folder, g.v1, r.most);
		assert_true(left >= r.least && left <= r.most);
	}
	machine_reader_close(&m);
	memory_group_free(&g);
	host_close(&h);
	rmdir(folder);
	if (status < 0)
		fail_msg("%s", why);
	if (status)
		skip();
}
