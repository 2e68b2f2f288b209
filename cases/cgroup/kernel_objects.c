// SPDX-License-Identifier: MIT
/*
 * Finds out which kernel objects a cgroup is charged for. A process makes thousands of each kind. A
 * kind is charged if memory.current, without anon and file, rises by at least half of the objects'
 * bytes.
 */
#include <linux/io_uring.h>
#include <linux/keyctl.h>
#include <rssck/case.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mount.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <time.h>

/* memory.current may lag by up to LAG pages. At most LIMIT objects of a kind are made. */
enum { LIMIT = 1 << 19, TEXT = 64, LAG = 2 * CGROUP_BATCH };
STEP_SYMBOLS(EACH_KIND);

/* ---- each function makes objects and returns how many; less than 1: not possible here ---- */

static int64_t nothing(int64_t wanted)
{
	return wanted;
}

static int64_t files(int64_t wanted)
{
	int64_t n = 0;

	while (n < wanted && eventfd(0, EFD_CLOEXEC) >= 0)
		n++;
	return n;
}

static int64_t watches(int64_t wanted)
{
	struct epoll_event event = { .events = EPOLLIN };
	int64_t n = 0;
	int of[256];

	for (int i = 0; i < 256; i++)
		of[i] = eventfd(0, EFD_CLOEXEC);
	for (int i = 0; i < wanted / 256; i++) {
		int poll = epoll_create1(EPOLL_CLOEXEC);

		for (int k = 0; k < 256; k++)
			n += epoll_ctl(poll, EPOLL_CTL_ADD, of[k], &event) == 0;
	}
	return n;
}

static int64_t timers(int64_t wanted)
{
	struct sigevent none = { .sigev_notify = SIGEV_NONE };
	int64_t n = 0;
	timer_t id;

	while (n < wanted && timer_create(CLOCK_MONOTONIC, &none, &id) == 0)
		n++;
	return n;
}

static int64_t queued_signals(int64_t wanted)
{
	union sigval value = { .sival_int = 1 };
	int64_t n = 0;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);
	sigprocmask(SIG_BLOCK, &set, NULL);
	while (n < wanted && sigqueue(getpid(), SIGRTMIN, value) == 0)
		n++;
	return n;
}

/* Protects every second page, which makes each page a separate mapping. */
static int64_t mappings(int64_t wanted)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = 2 * (size_t)wanted * page;
	char *p = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int64_t n = 0;

	while (n < wanted && mprotect(p + (size_t)(2 * n) * page, page, PROT_NONE) == 0)
		n++;
	return n;
}

/*
 * The policy of a range of a shmem file is an object of the file, and stays when the range is
 * unmapped.
 */
static int64_t policies(int64_t wanted)
{
	enum { PREFERRED = 1 };
	unsigned long node = 1;
	size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = 2 * (size_t)wanted * page;
	int fd = memfd_create("policies", MFD_CLOEXEC);
	int64_t n = 0;
	char *p;

	if (fd < 0 || ftruncate(fd, (off_t)bytes))
		return 0;
	p = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, 0);
	while (n < wanted && syscall(SYS_mbind, p + (size_t)(2 * n) * page, page, PREFERRED, &node,
				     sizeof(node) * 8, 0) == 0)
		n++;
	munmap(p, bytes);
	return n;
}

/*
 * Locks and attributes are spread over FILES files, and mounts over FILES directories, because the
 * kernel keeps those of one file or directory in a single list.
 */
enum { FILES = 128 };

static int64_t locks(int64_t wanted)
{
	int64_t n = 0;

	for (int i = 0; i < FILES; i++) {
		int fd = memfd_create("locks", MFD_CLOEXEC);

		for (int k = 0; k < wanted / FILES; k++) {
			struct flock lock = { .l_type = F_WRLCK, .l_start = 2 * k, .l_len = 1 };

			n += fcntl(fd, F_OFD_SETLK, &lock) == 0;
		}
	}
	return n;
}

static int64_t semaphores(int64_t wanted)
{
	enum { SET = 8192 };
	int64_t n = 0;

	while (n < wanted && semget(IPC_PRIVATE, SET, IPC_CREAT | 0600) >= 0)
		n += SET;
	return n;
}

static void remove_semaphores(void)
{
	FILE *f = fopen("/proc/sysvipc/sem", "re");
	char line[256];
	int id;

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "%*d %d", &id) == 1)
			semctl(id, 0, IPC_RMID);
	if (f)
		fclose(f);
}

static int64_t sockets(int64_t wanted)
{
	int64_t n = 0;
	int pair[2];

	while (n < wanted && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0)
		n += 2;
	return n;
}

