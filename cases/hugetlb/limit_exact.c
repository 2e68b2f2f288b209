// SPDX-License-Identifier: MIT
/*
 * A limit of N hugetlb pages, of a mount or of a cgroup, lets exactly N be taken, in each way to
 * take one.
 */
#include <linux/falloc.h>
#include <rssck/case.h>
#include <rssck/room.h>
#include <rssck/uapi.h>
#include <sys/statfs.h>
#include <sys/syscall.h>

enum { N = 2, MOST = 2 * N };
enum { READ_WRITE = PROT_READ | PROT_WRITE };

/* The process of each row has its own copy. */
static struct place {
	struct workload *w;
	size_t page;      /* bytes of a hugetlb page */
	int at;           /* the root of a mount */
	int file;         /* a file of MOST pages */
	int zeros;        /* /dev/zero: read(2) from it writes to memory, without SIGBUS */
	char *p;          /* a mapping of the file, or a private one */
	char *each[MOST]; /* a mapping for each that was taken */
	const char *in;   /* the cgroup of the process below the limited one: "" or "in/" */
	char limit[40];   /* a file of the cgroup, such as "hugetlb.2MB.max" */
	char usage[40];
} place;

static off_t offset(int i)
{
	return i * (off_t)place.page;
}

static bool map_file(void)
{
	size_t bytes = MOST * place.page;

	place.zeros = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	if (place.zeros < 0 || place.file < 0 || ftruncate(place.file, (off_t)bytes))
		return false;
	place.p = mmap(NULL, bytes, READ_WRITE, MAP_SHARED | MAP_NORESERVE, place.file, 0);
	return place.p != MAP_FAILED;
}

static bool make_mount(const char *format, int64_t number)
{
	char options[80];

	snprintf(options, sizeof(options), format, place.page, (long long)number);
	place.at = workload_mount_nowhere("hugetlbfs", options);
	return place.at >= 0;
}

static bool make_file(void)
{
	place.file = openat(place.at, "f", O_CREAT | O_RDWR | O_CLOEXEC, 0600);
	return map_file();
}

static bool size_of_mount(int64_t n)
{
	return make_mount("pagesize=%zu,size=%lld", n * (int64_t)place.page) && make_file();
}

static bool inodes_of_mount(int64_t n)
{
	return make_mount("pagesize=%zu,nr_inodes=%lld", n + 1);
}

static bool take_touch(int i)
{
	return read(place.zeros, place.p + offset(i), 1) == 1;
}

static bool take_allocate(int i)
{
	return !fallocate(place.file, 0, offset(i), (off_t)place.page);
}

/* Reserves a page, and does not touch it. */
static bool take_mapping(int i)
{
	place.each[i] = mmap(NULL, place.page, READ_WRITE, MAP_SHARED, place.file, offset(i));
	return place.each[i] != MAP_FAILED;
}

static bool take_private_mapping(int i)
{
	place.each[i] = mmap(NULL, place.page, READ_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);
	return place.each[i] != MAP_FAILED;
}

static bool take_private_file_mapping(int i)
{
	place.each[i] = mmap(NULL, place.page, READ_WRITE, MAP_PRIVATE, place.file, offset(i));
	return place.each[i] != MAP_FAILED;
}

static bool give_page(int i)
{
	return !fallocate(place.file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset(i),
			  (off_t)place.page);
}

static bool give_end(int i)
{
	return !ftruncate(place.file, offset(i)) && !ftruncate(place.file, offset(MOST));
}

/* Needs Linux 5.18. */
static bool give_private(int i)
{
	return !madvise(place.p + offset(i), place.page, MADV_DONTNEED);
}

static bool give_mapping(int i)
{
	return !munmap(place.each[i], place.page);
}

/* Punching a hole does not end a reservation, truncating does. */
static bool give_mapping_and_end(int i)
{
	return give_mapping(i) && give_end(i);
}

static int64_t pages_of_mount(void)
{
	struct statfs fs = { 0 };

	fstatfs(place.at, &fs);
	return (int64_t)(fs.f_blocks - fs.f_bfree);
}

static char *name_of(int i)
{
	static char name[16];

	snprintf(name, sizeof(name), "n%d", i);
	return name;
}

static bool take_node(int i)
{
	return !mknodat(place.at, name_of(i), S_IFREG | 0600, 0);
}

static bool take_folder(int i)
{
	return !mkdirat(place.at, name_of(i), 0700);
}

static bool give_name(int i)
{
	return !unlinkat(place.at, name_of(i), 0);
}

static bool give_folder(int i)
{
	return !unlinkat(place.at, name_of(i), AT_REMOVEDIR);
}

/* The root folder is one. */
static int64_t inodes_used(void)
{
	struct statfs fs = { 0 };

	fstatfs(place.at, &fs);
	return (int64_t)(fs.f_files - fs.f_ffree) - 1;
}

static bool limit_cgroup(const char *what, int64_t n)
{
	size_t mib = place.page >> 20;
	char value[24];

	snprintf(place.limit, sizeof(place.limit), "hugetlb.%zuMB.%smax", mib, what);
	snprintf(place.usage, sizeof(place.usage), "%shugetlb.%zuMB.%scurrent", place.in, mib,
		 what);
	snprintf(value, sizeof(value), "%lld", (long long)n * (long long)place.page);
	return mib && (!*place.in || workload_cgroup_write(place.w, "in/cgroup.procs", "0")) &&
	       workload_cgroup_write(place.w, place.limit, value);
}

