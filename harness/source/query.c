// SPDX-License-Identifier: MIT
/* Asks the PROCMAP_QUERY ioctl of /proc/PID/maps about each mapping. It came with 6.11. */
#include <errno.h>
#include <fcntl.h>
#include <rssck/procmap.h>
#include <rssck/source.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { NAME_SIZE = 4096, MOST = 512 };

/* maps prints a newline as \012, and PROCMAP_QUERY does not. */
static bool same_name(const char *in_maps, const char *answer)
{
	for (; *in_maps && *answer; in_maps++, answer++) {
		if (*answer == '\n' && !strncmp(in_maps, "\\012", 4))
			in_maps += 3;
		else if (*in_maps != *answer)
			return false;
	}
	return !*in_maps && !*answer;
}

static int ask(int fd, struct mapping *m)
{
	static char name[NAME_SIZE];
	struct query q = { .size = sizeof(q),
			   .query_addr = m->start,
			   .vma_name_size = sizeof(name),
			   .vma_name_addr = (uintptr_t)name };

	name[0] = '\0';
	if (ioctl(fd, QUERY, &q) < 0)
		return -errno;
	m->query = (struct map_query) {
		.asked = true,
		.start = q.vma_start,
		.end = q.vma_end,
		.flags = (unsigned)q.vma_flags,
		.page_kb = (int64_t)q.vma_page_size / 1024,
		.offset = q.vma_offset,
		.inode = q.inode,
		.dev_major = q.dev_major,
		.dev_minor = q.dev_minor,
		.same_name = same_name(m->name, q.vma_name_size ? name : ""),
	};
	return 0;
}

void queries_take(struct snapshot *s)
{
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/maps", s->pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	for (size_t i = 0; fd >= 0 && i < s->nr_maps && i < MOST; i++) {
		int error = strcmp(s->maps[i].name, "[vsyscall]") ? ask(fd, &s->maps[i]) : 0;

		if (error == -ENOENT)
			s->maps[i].query.asked = true; /* the kernel knows no such mapping */
		else if (error)
			break;
	}
	if (fd >= 0)
		close(fd);
}