static int64_t inodes(int64_t wanted)
{
	int64_t n = 0;

	while (n < wanted && memfd_create("inode", MFD_CLOEXEC) >= 0)
		n++;
	return n;
}

static int64_t attributes(int64_t wanted)
{
	char name[TEXT], value[8 * TEXT] = "";
	int64_t n = 0;

	for (int i = 0; i < FILES; i++) {
		int fd = memfd_create("attributes", MFD_CLOEXEC);

		for (int k = 0; k < wanted / FILES; k++) {
			snprintf(name, sizeof(name), "trusted.%d", k);
			n += fsetxattr(fd, name, value, sizeof(value), XATTR_CREATE) == 0;
		}
	}
	return n;
}

static int64_t registered(unsigned opcode, const void *objects, int64_t nr)
{
	struct io_uring_params p = { 0 };
	int fd = (int)syscall(SYS_io_uring_setup, 1, &p);

	return syscall(SYS_io_uring_register, fd, opcode, objects, (unsigned)nr) == 0 ? nr : 0;
}

/* Counts the entries: each has 64 bytes of the submission ring, and 32 of the completion ring. */
static int64_t rings(int64_t wanted)
{
	enum { ENTRIES = 4096 };
	struct io_uring_params p = { 0 };
	int64_t n = 0;

	while (n < wanted && syscall(SYS_io_uring_setup, ENTRIES, &p) >= 0)
		n += ENTRIES;
	return n;
}

/*
 * A ring takes up to 16,384 buffers. Each has a struct io_mapped_ubuf, and a pointer in a table.
 * Some kernels charge the cgroup for the table only.
 */
static int64_t ring_buffers(int64_t wanted)
{
	enum { RING = 16384 };
	struct iovec *of = calloc(RING, sizeof(*of));
	int64_t n = 0, more = 1;

	for (int i = 0; of && i < RING; i++)
		of[i] = (struct iovec) { workload_buffer, 1 };
	while (of && more && n < wanted)
		n += more = registered(IORING_REGISTER_BUFFERS, of, RING);
	return n;
}

static int64_t ring_files(int64_t wanted)
{
	int *of = malloc((size_t)wanted * sizeof(*of));

	if (of)
		memset(of, -1, (size_t)wanted * sizeof(*of));
	return of ? registered(IORING_REGISTER_FILES, of, wanted) : 0;
}

static int64_t keys(int64_t wanted)
{
	char name[TEXT], value[TEXT] = "";
	int64_t n = 0;

	syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL);
	for (; n < wanted; n++) {
		snprintf(name, sizeof(name), "rssck%d", (int)n);
		if (syscall(SYS_add_key, "user", name, value, sizeof(value),
			    KEY_SPEC_SESSION_KEYRING) < 0)
			break;
	}
	return n;
}

static int64_t mounts(int64_t wanted)
{
	char path[TEXT];
	int64_t n = 0;

	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("none", "/tmp", "tmpfs", 0, NULL))
		return 0;
	for (int i = 0; i < FILES; i++) {
		snprintf(path, sizeof(path), "/tmp/%d", i);
		mkdir(path, 0700);
		for (int k = 0; k < wanted / FILES; k++)
			n += mount(path, path, NULL, MS_BIND, NULL) == 0;
	}
	return n;
}

/*
 * KIND(fact, question's words, function, bytes, function that removes the objects). On 64-bit
 * kernels an object takes at least `bytes` bytes.
 */
#define KINDS_OF_OBJECTS                                                                      \
	KIND(files, "files", files, 192, NULL)                                                \
	KIND(epoll_watches, "epoll watches", watches, 96, NULL)                               \
	KIND(timers, "POSIX timers", timers, 192, NULL)                                       \
	KIND(signals, "queued signals", queued_signals, 64, NULL)                             \
	KIND(mappings, "mappings", mappings, 128, NULL)                                       \
	KIND(policies, "memory policies of shared memory", policies, 128, NULL)               \
	KIND(locks, "file locks", locks, 160, NULL)                                           \
	KIND(semaphores, "System V semaphores", semaphores, 64, remove_semaphores)            \
	KIND(sockets, "sockets", sockets, 512, NULL)                                          \
	KIND(inodes, "inodes", inodes, 512, NULL)                                             \
	KIND(attributes, "extended attributes of a tmpfs", attributes, 8 * TEXT, NULL)        \
	KIND(keys, "keys", keys, 160, NULL)                                                   \
	KIND(mounts, "mounts", mounts, 256, NULL)                                             \
	KIND(io_uring_rings, "io_uring's rings", rings, 96, NULL)                             \
	KIND(io_uring_files, "the table of io_uring's registered files", ring_files, 8, NULL) \
	KIND(io_uring_buffers, "io_uring's registered buffers", ring_buffers, 64, NULL)

