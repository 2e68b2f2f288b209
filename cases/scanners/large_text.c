// SPDX-License-Identifier: MIT
/* maps, smaps and numa_maps that are longer than a buffer are the same in reads of any size. */
#include <inttypes.h>
#include <rssck/case.h>

/* An unused page before each mapping, and after the last, separates it from others. */
enum { MAPPINGS = 300, PAGES = 2, STRIDE = PAGES + 1, TRIES = 5 };
enum { REGION, TEXTS, TEXT = 1 << 19 };

static const char *const files[] = { "/proc/self/maps", "/proc/self/smaps",
				     "/proc/self/numa_maps" };
static const size_t sizes[] = { 61, 1000, 4096, 5000 };

enum { FILES = sizeof(files) / sizeof(*files), SIZES = sizeof(sizes) / sizeof(*sizes) };

static void map_many(struct workload *w)
{
	size_t page = w->page_size, stride = STRIDE * page, texts = 2 * TEXT / page;
	char *region = workload_map(w, MAPPINGS * stride + page, PROT_NONE,
				    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	for (size_t i = 0; i < MAPPINGS; i++) {
		char *p = mmap(region + i * stride + page, PAGES * page, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);

		if (p == MAP_FAILED)
			workload_die(w, "mapping %zu: %m", i);
		touch_write(w, p, 1);
	}
	w->slot[REGION] = region;
	w->slot[TEXTS] = workload_written(w, texts);
	workload_expect(w, VIRT_DATA(MAPPINGS * PAGES + (int64_t)texts), VIRT_OTHER(MAPPINGS + 1),
			ANON_WRITE(MAPPINGS + (int64_t)texts));
}

/* Returns the start of the line of an address, at or after `from`; NULL if there is none. */
static char *line_of(char *from, const char *address)
{
	char key[24];

	snprintf(key, sizeof(key), "\n%" PRIxPTR, (uintptr_t)address);
	return strstr(from, key);
}

/*
 * Reads a file, at most `size` bytes at once. Returns what it says of the region; NULL if it cannot
 * be read.
 */
static char *read_by(struct workload *w, const char *path, size_t size, char *text)
{
	size_t stride = STRIDE * w->page_size, have = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *start, *at;
	ssize_t n = 0;

	while (fd >= 0 && have < TEXT - 1 &&
	       (n = read(fd, text + have, size < TEXT - 1 - have ? size : TEXT - 1 - have)) > 0)
		have += (size_t)n;
	if (fd < 0)
		return NULL;
	close(fd);
	text[have] = '\0';
	if (n)
		workload_skip_step(w, "a process with fewer mappings (%s is long)", path);
	start = at = line_of(text, (char *)w->slot[REGION] + w->page_size);
	for (size_t i = 0; i < MAPPINGS && at; i++)
		at = line_of(at, (char *)w->slot[REGION] + i * stride + w->page_size);
	if (!at)
		workload_fail(w, "%s lacks a mapping if read by %zu bytes", path, size);
	at = line_of(at, (char *)w->slot[REGION] + MAPPINGS * stride);
	if (!at)
		workload_fail(w, "%s lacks the end of the region if read by %zu bytes", path, size);
	*at = '\0';
	return start;
}

/* A page may be paged out between two readings, but not each time. */
static bool read_file(struct workload *w, const char *path)
{
	for (size_t i = 0; i < SIZES; i++) {
		char *one = w->slot[TEXTS], *whole, *parts;
		int tries = 0;

		do {
			whole = read_by(w, path, TEXT, one);
			parts = read_by(w, path, sizes[i], one + TEXT);
			if (!whole || !parts)
				return false;
			if (tries++ == TRIES)
				workload_fail(w,
					      "%s read by %zu bytes differs from %s read by %d "
					      "bytes",
					      path, sizes[i], path, TEXT);
		} while (strcmp(whole, parts) != 0);
	}
	return true;
}

static void read_all(struct workload *w)
{
	int files_read = 0;

	for (size_t i = 0; i < FILES; i++)
		files_read += read_file(w, files[i]);
	if (!files_read)
		workload_skip_step(w, "/proc/self/maps: %m");
	workload_checked(w);
}

CASE(scanners_large_text) {
	.claim =
		"maps, smaps and numa_maps list each of many mappings once and in order, and are the same whether they are read in large or in small parts",
	.because = "seq_read() prints whole mappings into a buffer and copies as much as is asked "
		   "for; the next read(2) continues in the buffer, or at the mapping after the "
		   "last one. If it continued at another, a mapping would be missing or be listed "
		   "twice.",
	.said_by = SAID_BY("proc_pid_maps(5)", "proc_pid_smaps(5)", "proc_pid_numa_maps(5)"),
	.steps = STEPS(STEP("map many", map_many), STEP("read", read_all, .checks = 1)),
	.posts = POSTS(VIRT_DATA(1), VIRT_OTHER(1), ANON_WRITE(1)),
};