static int64_t pages_of_cgroup(void)
{
	int64_t bytes = workload_cgroup_number(place.w, place.usage, NULL);

	return bytes < 0 ? -1 : bytes / (int64_t)place.page;
}

/* Linux 5.6 or later. */
static int64_t events_of_cgroup(void)
{
	char file[40];

	snprintf(file, sizeof(file), "hugetlb.%zuMB.events", place.page >> 20);
	return workload_cgroup_number(place.w, file, "max");
}

static bool make_memfd(void)
{
	place.file = memfd_create("rssck", MFD_CLOEXEC | MFD_HUGETLB);
	return map_file();
}

static bool cgroup_pages(int64_t n)
{
	return limit_cgroup("", n) && make_memfd();
}

static bool cgroup_private_pages(int64_t n)
{
	if (!cgroup_pages(n))
		return false;
	place.p = mmap(NULL, MOST * place.page, READ_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | MAP_NORESERVE, -1, 0);
	return place.p != MAP_FAILED && give_private(0);
}

static bool cgroup_reservations(int64_t n)
{
	return limit_cgroup("rsvd.", n) && make_memfd();
}

static const struct room mounts[] = {
	{ "size, a fault", size_of_mount, take_touch, give_page, pages_of_mount, NULL, EFAULT, REQUIRED },
	{ "size, fallocate", size_of_mount, take_allocate, give_end, pages_of_mount, NULL, ENOSPC, REQUIRED },
	{ "size, mmap", size_of_mount, take_mapping, give_mapping_and_end, pages_of_mount, NULL, ENOMEM, REQUIRED },
	{ "size, mmap with MAP_PRIVATE", size_of_mount, take_private_file_mapping, give_mapping, pages_of_mount, NULL, ENOMEM, REQUIRED },
	{ "nr_inodes, mknod", inodes_of_mount, take_node, give_name, inodes_used, NULL, ENOSPC, REQUIRED },
	{ "nr_inodes, mkdir", inodes_of_mount, take_folder, give_folder, inodes_used, NULL, ENOSPC, REQUIRED },
}, cgroups[] = {
	{ "max, a fault", cgroup_pages, take_touch, give_page, pages_of_cgroup, events_of_cgroup, EFAULT, REQUIRED },
	{ "max, fallocate", cgroup_pages, take_allocate, give_end, pages_of_cgroup, events_of_cgroup, ENOSPC, REQUIRED },
	{ "max, a fault of private memory", cgroup_private_pages, take_touch, give_private, pages_of_cgroup, events_of_cgroup, EFAULT, OPTIONAL },
	{ "rsvd.max, mmap", cgroup_reservations, take_mapping, give_mapping_and_end, pages_of_cgroup, NULL, ENOMEM, OPTIONAL },
	{ "rsvd.max, mmap with MAP_PRIVATE", cgroup_reservations, take_private_mapping, give_mapping, pages_of_cgroup, NULL, ENOMEM, OPTIONAL },
};

#define EACH(rooms, needs) workload_try_rooms(w, rooms, sizeof(rooms) / sizeof(*(rooms)), N, needs)

/* One more than N pages must be free, or the pool would be the limit. */
static void need_pool(struct workload *w)
{
	place = (struct place) { .w = w, .page = workload_hugetlb_bytes(), .in = "" };
	if (workload_number("/proc/meminfo", "HugePages_Free", 0) -
		    workload_number("/proc/meminfo", "HugePages_Rsvd", 0) <=
	    N)
		workload_skip(w, "%d free hugetlb pages (vm.nr_hugepages)", N + 1);
}

static void each_of_mount(struct workload *w)
{
	need_pool(w);
	EACH(mounts, "a hugetlbfs of its own (fsopen(2))");
}

static void each_of_cgroup(struct workload *w)
{
	need_pool(w);
	workload_cgroup_enter(w);
	EACH(cgroups, "a cgroup v2 with hugetlb.*.max");
	workload_cgroup_leave(w);
}

static void remove_cgroup(struct workload *w, const char *name)
{
	char path[WORKLOAD_CGROUP_PATH];

	rmdir(workload_cgroup_path(w, name, path));
}

static bool make_cgroup(struct workload *w, const char *name)
{
	char path[WORKLOAD_CGROUP_PATH];

	return !mkdir(workload_cgroup_path(w, name, path), 0755);
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
	made = make_cgroup(w, "side") && make_cgroup(w, "in") &&
	       workload_cgroup_write(w, "side/cgroup.procs", "0") &&
	       workload_cgroup_write(w, "cgroup.subtree_control", "+hugetlb");
	error = errno;
	if (made)
		EACH(cgroups, "a cgroup v2 with hugetlb.*.max");
	workload_cgroup_write(w, "cgroup.subtree_control", "-hugetlb");
	workload_cgroup_write(w, "cgroup.procs", "0");
	remove_cgroup(w, "in");
	remove_cgroup(w, "side");
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
