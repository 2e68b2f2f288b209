// SPDX-License-Identifier: MIT
/*
 * Each kind of page fault, also those that wait and are tried again: getrusage(2), stat,
 * perf_event_open(2) and pgfault of the cgroup count each fault once.
 */
#include <linux/perf_event.h>
#include <poll.h>
#include <pthread.h>
#include <rssck/case.h>
#include <sys/uio.h>

enum { PAGES = 512, TRIES = 3, READ_WRITE = PROT_READ | PROT_WRITE };
STEP_SYMBOLS(EACH_KIND);

/*
 * BY_CPU: an access by the CPU. FOR_KERNEL: the kernel takes the page itself (get_user_pages()),
 * which perf does not count. KERNEL_WAITS: if such a fault waits, the kernel may then find the page
 * without a fault, and counts none. FAILS: the access ends with EFAULT; only pgfault counts it.
 */
enum counted { BY_CPU, FOR_KERNEL, KERNEL_WAITS, FAILS };

/* The memory of the kind that is being tried. */
static struct {
	struct workload *w;
	char *p;
	size_t bytes;
	int fd, uffd;
	int64_t faults_of_failure; /* of one access by the kernel that ends with EFAULT */
} at;

static char wrong[224];

static char *map_memory(int flags, int fd)
{
	at.p = workload_try_map(at.bytes, READ_WRITE, flags, fd);
	if (at.p)
		madvise(at.p, at.bytes, MADV_NOHUGEPAGE);
	return at.p;
}

static bool make_anonymous(void)
{
	return map_memory(MAP_PRIVATE | MAP_ANONYMOUS, -1);
}

static bool make_shmem(void)
{
	return map_memory(MAP_SHARED | MAP_ANONYMOUS, -1);
}

static bool make_written(void)
{
	if (make_anonymous())
		touch_write(at.w, at.p, PAGES);
	return at.p;
}

static bool make_swapped(void)
{
	return make_written() && !madvise(at.p, at.bytes, MADV_PAGEOUT) &&
	       workload_pages_swapped(at.w, at.p, PAGES) == PAGES;
}

static bool make_uncached(void)
{
	at.fd = workload_try_file_uncached(at.w, PAGES);
	if (at.fd < 0 || workload_cached_at_once(at.w) > 1 || !map_memory(MAP_PRIVATE, at.fd))
		return false;
	return !madvise(at.p, at.bytes, MADV_RANDOM);
}

static bool make_cached(void)
{
	at.fd = workload_file(at.w, PAGES);
	workload_cache(at.w, at.fd, PAGES);
	return map_memory(MAP_PRIVATE, at.fd);
}

/* ---- userfaultfd: a thread resolves each fault ---- */

static struct {
	uint64_t mode;
	char *source;
	volatile bool done;
} handler;

static void resolve(uint64_t address)
{
	uint64_t page = at.w->page_size, start = address & -page;

	if (handler.mode == UFFDIO_REGISTER_MODE_MISSING) {
		struct uffdio_copy c = { start, (uintptr_t)handler.source, page, 0, 0 };

		ioctl(at.uffd, UFFDIO_COPY, &c);
	} else if (handler.mode == UFFDIO_REGISTER_MODE_WP) {
		workload_userfaultfd_protect(at.uffd, (void *)(uintptr_t)start, page, false);
	} else {
		workload_userfaultfd_continue(at.uffd, (void *)(uintptr_t)start, page);
	}
}

static void *handle(void *unused)
{
	struct pollfd p = { .fd = at.uffd, .events = POLLIN };
	struct uffd_msg m;

	while (!handler.done)
		if (poll(&p, 1, 10) > 0 && read(at.uffd, &m, sizeof(m)) == sizeof(m))
			resolve(m.arg.pagefault.address);
	return unused;
}

