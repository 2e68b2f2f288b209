// SPDX-License-Identifier: MIT
/* The memory of a cgroup, read from made-up files. */
#include "machine/cgroups.h"
#include "machine/group.h"
#include "tests/support/child.h"
#include "tests/support/files.h"
#include "tests/support/host.h"
#include <sys/stat.h>

enum { OTHER_USER = 65534 };

static char *folder;
static struct host host;

FIXTURE(make)
{
	host = host_here();
	folder = strdup(in_folder("group"));
	folder_put("group/memory.current", "10485760\n");
	folder_put("group/memory.max", "20971520\n");
	folder_put("group/memory.swap.max", "max\n");
	folder_put("group/memory.stat",
		   "anon 4194304\nfile 3145728\nkernel_stack 65536\npagetables 131072\n"
		   "percpu 1024\nsock 4096\nvmalloc 0\nshmem 1048576\nfile_mapped 4096\n"
		   "file_dirty 8192\ninactive_file 1048576\nunevictable 0\nslab 204800\n");
	folder_put("group/memory.events", "low 0\nhigh 0\nmax 3\noom 2\noom_kill 1\n");
	folder_put("group/cgroup.stat", "nr_descendants 0\nnr_dying_descendants 4\n");
	folder_put("group/cgroup.procs", "");
	return 0;
}

FIXTURE(drop)
{
	host_close(&host);
	free(folder);
	return 0;
}

TESTS_SHARE(make, drop);

/* Reads a cgroup as an ordinary user does, who sees no frames. */
static void read_without_frames(struct memory_group *g, const char *path)
{
	struct machine_reader m;
	char why[256] = "";
	bool frames;

	snprintf(g->folder, sizeof(g->folder), "%s", path);
	machine_reader_open(&m, &host);
	frames = m.sees_frames;
	m.sees_frames = false;
	if (memory_group_read(g, &m, why, sizeof(why)))
		fail_msg("%s", why);
	m.sees_frames = frames;
	machine_reader_close(&m);
}

TEST(without_frames_the_parts_come_from_memory_stat)
{
	static struct memory_group g = { .limit = -1, .swap_limit = -1 };
	int64_t sum = 0;

	read_without_frames(&g, folder);
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
	memory_group_free(&g);
}

/* Returns what an ordinary user reads, in shared memory, because a child does the reading. */
static struct memory_group *other_user_reads(const char *path, bool v1)
{
	struct memory_group *g = (struct memory_group *)map_shared(sizeof(*g));
	struct machine_reader m;
	char why[256];
	pid_t pid;

	*g = (struct memory_group) { .limit = -1, .swap_limit = -1, .v1 = v1 };
	snprintf(g->folder, sizeof(g->folder), "%s", path);
	machine_reader_open(&m, &host);
	pid = fork();
	if (pid == 0) {
		m.sees_frames = false;
		if (setgid(OTHER_USER) || setuid(OTHER_USER) ||
		    memory_group_read(g, &m, why, sizeof(why)))
			g->current = -1;
		_exit(0);
	}
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	machine_reader_close(&m);
	return g;
}

/* In v1 the line of anonymous memory is total_rss, and kernel memory has a file of its own. */
TEST(without_frames_v1_shows_anonymous_memory_and_says_which_processes_it_cannot_read)
{
	char pids[32];
	struct memory_group *g;
	int64_t sum = 0;

	if (geteuid())
		skip();
	snprintf(pids, sizeof(pids), "%d\n", getpid());
	folder_put("group/v1/memory.usage_in_bytes", "8388608\n");
	folder_put("group/v1/memory.kmem.usage_in_bytes", "1048576\n");
	folder_put("group/v1/memory.stat",
		   "rss 0\ntotal_rss 4194304\ntotal_cache 3145728\ntotal_shmem 1048576\n"
		   "total_inactive_file 0\ntotal_unevictable 0\ntotal_dirty 0\n");
	folder_put("group/v1/cgroup.procs", pids);
	assert_int_equal(chmod(in_folder("group/v1"), 0755) | chmod(folder, 0755) |
				 chmod(in_folder("."), 0755),
			 0);
	g = other_user_reads(in_folder("group/v1"), true);
	assert_int_equal(g->current, 8192);
	for (int p = 0; p < GROUP_PARTS; p++)
		sum += g->part[p];
	assert_int_equal(sum, 8192);
	assert_int_equal(g->part[GROUP_ANON], 4096);
	assert_int_equal(g->part[GROUP_SLAB], 1024);
	assert_int_equal(g->part[GROUP_STOCK], 0);
	assert_int_equal(g->nr_processes, 1);
	assert_int_equal(g->unread, 1);
	assert_true(g->of[0].unread && g->of[0].rss > 0 && g->all.rss == g->of[0].rss);
	munmap(g, sizeof(*g));
}

