// SPDX-License-Identifier: MIT
/* Probes the machine's features by using them. */
#define _GNU_SOURCE
#include "base/cpus.h"
#include "base/kernel_file.h"
#include "base/memory.h"
#include "pagetable/scanner.h"
#include "probes.h"
#include "source/parse.h"
#include <errno.h>
#include <fcntl.h>
#include <rssck/uapi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { TMPFS_TYPE = 0x01021994, LEAST_ENTRIES = 16 };

static void probe_names(struct host *h)
{
	struct utsname u;

	if (uname(&u))
		return;
	snprintf(h->release, sizeof(h->release), "%.*s", (int)sizeof(h->release) - 1, u.release);
	snprintf(h->version, sizeof(h->version), "%.*s", (int)sizeof(h->version) - 1, u.version);
	snprintf(h->machine, sizeof(h->machine), "%.*s", (int)sizeof(h->machine) - 1, u.machine);
}

/* Counts the CPU columns in the header of /proc/interrupts. Returns 0 if it cannot be read. */
static long cpus_with_interrupts(void)
{
	FILE *f = fopen("/proc/interrupts", "re");
	long nr = 0;

	for (int c; f && (c = getc(f)) != EOF && c != '\n';)
		nr += c == 'C';
	if (f)
		fclose(f);
	return nr;
}

/*
 * Returns the number of online CPUs, on which the batch of the per-CPU counters depends. The C
 * library reads it from /sys/devices/system/cpu/online. lxcfs replaces that file by one with only
 * the container's CPUs; /proc/interrupts then has the real number.
 */
static long cpus_online(void)
{
	long online = sysconf(_SC_NPROCESSORS_ONLN), all;
	struct statfs fs;

	if (statfs("/sys/devices/system/cpu/online", &fs) == 0 &&
	    (unsigned)fs.f_type == SYSFS_MAGIC)
		return online;
	all = cpus_with_interrupts();
	return all ? all : online;
}

static void probe_cpus(struct host *h)
{
	long online = cpus_online();
	struct cpu_mask ours;

	h->cpus = online > 0 ? (unsigned)online : 1;
	if (cpus_now(&ours) == 0 && cpus_keep_to(&ours) == 0) {
		h->nr_cpu_list = cpus_list(&ours, h->cpu_list);
		return;
	}
	/*
	 * One of these calls is not permitted, as in some containers. rssck then uses only the
	 * current CPU.
	 */
	h->cpu_list[0] = sched_getcpu() > 0 ? sched_getcpu() : 0;
	h->nr_cpu_list = 1;
	h->is_unbound = true;
}

static long tables_kb(void)
{
	return kernel_number("/proc/self/status", "VmPTE", -1);
}

/*
 * Measures the range of memory that one page table maps. It touches a page, then another one at
 * growing distances (powers of two) until VmPTE grows. Returns 0 if VmPTE never grows.
 */
static long table_reach(long page)
{
	size_t room = (size_t)page * (size_t)(page / 4);
	char *p = mmap(NULL, 3 * room, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	char *start = (char *)(((uintptr_t)p + room - 1) / room * room);
	long reach = 0, before;

	if (p == MAP_FAILED)
		return 0;
	*start = 1;
	before = tables_kb();
	for (size_t d = (size_t)page * LEAST_ENTRIES; d <= room && !reach; d *= 2) {
		start[d] = 1;
		if (tables_kb() > before)
			reach = (long)d;
	}
	munmap(p, 3 * room);
	return reach;
}

/*
 * Finds the size that a PMD maps: from the kernel's file, else measured, else computed for a page
 * table of eight-byte entries.
 */
static void probe_huge_page(struct host *h, struct text *t)
{
	const char *p;
	uint64_t size;

	h->huge_page_size = 0;
	if (text_read(t, 0, "/sys/kernel/mm/transparent_hugepage/hpage_pmd_size")) {
		h->huge_page_size = table_reach(h->page_size);
	} else {
		p = t->data;
		if (number_unsigned(&p, t->data + t->len, &size) == NUMBER_OK)
			h->huge_page_size = (long)size;
	}
	if (!h->huge_page_size)
		h->huge_page_size = h->page_size * (h->page_size / 8);
}

/*
 * scan_works() only tests whether the ioctl exists. The judge checks its results, because a wrong
 * result is a finding.
 */
static int found_any(const struct scan_region *r, void *arg)
{
	(void)r;
	(void)arg;
	return 0;
}

static bool scan_works(int fd, uint64_t start, uint64_t end)
{
	struct scanner sc;
	bool works = scanner_open(&sc, fd, 1) == 0 &&
		     scanner_run(&sc, start, end, found_any, NULL) == 0;

	scanner_close(&sc);
	return works;
}

/*
 * Opens kpagecount or kpageflags. A container runtime may mask such a file with /dev/null or an
 * empty file. A masked file opens, but gives nothing or 0 for a page that rssck itself maps.
 */
static int open_kpage(const char *path, uint64_t pfn, bool *covered)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	uint64_t word = 0;

	if (fd < 0 || !pfn || (kpage_word(fd, pfn, &word) == 0 && word))
		return fd;
	*covered = true;
	close(fd);
	return -1;
}

