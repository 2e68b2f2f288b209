// SPDX-License-Identifier: MIT
/*
 * A limit of N hugetlb pages, of a mount or of a cgroup, lets exactly N be taken, in each way to
 * take one.
 */
#include "../shmem/mount.h"
#include <rssck/uapi.h>
#include <sys/syscall.h>

enum { N = 2, MOST = 2 * N };
enum { READ_WRITE = PROT_READ | PROT_WRITE };

/* The process of each row has its own copy. */
static struct place {
	struct workload *w;
	char *each[MOST]; /* a mapping for each that was taken */
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

/* Reserves a page, and does not touch it. */
static bool take_mapping(int i)
{
	place.each[i] = mmap(NULL, mount.page, READ_WRITE, MAP_SHARED, mount.file,
			     offset((size_t)i));
	return place.each[i] != MAP_FAILED;
}

static bool take_private_mapping(int i)
{
	place.each[i] = mmap(NULL, mount.page, READ_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);
	return place.each[i] != MAP_FAILED;
}

static bool take_private_file_mapping(int i)
{
	place.each[i] = mmap(NULL, mount.page, READ_WRITE, MAP_PRIVATE, mount.file,
			     offset((size_t)i));
	return place.each[i] != MAP_FAILED;
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
	snprintf(value, sizeof(value), "%lld", (long long)n * (long long)mount.page);
	return mib && (!*place.in || workload_cgroup_write(place.w, "in/cgroup.procs", "0")) &&
	       workload_cgroup_write(place.w, limit, value);
}

static int64_t pages_of_cgroup(void)
{
	int64_t bytes = workload_cgroup_number(place.w, place.usage, NULL);

	return bytes < 0 ? -1 : bytes / (int64_t)mount.page;
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
	mount.p = mmap(NULL, MOST * mount.page, READ_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | MAP_NORESERVE, -1, 0);
	return mount.p != MAP_FAILED && give_private(0);
}

static bool cgroup_reservations(int64_t n)
{
	return limit_cgroup("rsvd.", n) && make_memfd();
}

static const struct room mounts[] = {
	{ "size, a fault", size_of_mount, take_touch, give_page, pages_used, NULL, EFAULT, REQUIRED },
	{ "size, fallocate", size_of_mount, take_allocate, give_end, pages_used, NULL, ENOSPC, REQUIRED },
	{ "size, mmap", size_of_mount, take_mapping, give_mapping_and_end, pages_used, NULL, ENOMEM, REQUIRED },
	{ "size, mmap with MAP_PRIVATE", size_of_mount, take_private_file_mapping, give_mapping, pages_used, NULL, ENOMEM, REQUIRED },
	{ "nr_inodes, mknod", inodes_of_mount, take_node, give_name, inodes_used, NULL, ENOSPC, REQUIRED },
	{ "nr_inodes, mkdir", inodes_of_mount, take_folder, give_folder, inodes_used, NULL, ENOSPC, REQUIRED },
}, cgroups[] = {
	{ "max, a fault", cgroup_pages, take_touch, give_page, pages_of_cgroup, events_of_cgroup, EFAULT, REQUIRED },
	{ "max, fallocate", cgroup_pages, take_allocate, give_end, pages_of_cgroup, events_of_cgroup, ENOSPC, REQUIRED },
	{ "max, a fault of private memory", cgroup_private_pages, take_touch, give_private, pages_of_cgroup, events_of_cgroup, EFAULT, OPTIONAL },
	{ "rsvd.max, mmap", cgroup_reservations, take_mapping, give_mapping_and_end, pages_of_cgroup, NULL, ENOMEM, OPTIONAL },
	{ "rsvd.max, mmap with MAP_PRIVATE", cgroup_reservations, take_private_mapping, give_mapping, pages_of_cgroup, NULL, ENOMEM, OPTIONAL },
};

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

static void each_of_mount(struct workload *w)
{
	need_pool(w);
	WORKLOAD_TRY_ROOMS(w, mounts, N, "a hugetlbfs of its own (fsopen(2))");
}

static void each_of_cgroup(struct workload *w)
{
	need_pool(w);
	workload_cgroup_enter(w);
	WORKLOAD_TRY_ROOMS(w, cgroups, N, "a cgroup v2 with hugetlb.*.max");
	workload_cgroup_leave(w);
}

/*
 * The limit is that of the outer cgroup, the process is in the inner one: what the outer one
 * refuses the inner one must not count. A cgroup with controllers for its children can have no
 * process.
 */
static void each_of_outer_cgroup(struct workload *w)
{
	bool made;
	int error;

	need_pool(w);
	place.in = "in/";
	workload_cgroup_enter(w);
	made = workload_cgroup_make(w, "side") && workload_cgroup_make(w, "in") &&
	       workload_cgroup_write(w, "side/cgroup.procs", "0") &&
	       workload_cgroup_write(w, "cgroup.subtree_control", "+hugetlb");
	error = errno;
	if (made)
		WORKLOAD_TRY_ROOMS(w, cgroups, N, "a cgroup v2 with hugetlb.*.max");
	workload_cgroup_write(w, "cgroup.subtree_control", "-hugetlb");
	workload_cgroup_write(w, "cgroup.procs", "0");
	workload_cgroup_remove(w, "in");
	workload_cgroup_remove(w, "side");
	workload_cgroup_leave(w);
	if (!made)
		workload_skip_step(w, "a cgroup inside another: %s", strerror(error));
}

CASE(hugetlb_limit_exact) {
	.claim = "A hugetlbfs of N pages or N inodes, and a cgroup's hugetlb max and rsvd.max of N "
		 "pages, let exactly N be taken in every way, and refuse one more; a refused call "
		 "takes nothing, and what is given back can be taken again",
	.because = "hugepage_subpool_get_pages(), hugetlbfs_dec_free_inodes() and "
		   "hugetlb_cgroup_charge_cgroup() compare what is taken with the limit first, "
		   "and are undone if no page can be had.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/hugetlbpage.rst, size, nr_inodes",
			   "Documentation/admin-guide/cgroup-v2.rst, HugeTLB"),
	.needs = NEEDS("root", "hugetlb", "guest"),
	.steps = STEPS(STEP("a mount of hugetlbfs", each_of_mount, .checks = 1),
		       STEP("a cgroup", each_of_cgroup, .checks = 1),
		       STEP("a cgroup outside the process's", each_of_outer_cgroup, .checks = 1)),
};