static pid_t growing(void)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	for (long long mib = 1;; mib++) {
		char bytes[32];

		snprintf(bytes, sizeof(bytes), "%lld\n", mib << 20);
		if (rename(folder_put("group/grows/new", bytes),
			   in_folder("group/grows/memory.current")))
			_exit(1);
		usleep(1000);
	}
}

static void read_with_frames(struct memory_group *g, const char *child)
{
	struct machine_reader m;
	char why[256] = "";

	*g = (struct memory_group) { .limit = -1, .swap_limit = -1, .nr = 1 };
	g->inodes = malloc(sizeof(*g->inodes));
	g->inodes[0] = UINT64_MAX; /* no frame is charged to it */
	snprintf(g->folder, sizeof(g->folder), "%s", child);
	machine_reader_open(&m, &host);
	if (memory_group_read(g, &m, why, sizeof(why)))
		fail_msg("%s", why);
	machine_reader_close(&m);
}

/*
 * If memory grows between two readings, the difference is not "unexplained". If it does not grow,
 * memory.current must have the same value in all readings.
 */
TEST(a_cgroup_that_grows_while_it_is_read_is_recognised)
{
	static struct memory_group g;
	bool frames;
	pid_t pid;

	folder_put("group/grows/memory.current", "104857600\n");
	folder_put("group/grows/memory.stat", "anon 0\nfile 0\nshmem 0\ninactive_file 0\n");
	folder_put("group/grows/cgroup.procs", "");
	read_with_frames(&g, in_folder("group/grows"));
	frames = g.frames;
	assert_int_equal(g.part[GROUP_STOCK], 102400);
	assert_false(memory_group_is_blurred(&g));
	assert_int_equal(g.current_least, g.current_most);
	memory_group_free(&g);
	if (!frames)
		skip();
	pid = growing();
	read_with_frames(&g, in_folder("group/grows"));
	child_end(pid);
	assert_true(memory_group_is_blurred(&g));
	assert_true(g.current_least < g.current_most);
	memory_group_free(&g);
}

/*
 * 6.1 counts only the lower levels of page tables, so the others are among the frames without a
 * flag.
 */
TEST(page_tables_that_the_kernel_does_not_count_are_page_tables)
{
	struct memory_group g = { .tables = 572,
				  .part = { [GROUP_PGTABLE] = 480, [GROUP_OTHER] = 104 } };

	memory_group_add_tables(&g);
	assert_int_equal(g.part[GROUP_PGTABLE], 572);
	assert_int_equal(g.part[GROUP_OTHER], 12);
	g = (struct memory_group) { .tables = 572,
				    .part = { [GROUP_PGTABLE] = 100, [GROUP_OTHER] = 104 } };
	memory_group_add_tables(&g);
	assert_int_equal(g.part[GROUP_PGTABLE], 204);
	assert_int_equal(g.part[GROUP_OTHER], 0);
	g = (struct memory_group) { .tables = 90,
				    .part = { [GROUP_PGTABLE] = 100, [GROUP_OTHER] = 104 } };
	memory_group_add_tables(&g);
	assert_int_equal(g.part[GROUP_PGTABLE], 100);
	assert_int_equal(g.part[GROUP_OTHER], 104);
}

