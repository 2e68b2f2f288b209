// SPDX-License-Identifier: MIT
/*
 * Starts and stops QEMU. QEMU needs no privilege and no configuration. Besides its own firmware it
 * opens only the kernel image by name.
 */
#include "qemu.h"
#include "base/process/path.h"
#include "base/process/program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ARGUMENTS_MAX = 96, ARGUMENT_SIZE = 4096, TEXT_SIZE = 256, ENDING_MS = 2000 };
enum { SECOND_NODE_MIB = 64, SECOND_NODE_MOST = 1024, HUGE_PAGES_SCALE = 16 };

/*
 * The command line of every kernel, to which the board adds its own words.
 *
 * rootfstype=ramfs: otherwise the root is tmpfs, and every file on it is shmem. hugepages=8: the
 * hugetlb cases need a few huge pages; a kernel without hugetlb ignores it. panic=-1 together with
 * -no-reboot: a panic ends QEMU immediately. check reports a WARN, and an oops that does not panic.
 * init_on_alloc=0: distributions also clear the kernel's own allocations, which is slow in an
 * emulator; memory for processes is cleared anyway. cryptomgr.notests: no case needs the kernel's
 * ciphers, and their self-test takes a second. damon_stat.enabled=0: from 6.17 on, DAMON may sample
 * all memory from boot on (CONFIG_DAMON_STAT_ENABLED_DEFAULT). It moves the accessed bit of a
 * sampled page to the folio's young flag, and then Referenced counts the page in a process that
 * never touched it.
 */
static const char command_line[] =
	"loglevel=5 panic=-1 hugepages=8 init_on_alloc=0 cryptomgr.notests damon_stat.enabled=0 "
	"rdinit=/bin/rssck rootfstype=ramfs";

/*
 * On arm64 with 64 KiB pages, the default huge page is 512 MiB, and eight of them would exceed the
 * guest's memory.
 */
static const char small_huge_pages[] = "default_hugepagesz=2M";

struct arguments {
	int count;
	const char *list[ARGUMENTS_MAX];
	char text[ARGUMENTS_MAX][TEXT_SIZE]; /* texts of the arguments that are made here */
	int nr_texts;
};

static void add(struct arguments *a, const char *option, const char *value)
{
	a->list[a->count++] = option;
	if (value)
		a->list[a->count++] = value;
}

static void __attribute__((format(printf, 3, 4)))
add_text(struct arguments *a, const char *option, const char *format, ...)
{
	char *text = a->text[a->nr_texts++];
	va_list values;

	va_start(values, format);
	vsnprintf(text, TEXT_SIZE, format, values);
	va_end(values);
	add(a, option, text);
}

/* Adds a disk. QEMU opens memfds and pipes by their numbers, because the child inherits them. */
static void add_disk(struct arguments *a, const char *device, const char *name, int bus, int fd)
{
	if (fd < 0)
		return;
	add_text(a, "-drive", "if=none,format=raw,cache=unsafe,id=%s%d,file=/proc/self/fd/%d", name,
		 bus, fd);
	add_text(a, "-device", "%s,serial=%s%d,drive=%s%d", device, name, bus, name, bus);
}

static void add_channel(struct arguments *a, const char *name, int fd, const char *const *device)
{
	add_text(a, "-chardev", "file,id=%s,path=/proc/self/fd/%d", name, fd);
	while (*device)
		add(a, *device++, NULL);
}

/*
 * Two memory nodes, so that pages can migrate. All CPUs are on the first node, because kernels
 * complain about a CPU whose node the firmware's topology does not confirm. The second node has
 * only memory, enough for a few huge pages, and allocations use the first node until it is full.
 */
