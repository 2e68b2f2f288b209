// SPDX-License-Identifier: MIT
/* What keeps shared memory after a process ends, and how much its end frees. */
#include "scan/keep/ending.h"
#include "tests/support/child.h"
#include "tests/support/host.h"
#include <linux/magic.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/vfs.h>

enum { PAGES = 512 };

static struct host host;
static size_t size;

/*
 * Forks a child that writes to the memory at `at`, unless that is NULL, and to `own` bytes of its
 * own.
 */
static pid_t child(char *at, size_t own)
{
	int ready[2];
	pid_t pid = child_begin(ready);

	if (pid == 0) {
		if (at)
			memset(at, 1, size);
		if (own)
			memset(map_private(own), 1, own);
		child_stands(ready);
	}
	child_await(ready);
	return pid;
}

static struct ending ending_of(const pid_t *pids, size_t nr)
{
	struct ending e;
	char why[200];

	if (ending_read(&e, pids, nr, &host, why, sizeof(why)))
		fail_msg("%s", why);
	assert_int_equal(e.nr, nr);
	return e;
}

static char *mapped(int fd)
{
	char *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	assert_true(at != MAP_FAILED);
	return at;
}

static enum keeper kept_of(const struct ending *e, const char *name)
{
	for (size_t i = 0; i < e->objects.nr; i++)
		if (strstr(e->objects.of[i].name, name))
			return e->objects.of[i].kept;
	fail_msg("no object is called %s", name);
	return KEEPER_UNKNOWN;
}

/* The same, after this process ends. */
static enum keeper kept_without(pid_t pid, const char *name)
{
	OWNED(ending_free) struct ending e = ending_of(&pid, 1);

	return kept_of(&e, name);
}

/* Returns a memfd of `size` bytes. */
static int memfd_of(const char *name)
{
	int fd = memfd_create(name, MFD_CLOEXEC);

	assert_int_equal(ftruncate(fd, (off_t)size), 0);
	return fd;
}

TEST(shared_memory_stays_while_another_process_maps_it)
{
	char *at = map_shared(size);
	pid_t pid = child(at, 0), other = child(NULL, 0);
	struct ending e;

	munmap(at, size);
	e = ending_of(&pid, 1);
	assert_int_equal(e.shmem, 0);
	assert_int_equal(e.kept, size / 1024);
	assert_int_equal(kept_of(&e, "/dev/zero"), KEEPER_MAPPING);
	ending_free(&e);
	/* The other process has touched none of the pages, but keeps all of them. */
	child_end(pid);
	e = ending_of(&other, 1);
	assert_int_equal(kept_of(&e, "/dev/zero"), KEEPER_NONE);
	if (host.sees_pfns)
		assert_int_equal(e.shmem_unmapped, size / 1024);
	ending_free(&e);
	child_end(other);
}

TEST(shared_memory_is_freed_if_both_processes_end)
{
	char *at = map_shared(size);
	pid_t pids[2] = { child(at, 0), child(at, 0) };
	OWNED(ending_free) struct ending one, both;

	munmap(at, size);
	one = ending_of(pids, 1);
	both = ending_of(pids, 2);
	assert_int_equal(one.shmem, 0);
	assert_int_equal(both.shmem, size / 1024);
	child_end(pids[0]);
	child_end(pids[1]);
}

static volatile int seen; /* valgrind leaves out a load whose value is not used */

/*
 * Each process maps another part of the object, and the first one in two mappings. Together they
 * map all pages but the last.
 */
TEST(pages_that_different_mappings_map_are_added_up)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *at = map_shared(size);
	pid_t pids[2];
	OWNED(ending_free) struct ending e;
	int ready[2];

	memset(at, 1, size);
	for (int i = 0; i < 2; i++) {
		pids[i] = child_begin(ready);
		if (pids[i] == 0) {
			/* A child inherits no page table entry of shared memory. */
			for (size_t p = i ? PAGES / 2 : 0; p < (i ? PAGES - 1 : PAGES / 2); p++)
				seen += *(volatile char *)(at + p * page);
			if (i == 0)
				mprotect(at, size / 4, PROT_READ);
			else /* the kernel maps pages around one that is read */
				madvise(at + size - page, page, MADV_DONTNEED);
			child_stands(ready);
		}
		child_await(ready);
	}
	munmap(at, size);
	e = ending_of(pids, 2);
	assert_int_equal(e.shmem, (size - (e.whole ? 0 : page)) / 1024);
	assert_int_equal(e.shmem_unmapped, e.whole ? page / 1024 : 0);
	child_end(pids[0]);
	child_end(pids[1]);
}

TEST(two_objects_with_one_name_are_distinguished)
{
	char *first = map_shared(size), *second;
	pid_t pids[2] = { child(first, 0), 0 };
	struct ending e;

	munmap(first, size);
	second = map_shared(size);
	pids[1] = child(second, 0);
	munmap(second, size);
	for (int i = 0; i < 2; i++) {
		e = ending_of(&pids[i], 1);
		assert_int_equal(kept_of(&e, "/dev/zero"), KEEPER_NONE);
		assert_int_equal(e.shmem, size / 1024);
		ending_free(&e);
	}
	child_end(pids[0]);
	child_end(pids[1]);
}