/* Not by workload_open_userfaultfd(), which handles faults in user mode only. */
static bool register_range(uint64_t mode, uint64_t features)
{
	struct uffdio_api api = { .api = UFFD_API, .features = features };

	handler.mode = mode;
	at.uffd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);
	return at.uffd >= 0 && !ioctl(at.uffd, UFFDIO_API, &api) &&
	       !workload_register_userfaultfd(at.uffd, at.p, at.bytes, mode);
}

static bool make_missing(void)
{
	return make_anonymous() && register_range(UFFDIO_REGISTER_MODE_MISSING, 0);
}

static bool make_missing_shmem(void)
{
	return make_shmem() &&
	       register_range(UFFDIO_REGISTER_MODE_MISSING, UFFD_FEATURE_MISSING_SHMEM);
}

static bool make_protected(void)
{
	return make_written() && register_range(UFFDIO_REGISTER_MODE_WP, 0) &&
	       !workload_userfaultfd_protect(at.uffd, at.p, at.bytes, true);
}

static bool make_minor(void)
{
	at.fd = workload_shmem(at.w, PAGES);
	for (size_t i = 0; i < PAGES; i++)
		if (pwrite(at.fd, "x", 1, (off_t)(i * at.w->page_size)) != 1)
			return false;
	return map_memory(MAP_SHARED, at.fd) &&
	       register_range(UFFDIO_REGISTER_MODE_MINOR, UFFD_FEATURE_MINOR_SHMEM);
}

static bool make_refusing(void)
{
	return make_anonymous() &&
	       register_range(UFFDIO_REGISTER_MODE_MISSING, UFFD_FEATURE_SIGBUS);
}

/* The end of the file is before the first page. */
static bool make_beyond_end(void)
{
	at.fd = workload_shmem(at.w, 0);
	return map_memory(MAP_SHARED, at.fd);
}

/* ---- acts: each returns the number of faults ---- */

static int64_t write_each(void)
{
	touch_write(at.w, at.p, PAGES);
	return PAGES;
}

static int64_t read_each(void)
{
	touch_read(at.w, at.p, PAGES);
	return PAGES;
}

/* The kernel copies into memory that is not there, and the CPU faults in its mode. */
static int64_t read_into(void)
{
	int zero = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	int64_t n = 0;

	for (size_t i = 0; i < PAGES; i++)
		n += read(zero, at.p + i * at.w->page_size, 1) == 1;
	close(zero);
	return n;
}

static int64_t fail_each(void)
{
	return read_into() == 0 ? PAGES * at.faults_of_failure : -1;
}

static int64_t populate(void)
{
	return syscall(SYS_madvise, at.p, at.bytes, MADV_POPULATE_WRITE) ? -1 : PAGES;
}

static int64_t lock(void)
{
	return mlock(at.p, at.bytes) ? -1 : PAGES;
}

static int64_t write_by_call(void)
{
	struct iovec from = { workload_buffer, 1 };
	int64_t n = 0;

	for (size_t i = 0; i < PAGES; i++) {
		struct iovec to = { at.p + i * at.w->page_size, 1 };

		n += process_vm_writev(getpid(), &from, 1, &to, 1, 0) == 1;
	}
	return n == PAGES ? n : -1;
}

static int64_t write_mem(void)
{
	int fd = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
	int64_t n = 0;

	for (size_t i = 0; fd >= 0 && i < PAGES; i++)
		n += pwrite(fd, "x", 1, (off_t)(uintptr_t)(at.p + i * at.w->page_size)) == 1;
	close(fd);
	return n == PAGES ? n : -1;
}

static int64_t splice_all(void)
{
	struct iovec of = { at.p, at.bytes };
	int pipe[2], most = PAGES * (int)at.w->page_size;
	int64_t n = -1;

	if (pipe2(pipe, O_CLOEXEC))
		return -1;
	if (fcntl(pipe[1], F_SETPIPE_SZ, most) >= most)
		n = vmsplice(pipe[1], &of, 1, 0);
	close(pipe[0]);
	close(pipe[1]);
	return n == (int64_t)at.bytes ? PAGES : -1;
}