/* Without CAP_SYS_ADMIN pagemap opens, but shows 0 as every PFN. */
static void probe_pagemap(struct host *h, int fd, uint64_t page)
{
	uint64_t end = page + (uint64_t)h->page_size, word = 0;

	h->has_scan = scan_works(fd, page, end);
	if (pagemap_entries(fd, h->page_size, page, end, &word) != 1)
		word = 0;
	h->kpagecount = open_kpage("/proc/kpagecount", PAGEMAP_PFN(word), &h->kpage_covered);
	h->kpageflags = open_kpage("/proc/kpageflags", PAGEMAP_PFN(word), &h->kpage_covered);
	h->sees_pfns = PAGEMAP_PFN(word) && h->kpageflags >= 0;
}

/*
 * A static page is used because mmap(2) may fail: a kernel that miscounts this process's VmData may
 * refuse it (RLIMIT_DATA).
 */
enum { PAGE_SIZE_MOST = 1 << 16 };
static _Alignas(PAGE_SIZE_MOST) char probed[PAGE_SIZE_MOST];

static int probe_walkers(struct host *h, char *why, size_t size)
{
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);

	if (fd < 0) {
		snprintf(why, size,
			 "/proc/self/pagemap cannot be opened (%s): mount /proc, and use a kernel "
			 "with CONFIG_PROC_PAGE_MONITOR",
			 strerror(errno));
		return -1;
	}
	*(volatile char *)probed = 1;
	probe_pagemap(h, fd, (uintptr_t)probed);
	close(fd);
	return 0;
}

static void shmem_device_add(struct host *h, unsigned dev_major, unsigned dev_minor)
{
	if (host_is_shmem_device(h, dev_major, dev_minor))
		return;
	h->shmem_device = memory_one_more(h->shmem_device, h->nr_shmem_devices,
					  sizeof(*h->shmem_device), "the devices of tmpfs");
	h->shmem_device[h->nr_shmem_devices++] = makedev(dev_major, dev_minor);
}

/*
 * Finds the device of the kernel's internal tmpfs mount, which mountinfo does not list. A shared
 * anonymous mapping shows that device.
 */
