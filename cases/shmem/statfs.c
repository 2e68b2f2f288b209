// SPDX-License-Identifier: MIT
/*
 * What a tmpfs reports: statfs(2) counts the free blocks and inodes, and stat(2) the blocks of a
 * file. Both are checked after each of many calls that make, fill, name or remove files.
 */
#include <inttypes.h>
#include <linux/falloc.h>
#include <linux/fs.h>
#include <rssck/case.h>
#include <sys/statfs.h>
#include <sys/xattr.h>

STEP_SYMBOLS(ACT);

enum { PAGES = 16, ROOM = 96, INODES = 64, MORE = 32, LONG_NAME = 200 };

/* The tmpfs, mounted nowhere, and its file "f". */
struct fs {
	int at, file;
	int room, most_inodes; /* size in pages, nr_inodes */
	size_t page;
	char *p; /* a shared mapping of the file */
};

static int64_t pages(const struct fs *fs, int64_t n)
{
	return n * (int64_t)fs->page;
}

static int create(struct fs *fs)
{
	fs->file = openat(fs->at, "f", O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
	return fs->file;
}

static int write_pages(struct fs *fs)
{
	for (int i = 0; i < PAGES; i++)
		if (pwrite(fs->file, "1", 1, pages(fs, i)) != 1)
			return -1;
	return 0;
}

static int make_hole(struct fs *fs)
{
	return ftruncate(fs->file, pages(fs, 2 * PAGES));
}

static int read_hole(struct fs *fs)
{
	char c;

	for (int i = PAGES; i < 2 * PAGES; i++)
		if (pread(fs->file, &c, 1, pages(fs, i)) != 1)
			return -1;
	return 0;
}

static int fault_hole(struct fs *fs)
{
	fs->p = workload_try_map(2 * PAGES * fs->page, PROT_READ | PROT_WRITE, MAP_SHARED,
				 fs->file);
	if (!fs->p)
		return -1;
	for (int i = PAGES; i < 2 * PAGES; i++)
		(void)*(volatile char *)&fs->p[pages(fs, i)];
	return 0;
}

static int punch(struct fs *fs)
{
	return fallocate(fs->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, pages(fs, 4),
			 pages(fs, 8));
}

static int preallocate(struct fs *fs)
{
	return fallocate(fs->file, 0, pages(fs, 4), pages(fs, 8));
}

static int preallocate_beyond_end(struct fs *fs)
{
	return fallocate(fs->file, FALLOC_FL_KEEP_SIZE, pages(fs, 2 * PAGES), pages(fs, 8));
}

/* Truncating to the same size frees the pages beyond the end. */
static int truncate_to_size(struct fs *fs)
{
	return make_hole(fs);
}

static int preallocate_too_much(struct fs *fs)
{
	return !fallocate(fs->file, 0, 0, pages(fs, 2 * ROOM)) || errno != ENOSPC ? -1 : 0;
}

/*
 * Without swap the pages stay in memory. All pages have been written before, because reclaim drops
 * pages that were only read, which are zero and not dirty.
 */
static int page_out(struct fs *fs)
{
	madvise(fs->p, 2 * PAGES * fs->page, MADV_PAGEOUT);
	return 0;
}

static int touch_all(struct fs *fs)
{
	for (int i = 0; i < 2 * PAGES; i++)
		fs->p[pages(fs, i)] = 1;
	return 0;
}

static int fill(struct fs *fs)
{
	int fd = openat(fs->at, "full", O_CREAT | O_RDWR | O_CLOEXEC, 0600), i = 0;

	while (i < 2 * ROOM && pwrite(fd, "1", 1, pages(fs, i)) == 1)
		i++;
	close(fd);
	return i == 2 * ROOM || errno != ENOSPC ? -1 : unlinkat(fs->at, "full", 0);
}

static int link_file(struct fs *fs)
{
	return linkat(fs->at, "f", fs->at, "second", 0);
}

static int rename_file(struct fs *fs)
{
	return renameat(fs->at, "second", fs->at, "third");
}

static int create_other(struct fs *fs)
{
	return mknodat(fs->at, "other", S_IFREG | 0600, 0);
}

static int exchange(struct fs *fs)
{
	return (int)syscall(SYS_renameat2, fs->at, "third", fs->at, "other", RENAME_EXCHANGE);
}

static int rename_over(struct fs *fs)
{
	return renameat(fs->at, "other", fs->at, "third");
}

static int leave_whiteout(struct fs *fs)
{
	return (int)syscall(SYS_renameat2, fs->at, "third", fs->at, "second", RENAME_WHITEOUT);
}

static int link_short(struct fs *fs)
{
	return symlinkat("f", fs->at, "short");
}

static int link_long(struct fs *fs)
{
	char name[LONG_NAME + 1];

	memset(name, 'x', LONG_NAME);
	name[LONG_NAME] = '\0';
	return symlinkat(name, fs->at, "long");
}

/* Writes the options for a tmpfs of `room` pages. */
static const char *options_for(const struct fs *fs, int room, int inodes, char text[64])
{
	snprintf(text, 64, "size=%zu,nr_inodes=%d", (size_t)room * fs->page, inodes);
	return text;
}

static int remount(struct fs *fs, int room, int inodes)
{
	char options[64];

	if (!workload_tmpfs_set(fs->at, options_for(fs, room, inodes, options)))
		return -1;
	fs->room = room;
	fs->most_inodes = inodes;
	return 0;
}

static int remount_larger(struct fs *fs)
{
	return remount(fs, ROOM + MORE, INODES);
}

static int remount_with_more_inodes(struct fs *fs)
{
	return remount(fs, ROOM + MORE, INODES + MORE);
}

static int remount_smaller(struct fs *fs)
{
	return remount(fs, ROOM, INODES);
}

/* A tmpfs cannot become smaller than its files. */
static int remount_too_small(struct fs *fs)
{
	int room = fs->room, inodes = fs->most_inodes;

	return remount(fs, PAGES, inodes) && remount(fs, room, 1) ? 0 : -1;
}

static int make_folder(struct fs *fs)
{
	return mkdirat(fs->at, "folder", 0700);
}

/*
 * Without CONFIG_TMPFS_XATTR a tmpfs has no attributes. The root of a user namespace may not set a
 * trusted one.
 */
static int set_and_remove_attribute(struct fs *fs)
{
	if (fsetxattr(fs->file, "trusted.rssck", "1", 1, 0))
		return errno == EOPNOTSUPP || errno == EPERM ? 0 : -1;
	return fremovexattr(fs->file, "trusted.rssck");
}

static int open_nameless(struct fs *fs)
{
	int fd = openat(fs->at, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	return fd < 0 || pwrite(fd, "1", 1, 0) != 1 ? -1 : close(fd);
}

static int create_too_many(struct fs *fs)
{
	char name[16];
	int i = 0;

	do
		snprintf(name, sizeof(name), "n%d", i++);
	while (i < 2 * INODES && mknodat(fs->at, name, S_IFREG | 0600, 0) == 0);
	if (errno != ENOSPC)
		return -1;
	while (--i > 0) {
		snprintf(name, sizeof(name), "n%d", i - 1);
		if (unlinkat(fs->at, name, 0))
			return -1;
	}
	return 0;
}

static int remove_names(struct fs *fs)
{
	return unlinkat(fs->at, "second", 0) || unlinkat(fs->at, "third", 0) ||
			       unlinkat(fs->at, "short", 0) || unlinkat(fs->at, "long", 0) ||
			       unlinkat(fs->at, "folder", AT_REMOVEDIR)
		       ? -1
		       : 0;
}

static int remove_file(struct fs *fs)
{
	return unlinkat(fs->at, "f", 0);
}

static int close_file(struct fs *fs)
{
	munmap(fs->p, 2 * PAGES * fs->page);
	close(fs->file);
	fs->file = -1;
	return 0;
}

static const struct act {
	const char *name;
	int (*act)(struct fs *fs);
	int blocks, of_file, inodes; /* rise of used blocks, the file's blocks, used inodes */
} acts[] = {
	{ "open(O_CREAT)", create, 0, 0, 1 },
	{ "a write to each page", write_pages, PAGES, PAGES, 0 },
	{ "another write", write_pages, 0, 0, 0 },
	{ "a larger size", make_hole, 0, 0, 0 },
	{ "read(2) of a hole", read_hole, 0, 0, 0 },
	{ "read faults in a hole", fault_hole, PAGES, PAGES, 0 },
	{ "FALLOC_FL_PUNCH_HOLE", punch, -8, -8, 0 },
	{ "fallocate(2)", preallocate, 8, 8, 0 },
	{ "FALLOC_FL_KEEP_SIZE beyond the end", preallocate_beyond_end, 8, 8, 0 },
	{ "ftruncate(2) to the same size", truncate_to_size, -8, -8, 0 },
	{ "a refused fallocate(2)", preallocate_too_much, 0, 0, 0 },
	{ "writes to all pages", touch_all, 0, 0, 0 },
	{ "MADV_PAGEOUT", page_out, 0, 0, 0 },
	{ "writes to all pages again", touch_all, 0, 0, 0 },
	{ "a file for which there is no room", fill, 0, 0, 0 },
	{ "link(2)", link_file, 0, 0, 1 },
	{ "rename(2)", rename_file, 0, 0, 0 },
	{ "mknod(2)", create_other, 0, 0, 1 },
	{ "RENAME_EXCHANGE", exchange, 0, 0, 0 },
	{ "rename(2) over a file", rename_over, 0, 0, -1 },
	{ "RENAME_WHITEOUT", leave_whiteout, 0, 0, 1 },
	{ "a short symbolic link", link_short, 0, 0, 1 },
	{ "a long symbolic link", link_long, 1, 0, 1 },
	{ "mkdir(2)", make_folder, 0, 0, 1 },
	{ "a remount with a larger size", remount_larger, 0, 0, 0 },
	{ "a remount with more inodes", remount_with_more_inodes, 0, 0, 0 },
	{ "a remount with the old size and inodes", remount_smaller, 0, 0, 0 },
	{ "a refused remount", remount_too_small, 0, 0, 0 },
	{ "an extended attribute", set_and_remove_attribute, 0, 0, 0 },
	{ "O_TMPFILE", open_nameless, 0, 0, 0 },
	{ "more files than nr_inodes", create_too_many, 0, 0, 0 },
	{ "unlink(2) of the other names", remove_names, -1, 0, -5 },
	{ "unlink(2) of an open file", remove_file, 0, 0, 0 },
	{ "the last close(2)", close_file, -2 * PAGES, 0, -1 },
};

enum { ACTS = sizeof(acts) / sizeof(*acts) };

static void mount_tmpfs(struct workload *w, struct fs *fs)
{
	char options[64];

	fs->at = workload_tmpfs_of_pages(options_for(fs, ROOM, INODES, options));
	if (fs->at < 0)
		workload_skip(w, "a tmpfs of its own (fsopen(2)): %m");
}

static void must_be(struct workload *w, const char *act, const char *what, int64_t seen,
		    int64_t expected)
{
	if (seen != expected)
		workload_fail(w, "%s is %" PRId64 " after %s, should be %" PRId64, what, seen, act,
			      expected);
}

static void act_all(struct workload *w)
{
	struct fs fs = { .file = -1, .page = w->page_size, .room = ROOM, .most_inodes = INODES };
	int64_t blocks = 0, of_file = 0, inodes;
	struct statfs now;
	struct stat st;

	mount_tmpfs(w, &fs);
	workload_must(w, fstatfs(fs.at, &now), "fstatfs");
	inodes = INODES - (int64_t)now.f_ffree;
	for (size_t i = 0; i < ACTS; i++) {
		if (acts[i].act(&fs) < 0)
			workload_die(w, "%s: %m", acts[i].name);
		blocks += acts[i].blocks;
		of_file += acts[i].of_file;
		inodes += acts[i].inodes;
		workload_must(w, fstatfs(fs.at, &now), "fstatfs");
		must_be(w, acts[i].name, "f_blocks", (int64_t)now.f_blocks, fs.room);
		must_be(w, acts[i].name, "f_bfree", (int64_t)now.f_bfree, fs.room - blocks);
		must_be(w, acts[i].name, "f_files", (int64_t)now.f_files, fs.most_inodes);
		must_be(w, acts[i].name, "f_ffree", (int64_t)now.f_ffree, fs.most_inodes - inodes);
		if (fs.file >= 0 && !fstat(fs.file, &st))
			must_be(w, acts[i].name, "st_blocks", st.st_blocks,
				pages(&fs, of_file) / 512);
		workload_checked(w);
	}
	close(fs.at);
}

CASE(shmem_statfs) {
	.claim =
		"statfs(2) of a tmpfs counts each page and each name of a file, and st_blocks counts each page, even pages on swap; a remount changes only the limits; a call that fails changes nothing",
	.because = "shmem_inode_acct_blocks() and shmem_recalc_inode() count the pages, in memory "
		   "or on swap. Each name needs memory for a dentry, so link(2) counts as a "
		   "new inode. A symbolic link of 128 bytes or more has a page.",
	.said_by = SAID_BY("tmpfs(5), size, nr_inodes", "statfs(2)"),
	.needs = NEEDS("root"),
	.steps = STEPS(STEP_AS(ACT, "make, fill, name and remove files", act_all, .checks = ACTS)),
};
