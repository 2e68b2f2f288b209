// SPDX-License-Identifier: MIT
/*
 * Reads and writes a file by direct I/O, from and into memory of each kind. The pages are pinned
 * meanwhile, and the bytes pass between memory and disk.
 */
#include <inttypes.h>
#include <rssck/case.h>

enum { PAGES = 256, FD = 0, TRIES = 5, TEXT = 160 };
STEP_SYMBOLS(EACH_KIND);

static const char *const names[] = { "nr_foll_pin_acquired", "nr_foll_pin_released", "pgpgin",
				     "pgpgout" };

enum number { ACQUIRED, RELEASED, IN, OUT, NUMBERS };

/* ---- kinds: each returns memory of PAGES pages, or NULL ---- */

static char *anonymous(struct workload *w)
{
	char *p = workload_try_map(PAGES * w->page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, -1);

	if (p)
		madvise(p, PAGES * w->page_size, MADV_NOHUGEPAGE);
	return p;
}

static char *written(struct workload *w)
{
	char *p = anonymous(w);

	if (p)
		touch_write(w, p, PAGES);
	return p;
}

static char *zero_page(struct workload *w)
{
	char *p = anonymous(w);

	if (p)
		touch_read(w, p, PAGES);
	return p;
}

static char *shared(struct workload *w)
{
	char *p = workload_try_map(PAGES * w->page_size, PROT_READ | PROT_WRITE, MAP_SHARED, -1);

	if (p)
		touch_write(w, p, PAGES);
	return p;
}

static const struct kind {
	const char *name;
	char *(*make)(struct workload *w);
	bool is_read_only; /* a read into it would make other memory of it */
} kinds[] = {
	{ "written anonymous memory", written, false },
	{ "the zero page", zero_page, true },
	{ "shared anonymous memory", shared, false },
};

/* ---- numbers ---- */

static void read_numbers(struct workload *w, int64_t n[NUMBERS])
{
	workload_set(w, "/proc/sys/vm/stat_refresh", "1");
	for (enum number i = 0; i < NUMBERS; i++)
		n[i] = workload_number("/proc/vmstat", names[i], -1);
}

static bool transfer(struct workload *w, int fd, char *p, bool out)
{
	size_t bytes = PAGES * w->page_size;

	return (out ? pwrite(fd, p, bytes, 0) : pread(fd, p, bytes, 0)) == (ssize_t)bytes;
}

/* pgpgin and pgpgout are in kB. Other processes may also read, write and pin, but not each time. */
static bool is_right(const struct workload *w, const int64_t rose[NUMBERS], bool out)
{
	int64_t kb = (int64_t)(PAGES * w->page_size / 1024);
	int64_t moved = rose[out ? OUT : IN];

	return rose[ACQUIRED] == rose[RELEASED] && moved >= kb && moved < 2 * kb;
}

static void try_kind(struct workload *w, int fd, const struct kind *k, bool out, char wrong[TEXT])
{
	char *p = k->make(w);

	for (int i = 0; p && i < TRIES; i++) {
		int64_t before[NUMBERS], rose[NUMBERS];

		read_numbers(w, before);
		if (!transfer(w, fd, p, out))
			break;
		read_numbers(w, rose);
		for (enum number n = 0; n < NUMBERS; n++)
			rose[n] -= before[n];
		if (is_right(w, rose, out)) {
			w->number[0]++;
			wrong[0] = '\0';
			break;
		}
		snprintf(wrong, TEXT,
			 "%s %s: nr_foll_pin_acquired rises by %" PRId64 ", _released by %" PRId64
			 ", %s by %" PRId64 " kB of %zu kB",
			 out ? "a write from" : "a read into", k->name, rose[ACQUIRED],
			 rose[RELEASED], out ? "pgpgout" : "pgpgin", rose[out ? OUT : IN],
			 PAGES * w->page_size / 1024);
	}
	if (p)
		munmap(p, PAGES * w->page_size);
}

static int open_direct(struct workload *w)
{
	char path[64];

	w->fd[FD] = workload_file(w, PAGES);
	workload_needs_writeback(w, w->fd[FD]);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", w->fd[FD]);
	return open(path, O_RDWR | O_DIRECT | O_CLOEXEC);
}

static void each_kind(struct workload *w)
{
	int fd = open_direct(w);
	char wrong[TEXT] = "";

	if (fd < 0)
		workload_skip(w, "a file system with direct I/O");
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds) && !wrong[0]; i++) {
		try_kind(w, fd, &kinds[i], true, wrong);
		if (!wrong[0] && !kinds[i].is_read_only)
			try_kind(w, fd, &kinds[i], false, wrong);
	}
	close(fd);
	if (wrong[0])
		workload_fail(w, "%s", wrong);
	if (!w->number[0])
		workload_skip(w, "direct I/O of %d pages at a time", PAGES);
	workload_checked(w);
}

CASE(machine_direct_io) {
	.claim =
		"Direct I/O releases as many pins as it acquired (nr_foll_pin_acquired, nr_foll_pin_released), also of the zero page, and pgpgin and pgpgout rise by the kB that are read and written",
	.because = "try_grab_folio() and gup_put_folio() count pins, and leave out the zero page. "
		   "submit_bio() counts sectors, and /proc/vmstat prints half of them.",
	.said_by = SAID_BY("Documentation/core-api/pin_user_pages.rst", "proc_vmstat(5), pgpgin"),
	.needs = NEEDS("root", "guest"),
	.flags = CASE_ONE_CPU,
	.limit_s = 60,
	.steps = STEPS(STEP_AS(EACH_KIND, "direct I/O of each kind of memory", each_kind,
			       .checks = 1)),
};