static void probe_internal_mount(struct host *h, struct text *t)
{
	struct snapshot s = { .pid = 0 };
	struct source_error ignored;
	void *p = mmap(NULL, (size_t)h->page_size, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return;
	if (text_read(t, 0, "/proc/self/maps") == 0 &&
	    maps_read(t->data, t->len, &s, &ignored) == 0)
		for (size_t i = 0; i < s.nr_maps; i++)
			if (s.maps[i].start <= (uintptr_t)p && (uintptr_t)p < s.maps[i].end)
				shmem_device_add(h, s.maps[i].dev_major, s.maps[i].dev_minor);
	snapshot_free(&s);
	munmap(p, (size_t)h->page_size);
}

/*
 * True if files of this mount are shmem. devtmpfs and "rootfs" (the root of an initramfs) are tmpfs
 * or ramfs, depending on the kernel's configuration. If statfs(2) fails, they are taken for tmpfs.
 */
static bool is_tmpfs(const char *type, const char *mount_point)
{
	struct statfs f;

	if (strcmp(type, "tmpfs") == 0)
		return true;
	if (strcmp(type, "devtmpfs") && strcmp(type, "rootfs"))
		return false;
	return statfs(mount_point, &f) || f.f_type == TMPFS_TYPE || f.f_type == 0;
}

/*
 * Parses a line of mountinfo, such as "24 27 0:6 / /dev rw,relatime shared:2 - devtmpfs devtmpfs
 * rw": see proc_pid_mountinfo(5).
 */
static void probe_mount(struct host *h, char *line)
{
	unsigned dev_major, dev_minor;
	char *point = NULL, *rest = line, *type;

	if (sscanf(line, "%*d %*d %u:%u", &dev_major, &dev_minor) != 2)
		return;
	type = strstr(line, " - ");
	if (!type)
		return;
	*type = '\0';
	type += 3;
	type[strcspn(type, " ")] = '\0';
	for (int i = 0; i < 5; i++)
		point = strsep(&rest, " ");
	if (point && is_tmpfs(type, point))
		shmem_device_add(h, dev_major, dev_minor);
}

static void probe_mounts(struct host *h, struct text *t)
{
	char *rest, *line;

	if (text_read(t, 0, "/proc/self/mountinfo"))
		return;
	rest = t->data;
	while ((line = strsep(&rest, "\n")))
		probe_mount(h, line);
}

/* Reads vm.dirty_expire_centisecs: the age at which flusher threads write a dirty page back. */
static void probe_writeback(struct host *h)
{
	int64_t centiseconds = kernel_number("/proc/sys/vm/dirty_expire_centisecs", NULL, 0);

	if (centiseconds > 0)
		h->written_back_ms = 10 * centiseconds;
}

/*
 * Checks that smaps can be opened and read. It does not read the whole file, because that would
 * take as long as all other probes together.
 */
static int try_smaps(void)
{
	int fd = open("/proc/self/smaps", O_RDONLY | O_CLOEXEC), error = 0;
	char byte;

	if (fd < 0)
		return -errno;
	if (read(fd, &byte, 1) < 0)
		error = -errno;
	close(fd);
	return error;
}

int host_probe(struct host *h, char *why, size_t size)
{
	struct text t = { .data = NULL };
	int error;

	*h = (struct host) { .kpagecount = -1, .kpageflags = -1 };
	h->page_size = sysconf(_SC_PAGESIZE);
	probe_names(h);
	probe_cpus(h);
	probe_writeback(h);
	error = try_smaps();
	if (error) {
		snprintf(why, size,
			 "/proc/self/smaps cannot be read (%s): mount /proc, and use a kernel "
			 "with CONFIG_PROC_PAGE_MONITOR",
			 strerror(-error));
		text_free(&t);
		return -1;
	}
	probe_huge_page(h, &t);
	h->pss_loses_huge = pss_loses_huge_page(h);
	h->reads_own_pages = reads_get_own_pages(h);
	probe_internal_mount(h, &t);
	probe_mounts(h, &t);
	text_free(&t);
	if (probe_walkers(h, why, size) == 0)
		return 0;
	host_close(h);
	return -1;
}

int host_shows_ours(char *why, size_t size)
{
	char self[32] = "";
	ssize_t n = readlink("/proc/self", self, sizeof(self) - 1);

	if (n < 0 || strtol(self, NULL, 10) == getpid())
		return 0;
	snprintf(why, size,
		 "/proc belongs to another PID namespace and shows no process of this one: "
		 "mount it for this namespace (unshare --mount-proc)");
	return -1;
}

void host_close(struct host *h)
{
	if (h->kpagecount >= 0)
		close(h->kpagecount);
	if (h->kpageflags >= 0)
		close(h->kpageflags);
	h->kpagecount = h->kpageflags = -1;
	free(h->shmem_device);
	h->shmem_device = NULL;
	h->nr_shmem_devices = 0;
}