/*
 * The parent's limit counts unless the cgroup has a lower one. If the parent forbids swap, the
 * cgroup cannot swap.
 */
TEST(a_limit_above_counts)
{
	static struct memory_group g = { .limit = -1, .swap_limit = -1 };

	folder_put("group/child/memory.current", "1048576\n");
	folder_put("group/child/memory.max", "max\n");
	folder_put("group/child/memory.swap.max", "max\n");
	folder_put("group/child/memory.stat", "anon 1048576\nfile 0\nshmem 0\ninactive_file 0\n");
	folder_put("group/child/cgroup.procs", "");
	folder_put("group/memory.swap.max", "0\n");
	read_without_frames(&g, in_folder("group/child"));
	assert_int_equal(g.limit, -1);
	assert_int_equal(g.swap_limit, 0);
	assert_string_equal(g.above, folder);
	assert_int_equal(g.above_current, 10240);
	assert_int_equal(g.above_limit, 20480);

	memory_group_free(&g);
	memset(&g, 0, sizeof(g));
	folder_put("group/child/memory.max", "8388608\n");
	folder_put("group/memory.swap.max", "max\n");
	read_without_frames(&g, in_folder("group/child"));
	assert_int_equal(g.limit, 8192);
	assert_int_equal(g.swap_limit, -1);
	assert_string_equal(g.above, "");
	memory_group_free(&g);
}

/*
 * The parent's limit counts in v1, too, unless the parent counts only its own processes
 * (memory.use_hierarchy 0).
 */
TEST(a_limit_above_counts_in_v1)
{
	folder_put("group/above/memory.usage_in_bytes", "10485760\n");
	folder_put("group/above/memory.limit_in_bytes", "20971520\n");
	folder_put("group/above/memory.memsw.limit_in_bytes", "20971520\n");
	folder_put("group/above/child/memory.usage_in_bytes", "1048576\n");
	folder_put("group/above/child/memory.limit_in_bytes", "9223372036854771712\n");
	folder_put("group/above/child/memory.stat",
		   "total_rss 1048576\ntotal_cache 0\ntotal_shmem 0\n");
	folder_put("group/above/child/cgroup.procs", "");
	for (int hierarchy = 0; hierarchy < 2; hierarchy++) {
		struct memory_group g = { .limit = -1, .swap_limit = -1, .v1 = true };

		folder_put("group/above/memory.use_hierarchy", hierarchy ? "1\n" : "0\n");
		read_without_frames(&g, in_folder("group/above/child"));
		assert_int_equal(g.limit, -1);
		assert_int_equal(g.swap_limit, hierarchy ? 0 : -1);
		assert_string_equal(g.above, hierarchy ? in_folder("group/above") : "");
		memory_group_free(&g);
	}
}

TEST(a_missing_cgroup_is_refused)
{
	OWNED(memory_group_free) struct memory_group g;
	char why[512] = "";

	assert_int_equal(memory_group_find(&g, GROUP_BY_CONTAINER, "no-such-cgroup-is-here", why,
					   sizeof(why)),
			 -1);
	assert_true(why[0]);
	assert_int_equal(memory_group_find(&g, GROUP_BY_PATH, "/no/such/cgroup", why, sizeof(why)),
			 -1);
}

TEST(a_name_of_two_cgroups_is_refused_unless_it_is_the_whole_name_of_one)
{
	char mount[256], why[512] = "", name[64], one[400], two[400];
	int refused, exact;
	OWNED(memory_group_free) struct memory_group g;
	bool v1;

	snprintf(name, sizeof(name), "rssck-find-%d", getpid());
	if (!cgroups_mount(mount, sizeof(mount), &v1))
		skip();
	snprintf(one, sizeof(one), "%s/%s", mount, name);
	snprintf(two, sizeof(two), "%s/%s-two", mount, name);
	if (mkdir(one, 0755))
		skip();
	assert_int_equal(mkdir(two, 0755), 0);
	refused = memory_group_find(&g, GROUP_BY_CONTAINER, name + 1, why, sizeof(why));
	assert_int_equal(
		memory_group_find(&g, GROUP_BY_POD, strrchr(two, '/') + 1, name, sizeof(name)), 0);
	memory_group_free(&g);
	exact = memory_group_find(&g, GROUP_BY_CONTAINER, strrchr(one, '/') + 1, name,
				  sizeof(name));
	rmdir(one);
	rmdir(two);
	assert_int_equal(refused, -1);
	assert_says(why, strrchr(one, '/'));
	assert_says(why, strrchr(two, '/'));
	assert_int_equal(exact, 0);
	assert_string_equal(g.folder, one);
}

