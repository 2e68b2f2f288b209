// SPDX-License-Identifier: MIT
/*
 * A limit of N hugetlb pages, of a mount, a user or a cgroup, lets exactly N be taken, in each way
 * to take one, and all come back.
 */
#include "../shmem/mount.h"
#include <grp.h>
#include <sched.h>

enum { N = 2, MOST = 2 * N };
enum { READ_WRITE = PROT_READ | PROT_WRITE };

/* The process of each row has its own copy. */
static struct place {
	struct workload *w;
	char *each[MOST]; /* a mapping for each that was taken */
	int ids[MOST];    /* or a segment */
	const char *in;   /* the cgroup of the process below the limited one: "" or "in/" */
	char usage[40];   /* a file of the cgroup, such as "hugetlb.2MB.current" */
} place;

static bool make_mount(const char *format, int64_t number)
{
	char options[80];

	snprintf(options, sizeof(options), format, mount.page, (long long)number);
	mount.at = workload_mount_nowhere("hugetlbfs", options);
	return mount.at >= 0;
}

static bool size_of_mount(int64_t n)
{
	return make_mount("pagesize=%zu,size=%lld", n * (int64_t)mount.page) &&
	       mount_make_file(MAP_NORESERVE);
}

static bool inodes_of_mount(int64_t n)
{
	return make_mount("pagesize=%zu,nr_inodes=%lld", n + 1);
}

/* Pages that are reserved from the start stay taken from the pool. */
static bool size_and_least_of_mount(int64_t n)
{
	char format[64];

	snprintf(format, sizeof(format), "pagesize=%%zu,min_size=%lld,size=%%lld",
		 (long long)n * (long long)mount.page);
	return make_mount(format, n * (int64_t)mount.page) && mount_make_file(MAP_NORESERVE);
}

/* Maps n pages by one call, which reserves them. */
static bool map_many(int from, int n, int flags, int fd)
{
	char *p = mmap(NULL, (size_t)n * mount.page, READ_WRITE, flags, fd,
		       fd < 0 ? 0 : offset((size_t)from));

	for (int i = 0; i < n && p != MAP_FAILED; i++)
		place.each[from + i] = p + offset((size_t)i);
	return p != MAP_FAILED;
}

static bool many_mapped(int from, int n)
{
	return map_many(from, n, MAP_SHARED, mount.file);
}

static bool many_private(int from, int n)
{
	return map_many(from, n, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1);
}

static bool many_private_of_file(int from, int n)
{
	return map_many(from, n, MAP_PRIVATE, mount.file);
}

static bool take_mapping(int i)
{
	return many_mapped(i, 1);
}

static bool take_private_mapping(int i)
{
	return many_private(i, 1);
}

static bool take_private_file_mapping(int i)
{
	return many_private_of_file(i, 1);
}

/* The copy takes the place of the reservation. */
static bool take_private_copy(int i)
{
	return many_private_of_file(i, 1) && read(mount.zeros, place.each[i], 1) == 1;
}

static int64_t pool_in_use(void)
{
	return workload_number("/proc/meminfo", "HugePages_Total", 0) -
	       workload_number("/proc/meminfo", "HugePages_Free", 0) +
	       workload_number("/proc/meminfo", "HugePages_Rsvd", 0);
}

/* Needs Linux 5.18. */
static bool give_private(int i)
{
	return !madvise(mount.p + offset((size_t)i), mount.page, MADV_DONTNEED);
}

static bool give_mapping(int i)
{
	return !munmap(place.each[i], mount.page);
}

/* Punching a hole does not end a reservation, truncating does. */
static bool give_mapping_and_end(int i)
{
	return give_mapping(i) && give_end(i);
}

