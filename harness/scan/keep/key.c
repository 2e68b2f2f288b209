// SPDX-License-Identifier: MIT
/* Identifies files as maps shows them: by device and inode. */
#include "key.h"
#include <errno.h>
#include <fcntl.h>
#include <rssck/source.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/*
 * True for a System V segment: ipc/shm.c names it "/SYSV...". Only a file in the root folder could
 * have such a path, too.
 */
static bool is_segment(const struct mapping *m)
{
	return !strncmp(m->name, "/SYSV", 5);
}

static uint64_t ipc_of(pid_t pid)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%d/ns/ipc", (int)pid);
	return stat(path, &st) ? 0 : st.st_ino;
}

struct file_key file_key_of_mapping(const struct mapping *m, pid_t pid)
{
	struct file_key k = { m->dev_major, m->dev_minor, m->inode, is_segment(m), 0, m->name };

	if (k.segment)
		k.ipc = ipc_of(pid);
	return k;
}

static int find_own(struct file_key *k, uint64_t address)
{
	struct snapshot s = { .pid = getpid() };
	struct text t = { .data = NULL };
	struct source_error e;
	const struct mapping *m = NULL;

	if (!text_read(&t, s.pid, "maps") && !maps_read(t.data, t.len, &s, &e))
		m = snapshot_mapping(&s, address);
	if (m && mapping_has_file(m)) {
		k->dev_major = m->dev_major;
		k->dev_minor = m->dev_minor;
		k->inode = m->inode;
	} else {
		m = NULL;
	}
	snapshot_free(&s);
	text_free(&t);
	return m ? 0 : -1;
}

/*
 * Maps the file and reads its device and inode from rssck's own maps, because on btrfs and
 * overlayfs they differ from those of stat(2).
 */
static void ask_maps(struct file_key *k, const char *path)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	void *at = fd < 0 ? MAP_FAILED : mmap(NULL, page, PROT_READ, MAP_PRIVATE, fd, 0);

	if (fd >= 0)
		close(fd);
	if (at == MAP_FAILED)
		return;
	find_own(k, (uint64_t)(uintptr_t)at);
	munmap(at, page);
}

int file_key_of_path(struct file_key *k, const char *path, char *why, size_t size)
{
	struct stat st;

	if (stat(path, &st)) {
		snprintf(why, size,
			 "%s: %s (to name a mapping, name its process, too: "
			 "--sharers=NAME PID)",
			 path, strerror(errno));
		return -1;
	}
	*k = (struct file_key) { major(st.st_dev), minor(st.st_dev), st.st_ino, .name = path };
	if (S_ISREG(st.st_mode))
		ask_maps(k, path);
	return 0;
}

bool file_key_has(const struct file_key *k, const struct mapping *m, pid_t pid)
{
	if (!mapping_has_file(m) || m->inode != k->inode || m->dev_major != k->dev_major ||
	    m->dev_minor != k->dev_minor || is_segment(m) != k->segment)
		return false;
	return !k->segment || !k->ipc || ipc_of(pid) == k->ipc;
}