TEST(parts_without_memory_have_no_sentence)
{
	struct memory_group g = { .limit = -1, .swap_limit = -1, .nr = 1 };
	char *text = PRINTED(out, assert_int_equal(memory_group_text(&g, out), 0));

	assert_says_not(text, "(0 kB");
	assert_says_not(text, "The Pss of");
	assert_says_not(text, "to 0 kB");
}

static void prints(const struct memory_group *g, const char *words)
{
	char *text = PRINTED(out, assert_int_equal(memory_group_text(g, out), 0));

	for (char *line = text; (line = strchr(line, '\n')); line++)
		*line = ' ';
	assert_says(text, words);
}

/*
 * If Pss exceeds all memory that is charged to the cgroup and may be mapped, it certainly includes
 * pages that are charged to other cgroups.
 */
TEST(the_Pss_includes_pages_of_other_cgroups_only_if_it_is_too_large)
{
	struct memory_group g = { .limit = -1,
				  .swap_limit = -1,
				  .nr = 1,
				  .frames = true,
				  .nr_processes = 1,
				  .all = { .pss = 170 },
				  .part = { [GROUP_ANON] = 100,
					    [GROUP_CACHE_MAPPED] = 40,
					    [GROUP_CACHE_UNMAPPED] = 900,
					    [GROUP_SHMEM_MAPPED] = 20,
					    [GROUP_OTHER] = 10 } };

	prints(&g, "It may include pages that are charged to other cgroups");
	g.all.pss = 171;
	prints(&g, "It includes pages that are charged to other cgroups");
	g.frames = false;
	prints(&g, "It may include pages that are charged to other cgroups");
}

TEST(locked_memory_is_neither_reclaimed_nor_swapped)
{
	struct memory_group g = { .limit = -1,
				  .swap_limit = -1,
				  .nr = 1,
				  .unevictable = 90,
				  .part = { [GROUP_ANON] = 100 } };

	prints(&g, "has no swap. But 90 kB are unevictable (locked in memory, or of a ramfs or "
		   "memfd_secret) and stay.");
}

TEST(files_larger_than_the_charged_page_cache_belong_to_other_cgroups)
{
	struct memory_group g = {
		.limit = -1,
		.swap_limit = -1,
		.nr = 1,
		.part = { [GROUP_CACHE_MAPPED] = 40, [GROUP_CACHE_UNMAPPED] = 10 }
	};

	holders_add(&g.holders, HELD_CACHE, "/bin/service", 100);
	prints(&g, "the 1 file on block devices that");
	prints(&g, "; other cgroups may be charged for some of it");
	holders_add(&g.holders, HELD_CACHE, "/lib/libc.so", 1);
	prints(&g, "; most of it is charged to other cgroups");
}