TEST(a_descriptor_keeps_a_memfd)
{
	int fd = memfd_of("kept");
	char *at = mapped(fd);
	pid_t other = child(NULL, 0), pid = child(at, 0);

	munmap(at, size);
	/*
	 * This process keeps the memfd, and so does `other`, which inherited its descriptors and
	 * mappings.
	 */
	assert_int_not_equal(kept_without(pid, "memfd:kept"), KEEPER_NONE);
	child_end(other);
	assert_int_equal(kept_without(pid, "memfd:kept"), KEEPER_NONE);
	child_end(pid);
	close(fd);
}

/* The pages of a memfd exist even if it is only open and not mapped. */
TEST(the_last_descriptor_frees_a_memfd)
{
	int fd = memfd_of("open-only");
	char *at = mapped(fd);
	pid_t pid, other;
	struct ending e;

	memset(at, 1, size);
	munmap(at, size);
	pid = child(NULL, 0);
	other = child(NULL, 0);
	e = ending_of(&pid, 1);
	assert_int_equal(kept_of(&e, "memfd:open-only"), KEEPER_DESCRIPTOR);
	assert_int_equal(e.kept, size / 1024);
	ending_free(&e);
	child_end(other);
	e = ending_of(&pid, 1);
	assert_int_equal(kept_of(&e, "memfd:open-only"), KEEPER_NONE);
	assert_int_equal(e.shmem, size / 1024);
	assert_int_equal(e.shmem_unmapped, size / 1024);
	ending_free(&e);
	child_end(pid);
	close(fd);
}

TEST(the_page_cache_of_a_deleted_file_may_be_freed)
{
	char path[] = "/var/tmp/rssck-keep-XXXXXX";
	int fd = mkstemp(path);
	struct statfs fs;
	struct ending e;
	pid_t pid;

	if (fd < 0)
		skip();
	fcntl(fd, F_SETFD, FD_CLOEXEC);
	unlink(path);
	if (fstatfs(fd, &fs) || fs.f_type == TMPFS_MAGIC || ftruncate(fd, (off_t)size)) {
		close(fd);
		skip();
	}
	pid = child(NULL, 0);
	e = ending_of(&pid, 1);
	assert_true(e.objects.deleted >= (int64_t)size / 1024);
	ending_free(&e);
	child_end(pid);
	close(fd);
}

TEST(a_directory_entry_keeps_a_tmpfs_file)
{
	char name[64];
	int fd;
	char *at;
	pid_t pid;

	snprintf(name, sizeof(name), "/rssck-keep-%d", getpid());
	fd = shm_open(name, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
	if (fd < 0)
		skip();
	assert_int_equal(ftruncate(fd, (off_t)size), 0);
	at = mapped(fd);
	close(fd);
	pid = child(at, 0);
	munmap(at, size);
	assert_int_equal(kept_without(pid, name), KEEPER_NAME);
	shm_unlink(name);
	assert_int_equal(kept_without(pid, name), KEEPER_NONE);
	child_end(pid);
}

TEST(a_SysV_segment_stays_until_it_is_removed)
{
	int id = shmget(IPC_PRIVATE, size, IPC_CREAT | 0600);
	char *at = id < 0 ? (char *)-1 : shmat(id, NULL, 0);
	pid_t pid;
	struct ending e;

	if (at == (char *)-1)
		skip();
	pid = child(at, 0);
	shmdt(at);
	assert_int_equal(kept_without(pid, "SYSV"), KEEPER_SEGMENT);
	shmctl(id, IPC_RMID, NULL);
	e = ending_of(&pid, 1);
	assert_int_equal(kept_of(&e, "SYSV"), KEEPER_NONE);
	assert_int_equal(e.shmem, size / 1024);
	ending_free(&e);
	child_end(pid);
}

TEST(anonymous_memory_shared_in_a_group_is_freed_with_its_last_process)
{
	char *inherited = map_private(size);
	pid_t pids[2];
	OWNED(ending_free) struct ending one, both;
	int64_t kb = (int64_t)size / 1024;

	madvise(inherited, size, MADV_NOHUGEPAGE);
	memset(inherited, 1, size);
	pids[0] = child(NULL, size);
	pids[1] = child(NULL, size);
	munmap(inherited, size);
	one = ending_of(pids, 1);
	both = ending_of(pids, 2);
	assert_true(one.anon >= kb && both.anon >= one.anon);
	/* The end also frees the memory that valgrind and sanitizers have mapped. */
	bool alone = !getenv("VALGRIND");
#ifdef __SANITIZE_ADDRESS__
	alone = false;
#endif
	if (!alone) {
		child_end(pids[0]);
		child_end(pids[1]);
		ending_free(&one);
		ending_free(&both);
		skip();
	}
	assert_true(one.anon >= kb && one.anon < 2 * kb);
	if (host.sees_pfns)
		assert_true(both.anon >= 3 * kb && both.anon < 4 * kb);
	else
		assert_true(both.anon >= 2 * kb && both.anon_maybe >= kb);
	assert_true(one.tables > 0 && one.stacks > 0 && both.stacks == 2 * one.stacks);
	child_end(pids[0]);
	child_end(pids[1]);
}

FIXTURE(set_up)
{
	size = PAGES * (size_t)sysconf(_SC_PAGESIZE);
	host = host_here();
	return 0;
}

FIXTURE(tear_down)
{
	host_close(&host);
	return 0;
}

TESTS_SHARE(set_up, tear_down);
