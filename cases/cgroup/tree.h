// SPDX-License-Identifier: MIT
/*
 * Three cgroups inside each other, "a", "a/b" and "a/b/c", and one beside each of the inner two.
 * Reads all their files that count events, and those of their usage, before and after a load.
 */
#ifndef CASES_CGROUP_TREE_H
#define CASES_CGROUP_TREE_H

#include <dirent.h>
#include <inttypes.h>
#include <poll.h>
#include <rssck/case.h>
#include <stdarg.h>
#include <sys/mount.h>
#include <sys/statvfs.h>

/* The first three are inside each other. */
enum { OUTER, MIDDLE, INNER, BESIDE_INNER, BESIDE_MIDDLE, NODES, LEVELS = INNER + 1 };

enum {
	EVENT_FILES = 16,
	EVENT_LINES = 12,
	FILE_NAME = 48,
	LINE_NAME = 24,
	WAIT_S = 8,
	NOTIFY_MS = 10,
	SEVERAL = -1, /* an event rises by one or more; the kernel decides by how many */
};

static const char *const nodes[NODES] = { "a", "a/b", "a/b/c", "a/b/d", "a/e" };

/* "%zu" is the size of a hugetlb page in MiB. */
static const char *const usages[] = {
	"memory.current",        "memory.swap.current",        "memory.zswap.current",
	"hugetlb.%zuMB.current", "hugetlb.%zuMB.rsvd.current", "pids.current",
};

enum { USE_MEMORY, USE_SWAP, USE_ZSWAP, USAGES = sizeof(usages) / sizeof(*usages) };

typedef int64_t tree_usages[NODES][USAGES];

/*
 * A descriptor is read, or watched: poll(2) reports each change of a file since this descriptor was
 * read.
 */
static struct tree {
	struct workload *w;
	size_t files;
	struct event_file {
		char name[FILE_NAME];
		char lines[EVENT_LINES][LINE_NAME];
		int read[NODES], watch[NODES];
	} of[EVENT_FILES];
	int join[NODES]; /* cgroup.procs */
	char wrong[240]; /* the first thing that was wrong */
} tree;

typedef int64_t tree_events[EVENT_FILES][NODES][EVENT_LINES];

static inline void tree_wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));

static inline void tree_wrong(const char *format, ...)
{
	va_list args;

	if (*tree.wrong)
		return;
	va_start(args, format);
	vsnprintf(tree.wrong, sizeof(tree.wrong), format, args);
	va_end(args);
}

/* ---- files ---- */

/* Writes the name of a file; in "hugetlb.%zuMB.max", "%zu" is the size of a page in MiB. */
static inline const char *tree_name(const char *format, char name[FILE_NAME])
{
	const char *size = strstr(format, "%zu");

	if (size)
		snprintf(name, FILE_NAME, "hugetlb.%zu%.20s", workload_hugetlb_bytes() >> 20,
			 size + 3);
	else
		snprintf(name, FILE_NAME, "%.40s", format);
	return name;
}

static inline const char *tree_path(size_t node, const char *file, char path[WORKLOAD_CGROUP_PATH])
{
	char name[FILE_NAME], below[FILE_NAME + 8];

	snprintf(below, sizeof(below), "%s/%s", nodes[node], tree_name(file, name));
	return workload_cgroup_path(tree.w, below, path);
}

static inline bool tree_write(size_t node, const char *file, const char *value)
{
	char path[WORKLOAD_CGROUP_PATH];

	return workload_try_to_set(tree_path(node, file, path), value);
}

/* Sets a limit or a protection. */
static inline void tree_set_bytes(size_t node, const char *file, int64_t bytes)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRId64, bytes);
	if (!tree_write(node, file, text))
		tree_wrong("%s cannot be set: %s", file, strerror(errno));
}

/* Names the levels whose bits are set: " a a/b". */
static inline const char *tree_levels(unsigned bits, char text[32])
{
	snprintf(text, 32, "%s%s%s%s", bits ? "" : " none", bits & 1U << OUTER ? " a" : "",
		 bits & 1U << MIDDLE ? " a/b" : "", bits & 1U << INNER ? " a/b/c" : "");
	return text;
}

/* Returns -1 if there is no such number. */
static inline int64_t tree_number(size_t node, const char *file, const char *field)
{
	char path[WORKLOAD_CGROUP_PATH];

	return workload_number(tree_path(node, file, path), field, -1);
}

/* Opens a file before a process enters the tree, because the tree would pay for an open file. */
static inline int tree_open(size_t node, const char *file, int flags)
{
	char path[WORKLOAD_CGROUP_PATH];

	return open(tree_path(node, file, path), flags | O_CLOEXEC);
}

/* Moves the calling process. */
static inline bool tree_join(size_t node)
{
	return write(tree.join[node], "0", 1) == 1;
}

/* ---- events ---- */