/* Lines of 6.18.44 with cgroup v1, and of 7.2 with cgroup v2; shortened. */
static const char kills[] =
	"<4>[ 2726.167496] python3 invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0\n"
	"<6>[ 2726.167746] memory: usage 30720kB, limit 30720kB, failcnt 181\n"
	"<6>[ 2726.167754] memory+swap: usage 30720kB, limit 9007199254740988kB, failcnt 0\n"
	"<6>[ 2726.167756] kmem: usage 264kB, limit 9007199254740988kB, failcnt 0\n"
	"<6>[ 2726.167758] Memory cgroup stats for /pods:\n"
	"<6>[ 2726.167804] rss 0\n"
	"<6>[ 2726.167893] total_cache 4096\n"
	"<6>[ 2726.167895] total_rss 31186944\n"
	"<6>[ 2726.167896] total_rss_huge 0\n"
	"<6>[ 2726.167993] oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed="
	"0,oom_memcg=/pods,task_memcg=/pods/a,task=python3,pid=13347,uid=0\n"
	"<3>[ 2726.168026] Memory cgroup out of memory: Killed process 13347 (python3) "
	"total-vm:41044kB, anon-rss:30308kB, file-rss:6676kB, shmem-rss:0kB, UID:0 pgtables:124kB "
	"oom_score_adj:0\n"
	"<6>[ 2800.000001] oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0,"
	"global_oom,task_memcg=/pods/b,task=other,pid=9,uid=0\n"
	"<3>[ 2800.000002] Out of memory: Killed process 9 (other) total-vm:1kB, anon-rss:1kB\n"
	"[ 2900.0] memory: usage 20480kB, limit 20480kB, failcnt 9\n"
	"[ 2900.0] swap: usage 0kB, limit 0kB, failcnt 0\n"
	"[ 2900.0][   T77] anon 19922944\n"
	"[ 2900.0] file 262144\n"
	"[ 2900.0] kernel 524288\n"
	"[ 2900.0] oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),oom_memcg=/pods/c,task_memcg=/pods/c,"
	"task=late,pid=77,uid=0\n"
	"[ 2900.0] Memory cgroup out of memory: Killed process 77 (late) total-vm:9kB, anon-rss:19000kB, "
	"file-rss:5kB, shmem-rss:1kB, UID:0 pgtables:1kB oom_score_adj:-5\n";

/* In cgroup v1 the room below each of the two limits tells which one was reached. */
TEST(an_OOM_kill_by_the_memsw_limit_is_recognised)
{
	static const char log[] =
		"a invoked oom-killer: order=0\n"
		"memory: usage 1000kB, limit 9007199254740988kB, failcnt 0\n"
		"memory+swap: usage 3000kB, limit 3000kB, failcnt 9\n"
		"oom-kill:constraint=CONSTRAINT_MEMCG,oom_memcg=/x,task_memcg=/x,task=a,pid=1,uid=0\n"
		"Memory cgroup out of memory: Killed process 1 (a) anon-rss:9kB, oom_score_adj:0\n";
	struct oom o;

	assert_true(oom_find(log, "/x", &o));
	assert_true(oom_is_of_both(&o));
	assert_int_equal(o.limit, -1);
	assert_int_equal(o.both, 3000);
	assert_int_equal(o.both_limit, 3000);
	assert_int_equal(o.swap, 2000);
	assert_true(oom_find(kills, "/pods/a", &o));
	assert_false(oom_is_of_both(&o));
	assert_int_equal(o.both_limit, -1);
}

TEST(the_last_OOM_kill_of_a_cgroup_is_read_from_the_log)
{
	struct oom o;

	assert_true(oom_find(kills, "/pods/a", &o));
	assert_string_equal(o.cgroup, "/pods");
	assert_string_equal(o.of_task, "/pods/a");
	assert_string_equal(o.task, "python3");
	assert_int_equal(o.pid, 13347);
	assert_int_equal(o.usage, 30720);
	assert_int_equal(o.limit, 30720);
	assert_int_equal(o.stat[OOM_ANON], 30456);
	assert_int_equal(o.stat[OOM_FILE], 4);
	assert_int_equal(o.stat[OOM_KERNEL], 264);
	assert_int_equal(o.stat[OOM_SHMEM], -1);
	assert_int_equal(o.anon_rss, 30308);
	assert_true(oom_find(kills, "/pods", &o));
	assert_int_equal(o.pid, 77);
	assert_int_equal(o.swap_limit, 0);
	assert_int_equal(o.stat[OOM_KERNEL], 512);
	assert_int_equal(o.adjusted, -5);
	assert_false(oom_find(kills, "/pod", &o));
	assert_false(oom_find(kills, "/pods/b", &o));
	assert_false(oom_find("", "/", &o));
}