static bool limit_cgroup(const char *what, int64_t n)
{
	size_t mib = mount.page >> 20;
	char limit[40], value[24];

	snprintf(limit, sizeof(limit), "hugetlb.%zuMB.%smax", mib, what);
	snprintf(place.usage, sizeof(place.usage), "%shugetlb.%zuMB.%scurrent", place.in, mib,
		 what);
	if (n == ROOM_INFINITE)
		snprintf(value, sizeof(value), "max");
	else
		snprintf(value, sizeof(value), "%lld", (long long)n * (long long)mount.page);
	return mib && (!*place.in || workload_cgroup_write(place.w, "in/cgroup.procs", "0")) &&
	       workload_cgroup_write(place.w, limit, value);
}

/* What numa_stat has more than the usage, over all nodes; 0 if there is none. */
static int64_t more_on_nodes(void)
{
	char file[40], path[WORKLOAD_CGROUP_PATH], text[256];
	const char *at = text;
	size_t mib = mount.page >> 20;
	int64_t sum = 0, total;
	long long one;
	int n = 0;

	snprintf(file, sizeof(file), "%shugetlb.%zuMB.numa_stat", place.in, mib);
	workload_read_text(workload_cgroup_path(place.w, file, path), text, sizeof(text));
	if (sscanf(at, "total=%*d%n", &n) < 0 || !n)
		return 0;
	for (at += n; sscanf(at, " N%*d=%lld%n", &one, &n) == 1; at += n)
		sum += one;
	snprintf(file, sizeof(file), "%shugetlb.%zuMB.current", place.in, mib);
	total = workload_cgroup_number(place.w, file, NULL);
	return (sum - total) / (int64_t)mount.page;
}

/* As many as numa_stat makes them, so it must agree. */
static int64_t pages_of_cgroup(void)
{
	int64_t bytes = workload_cgroup_number(place.w, place.usage, NULL);

	return bytes < 0 ? -1 : bytes / (int64_t)mount.page + more_on_nodes();
}

/* Linux 5.6 or later. */
static int64_t events_of_cgroup(void)
{
	char file[40];

	snprintf(file, sizeof(file), "hugetlb.%zuMB.events", mount.page >> 20);
	return workload_cgroup_number(place.w, file, "max");
}

static bool make_memfd(void)
{
	mount.file = memfd_create("rssck", MFD_CLOEXEC | MFD_HUGETLB);
	return mount_map_file(MAP_NORESERVE);
}

static bool cgroup_pages(int64_t n)
{
	return limit_cgroup("", n) && make_memfd();
}

static bool cgroup_private_pages(int64_t n)
{
	if (!cgroup_pages(n))
		return false;
	mount.p = workload_try_map(MOST * mount.page, READ_WRITE,
				   MAP_PRIVATE | MAP_HUGETLB | MAP_NORESERVE, -1);
	return mount.p && give_private(0);
}

static bool cgroup_reservations(int64_t n)
{
	return limit_cgroup("rsvd.", n) && make_memfd();
}

static bool take_segment(int i)
{
	place.ids[i] = shmget(IPC_PRIVATE, mount.page, IPC_CREAT | SHM_HUGETLB | 0600);
	return place.ids[i] >= 0;
}

static bool give_segment(int i)
{
	return !shmctl(place.ids[i], IPC_RMID, NULL);
}

static bool take_attached(int i)
{
	if (!take_segment(i))
		return false;
	place.each[i] = shmat(place.ids[i], NULL, 0);
	return give_segment(i) && place.each[i] != (void *)-1;
}

static bool give_attached(int i)
{
	return !shmdt(place.each[i]);
}

/* Without CAP_IPC_LOCK, and outside of hugetlb_shm_group. */
static bool locked_segments(int64_t n)
{
	struct rlimit l = { (rlim_t)n * mount.page, (rlim_t)n * mount.page };
	const unsigned id = WORKLOAD_UNUSED_USER;

	return !unshare(CLONE_NEWIPC) && !setrlimit(RLIMIT_MEMLOCK, &l) && !setgroups(0, NULL) &&
	       !setresgid(id, id, id) && !setresuid(id, id, id) &&
	       (!n || (take_segment(0) && give_segment(0)));
}

