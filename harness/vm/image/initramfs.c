// SPDX-License-Identifier: MIT
/*
 * Writes the initramfs: a newc cpio archive. It is not compressed, because a memfd is cheaper than
 * the time that the guest needs to decompress.
 *
 * All programs are in /bin, except those that carry_command() and carry_paths() copy. All libraries
 * are in libc's folder, which the loader searches by default.
 */
#include "initramfs.h"
#include "base/guest.h"
#include "base/process/path.h"
#include "base/regular.h"
#include "private.h"
#include "programs.h"

#include <archive_entry.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Adds a program. Leaves it out if the host lacks it or if it is a script. */
static int program_add_if_it_is_one(struct initramfs *i, const char *path, const char *inside)
{
	char why[1024];

	if (access(path, X_OK) || libraries_find(i->libraries, path, why, sizeof(why)))
		return 0;
	return initramfs_program(i, path, inside);
}

static int beside_add(struct initramfs *i, const char *workload)
{
	static const char *const names[] = { "rssck-worker", "rssck-libproc2" };
	int folder = (int)(strrchr(workload, '/') - workload), failed = 0;
	char path[2 * PATH_MAX + 32], inside[64];

	for (size_t n = 0; n < sizeof(names) / sizeof(*names) && !failed; n++) {
		snprintf(path, sizeof(path), "%.*s/%s", folder, workload, names[n]);
		snprintf(inside, sizeof(inside), "/bin/%s", names[n]);
		failed = program_add_if_it_is_one(i, path, inside);
	}
	return failed;
}

/*
 * Adds rssck itself and its workload, which is in rssck's folder or installed in ../libexec/rssck.
 */
static int own_add(struct initramfs *i)
{
	static const char *const places[] = { "rssck-workload", "../libexec/rssck/rssck-workload" };
	char self[64], folder[PATH_MAX], workload[2 * PATH_MAX];

	/* not /proc/self, because the loader's process opens the path, too */
	snprintf(self, sizeof(self), "/proc/%d/exe", getpid());
	if (programs_own_folder(folder, sizeof(folder), i->why, i->size) ||
	    initramfs_program(i, self, "/bin/rssck"))
		return -1;
	for (size_t n = 0; n < sizeof(places) / sizeof(*places); n++) {
		snprintf(workload, sizeof(workload), "%s/%s", folder, places[n]);
		if (access(workload, X_OK))
			continue;
		if (initramfs_program(i, workload, "/bin/rssck-workload"))
			return -1;
		return beside_add(i, workload);
	}
	snprintf(i->why, i->size, "%s/rssck-workload: %s; run make", folder, strerror(errno));
	return -1;
}

static int own_tools_add(struct initramfs *i)
{
	static const char *const tools[] = { "ps", "top", "pmap", "atop", "pidstat", "busybox" };
	char path[PATH_MAX], inside[PATH_MAX];

	for (size_t n = 0; n < sizeof(tools) / sizeof(*tools); n++) {
		snprintf(inside, sizeof(inside), "/bin/%s", tools[n]);
		if (path_find_program(tools[n], path, sizeof(path)) &&
		    program_add_if_it_is_one(i, path, inside))
			return -1;
	}
	return 0;
}

/*
 * Adds a terminfo file, without which top -b does not start. The file is the same for every
 * machine.
 */
static int terminal_add(struct initramfs *i)
{
	static const char inside[] = "/lib/terminfo/d/dumb";
	static const char *const places[] = { "/usr/share/terminfo/d/dumb", inside };

	for (size_t n = 0; n < sizeof(places) / sizeof(*places); n++)
		if (!access(places[n], R_OK))
			return initramfs_file(i, places[n], inside);
	return 0;
}

/*
 * Adds the programs of --programs, or those built for another machine. They must be static, because
 * only the files themselves are copied (programs_find() checks rssck and rssck-workload).
 */
static int foreign_add(struct initramfs *i, const struct vm_options *o)
{
	static const char *const names[] = { "rssck", "rssck-workload", "rssck-worker", "busybox" };
	char folder[PATH_MAX], path[2 * PATH_MAX], inside[64];

	if (programs_find(o, folder, sizeof(folder), i->why, i->size))
		return -1;
	for (size_t n = 0; n < sizeof(names) / sizeof(*names); n++) {
		snprintf(path, sizeof(path), "%s/%s", folder, names[n]);
		snprintf(inside, sizeof(inside), "/bin/%s", names[n]);
		/* programs_find() has checked that the required programs exist */
		if (!access(path, R_OK) && initramfs_file(i, path, inside))
			return -1;
	}
	return 0;
}

