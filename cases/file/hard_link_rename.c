// SPDX-License-Identifier: MIT
/*
 * maps shows the name by which a file was opened, and "(deleted)" after this name is removed. It
 * shows neither another hard link nor a rename of that link, even to the old name.
 */
#include <rssck/case.h>

enum { PAGES = 64, NAME_SIZE = 512 };

static char directory[NAME_SIZE], one[NAME_SIZE + 64], other[NAME_SIZE + 64];

/* Gives the O_TMPFILE file a name in its own directory and opens it by this name. */
static void link_and_open(struct workload *w, int *fd)
{
	int nameless = workload_file(w, PAGES);
	char self[32], name[WORKLOAD_NAME];
	ssize_t n;

	snprintf(self, sizeof(self), "/proc/self/fd/%d", nameless);
	n = readlink(self, directory, sizeof(directory) - 1);
	if (n == sizeof(directory) - 1)
		workload_skip(w, "a directory whose name has fewer than %d characters", NAME_SIZE);
	if (n <= 0 || !memrchr(directory, '/', (size_t)n))
		workload_skip(w, "a readable directory name (readlink: %m)");
	*(char *)memrchr(directory, '/', (size_t)n) = '\0';
	snprintf(one, sizeof(one), "%s/%s.1", directory, workload_name(w, name));
	snprintf(other, sizeof(other), "%s/%s.2", directory, name);
	if (linkat(AT_FDCWD, self, AT_FDCWD, one, AT_SYMLINK_FOLLOW) < 0)
		workload_skip(w, "linkat(2) of an O_TMPFILE: %m");
	*fd = open(one, O_RDONLY | O_CLOEXEC);
}

static void escape_newlines(const char *name, char *buf, size_t size)
{
	size_t len = 0;

	for (buf[0] = '\0'; *name && len + 5 < size; name++)
		len += (size_t)snprintf(buf + len, size - len, *name == '\n' ? "\\012" : "%c",
					*name);
}

static bool is_called(const void *p, const char *name, const char *suffix)
{
	char line[4 * NAME_SIZE], wanted[3 * NAME_SIZE], escaped[2 * NAME_SIZE];
	unsigned long long at = 0;
	FILE *f = fopen("/proc/self/maps", "re");
	const char *seen = "";

	escape_newlines(name, escaped, sizeof(escaped));
	snprintf(wanted, sizeof(wanted), "%s%s\n", escaped, suffix);
	while (f && at != (uintptr_t)p && fgets(line, sizeof(line), f))
		sscanf(line, "%llx", &at);
	if (f)
		fclose(f);
	if (at == (uintptr_t)p && strchr(line, '/'))
		seen = strchr(line, '/');
	return !strcmp(seen, wanted);
}

static void name_and_map(struct workload *w)
{
	bool opened, linked, renamed, unlinked;
	int fd = -1, refused = 0;
	void *p;

	link_and_open(w, &fd);
	p = workload_try_map(PAGES * w->page_size, PROT_READ, MAP_PRIVATE, fd);
	close(fd);
	opened = p && is_called(p, one, "");
	refused = link(one, other) < 0 ? errno : 0;
	linked = is_called(p, one, "");
	refused = unlink(one) < 0 ? errno : refused;
	unlinked = is_called(p, one, " (deleted)");
	refused = rename(other, one) < 0 ? errno : refused;
	renamed = is_called(p, one, " (deleted)");
	unlink(other);
	unlink(one);
	if (!p)
		workload_die(w, "mmap: %m");
	workload_remember(w, p, PAGES * w->page_size);
	if (refused)
		workload_skip(w, "a directory in which files can be linked and renamed: %s",
			      strerror(refused));
	if (!opened || !linked || !unlinked || !renamed)
		workload_fail(
			w,
			"maps shows a wrong name for the file (1 = right, 0 = wrong): %d after open, %d after link, %d after unlink, %d after rename of the other link",
			opened, linked, unlinked, renamed);
	touch_read(w, p, PAGES);
}

CASE(file_hard_link_rename) {
	.claim = "maps shows the name by which a file was opened: '(deleted)' means that this "
		 "name was removed, even if the file has another name",
	.because = "The mapping refers to the directory entry by which the file was opened. "
		   "Another hard link keeps the file alive, but is a different directory entry. "
		   "A new file with the old name also has a different directory entry.",
	.said_by = SAID_BY("proc_pid_maps(5)"),
	.steps = STEPS(STEP("name, map, link, unlink", name_and_map,
			    MOVES(VIRT_OTHER(PAGES), FILE_READ(PAGES)))),
};