/* hugetlb/reserved_beside_child has private copies that a child shares. */
/* clang-format off */
#define OF_MOUNT(limit, take, give, refused) limit, take, give, pages_used, NULL, refused, REQUIRED, .beside = pool_in_use, .zero = (refused)
#define OF_CGROUP(limit, take, give, events, refused, need) \
	limit, take, give, pages_of_cgroup, events, refused, need, .beside = pool_in_use, .zero = (refused), .infinite = true

static const struct room mounts[] = {
	{ "size, a fault", OF_MOUNT(size_of_mount, take_touch, give_page, EFAULT), .many = many_populate, .kept = pages_of_file, .over = true },
	{ "size, fallocate", OF_MOUNT(size_of_mount, take_allocate, give_end, ENOSPC), .many = many_allocate, .kept = pages_of_file },
	{ "size, mmap", OF_MOUNT(size_of_mount, take_mapping, give_mapping_and_end, ENOMEM), .many = many_mapped },
	{ "size, mmap with MAP_PRIVATE", OF_MOUNT(size_of_mount, take_private_file_mapping, give_mapping, ENOMEM), .many = many_private_of_file,
	  .lasts = LASTS_TAKER },
	{ "size, a private copy", OF_MOUNT(size_of_mount, take_private_copy, give_mapping, ENOMEM), .many = many_private_of_file,
	  .lasts = LASTS_ALONE },
	{ "min_size, a fault", OF_MOUNT(size_and_least_of_mount, take_touch, give_page, EFAULT), .many = many_populate, .kept = pages_of_file,
	  .over = true },
	{ "min_size, mmap", OF_MOUNT(size_and_least_of_mount, take_mapping, give_mapping_and_end, ENOMEM), .many = many_mapped },
	{ "min_size, mmap with MAP_PRIVATE", OF_MOUNT(size_and_least_of_mount, take_private_file_mapping, give_mapping, ENOMEM),
	  .many = many_private_of_file },
	{ "min_size, a private copy", OF_MOUNT(size_and_least_of_mount, take_private_copy, give_mapping, ENOMEM), .many = many_private_of_file,
	  .lasts = LASTS_ALONE },
	{ "nr_inodes, mknod", inodes_of_mount, take_node, give_name, inodes_used, NULL, ENOSPC, REQUIRED, .fails = names_fail, .zero = ENOSPC },
	{ "nr_inodes, mkdir", inodes_of_mount, take_folder, give_folder, inodes_used, NULL, ENOSPC, REQUIRED, .fails = names_fail,
	  .zero = ENOSPC },
}, cgroups[] = {
	{ "max, a fault", OF_CGROUP(cgroup_pages, take_touch, give_page, events_of_cgroup, EFAULT, REQUIRED), .many = many_populate,
	  .kept = pages_of_file, .over = true },
	{ "max, fallocate", OF_CGROUP(cgroup_pages, take_allocate, give_end, events_of_cgroup, ENOSPC, REQUIRED), .many = many_allocate,
	  .kept = pages_of_file },
	{ "max, a fault of private memory", OF_CGROUP(cgroup_private_pages, take_touch, give_private, events_of_cgroup, EFAULT, OPTIONAL),
	  .lasts = LASTS_INHERITED },
	{ "rsvd.max, mmap", OF_CGROUP(cgroup_reservations, take_mapping, give_mapping_and_end, NULL, ENOMEM, OPTIONAL), .many = many_mapped },
	{ "rsvd.max, mmap with MAP_PRIVATE", OF_CGROUP(cgroup_reservations, take_private_mapping, give_mapping, NULL, ENOMEM, OPTIONAL),
	  .many = many_private, .lasts = LASTS_TAKER },
}, users[] = {
	{ "RLIMIT_MEMLOCK, SHM_HUGETLB", locked_segments, take_segment, give_segment, NULL, NULL, EPERM, OPTIONAL, .zero = EPERM },
	{ "RLIMIT_MEMLOCK, SHM_HUGETLB, attached and removed", locked_segments, take_attached, give_attached, NULL, NULL, EPERM, OPTIONAL,
	  .lasts = LASTS_INHERITED },
};
/* clang-format on */

