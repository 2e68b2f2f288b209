// SPDX-License-Identifier: MIT
/*
 * Finds what keeps a shared object in memory: mappings in maps, descriptors in /proc/PID/fd, a file
 * name, or a segment in /proc/sysvipc/shm.
 */
#include "keepers.h"
#include "base/kernel_file.h"
#include "base/memory.h"
#include "base/process/list.h"
#include "machine/met.h"
#include "scan/process/process.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <rssck/source.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

/* from linux/magic.h and linux/shm.h */
enum { TMPFS = 0x01021994, SHM_DEST = 01000, KB = 1024 };
static const long RAMFS = 0x858458f6, HUGETLBFS = 0x958458f6;

static void map_file_path(char *path, size_t size, pid_t pid, uint64_t start, uint64_t end)
{
	snprintf(path, size, "/proc/%d/map_files/%llx-%llx", (int)pid, (unsigned long long)start,
		 (unsigned long long)end);
}

/*
 * True if the mapping's pages belong to a shared object. rssck does not know the devices of tmpfs
 * in other mount namespaces, so statfs(2) decides there.
 */
bool mapping_is_object(const struct mapping *m, pid_t pid, const struct host *h)
{
	struct statfs fs;
	char path[96];

	if (!mapping_has_file(m))
		return false;
	if (mapping_has_flag(m, "ht") || host_is_shmem_device(h, m->dev_major, m->dev_minor))
		return true;
	/* The major number of a tmpfs is 0, because it has no real device. */
	if (m->dev_major)
		return false;
	map_file_path(path, sizeof(path), pid, m->start, m->end);
	return !statfs(path, &fs) && (fs.f_type == TMPFS || fs.f_type == RAMFS);
}

static struct object *find(struct objects *o, const struct mapping *m, pid_t pid)
{
	for (size_t i = 0; i < o->nr; i++)
		if (file_key_has(&o->of[i].key, m, pid))
			return &o->of[i];
	return NULL;
}

static struct object *new_object(struct objects *o, const char *name)
{
	struct object *one;

	o->of = memory_one_more(o->of, o->nr, sizeof(*one), "shared objects");
	one = &o->of[o->nr++];
	*one = (struct object) { .name = strdup(name), .fd = -1, .exact = true };
	if (!one->name)
		memory_gone("shared objects");
	return one;
}

static struct object *new_mapped(struct objects *o, const struct mapping *m, pid_t pid)
{
	struct object *one = new_object(o, m->name);

	one->key = file_key_of_mapping(m, pid);
	one->key.name = one->name;
	one->pid = pid;
	one->start = m->start;
	one->end = m->end;
	one->hugetlb = mapping_has_flag(m, "ht");
	return one;
}

/* The mapping whose pages add_present() adds to the object. */
struct present {
	struct object *one;
	const struct mapping *m;
	uint64_t page_size;
};

static int add_present(uint64_t start, const uint64_t *words, size_t n, void *arg)
{
	struct present *p = arg;
	uint64_t first = (p->m->offset + (start - p->m->start)) / p->page_size;

	for (size_t i = 0, end; i < n; i = end) {
		for (end = i; end < n && words[end] & PAGEMAP_PRESENT && words[end] & PAGEMAP_FILE;)
			end++;
		ranges_add(&p->one->pages, first + i, first + end);
		end += end == i;
	}
	return 0;
}

/*
 * Adds the pages that a mapping maps. Processes, and the mappings of one process, may map different
 * pages of an object, so only pagemap shows how many pages they map together.
 */