static void add_nodes(struct arguments *a, const struct machine *m, const struct vm_options *o)
{
	unsigned second = SECOND_NODE_MIB * m->page_scale;

	/* hugetlb pages use half of the memory of a node if huge pages are 32 MiB */
	if (m->page_scale > 1)
		second = second < SECOND_NODE_MOST / 2 ? 2 * second : SECOND_NODE_MOST;
	if (o->node_shares && o->memory / o->node_shares > second)
		second = o->memory / o->node_shares;
	if (second < o->board->node_step)
		second = o->board->node_step;
	if (!o->board->node_step || o->memory < 4 * second)
		return;
	add_text(a, "-object", "memory-backend-ram,id=node0,size=%uM", o->memory - second);
	add_text(a, "-object", "memory-backend-ram,id=node1,size=%uM", second);
	add_text(a, "-numa", "node,nodeid=0,memdev=node0,cpus=0-%u", o->cpus - 1);
	add(a, "-numa", "node,nodeid=1,memdev=node1");
}

/*
 * Under TCG, a single host thread runs all CPUs. With a thread for each CPU, a CPU may run code
 * that another CPU is patching (a kernel does this for every static key), and 32 CPUs take eight
 * times as long.
 */
static void add_machine(struct arguments *a, const struct machine *m, const struct vm_options *o)
{
	bool kvm = o->accel == ACCEL_KVM;

	add(a, "-machine", o->board->machine);
	add(a, "-accel", kvm ? "kvm" : "tcg,thread=single");
	add(a, "-cpu", kvm ? o->board->cpu_kvm : o->board->cpu);
	add_text(a, "-m", "%u", o->memory);
	add_text(a, "-smp", "%u", o->cpus);
	add_nodes(a, m, o);
	add(a, "-nodefaults", NULL);
	add(a, "-no-user-config", NULL);
	add(a, "-no-reboot", NULL);
	add(a, "-display", "none");
	add(a, "-nic", "none");
}

/*
 * The guest sends its messages through a serial port or through the debug console, as its kernel
 * allows.
 */
static void add_results(struct arguments *a, const struct machine *m, const struct board *b, int fd)
{
	add_channel(a, "results", fd, b->second);
	if (!m->has_debugcon)
		return;
	add_text(a, "-chardev", "file,id=direct,path=/proc/self/fd/%d", fd);
	add_text(a, "-device", "isa-debugcon,iobase=%#x,chardev=direct", VM_DEBUG_PORT);
}

static void add_disks(struct arguments *a, const struct machine *m, const struct board *b)
{
	add_disk(a, "nvme", "ext4", 0, m->ext4[0]);
	add_disk(a, "nvme", "swap", 0, m->swap[0]);
	add_disk(a, b->disk, "ext4", 1, m->ext4[1]);
	add_disk(a, b->disk, "swap", 1, m->swap[1]);
}

static int program_find(struct machine *m, const struct board *b, char *why, size_t size)
{
	const char *named = getenv("RSSCK_QEMU"), *name = named ? named : b->emulator;

	if (path_find_program(name, m->program, sizeof(m->program)) ||
	    (!named && m->is_native &&
	     path_find_program("qemu-kvm", m->program, sizeof(m->program))))
		return 0;
	snprintf(
		why, size,
		"%s was not found, which a guest of %s needs: install QEMU (Debian: %s), or name its program in "
		"RSSCK_QEMU",
		name, b->name, b->package);
	return -1;
}

static bool has_device(const char *devices, const char *name)
{
	char quoted[64];

	snprintf(quoted, sizeof(quoted), "name \"%s\"", name);
	return strstr(devices, quoted);
}

int qemu_find(struct machine *m, const struct board *b, char *why, size_t size)
{
	char *devices;

	if (program_find(m, b, why, size))
		return -1;
	devices = program_ask((char *[]) { m->program, "-device", "help", NULL }, why, size);
	if (!devices)
		return -1;
	m->has_nvme = has_device(devices, "nvme") && b->has_pci;
	m->has_debugcon = has_device(devices, "isa-debugcon") && b->has_isa;
	m->has_virtio = has_device(devices, b->disk);
	free(devices);
	return 0;
}

static void inherit(int fd)
{
	if (fd >= 0)
		fcntl(fd, F_SETFD, 0);
}