/* One more than N pages must be free, or the pool would be the limit. */
static void need_pool(struct workload *w)
{
	place = (struct place) { .w = w, .in = "" };
	mount = (struct mount) { .page = workload_hugetlb_bytes(), .pages = MOST };
	if (workload_number("/proc/meminfo", "HugePages_Free", 0) -
		    workload_number("/proc/meminfo", "HugePages_Rsvd", 0) <=
	    N)
		workload_skip(w, "%d free hugetlb pages (vm.nr_hugepages)", N + 1);
}

/* Waits until the pool has got back what a mount or a segment took from it. */
static void pool_must_be(struct workload *w, int64_t before)
{
	struct patience p = { .seconds = 8 };
	int64_t now;

	while ((now = pool_in_use()) != before)
		if (!workload_pause(&p))
			workload_fail(w, "%lld pages of the pool are in use or reserved, not %lld",
				      (long long)now, (long long)before);
}

static void each_of_mount(struct workload *w)
{
	int64_t before = pool_in_use();

	need_pool(w);
	WORKLOAD_TRY_ROOMS(w, mounts, N, "a hugetlbfs of its own (fsopen(2))");
	pool_must_be(w, before);
}

static void each_of_user(struct workload *w)
{
	int64_t before = pool_in_use();

	need_pool(w);
	WORKLOAD_TRY_ROOMS(w, users, N, "an IPC namespace of its own (unshare(2))");
	pool_must_be(w, before);
}

static void each_of_cgroup(struct workload *w)
{
	need_pool(w);
	workload_cgroup_enter(w);
	WORKLOAD_TRY_ROOMS(w, cgroups, N, "a cgroup v2 with hugetlb.*.max");
	workload_cgroup_leave(w);
}

/*
 * The outer cgroup has the limit, the inner cgroup has the process. The inner one must not count a
 * page that the outer one refuses. A cgroup with controllers for its children can have no process.
 */
static void each_of_outer_cgroup(struct workload *w)
{
	bool made;
	int error;

	need_pool(w);
	place.in = "in/";
	workload_cgroup_enter(w);
	made = workload_cgroup_step_aside(w) && workload_cgroup_make(w, "in") &&
	       workload_cgroup_write(w, "cgroup.subtree_control", "+hugetlb");
	error = errno;
	if (made)
		WORKLOAD_TRY_ROOMS(w, cgroups, N, "a cgroup v2 with hugetlb.*.max");
	workload_cgroup_write(w, "cgroup.subtree_control", "-hugetlb");
	workload_cgroup_step_back(w);
	workload_cgroup_remove(w, "in");
	workload_cgroup_leave(w);
	if (!made)
		workload_skip_step(w, "a cgroup inside another: %s", strerror(error));
}

CASE(hugetlb_limit_exact) {
	.claim = "A hugetlbfs of N pages or N inodes, and a cgroup's hugetlb max and rsvd.max of N "
		 "pages, let exactly N be taken in every way, and refuse one more; a refused call "
		 "takes nothing, and what is given back, or ends with its process, can be taken "
		 "again. The pool has all pages back at the end",
	.because = "hugepage_subpool_get_pages(), hugetlbfs_dec_free_inodes() and "
		   "hugetlb_cgroup_charge_cgroup() compare what is taken with the limit first, "
		   "and are undone if no page can be had.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/hugetlbpage.rst, size, nr_inodes",
			   "Documentation/admin-guide/cgroup-v2.rst, HugeTLB"),
	.needs = NEEDS("root", "hugetlb", "guest"),
	.flags = CASE_ONE_CPU,
	.steps = STEPS(STEP("a mount of hugetlbfs", each_of_mount, .checks = 1),
		       STEP("a user", each_of_user, .checks = 1),
		       STEP("a cgroup", each_of_cgroup, .checks = 1),
		       STEP("a cgroup outside the process's", each_of_outer_cgroup, .checks = 1)),
};