static int add_pages(struct object *one, const struct mapping *m, pid_t pid, const struct host *h)
{
	struct present p = { one, m, (uint64_t)h->page_size };
	char path[32];
	int fd, error;

	snprintf(path, sizeof(path), "/proc/%d/pagemap", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	error = pagemap_blocks(fd, h, m, PAGEMAP_READ_ALL, add_present, &p);
	close(fd);
	return error;
}

/* Adds the pages on swap, unless another mapping of the same part has already counted them. */
static void add_swap(struct object *one, const struct mapping *m, const struct host *h)
{
	uint64_t page_size = (uint64_t)h->page_size, start = m->offset / page_size,
		 end = start + (m->end - m->start) / page_size,
		 known = ranges_count_within(&one->areas, start, end);
	int64_t swap = mapping_smaps(m, METRIC_SMAPS_SWAP);

	if (known && known < end - start && swap) {
		one->exact = false;
		one->swap = swap > one->swap ? swap : one->swap;
	} else if (!known) {
		one->swap += swap;
	}
	ranges_add(&one->areas, start, end);
}

void objects_add(struct objects *o, const struct mapping *m, pid_t pid, const struct host *h)
{
	struct object *one = find(o, m, pid);
	int64_t resident = mapping_smaps(m, METRIC_SMAPS_RSS) +
			   mapping_smaps(m, METRIC_SMAPS_SHARED_HUGETLB) +
			   mapping_smaps(m, METRIC_SMAPS_PRIVATE_HUGETLB);

	if (!one)
		one = new_mapped(o, m, pid);
	/* Pages that a private mapping has copied do not belong to the object. */
	if (!m->shared)
		resident -= mapping_smaps(m, METRIC_SMAPS_ANONYMOUS);
	if (resident > 0 && add_pages(one, m, pid, h)) {
		one->exact = false;
		one->mapped = resident > one->mapped ? resident : one->mapped;
	}
	if (m->shared)
		add_swap(one, m, h);
}

static bool is_deleted(const char *name)
{
	static const char deleted[] = " (deleted)";
	size_t len = strlen(name), tail = sizeof(deleted) - 1;

	return len >= tail && !strcmp(name + len - tail, deleted);
}

static bool has_inode(const struct object *one, const struct stat *st)
{
	return !one->key.segment && st->st_ino == one->key.inode &&
	       major(st->st_dev) == one->key.dev_major && minor(st->st_dev) == one->key.dev_minor;
}

static void add_open(struct objects *o, pid_t pid, int fd, const struct stat *st, bool hugetlb)
{
	char path[64], name[512];
	struct object *one;
	ssize_t n;

	for (size_t i = 0; i < o->nr; i++)
		if (has_inode(&o->of[i], st))
			return;
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)pid, fd);
	n = readlink(path, name, sizeof(name) - 1);
	name[n > 0 ? n : 0] = '\0';
	one = new_object(o, name);
	one->key = (struct file_key) { major(st->st_dev), minor(st->st_dev), st->st_ino,
				       .name = one->name };
	one->pid = pid;
	one->fd = fd;
	one->hugetlb = hugetlb;
}

static void add_deleted(struct objects *o, const struct stat *st)
{
	if (!o->met)
		o->met = met_begin();
	if (met_add(o->met, st->st_dev << 40 ^ st->st_ino))
		o->deleted += (st->st_size + KB - 1) / KB;
}

void objects_add_deleted(struct objects *o, const struct mapping *m, pid_t pid)
{
	struct stat st;
	char path[96];

	if (!mapping_has_file(m) || !is_deleted(m->name))
		return;
	map_file_path(path, sizeof(path), pid, m->start, m->end);
	if (!stat(path, &st) && S_ISREG(st.st_mode) && !st.st_nlink)
		add_deleted(o, &st);
}

/* Adds an open file without a name. A file with a name stays when it is closed. */
static void look_at_open(struct objects *o, pid_t pid, const char *fd, int folder)
{
	char path[64];
	struct statfs fs;
	struct stat st;

	if (fstatat(folder, fd, &st, 0) || !S_ISREG(st.st_mode) || st.st_nlink)
		return;
	snprintf(path, sizeof(path), "/proc/%d/fd/%.20s", (int)pid, fd);
	if (statfs(path, &fs))
		return;
	if (fs.f_type == TMPFS || fs.f_type == RAMFS || fs.f_type == HUGETLBFS)
		add_open(o, pid, atoi(fd), &st, fs.f_type == HUGETLBFS);
	else
		add_deleted(o, &st);
}