/* `retries`: the kernel tries the fault again after it waited. */
static const struct kind {
	const char *name;
	bool (*make)(void);
	int64_t (*act)(void);
	enum counted counted;
	bool retries;
} kinds[] = {
	{ "anonymous memory is written", make_anonymous, write_each, BY_CPU, false },
	{ "anonymous memory is read", make_anonymous, read_each, BY_CPU, false },
	{ "shmem is read", make_shmem, read_each, BY_CPU, false },
	{ "shmem is written", make_shmem, write_each, BY_CPU, true },
	{ "read(2) writes anonymous memory", make_anonymous, read_into, BY_CPU, false },
	{ "read(2) writes shmem", make_shmem, read_into, BY_CPU, true },
	{ "a cached file is copied", make_cached, write_each, BY_CPU, true },
	{ "an uncached file is read", make_uncached, read_each, BY_CPU, true },
	{ "an uncached file is copied", make_uncached, write_each, BY_CPU, true },
	{ "swapped memory is read", make_swapped, read_each, BY_CPU, true },
	{ "swapped memory is written", make_swapped, write_each, BY_CPU, true },
	{ "a userfaultfd provides memory", make_missing, write_each, BY_CPU, true },
	{ "a userfaultfd provides shmem", make_missing_shmem, write_each, BY_CPU, true },
	{ "a userfaultfd unprotects memory", make_protected, write_each, BY_CPU, true },
	{ "a userfaultfd maps shmem", make_minor, read_each, BY_CPU, true },
	{ "a userfaultfd provides for mlock(2)", make_missing, lock, KERNEL_WAITS, true },
	{ "a userfaultfd provides for read(2)", make_missing, read_into, BY_CPU, true },
	{ "a userfaultfd provides for process_vm_writev(2)", make_missing, write_by_call,
	  KERNEL_WAITS, true },
	{ "MADV_POPULATE_WRITE", make_anonymous, populate, FOR_KERNEL, false },
	{ "mlock(2)", make_anonymous, lock, FOR_KERNEL, false },
	{ "mlock(2) of swapped memory", make_swapped, lock, KERNEL_WAITS, true },
	{ "mlock(2) of an uncached file", make_uncached, lock, KERNEL_WAITS, true },
	{ "process_vm_writev(2)", make_anonymous, write_by_call, FOR_KERNEL, false },
	{ "process_vm_writev(2) to shmem", make_shmem, write_by_call, KERNEL_WAITS, true },
	{ "/proc/PID/mem is written", make_anonymous, write_mem, FOR_KERNEL, false },
	{ "/proc/PID/mem of swapped memory", make_swapped, write_mem, KERNEL_WAITS, true },
	{ "vmsplice(2)", make_anonymous, splice_all, FOR_KERNEL, false },
	{ "a userfaultfd refuses", make_refusing, fail_each, FAILS, false },
	{ "beyond the end of a file", make_beyond_end, fail_each, FAILS, false },
};

enum { KINDS = sizeof(kinds) / sizeof(*kinds) };

/* ---- counting ---- */

enum { MINOR, MAJOR, STAT_MINOR, STAT_MAJOR, PERF_ALL, PERF_MINOR, PERF_MAJOR, NUMBERS };
enum { PERF = PERF_ALL };

static int perf[NUMBERS];