/* Executes QEMU in the child process. The kernel kills QEMU when rssck dies. */
static void __attribute__((noreturn))
child_exec(const struct machine *m, const struct arguments *a, pid_t parent, const int pipes[3])
{
	int nothing = open("/dev/null", O_RDWR);
	sigset_t none;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(127);
	/* QEMU gets its own process group, so that rssck handles a Ctrl-C on the terminal */
	setpgid(0, 0);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	dup2(nothing, STDIN_FILENO);
	dup2(pipes[2], STDOUT_FILENO);
	dup2(pipes[2], STDERR_FILENO);
	inherit(pipes[0]);
	inherit(pipes[1]);
	inherit(m->initramfs);
	inherit(m->kernel);
	execv(m->program, (char *const *)a->list);
	dprintf(STDERR_FILENO, "%s: %s\n", m->program, strerror(errno));
	_exit(127);
}

static int pipes_open(int ends[3][2])
{
	for (int i = 0; i < 3; i++) {
		if (!pipe2(ends[i], O_CLOEXEC))
			continue;
		while (i--) {
			close(ends[i][0]);
			close(ends[i][1]);
		}
		return -1;
	}
	return 0;
}

static void arguments_fill(struct arguments *a, const struct machine *m, const struct vm_options *o,
			   const char *append, const int pipes[3])
{
	add(a, m->program, NULL);
	add_machine(a, m, o);
	add_channel(a, "console", pipes[0], o->board->console);
	add_results(a, m, o->board, pipes[1]);
	add_disks(a, m, o->board);
	if (m->kernel < 0)
		add(a, "-kernel", o->kernel);
	else
		add_text(a, "-kernel", "/proc/self/fd/%d", m->kernel);
	add_text(a, "-initrd", "/proc/self/fd/%d", m->initramfs);
	add(a, "-append", append);
}

static void append_fill(char *append, size_t size, const struct machine *m,
			const struct vm_options *o)
{
	const struct board *b = o->board;
	bool is_usual = !strcmp(b->port, "ttyS1");

	snprintf(append, size, "%s %s%s%s%s%s %s", b->words, command_line,
		 is_usual ? "" : " " VM_GUEST_PORT "=", is_usual ? "" : b->port,
		 m->page_scale >= HUGE_PAGES_SCALE ? " " : "",
		 m->page_scale >= HUGE_PAGES_SCALE ? small_huge_pages : "",
		 o->append ? o->append : "");
}

int qemu_start(struct qemu *q, const struct machine *m, const struct vm_options *o, char *why,
	       size_t size)
{
	struct arguments a = { .count = 0 };
	char append[ARGUMENT_SIZE];
	pid_t parent = getpid();
	int ends[3][2];

	append_fill(append, sizeof(append), m, o);
	if (pipes_open(ends)) {
		snprintf(why, size, "pipe: %s", strerror(errno));
		return -1;
	}
	arguments_fill(&a, m, o, append, (int[]) { ends[0][1], ends[1][1], ends[2][1] });
	q->pid = fork();
	if (!q->pid)
		child_exec(m, &a, parent, (int[]) { ends[0][1], ends[1][1], ends[2][1] });
	for (int i = 0; i < 3; i++)
		close(ends[i][1]);
	q->console = ends[0][0];
	q->results = ends[1][0];
	q->errors = ends[2][0];
	if (q->pid > 0)
		return 0;
	snprintf(why, size, "%s: cannot start it: %s", m->program, strerror(errno));
	return -1;
}

int qemu_stop(struct qemu *q, bool ending)
{
	int status = -1, tries = ending ? ENDING_MS : 0;

	/*
	 * QEMU's pipes close before it has ended, and killing it then would change its wait status
	 */
	while (tries-- && !waitpid(q->pid, &status, WNOHANG))
		usleep(1000);
	if (tries < 0)
		kill(q->pid, SIGKILL);
	while (tries < 0 && waitpid(q->pid, &status, 0) < 0 && errno == EINTR)
		;
	close(q->console);
	close(q->results);
	close(q->errors);
	return status;
}
