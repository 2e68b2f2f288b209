// SPDX-License-Identifier: MIT
/*
 * Mounts the guest's file systems. A type that the kernel does not support is not mounted, and the
 * cases that need it are skipped.
 */
#include "setup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* The size of large folios that cases use, in pages: 64 kB with 4 kB pages. */
enum { FOLIO_PAGES = 16 };

struct mount_point {
	const char *folder, *type;
	mode_t mode;
};

static void mount_all(const struct mount_point *points, size_t n)
{
	for (; n--; points++) {
		mkdir(points->folder, 0755);
		if (mount(points->type, points->folder, points->type, 0, NULL) && errno != EBUSY)
			fprintf(stderr, "rssck: guest: no %s on %s: %s\n", points->type,
				points->folder, strerror(errno));
		else
			chmod(points->folder, points->mode);
	}
}

void guest_mount_first(void)
{
	static const struct mount_point points[] = {
		{ "/dev", "devtmpfs", 0755 },
		{ "/proc", "proc", 0555 },
		{ "/sys", "sysfs", 0555 },
	};

	mount_all(points, sizeof(points) / sizeof(*points));
}

static void cgroup_controllers_enable(void)
{
	static const char *const controllers[] = { "+memory", "+cpuset", "+pids", "+hugetlb" };
	int fd = open("/sys/fs/cgroup/cgroup.subtree_control", O_WRONLY | O_CLOEXEC);

	for (size_t i = 0; fd >= 0 && i < sizeof(controllers) / sizeof(*controllers); i++)
		if (write(fd, controllers[i], strlen(controllers[i])) < 0)
			continue; /* this kernel does not have the controller */
	if (fd >= 0)
		close(fd);
}

/* In cgroup v1 each controller has a hierarchy of its own. */
static void cgroups_v1_mount(void)
{
	static const char *const controllers[] = { "memory", "cpuset", "pids", "hugetlb" };
	static const struct mount_point root = { "/sys/fs/cgroup", "tmpfs", 0755 };
	char folder[64];

	mount_all(&root, 1);
	for (size_t i = 0; i < sizeof(controllers) / sizeof(*controllers); i++) {
		snprintf(folder, sizeof(folder), "/sys/fs/cgroup/%s", controllers[i]);
		mkdir(folder, 0755);
		if (mount("cgroup", folder, "cgroup", 0, controllers[i]))
			rmdir(folder); /* this kernel does not have the controller */
	}
}

static void cgroups_mount(void)
{
	static const struct mount_point root = { "/sys/fs/cgroup", "cgroup2", 0755 };
	const char *wanted = guest_wanted("cgroup");

	if (wanted && !strcmp(wanted, "v1")) {
		cgroups_v1_mount();
		return;
	}
	mount_all(&root, 1);
	cgroup_controllers_enable();
}

/*
 * Enables settings that affect only memory advised by madvise(2). Disables the NUMA balancer,
 * because it unmaps pages to find out which CPU accesses them.
 */
static void settings_make(void)
{
	char folios[96];
	const struct {
		const char *file, *value;
	} settings[] = {
		{ "/sys/kernel/mm/ksm/run", "1" },
		{ folios, "madvise" },
		{ "/proc/sys/kernel/numa_balancing", "0" },
	};

	snprintf(folios, sizeof(folios),
		 "/sys/kernel/mm/transparent_hugepage/hugepages-%ldkB/enabled",
		 FOLIO_PAGES * sysconf(_SC_PAGESIZE) / 1024);
	for (size_t i = 0; i < sizeof(settings) / sizeof(*settings); i++) {
		int fd = open(settings[i].file, O_WRONLY | O_CLOEXEC);

		if (fd < 0)
			continue; /* this kernel does not have the setting */
		if (write(fd, settings[i].value, strlen(settings[i].value)) < 0)
			perror(settings[i].file);
		close(fd);
	}
}

#define CARRIED "/carried-tmp"

/* Links the files that were copied in below /tmp into the file system that is now mounted there. */
static void link_carried(void)
{
	DIR *folder = opendir(CARRIED);
	const struct dirent *e;

	while (folder && (e = readdir(folder))) {
		char from[300], to[300];

		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
			continue;
		snprintf(from, sizeof(from), CARRIED "/%s", e->d_name);
		snprintf(to, sizeof(to), "/tmp/%s", e->d_name);
		if (symlink(from, to))
			perror(to);
	}
	if (folder)
		closedir(folder);
}

void guest_mount_more(void)
{
	/*
	 * /tmp is ramfs, because a file on ramfs has ordinary file pages, and a file on tmpfs has
	 * shmem pages
	 */
	static const struct mount_point points[] = {
		{ "/dev/shm", "tmpfs", 01777 },
		{ "/dev/pts", "devpts", 0755 },
		{ "/tmp", "ramfs", 01777 },
		{ "/run", "ramfs", 0755 },
		{ "/sys/kernel/debug", "debugfs", 0700 },
		{ "/sys/kernel/tracing", "tracefs", 0700 },
	};

	/* /tmp can be removed unless files were copied into it. */
	if (rmdir("/tmp") && rename("/tmp", CARRIED))
		perror(CARRIED);
	mount_all(points, sizeof(points) / sizeof(*points));
	link_carried();
	cgroups_mount();
	settings_make();
}

void guest_loopback_up(void)
{
	struct ifreq request = { .ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return;
	ioctl(fd, SIOCSIFFLAGS, &request);
	close(fd);
}