static inline bool tree_is_local(const char *file)
{
	size_t length = strlen(file);

	return length > 6 && !strcmp(file + length - 6, ".local");
}

/* The lines of cgroup.events are no counts. */
static inline bool tree_has_events(const char *file)
{
	const char *at = strstr(file, ".events");

	return at && (!at[7] || tree_is_local(at)) && strcmp(file, "cgroup.events") != 0;
}

static inline void tree_open_events(const char *file)
{
	struct event_file *f = &tree.of[tree.files++];

	snprintf(f->name, sizeof(f->name), "%.40s", file);
	for (size_t n = 0; n < NODES; n++) {
		f->read[n] = tree_open(n, file, O_RDONLY);
		f->watch[n] = tree_open(n, file, O_RDONLY);
	}
}

static inline void tree_list_events(void)
{
	char path[WORKLOAD_CGROUP_PATH];
	DIR *dir = opendir(workload_cgroup_path(tree.w, nodes[INNER], path));
	const struct dirent *e;

	while (dir && (e = readdir(dir)) && tree.files < EVENT_FILES)
		if (tree_has_events(e->d_name))
			tree_open_events(e->d_name);
	if (dir)
		closedir(dir);
}

static inline void tree_parse(struct event_file *f, const char *text, int64_t lines[EVENT_LINES])
{
	for (size_t l = 0; l < EVENT_LINES; l++) {
		long long number = -1;

		f->lines[l][0] = '\0';
		sscanf(text, "%23s %lld", f->lines[l], &number);
		lines[l] = number;
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
}

static inline void tree_read_events(tree_events of)
{
	for (size_t f = 0; f < tree.files; f++)
		for (size_t n = 0; n < NODES; n++) {
			char text[512] = "";

			if (pread(tree.of[f].read[n], text, sizeof(text) - 1, 0) < 0)
				tree_wrong("%s of %s: %s", tree.of[f].name, nodes[n],
					   strerror(errno));
			tree_parse(&tree.of[f], text, of[f][n]);
		}
}

/*
 * Notes the first line of a file that does not rise as much as expected. Returns true if a line
 * rises.
 */
static inline bool
tree_judge_lines(const struct event_file *f, size_t node, const int64_t before[EVENT_LINES],
		 const int64_t after[EVENT_LINES],
		 int64_t (*expected)(const char *file, size_t node, const char *line))
{
	bool any = false;

	for (size_t l = 0; l < EVENT_LINES && after[l] >= 0; l++) {
		int64_t rise = after[l] - before[l], must = expected(f->name, node, f->lines[l]);

		any |= rise != 0;
		if (must == SEVERAL ? rise <= 0 : rise != must)
			tree_wrong("%s of %s: %s rises by %" PRId64 ", not by %s%" PRId64, f->name,
				   nodes[node], f->lines[l], rise,
				   must == SEVERAL ? "at least " : "", must == SEVERAL ? 1 : must);
	}
	return any;
}

static inline void tree_judge_events(tree_events before, tree_events after,
				     int64_t (*expected)(const char *file, size_t node,
							 const char *line))
{
	for (size_t f = 0; f < tree.files; f++)
		for (size_t n = 0; n < NODES; n++)
			tree_judge_lines(&tree.of[f], n, before[f][n], after[f][n], expected);
}

static inline bool tree_notified(const struct event_file *f, size_t node, int wait_ms)
{
	struct pollfd p = { .fd = f->watch[node], .events = POLLPRI };

	return poll(&p, 1, wait_ms) == 1 && (p.revents & POLLPRI);
}

/* Reads the files that were notified. Returns false if there was none. */
static inline bool tree_reread_events(void)
{
	char text[512];
	bool any = false;

	for (size_t f = 0; f < tree.files; f++)
		for (size_t n = 0; n < NODES; n++)
			if (tree_notified(&tree.of[f], n, 0))
				any |= pread(tree.of[f].watch[n], text, sizeof(text), 0) > 0;
	return any;
}

/*
 * From here on tree_notified() looks for changes. The kernel delays a notification that follows
 * another one within 10 ms (CGROUP_FILE_NOTIFY_MIN_INTV).
 */
static inline void tree_watch_events(void)
{
	struct patience p = { .seconds = WAIT_S };

	do {
		tree_reread_events();
		usleep(2 * NOTIFY_MS * 1000);
	} while (tree_reread_events() && workload_pause(&p));
}

/* ---- usage ---- */

static inline void tree_read_usages(tree_usages of)
{
	for (size_t n = 0; n < NODES; n++)
		for (size_t u = 0; u < USAGES; u++)
			of[n][u] = tree_number(n, usages[u], NULL);
}

/* Returns how many pages the CPUs may have charged in advance. */
static inline int64_t tree_batches(void)
{
	return CGROUP_BATCH * sysconf(_SC_NPROCESSORS_ONLN);
}

/*
 * A write to memory.high reclaims, and returns what CPUs have charged in advance
 * (drain_all_stock()).
 */
static inline void tree_drain(size_t node)
{
	tree_write(node, "memory.high", "0");
	tree_write(node, "memory.high", "max");
}

/* ---- the tree ---- */

static inline void tree_remove(void)
{
	for (size_t n = 0; n < NODES; n++) {
		for (size_t f = 0; f < tree.files; f++) {
			close(tree.of[f].read[n]);
			close(tree.of[f].watch[n]);
		}
		close(tree.join[n]);
	}
	for (size_t n = NODES; n-- > 0;)
		workload_cgroup_remove(tree.w, nodes[n]);
	workload_cgroup_undelegate(tree.w, NULL);
	workload_cgroup_step_back(tree.w);
	workload_cgroup_leave(tree.w);
}

static inline bool tree_make_all(const struct workload *w)
{
	return workload_cgroup_step_aside(w) && workload_cgroup_delegate(w, NULL) &&
	       workload_cgroup_make(w, nodes[OUTER]) && workload_cgroup_delegate(w, nodes[OUTER]) &&
	       workload_cgroup_make(w, nodes[MIDDLE]) &&
	       workload_cgroup_make(w, nodes[BESIDE_MIDDLE]) &&
	       workload_cgroup_delegate(w, nodes[MIDDLE]) &&
	       workload_cgroup_make(w, nodes[INNER]) &&
	       workload_cgroup_make(w, nodes[BESIDE_INNER]);
}

/* Makes the tree; the workload stays outside of it. Skips the case if that is not possible. */
static inline void tree_make(struct workload *w)
{
	bool made;
	int error;

	tree = (struct tree) { .w = w };
	workload_cgroup_enter(w);
	made = tree_make_all(w);
	error = errno;
	for (size_t n = 0; n < NODES; n++)
		tree.join[n] = tree_open(n, "cgroup.procs", O_WRONLY);
	if (made) {
		tree_drain(OUTER);
		tree_list_events();
		return;
	}
	tree_remove();
	workload_skip(w, "three cgroups inside each other: %s", strerror(error));
}

/* ---- options of the cgroup file system ---- */

#define CGROUP_ROOT "/sys/fs/cgroup"

/* Writes the options with which cgroup v2 is mounted, such as "rw,memory_recursiveprot". */
static inline void tree_options(char options[256])
{
	char line[1024];
	FILE *f = fopen("/proc/self/mounts", "re");

	options[0] = '\0';
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "%*s " CGROUP_ROOT " cgroup2 %255s", options) == 1)
			break;
	if (f)
		fclose(f);
}