static int perf_open(uint64_t config)
{
	struct perf_event_attr a = { .type = PERF_TYPE_SOFTWARE,
				     .size = sizeof(a),
				     .config = config };

	return (int)syscall(SYS_perf_event_open, &a, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static void numbers_read(int64_t n[NUMBERS])
{
	struct rusage self = workload_getrusage(RUSAGE_SELF);

	n[MINOR] = self.ru_minflt;
	n[MAJOR] = self.ru_majflt;
	n[STAT_MINOR] = workload_stat(at.w, "self", 10);
	n[STAT_MAJOR] = workload_stat(at.w, "self", 12);
	for (int i = PERF; i < NUMBERS; i++)
		if (read(perf[i], &n[i], sizeof(n[i])) != sizeof(n[i]))
			n[i] = 0;
}

/* pgfault of the cgroup beyond the faults that getrusage(2) counts. */
static int64_t pgfault_beyond(struct workload *w)
{
	struct rusage self;

	workload_cgroup_settle(w);
	self = workload_getrusage(RUSAGE_SELF);
	return workload_cgroup_events(w, "pgfault") - self.ru_minflt - self.ru_majflt;
}

static bool is_off(const struct kind *k, const char *what, int64_t is, int64_t must)
{
	if (is != must)
		snprintf(wrong, sizeof(wrong), "%s: %d faults: %s rose by %lld, and not by %lld",
			 k->name, PAGES, what, (long long)is, (long long)must);
	return is != must;
}

static bool numbers_agree(const struct kind *k, const int64_t n[NUMBERS], int64_t faults)
{
	bool seen = k->counted == BY_CPU, is_cpu = seen || k->counted == FAILS;
	int64_t all = n[MINOR] + n[MAJOR], must = k->counted == FAILS ? 0 : faults;

	if (k->counted == KERNEL_WAITS && all < must)
		must = all;
	return !(is_off(k, "minflt + majflt of getrusage(2)", all, must) ||
		 is_off(k, "minflt of stat", n[STAT_MINOR], n[MINOR]) ||
		 is_off(k, "majflt of stat", n[STAT_MAJOR], n[MAJOR]) ||
		 is_off(k, "PERF_COUNT_SW_PAGE_FAULTS", n[PERF_ALL], is_cpu ? faults : 0) ||
		 is_off(k, "PERF_COUNT_SW_PAGE_FAULTS_MIN", n[PERF_MINOR], seen ? n[MINOR] : 0) ||
		 is_off(k, "PERF_COUNT_SW_PAGE_FAULTS_MAJ", n[PERF_MAJOR], seen ? n[MAJOR] : 0));
}

/* Sets *beyond to pgfault beyond the counted faults. Returns false if the kind is impossible. */
static bool count_once(struct workload *w, const struct kind *k, int64_t *beyond, bool *agree)
{
	int64_t before[NUMBERS], after[NUMBERS], faults;
	pthread_t thread;

	at.fd = at.uffd = -1;
	handler.done = false;
	at.p = NULL;
	if (!k->make())
		return false;
	if (at.uffd >= 0)
		pthread_create(&thread, NULL, handle, NULL);
	*beyond = pgfault_beyond(w);
	numbers_read(before);
	numbers_read(before);
	faults = k->act();
	numbers_read(after);
	*beyond = pgfault_beyond(w) - *beyond;
	handler.done = true;
	if (at.uffd >= 0)
		pthread_join(thread, NULL);
	for (int i = 0; i < NUMBERS; i++)
		after[i] -= before[i];
	*agree = faults >= 0 && numbers_agree(k, after, faults);
	return faults >= 0;
}

static void forget(void)
{
	if (at.uffd >= 0)
		close(at.uffd);
	if (at.p)
		munmap(at.p, at.bytes);
}

/* The kinds that wait, and how many of them a kernel counted in pgfault at each try. */
static struct {
	int64_t tried, retried, twice;
} seen;

/*
 * Repeats a kind of which a number is off, because the process may have had another fault, for
 * example on its first call of a function.
 */
static bool count_kind(struct workload *w, const struct kind *k)
{
	int64_t beyond = 0, failed = k->counted == FAILS ? PAGES * at.faults_of_failure : 0;
	bool possible = true, agree = false, often = false;

	for (int i = 0; possible && i < TRIES && !agree; i++) {
		possible = count_once(w, k, &beyond, &agree);
		often = llabs(beyond - failed) > CGROUP_BATCH;
		if (agree && often && !k->retries)
			agree = !is_off(k, "pgfault of memory.stat beyond it", beyond, failed);
		forget();
	}
	seen.tried += possible;
	seen.retried += possible && k->retries;
	seen.twice += possible && k->retries && often;
	return agree || !possible;
}

static bool perf_open_all(void)
{
	perf[PERF_ALL] = perf_open(PERF_COUNT_SW_PAGE_FAULTS);
	perf[PERF_MINOR] = perf_open(PERF_COUNT_SW_PAGE_FAULTS_MIN);
	perf[PERF_MAJOR] = perf_open(PERF_COUNT_SW_PAGE_FAULTS_MAJ);
	return perf[PERF_ALL] >= 0 && perf[PERF_MINOR] >= 0 && perf[PERF_MAJOR] >= 0;
}

/*
 * After a fault that fails, the copying functions of some machines (powerpc) try the rest byte by
 * byte, and fault again. Counted where no memory is mapped.
 */
static void measure_failure(void)
{
	int64_t before[NUMBERS], after[NUMBERS];

	at.faults_of_failure = 1;
	if (!make_anonymous() || munmap(at.p, at.bytes))
		return;
	numbers_read(before);
	numbers_read(before);
	if (read_into() != 0)
		return;
	numbers_read(after);
	if (after[PERF_ALL] - before[PERF_ALL] > PAGES)
		at.faults_of_failure = (after[PERF_ALL] - before[PERF_ALL]) / PAGES;
}

static void count_each(struct workload *w)
{
	bool right = true;

	if (!perf_open_all())
		workload_skip(w, "perf_event_open(2): %m");
	at.w = w;
	at.bytes = PAGES * w->page_size;
	memset(&seen, 0, sizeof(seen));
	handler.source = workload_written(w, 1);
	measure_failure();
	workload_cgroup_enter(w);
	for (size_t i = 0; right && i < KINDS; i++)
		right = count_kind(w, &kinds[i]);
	workload_cgroup_leave(w);
	for (int i = PERF; i < NUMBERS; i++)
		close(perf[i]);
	if (!right)
		workload_fail(w, "%s", wrong);
	if (seen.tried > KINDS / 4)
		workload_checked(w);
	workload_report(w, "retried", seen.retried);
	workload_report(w, "twice", seen.twice);
}

static void judge(const struct trial *t, struct judgement *j)
{
	if (trial_reported(t, EACH_KIND, "retried") > 0)
		judge_yes_no(j, "counters.pgfault_counts_each_try",
			     trial_reported(t, EACH_KIND, "twice") > 0);
}

CASE(counters_faults_of_each_kind) {
	.claim =
		"Each page fault is counted once, minor or major, by getrusage(2), stat and perf_event_open(2), however often the kernel tries it: by the CPU, by read(2), mlock(2), process_vm_writev(2), /proc/PID/mem and vmsplice(2), also if it waits for a disk, swap or a userfaultfd",
	.because = "mm_account_fault() counts nothing while the result is VM_FAULT_RETRY. perf "
		   "counts only faults with registers, which get_user_pages() has not. pgfault "
		   "counts failed faults, too, and on some kernels each try.",
	.said_by = SAID_BY("proc_pid_stat(5), minflt", "perf_event_open(2)"),
	.needs = NEEDS("root"),
	.flags = CASE_ONE_CPU | CASE_KEEPS_MEMORY,
	.limit_s = 240,
	.steps = STEPS(STEP_AS(EACH_KIND, "fault in each way", count_each, .checks = 1,
			       .flags = STEP_ANY_PAGES)),
	.facts = FACTS(FACT("counters.pgfault_counts_each_try",
			    "Does pgfault of memory.stat count each try of a fault that waits?",
			    "yes|no")),
	.judge = judge,
};