static const struct kind {
	const char *fact;
	int64_t (*make)(int64_t wanted);
	int bytes;
	void (*clear)(void);
} kinds[] = { { "nothing", nothing, 0, NULL },
#define KIND(fact, words, make, bytes, clear) { "cgroup.charged_for_" #fact, make, bytes, clear },
	      KINDS_OF_OBJECTS
#undef KIND
};

enum { KINDS = sizeof(kinds) / sizeof(*kinds) };

static const struct kind *kind_now;

/* Returns how many objects together are three times as large as a cgroup's lag, at most LIMIT. */
static int64_t wanted(const struct workload *w)
{
	int64_t lag = LAG * (int64_t)w->page_size;
	int64_t n = kind_now->bytes ? 3 * lag / kind_now->bytes : 1;

	return n < LIMIT ? n : LIMIT;
}

static int64_t make(const struct workload *w)
{
	struct rlimit files = { LIMIT, LIMIT }, all = { RLIM_INFINITY, RLIM_INFINITY };

	setrlimit(RLIMIT_NOFILE, &files);
	setrlimit(RLIMIT_SIGPENDING, &all);
	return kind_now->make(wanted(w));
}

static int64_t charged(struct workload *w)
{
	static const char *const user[] = { "anon", "file" };
	int64_t pages[2];

	workload_cgroup_stats(w, user, pages, 2);
	return workload_cgroup_pages(w, "memory.current", NULL) - pages[0] - pages[1];
}

/*
 * Reads until the charge no longer falls: what the objects needed only while they were made is
 * freed later.
 */
static int64_t charged_at_last(struct workload *w)
{
	struct patience p = { .seconds = 5 };
	int64_t before, now = charged(w);

	do {
		before = now;
		workload_await_frees();
		now = charged(w);
	} while (before - now > LAG && workload_pause(&p));
	return now;
}

/* Names a number by the index of its kind, because the name of a reported number must be short. */
static const char *number_name(char name[TEXT], size_t kind)
{
	snprintf(name, TEXT, "kind %zu", kind);
	return name;
}

/* Waits up to 5 s until the objects are freed, by a kernel worker or after an RCU grace period. */
static void await_removal(struct workload *w, int64_t before)
{
	struct patience p = { .seconds = 5 };

	while (charged(w) > before + LAG && workload_pause(&p))
		workload_await_frees();
}

static void make_each(struct workload *w)
{
	char name[TEXT];
	int64_t idle = 0;

	workload_cgroup_enter(w);
	for (size_t i = 0; i < KINDS; i++) {
		int64_t made = 0, before = charged(w), rise;
		pid_t pid;

		kind_now = &kinds[i];
		pid = workload_companion(w, make, &made);
		rise = (charged_at_last(w) - before - idle) * (int64_t)w->page_size;
		if (kind_now->clear)
			kind_now->clear();
		workload_companion_ends(pid);
		await_removal(w, before);
		if (i == 0)
			idle = rise / (int64_t)w->page_size;
		else if (made * kinds[i].bytes / 2 >= LAG * (int64_t)w->page_size)
			workload_report(w, number_name(name, i), rise >= made * kinds[i].bytes / 2);
	}
	workload_cgroup_leave(w);
}

static void judge(const struct trial *t, struct judgement *j)
{
	char name[TEXT];

	for (size_t i = 1; i < KINDS; i++) {
		int64_t is = trial_reported_or(t, EACH_KIND, number_name(name, i), -1);

		if (is >= 0)
			judge_yes_no(j, kinds[i].fact, is);
	}
}

CASE(cgroup_kernel_objects) {
	.claim =
		"A cgroup is charged for kernel objects of its processes such as files, mappings and sockets; for others, such as timers and memory policies, it depends on the kernel",
	.because = "A slab cache with SLAB_ACCOUNT, and an allocation with GFP_KERNEL_ACCOUNT, are "
		   "charged (mm/memcontrol.c, obj_cgroup_charge()); others are not.",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory.stat"),
	.needs = NEEDS("root", "guest"),
	.flags = CASE_ONE_CPU,
	.limit_s = 120,
	.steps = STEPS(STEP_AS(EACH_KIND, "thousands of each kind", make_each)),
#define KIND(fact, words, make, bytes, clear) \
	FACT("cgroup.charged_for_" #fact, "Is a cgroup charged for " words "?", "yes|no"),
	.facts = (const struct fact_known[]) { KINDS_OF_OBJECTS { .name = NULL } },
#undef KIND
	.judge = judge,
};