static inline bool tree_has_option(const char *option)
{
	char options[256];

	tree_options(options);
	return strstr(options, option) != NULL;
}

/* The options at the beginning, without "rw", which is for mount(8). */
static char tree_options_were[256];

static inline void tree_note_options(void)
{
	static const char *const known[] = { "nsdelegate",           "favordynmods",
					     "memory_recursiveprot", "memory_hugetlb_accounting",
					     "memory_localevents",   "pids_localevents" };
	size_t length = 0;

	tree_options_were[0] = '\0';
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (tree_has_option(known[i]))
			length += (size_t)snprintf(tree_options_were + length,
						   sizeof(tree_options_were) - length, "%s%s",
						   length ? "," : "", known[i]);
}

static inline bool tree_mount(const char *options)
{
	const unsigned long keep = ST_NOSUID | ST_NODEV | ST_NOEXEC;
	struct statvfs s;

	return !statvfs(CGROUP_ROOT, &s) &&
	       !mount("none", CGROUP_ROOT, NULL, MS_REMOUNT | (s.f_flag & keep), options);
}

static inline void tree_restore_options(void)
{
	tree_mount(tree_options_were);
}

/* Adds an option, or removes the one that is noted last. A remount ends what it does not name. */
static inline bool tree_remount(const char *option, bool add)
{
	char options[sizeof(tree_options_were) + 64], *at;

	snprintf(options, sizeof(options), "%s%s%s", tree_options_were,
		 add && *tree_options_were ? "," : "", add ? option : "");
	at = add ? NULL : strstr(options, option);
	if (at)
		memmove(at, at + strlen(option), strlen(at + strlen(option)) + 1);
	return tree_mount(options);
}

/* Runs `run` with the option as it is not; skips the step if the kernel does not change it. */
static inline void tree_with_other_option(struct workload *w, const char *option,
					  void (*run)(struct workload *w))
{
	struct workload_guard g;
	bool was = tree_has_option(option);

	tree_note_options();
	g = workload_guard_begin(w, tree_restore_options);
	if (!tree_remount(option, !was) || tree_has_option(option) == was) {
		workload_guard_end(w, &g);
		workload_skip_step(w, "the mount option %s", option);
	}
	run(w);
	workload_guard_end(w, &g);
}

#endif
