// SPDX-License-Identifier: MIT
/* The memory of a cgroup, of files that are made up. */
#include "machine/group.h"
#include "tests/support/test.h"

static char folder[] = "/tmp/rssck-group-XXXXXX";
static struct host host;

static void put(const char *file, const char *text)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", folder, file);
	f = fopen(path, "we");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static int make(void **state)
{
	char why[256];

	(void)state;
	if (host_probe(&host, why, sizeof(why)) || !mkdtemp(folder))
		return 1;
	put("memory.current", "10485760\n");
	put("memory.max", "20971520\n");
	put("memory.swap.max", "max\n");
	put("memory.stat", "anon 4194304\nfile 3145728\nkernel_stack 65536\npagetables 131072\n"
			   "percpu 1024\nsock 4096\nvmalloc 0\nshmem 1048576\nfile_mapped 4096\n"
			   "file_dirty 8192\ninactive_file 1048576\nunevictable 0\nslab 204800\n");
	put("memory.events", "low 0\nhigh 0\nmax 3\noom 2\noom_kill 1\n");
	put("cgroup.stat", "nr_descendants 0\nnr_dying_descendants 4\n");
	put("cgroup.procs", "");
	return 0;
}

static int drop(void **state)
{
	char command[128];

	(void)state;
	host_close(&host);
	snprintf(command, sizeof(command), "rm -r %s", folder);
	return system(command);
}

TESTS_SHARE(make, drop);

/* An ordinary user sees no frames. */
TEST(without_frames_its_parts_are_of_memory_stat)
{
	static struct memory_group g = { .limit = -1, .swap_limit = -1 };
	struct machine_reader m;
	char why[256] = "";
	int64_t sum = 0;

	machine_reader_open(&m, &host);
	bool frames = m.sees_frames;

	m.sees_frames = false;
	snprintf(g.folder, sizeof(g.folder), "%s", folder);
	assert_int_equal(memory_group_read(&g, &m, why, sizeof(why)), 0);
	m.sees_frames = frames;
	machine_reader_close(&m);
	for (int p = 0; p < GROUP_PARTS; p++)
		sum += g.part[p];
	assert_int_equal(g.current, 10240);
	assert_int_equal(sum, g.current);
	assert_int_equal(g.limit, 20480);
	assert_int_equal(g.swap_limit, -1);
	assert_int_equal(g.part[GROUP_ANON], 4096);
	assert_int_equal(g.part[GROUP_SHMEM_UNMAPPED], 1024);
	assert_int_equal(g.part[GROUP_CACHE_UNMAPPED], 2048);
	assert_int_equal(g.part[GROUP_SLAB], 200);
	assert_int_equal(g.oom_kills, 1);
	assert_int_equal(g.dying, 4);
	assert_int_equal(memory_group_working_set(&g), 10240 - 1024);
	assert_int_equal(memory_group_wrong(&g), 0);
}

TEST(a_cgroup_that_is_not_there_is_refused)
{
	struct memory_group g;
	char why[512] = "";

	assert_int_equal(memory_group_find(&g, GROUP_BY_CONTAINER, "no-such-cgroup-is-here", why,
					   sizeof(why)),
			 -1);
	assert_true(why[0]);
	assert_int_equal(memory_group_find(&g, GROUP_BY_PATH, "/no/such/cgroup", why, sizeof(why)),
			 -1);
	memory_group_free(&g);
}
