// SPDX-License-Identifier: MIT
/*
 * Copies the files that a command needs into the guest: its programs under their own names, their
 * interpreters, and files and folders that the user names.
 */
#include "base/process/path.h"
#include "private.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <libgen.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void head_read(const char *path, char *buf, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, buf, size - 1);

	buf[n > 0 ? n : 0] = '\0';
	if (fd >= 0)
		close(fd);
}

static int program_carry(struct initramfs *i, const char *path, const char *name, int depth);

/*
 * Refuses a file below one of the guest's mount points (guest_mount_more()), because the mount
 * would hide it.
 */
static int name_is_seen(const struct initramfs *i, const char *name)
{
	static const char *const mounted[] = { "/run/", "/dev/", "/proc/", "/sys/", "/ext4/" };

	for (size_t n = 0; n < sizeof(mounted) / sizeof(*mounted); n++) {
		if (strncmp(name, mounted[n], strlen(mounted[n])))
			continue;
		snprintf(
			i->why, i->size,
			"%s: the guest mounts its own %.*s, which would hide this file; move it to another "
			"folder",
			name, (int)strlen(mounted[n]) - 1, mounted[n]);
		return -1;
	}
	return 0;
}

/*
 * Copies the interpreter of "#!/usr/bin/env python3". For env(1), also copies the program that env
 * starts.
 */
static int interpreter_carry(struct initramfs *i, const char *head, int depth)
{
	char interpreter[256] = "", argument[256] = "", path[PATH_MAX];

	if (sscanf(head, "#!%*[ \t]%255s", interpreter) != 1)
		sscanf(head, "#!%255s", interpreter);
	if (sscanf(head + strcspn(head, "/"), "%*s%*[ \t]%255[^ \t\n]", argument) == 1 &&
	    path_find_program(argument, path, sizeof(path)) && program_carry(i, path, path, depth))
		return -1;
	return access(interpreter, X_OK) ? 0 : program_carry(i, interpreter, interpreter, depth);
}

static bool is_of_this_machine(const char *head)
{
	char own[sizeof(Elf64_Ehdr)];

	head_read("/proc/self/exe", own, sizeof(own));
	return !memcmp(head, own, EI_DATA + 1) && !memcmp(head + offsetof(Elf64_Ehdr, e_machine),
							  own + offsetof(Elf64_Ehdr, e_machine), 2);
}

static int refuse_own(struct initramfs *i, const char *path)
{
	snprintf(i->why, i->size,
		 "%s: the guest cannot run this machine's programs; it has its "
		 "own, static programs",
		 path);
	return -1;
}

/*
 * Copies a program: an ELF program of this machine with its libraries, any other as a plain file.
 */
static int program_carry(struct initramfs *i, const char *path, const char *name, int depth)
{
	char head[256], why[1024];
	struct libraries *l;
	int result;

	if (name_is_seen(i, name))
		return -1;
	l = malloc(sizeof(*l));
	if (!l) {
		snprintf(i->why, i->size, "out of memory");
		return -1;
	}
	head_read(path, head, sizeof(head));
	if (i->foreign && is_of_this_machine(head))
		result = refuse_own(i, path);
	else if (i->foreign || libraries_find(l, path, why, sizeof(why)))
		result = initramfs_file(i, path, name);
	else
		result = initramfs_program(i, path, name);
	free(l);
	if (!result && !strncmp(head, "#!", 2) && depth)
		result = interpreter_carry(i, head, depth - 1);
	return result;
}

enum { INTERPRETERS = 3 };

/* In a guest for another machine, /bin/sh is busybox. */
static int shell_carry(struct initramfs *i)
{
	if (!i->foreign)
		return program_carry(i, "/bin/sh", "/bin/sh", 0);
	return initramfs_link(i, "/bin/busybox", "/bin/sh") < 0 ? -1 : 0;
}

/*
 * Copies the programs that words of the command line name. The guest reports programs that are
 * missing.
 */
int carry_command(struct initramfs *i, const struct vm_options *o)
{
	static const char between[] = " \t\n;|&()<>'\"`$={}";
	char *words, *save = NULL, path[PATH_MAX];
	int result = 0;

	if (!o->run)
		return 0;
	words = strdup(o->run);
	if (!words || shell_carry(i)) {
		free(words);
		return -1;
	}
	for (char *word = strtok_r(words, between, &save); word && !result;
	     word = strtok_r(NULL, between, &save)) {
		struct stat st;

		if (word[0] == '-' || word[0] == '.' || (i->foreign && !strchr(word, '/')) ||
		    !path_find_program(word, path, sizeof(path)))
			continue;
		if (path[0] == '/' && !stat(path, &st) && S_ISREG(st.st_mode))
			result = program_carry(i, path, path, INTERPRETERS);
	}
	free(words);
	return result;
}

