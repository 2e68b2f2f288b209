// SPDX-License-Identifier: MIT
/* A reader that continues to read pagemap or /proc/kpage* gets the entries that follow. */
#include <rssck/case.h>

enum { PAGES = 16, AT_ONCE = 4, REGION = 0, ENTRY = sizeof(uint64_t) };
/* Any frame: every frame up to the last one has an entry, whether it is memory or not. */
enum { FRAME = 4096 };

static const struct {
	const char *path;
	bool of_frames;
} files[] = {
	{ "/proc/self/pagemap", false },
	{ "/proc/kpagecount", true },
	{ "/proc/kpageflags", true },
	{ "/proc/kpagecgroup", true },
};

enum { FILES = sizeof(files) / sizeof(*files) };

/* Writes every second page, so that the entries of two neighbours differ. */
static void write_every_second(struct workload *w)
{
	char *p = workload_anonymous(w, PAGES);

	madvise(p, PAGES * w->page_size, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < PAGES; i += 2)
		touch_write(w, p + i * w->page_size, 1);
	w->slot[REGION] = p;
}

/*
 * Returns false if the file cannot be opened, or lacks these entries because another file is
 * mounted over it.
 */
static bool read_on(struct workload *w, const char *path, off_t start, bool of_frames)
{
	uint64_t part[AT_ONCE], whole[PAGES];
	const off_t bytes = sizeof(part);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	off_t at = start;

	if (fd < 0 || pread(fd, whole, sizeof(whole), start) != sizeof(whole)) {
		if (fd >= 0)
			close(fd);
		return false;
	}
	if (lseek(fd, start, SEEK_SET) != start)
		workload_die(w, "%s: lseek: %m", path);
	for (size_t i = 0; i < PAGES; i += AT_ONCE) {
		if (read(fd, part, sizeof(part)) != bytes)
			workload_die(w, "%s: %m", path);
		at += bytes;
		if (lseek(fd, 0, SEEK_CUR) != at)
			workload_fail(
				w,
				"%s: after %zu entries are read, the file's position is that of entry %lld",
				path, i + AT_ONCE,
				(long long)(lseek(fd, 0, SEEK_CUR) - start) / ENTRY);
		/* Frames may change their users at any time, so their entries are not compared. */
		if (!of_frames && memcmp(part, whole + i, sizeof(part)) != 0)
			workload_fail(w,
				      "%s: entries that several reads return differ from "
				      "those that one read returns",
				      path);
	}
	close(fd);
	return true;
}

static void read_all(struct workload *w)
{
	off_t page = (off_t)((uintptr_t)w->slot[REGION] / w->page_size);
	int read = 0;

	for (int i = 0; i < FILES; i++)
		read += read_on(w, files[i].path,
				(files[i].of_frames ? FRAME : page) * (off_t)ENTRY,
				files[i].of_frames);
	if (!read)
		workload_skip_step(w, "a pagemap that can be read");
	workload_checked(w);
}

CASE(scanners_position) {
	.claim =
		"A read of pagemap, kpagecount, kpageflags or kpagecgroup continues where the last read ended",
	.because =
		"Each read advances the file's position by the bytes that it copies; without this a reader that never seeks would count the first entries again.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/pagemap.rst"),
	.steps = STEPS(STEP("write every second page", write_every_second,
			    MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES / 2))),
		       STEP("read on", read_all, .checks = 1)),
};