void objects_add_open(struct objects *o, pid_t pid)
{
	char path[32];
	struct dirent *e;
	DIR *d;

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
	d = opendir(path);
	while (d && (e = readdir(d)))
		if (e->d_name[0] != '.')
			look_at_open(o, pid, e->d_name, dirfd(d));
	if (d)
		closedir(d);
}

static void object_path(const struct object *one, char *path, size_t size)
{
	if (one->fd < 0)
		map_file_path(path, size, one->pid, one->start, one->end);
	else
		snprintf(path, size, "/proc/%d/fd/%d", (int)one->pid, one->fd);
}

int object_open(const struct object *one)
{
	char path[96];
	int fd;

	object_path(one, path, sizeof(path));
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/*
 * Reads an object's size, and whether it has a name, through map_files (CAP_CHECKPOINT_RESTORE) or
 * its descriptor.
 */
static void measure(struct object *one, int64_t page_kb)
{
	int64_t mapped = (int64_t)ranges_count(&one->pages) * page_kb;
	struct stat st;
	char path[96];

	one->mapped = mapped > one->mapped ? mapped : one->mapped;
	one->kb = one->mapped + one->swap;
	object_path(one, path, sizeof(path));
	if (!stat(path, &st)) {
		one->kb = (int64_t)st.st_blocks / 2;
		one->whole = true;
		if (st.st_nlink && !one->key.segment)
			one->kept = KEEPER_NAME;
	} else if (!is_deleted(one->name)) {
		one->kept = KEEPER_NAME;
	}
}

/*
 * Finds out whether a segment was removed: perms then includes SHM_DEST. A segment's line in
 * /proc/sysvipc/shm is "key shmid perms ...".
 */
static enum keeper segment_keeper(const struct object *one)
{
	struct text t = { .data = NULL };
	enum keeper kept = KEEPER_UNKNOWN;
	struct stat st;
	unsigned perms;
	int id;

	if (stat("/proc/self/ns/ipc", &st) || st.st_ino != one->key.ipc)
		return kept;
	/* With this setting a segment is freed when the last process detaches it. */
	if (kernel_number("/proc/sys/kernel/shm_rmid_forced", NULL, 0) == 1)
		return KEEPER_NONE;
	if (text_read(&t, 0, "/proc/sysvipc/shm") == 0) {
		for (const char *line = t.data; line; line = strchr(line + 1, '\n'))
			if (sscanf(line, "%*d %d %o", &id, &perms) == 2 &&
			    (uint64_t)id == one->key.inode)
				kept = perms & SHM_DEST ? KEEPER_NONE : KEEPER_SEGMENT;
	}
	text_free(&t);
	return kept;
}

static void keep(struct object *one, enum keeper how, pid_t pid)
{
	struct text t = { .data = NULL };
	struct identity who;

	one->kept = how;
	one->keeper = pid;
	if (!text_read(&t, pid, "status") && !identity_read(&who, NULL, t.data))
		memcpy(one->keeper_name, who.name, sizeof(one->keeper_name));
	text_free(&t);
}

/*
 * Finds the objects that a process maps. Returns 0 or a negative errno. A process that has ended
 * meanwhile keeps nothing.
 */
static int look_at_mappings(struct objects *o, pid_t pid, struct text *t)
{
	struct snapshot s = { .pid = pid };
	struct source_error e;
	int error = text_read(t, pid, "maps");

	if (error)
		return error == -ESRCH || error == -ENOENT ? 0 : error;
	if (!maps_read(t->data, t->len, &s, &e))
		for (size_t i = 0; i < s.nr_maps; i++) {
			struct object *one = mapping_has_file(&s.maps[i]) ? find(o, &s.maps[i], pid)
									  : NULL;

			if (one && one->kept != KEEPER_MAPPING)
				keep(one, KEEPER_MAPPING, pid);
		}
	snapshot_free(&s);
	return 0;
}

static void look_at_descriptor(struct objects *o, const struct stat *st, pid_t pid)
{
	for (size_t i = 0; i < o->nr; i++) {
		struct object *one = &o->of[i];

		if (!one->kept && has_inode(one, st))
			keep(one, KEEPER_DESCRIPTOR, pid);
	}
}

static int look_at_descriptors(struct objects *o, pid_t pid)
{
	char path[32];
	struct dirent *e;
	struct stat st;
	DIR *d;

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
	d = opendir(path);
	if (!d)
		return errno == ENOENT || errno == ESRCH ? 0 : -errno;
	while ((e = readdir(d)))
		if (e->d_name[0] != '.' && !fstatat(dirfd(d), e->d_name, &st, 0) &&
		    S_ISREG(st.st_mode))
			look_at_descriptor(o, &st, pid);
	closedir(d);
	return 0;
}

static bool is_among(pid_t pid, const pid_t *list, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (list[i] == pid)
			return true;
	return false;
}

static bool any_is_open(const struct objects *o)
{
	for (size_t i = 0; i < o->nr; i++)
		if (!o->of[i].kept)
			return true;
	return false;
}

static void look_at_others(struct objects *o, const pid_t *pids, size_t nr, const pid_t *ending,
			   size_t nr_ending)
{
	struct text t = { .data = NULL };

	for (size_t i = 0; i < nr; i++) {
		int error;

		pid_t pid = process_living_thread(pids[i]);

		if (pid == getpid() || is_among(pid, ending, nr_ending))
			continue;
		error = look_at_mappings(o, pid, &t);
		if (!error && any_is_open(o))
			error = look_at_descriptors(o, pid);
		o->unseen += error == -EACCES || error == -EPERM;
	}
	text_free(&t);
}

int objects_find_keepers(struct objects *o, const pid_t *ending, size_t nr)
{
	int64_t page_kb = sysconf(_SC_PAGESIZE) / KB;
	size_t nr_pids;
	pid_t *pids;
	int error;

	if (!o->nr)
		return 0;
	for (size_t i = 0; i < o->nr; i++) {
		measure(&o->of[i], page_kb);
		if (o->of[i].key.segment)
			o->of[i].kept = segment_keeper(&o->of[i]);
	}
	error = processes_list(&pids, &nr_pids);
	if (error)
		return error;
	look_at_others(o, pids, nr_pids, ending, nr);
	free(pids);
	return 0;
}

void objects_free(struct objects *o)
{
	for (size_t i = 0; i < o->nr; i++) {
		free(o->of[i].name);
		ranges_free(&o->of[i].pages);
		ranges_free(&o->of[i].areas);
	}
	free(o->of);
	if (o->met)
		met_free(o->met);
	*o = (struct objects) { .nr = 0 };
}

const char *keeper_words(const struct object *one, char *buf, size_t size)
{
	switch (one->kept) {
	case KEEPER_MAPPING:
		snprintf(buf, size, "process %d (%s) maps it, too", one->keeper, one->keeper_name);
		break;
	case KEEPER_DESCRIPTOR:
		snprintf(buf, size, "process %d (%s) has it open", one->keeper, one->keeper_name);
		break;
	case KEEPER_NAME:
		snprintf(buf, size, "its file remains until it is deleted (rm)");
		break;
	case KEEPER_SEGMENT:
		snprintf(buf, size, "a System V segment remains until it is removed (ipcrm)");
		break;
	case KEEPER_UNKNOWN:
		snprintf(buf, size,
			 "rssck cannot see whether this System V segment was removed (it may be "
			 "in another IPC namespace)");
		break;
	default:
		snprintf(buf, size, "nothing keeps it");
	}
	return buf;
}