static int link_carry(struct initramfs *i, const char *target, const char *name)
{
	return name_is_seen(i, name) ? -1 : initramfs_link(i, target, name);
}

/* A link to one of its own parent folders, or to a missing file, remains a link in the guest. */
static int bare_link_carry(struct initramfs *i, const FTSENT *e)
{
	char target[PATH_MAX];
	ssize_t n;

	/* fts uses one buffer for the paths of all entries, so the length is needed. */
	if (e->fts_info == FTS_DC)
		snprintf(target, sizeof(target), "%.*s", (int)e->fts_cycle->fts_pathlen,
			 e->fts_path);
	else if ((n = readlink(e->fts_path, target, sizeof(target) - 1)) >= 0)
		target[n] = '\0';
	else
		return 0;
	return link_carry(i, target, e->fts_path) < 0 ? -1 : 0;
}

static int entry_carry(struct initramfs *i, const FTSENT *e)
{
	char folder[PATH_MAX];

	switch (e->fts_info) {
	case FTS_F:
		if (e->fts_statp->st_mode & 0111)
			return program_carry(i, e->fts_path, e->fts_path, INTERPRETERS);
		return name_is_seen(i, e->fts_path) ? -1
						    : initramfs_file(i, e->fts_path, e->fts_path);
	case FTS_D:
		snprintf(folder, sizeof(folder), "%.*s/", PATH_MAX - 2, e->fts_path);
		return initramfs_folders(i, folder);
	case FTS_DC:
	case FTS_SLNONE:
		return bare_link_carry(i, e);
	case FTS_DNR:
	case FTS_ERR:
	case FTS_NS:
		snprintf(i->why, i->size, "%s: cannot read it: %s; --with takes a file or a folder",
			 e->fts_path, strerror(e->fts_errno));
		return -1;
	default:
		return 0;
	}
}

/* Copies a folder. Symbolic links in it are replaced by the files that they point to. */
static int tree_carry(struct initramfs *i, char *path)
{
	char *const roots[] = { path, NULL };
	FTS *fts = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, NULL);
	int result = 0;

	if (!fts) {
		snprintf(i->why, i->size, "--with=%s: %s", path, strerror(errno));
		return -1;
	}
	for (FTSENT *e; !result && (e = fts_read(fts));)
		result = entry_carry(i, e);
	fts_close(fts);
	return result;
}

static int refuse(struct initramfs *i, const char *path, int error)
{
	char target[PATH_MAX];
	ssize_t n = readlink(path, target, sizeof(target) - 1);

	if (error == ELOOP)
		snprintf(i->why, i->size,
			 "--with=%s: its symbolic links form a loop; name a file or a folder",
			 path);
	else if (error == ENOENT && n >= 0)
		snprintf(i->why, i->size,
			 "--with=%s: it is a symbolic link to %.*s, which does not exist", path,
			 (int)n, target);
	else
		snprintf(i->why, i->size, "--with=%s: %s", path, strerror(error));
	return -1;
}

/* Makes a path absolute without resolving links, but replaces "." and ".." by the real path. */
static void name_from_root(const char *path, const char *real, char *name, size_t size)
{
	char last[PATH_MAX], above[PATH_MAX], folder[PATH_MAX];
	const char *base, *in;

	snprintf(last, sizeof(last), "%s", path);
	snprintf(above, sizeof(above), "%s", path);
	base = basename(last);
	in = dirname(above);
	if ((path[0] != '/' || strstr(path, "/.")) && realpath(in, folder))
		in = folder;
	if (!strcmp(base, ".") || !strcmp(base, "..") || !strcmp(base, "/"))
		snprintf(name, size, "%s", real);
	else
		snprintf(name, size, "%s/%s", strcmp(in, "/") ? in : "", base);
}

/*
 * Makes a link to the real name. If a folder already has the link's name, copies the content of the
 * link's target into it.
 */
static int other_name_carry(struct initramfs *i, const char *real, char *name)
{
	int made = link_carry(i, real, name);

	if (made < 0)
		return -1;
	return made ? 0 : tree_carry(i, name);
}

/*
 * Also copies the file under its real name, because a program may look for itself under that name.
 */
static int path_carry(struct initramfs *i, const char *path)
{
	char name[2 * PATH_MAX], *real = realpath(path, NULL);
	int result;

	if (!real)
		return refuse(i, path, errno);
	name_from_root(path, real, name, sizeof(name));
	result = tree_carry(i, real);
	if (!result && strcmp(name, real) != 0)
		result = other_name_carry(i, real, name);
	free(real);
	return result;
}

int carry_paths(struct initramfs *i, const struct vm_options *o)
{
	int result = 0;

	for (int n = 0; n < o->nr_with && !result; n++)
		result = path_carry(i, o->with[n]);
	return result;
}
