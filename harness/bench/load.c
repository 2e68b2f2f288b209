// SPDX-License-Identifier: MIT
/*
 * load KIND MIB COMMAND [ARGUMENT]...: uses memory of a kind, runs a command, and frees the memory.
 * Ends with the command's exit status, or with 77 if the kind is not possible here. For a list of
 * kinds ("rest,anon"), does this for each kind in turn; prints "== KIND PID" before each kind and
 * "== status N" after it.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/io_uring.h>
#include <net/if.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CANNOT = 77, MIB = 1 << 20, ENTRIES = 32768 };

static char buffer[MIB];

static void must(int64_t result, const char *what)
{
	if (result >= 0)
		return;
	fprintf(stderr, "load: %s: %s\n", what, strerror(errno));
	exit(CANNOT);
}

static void *map(size_t bytes, int flags)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1,
		       0);

	must(p == MAP_FAILED ? -1 : 0, "mmap");
	return p;
}

static void anon(size_t mib)
{
	memset(map(mib * MIB, 0), 1, mib * MIB);
}

static void fill(int fd, size_t mib)
{
	must(fd, "open");
	for (size_t i = 0; i < mib; i++)
		must(write(fd, buffer, MIB) == MIB ? 0 : -1, "write");
}

static char folder[] = "/tmp/rssck-load-XXXXXX";

static void mount_tmpfs(void)
{
	must(mkdtemp(folder) ? 0 : -1, "mkdtemp");
	must(mount("load", folder, "tmpfs", 0, "nr_inodes=0"), "mount");
	must(chdir(folder), "chdir");
}

static void tmpfs(size_t mib)
{
	mount_tmpfs();
	fill(open("file", O_CREAT | O_WRONLY, 0600), mib);
}

static void memfd(size_t mib)
{
	fill(memfd_create("load", 0), mib);
}

static void dentries(size_t mib)
{
	char name[32];

	mount_tmpfs();
	for (size_t i = 0; i < mib * 1024; i++) {
		snprintf(name, sizeof(name), "%zu", i);
		must(mknod(name, S_IFREG | 0600, 0), "mknod");
	}
}

static void allow_files(void)
{
	struct rlimit most = { 65536, 65536 };

	if (setrlimit(RLIMIT_NOFILE, &most) == 0)
		return;
	must(getrlimit(RLIMIT_NOFILE, &most), "getrlimit");
	most.rlim_cur = most.rlim_max;
	must(setrlimit(RLIMIT_NOFILE, &most), "setrlimit");
}

static void pipes(size_t mib)
{
	allow_files();
	for (size_t i = 0; i < mib; i++) {
		int end[2];

		must(pipe2(end, O_NONBLOCK), "pipe");
		must(fcntl(end[1], F_SETPIPE_SZ, MIB), "F_SETPIPE_SZ");
		while (write(end[1], buffer, 65536) > 0)
			;
	}
}

static void raise_loopback(void)
{
	struct ifreq r = { .ifr_flags = IFF_UP | IFF_RUNNING };
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	memcpy(r.ifr_name, "lo", 3);
	must(fd, "socket");
	ioctl(fd, SIOCSIFFLAGS, &r);
	close(fd);
}

/* Data that was sent and not read stays in the queues of both sockets. */
static void sockets(size_t mib)
{
	struct sockaddr_in at = { .sin_family = AF_INET,
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof(at);
	int listening = socket(AF_INET, SOCK_STREAM, 0);
	int64_t left = (int64_t)mib * MIB;

	allow_files();
	raise_loopback();
	must(bind(listening, (void *)&at, size), "bind");
	must(listen(listening, 100), "listen");
	must(getsockname(listening, (void *)&at, &size), "getsockname");
	while (left > 0) {
		int fd = socket(AF_INET, SOCK_STREAM, 0), tries = 0;
		ssize_t n;

		must(connect(fd, (void *)&at, sizeof(at)), "connect");
		must(accept(listening, NULL, NULL), "accept");
		fcntl(fd, F_SETFL, O_NONBLOCK);
		while (left > 0 && tries < 20) {
			n = write(fd, buffer, 65536);
			left -= n > 0 ? n : 0;
			tries = n > 0 ? 0 : tries + 1;
			if (n < 0)
				usleep(1000);
		}
	}
}

static void pagetables(size_t mib)
{
	size_t tables = mib * 256, span = (size_t)sysconf(_SC_PAGESIZE) / 8 * sysconf(_SC_PAGESIZE);
	volatile char *p = map(tables * span, MAP_NORESERVE);

	madvise((void *)p, tables * span, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < tables; i++)
		(void)p[i * span];
}

static size_t pool;
static int pool_set;

static void set_pool(size_t pages)
{
	FILE *f = fopen("/proc/sys/vm/nr_hugepages", "r+e");

	must(f ? 0 : -1, "nr_hugepages");
	if (!pool_set && fscanf(f, "%zu", &pool) != 1)
		pool = 0;
	pool_set = 1;
	rewind(f);
	fprintf(f, "%zu", pages);
	fclose(f);
}

static void hugetlb(size_t mib)
{
	set_pool(mib / 2 + 8);
	memset(map(mib * MIB, MAP_HUGETLB), 1, mib * MIB);
}

static void vmalloc(size_t mib)
{
	union bpf_attr a = { .map_type = BPF_MAP_TYPE_ARRAY,
			     .key_size = 4,
			     .value_size = 4096,
			     .max_entries = (uint32_t)(mib * 256) };
	struct rlimit most = { RLIM_INFINITY, RLIM_INFINITY };

	setrlimit(RLIMIT_MEMLOCK, &most);
	must(syscall(SYS_bpf, BPF_MAP_CREATE, &a, sizeof(a)), "bpf");
}

static void uring(size_t mib)
{
	allow_files();
	for (size_t i = 0; i < mib / 3; i++) {
		struct io_uring_params p = { .flags = 0 };
		int fd = (int)syscall(SYS_io_uring_setup, ENTRIES, &p);

		must(fd, "io_uring_setup");
		mmap(NULL, p.cq_off.cqes + p.cq_entries * sizeof(struct io_uring_cqe),
		     PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, IORING_OFF_SQ_RING);
		mmap(NULL, p.sq_entries * sizeof(struct io_uring_sqe), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_POPULATE, fd, IORING_OFF_SQES);
	}
}

static void rest(size_t mib)
{
	(void)mib;
}

static const struct {
	const char *name;
	void (*make)(size_t mib);
} kinds[] = {
	{ "rest", rest },         { "anon", anon },
	{ "tmpfs", tmpfs },       { "memfd", memfd },
	{ "pipes", pipes },       { "sockets", sockets },
	{ "dentries", dentries }, { "pagetables", pagetables },
	{ "hugetlb", hugetlb },   { "vmalloc", vmalloc },
	{ "io_uring", uring },
};

static int run(char **command)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		execvp(command[0], command);
		_exit(127);
	}
	must(pid, "fork");
	waitpid(pid, &status, 0);
	if (pool_set)
		set_pool(pool);
	if (chdir("/") == 0 && umount2(folder, MNT_DETACH) == 0)
		rmdir(folder);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static int load(const char *kind, char **argv)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (strcmp(kinds[i].name, kind))
			continue;
		kinds[i].make((size_t)atoi(argv[0]));
		sleep(1);
		return run(argv + 1);
	}
	fprintf(stderr, "load: there is no kind %s\n", kind);
	return 2;
}

/* Each kind is used in a process of its own, whose end frees the memory. */
static int load_each(char *list, char **argv)
{
	for (char *kind = strtok(list, ","); kind; kind = strtok(NULL, ",")) {
		int status;
		pid_t pid;

		pid = fork();
		if (pid == 0) {
			printf("== %s %d\n", kind, (int)getpid());
			fflush(stdout);
			_exit(load(kind, argv));
		}
		must(pid, "fork");
		waitpid(pid, &status, 0);
		printf("== status %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : 128);
		fflush(stdout);
	}
	return 0;
}

int main(int argc, char **argv)
{
	if (argc > 3)
		return strchr(argv[1], ',') ? load_each(argv[1], argv + 2)
					    : load(argv[1], argv + 2);
	fprintf(stderr, "usage: load KIND[,KIND...] MIB COMMAND [ARGUMENT]...\n");
	return 2;
}