static int programs_add(struct initramfs *i, const struct vm_options *o)
{
	bool is_own = !o->programs && (!o->board || programs_are_ours(o->board));

	i->foreign = o->board && !programs_are_ours(o->board);
	if (!is_own)
		return foreign_add(i, o) || terminal_add(i) ? -1 : 0;
	return own_add(i) || own_tools_add(i) || terminal_add(i) ? -1 : 0;
}

static int module_add(struct initramfs *i, const char *folder, const char *name)
{
	char path[2 * PATH_MAX], inside[PATH_MAX];

	if (!name[0] || strchr(name, '/')) {
		snprintf(i->why, i->size,
			 "%s/modules.order: \"%s\" is not a file in that folder; write one "
			 "name on each line, in the order of loading",
			 folder, name);
		return -1;
	}
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	snprintf(inside, sizeof(inside), VM_GUEST_MODULES "/%s", name);
	return initramfs_file(i, path, inside);
}

static int modules_add(struct initramfs *i, const char *folder)
{
	char order[PATH_MAX], name[NAME_MAX + 2];
	const char *reason;
	int result = 0, fd;
	off_t length;
	FILE *file;

	snprintf(order, sizeof(order), "%s/modules.order", folder);
	fd = regular_open(order, &length, &reason);
	file = fd < 0 ? NULL : fdopen(fd, "r");
	if (!file) {
		snprintf(i->why, i->size,
			 "%s: %s; --modules needs a folder of uncompressed .ko files with their "
			 "names in modules.order, in the order of loading, as made by "
			 "harness/vm/kernels.sh",
			 order, fd < 0 ? reason : strerror(errno));
		return -1;
	}
	while (!result && fgets(name, sizeof(name), file)) {
		name[strcspn(name, "\n")] = '\0';
		result = module_add(i, folder, name);
	}
	fclose(file);
	return result ? result : initramfs_file(i, order, VM_GUEST_MODULES "/modules.order");
}

static int words_add(struct initramfs *i, const char *name, const char *const *words, int nr)
{
	char text[65536];
	size_t used = 0;

	for (int n = 0; n < nr; n++) {
		size_t length = strlen(words[n]) + 1;

		if (used + length > sizeof(text)) {
			snprintf(i->why, i->size,
				 "the case names have more than %zu bytes; name a group "
				 "(file/*)",
				 sizeof(text));
			return -1;
		}
		memcpy(text + used, words[n], length);
		used += length;
	}
	return initramfs_text(i, name, text, used);
}

/*
 * Adds the mount points that the guest needs. The archive that is built into a kernel usually has
 * /dev/console (usr/default_cpio_list).
 */
static int mount_points_add(struct initramfs *i)
{
	static const char *const points[] = {
		"/dev/", "/proc/", "/sys/", "/tmp/", "/run/", "/ext4/"
	};

	for (size_t n = 0; n < sizeof(points) / sizeof(*points); n++)
		if (initramfs_folders(i, points[n]))
			return -1;
	return 0;
}

static int archive_fill(struct initramfs *i, const struct vm_options *o)
{
	if (mount_points_add(i) || programs_add(i, o) ||
	    words_add(i, GUEST_MARKER, o->arguments, o->nr_arguments) ||
	    words_add(i, VM_GUEST_SETUP, o->setup, o->nr_setup))
		return -1;
	if (o->modules && modules_add(i, o->modules))
		return -1;
	if (carry_command(i, o) || carry_paths(i, o))
		return -1;
	return archive_write_close(i->archive) == ARCHIVE_OK ? 0 : initramfs_failed(i, "end");
}

int initramfs_build(const struct vm_options *o, char *why, size_t size)
{
	struct initramfs i = { .why = why, .size = size };
	int result, fd = memfd_create("rssck-initramfs", MFD_CLOEXEC);

	if (fd < 0) {
		snprintf(why, size, "memfd_create: %s", strerror(errno));
		return -1;
	}
	i.libraries = malloc(sizeof(*i.libraries));
	i.archive = archive_write_new();
	archive_write_set_format_cpio_newc(i.archive);
	archive_write_add_filter_none(i.archive);
	result = archive_write_open_fd(i.archive, fd) == ARCHIVE_OK ? archive_fill(&i, o)
								    : initramfs_failed(&i, "begin");
	archive_write_free(i.archive);
	free(i.libraries);
	while (i.nr_names)
		free(i.names[--i.nr_names]);
	if (!result)
		return fd;
	close(fd);
	return -1;
}
