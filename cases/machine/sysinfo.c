// SPDX-License-Identifier: MIT
/*
 * sysinfo(2) answers with the same numbers as /proc/meminfo: at rest, and after the workload took
 * anonymous memory, shmem and swap.
 */
#include <inttypes.h>
#include <linux/magic.h>
#include <rssck/case.h>
#include <sys/sysinfo.h>
#include <sys/vfs.h>

enum { PAGES = 1024, ANON = 0, SHMEM = 1 };

#define AT(field) #field, offsetof(struct sysinfo, field)
static const struct twin {
	const char *field;
	size_t at;
	const char *line; /* of /proc/meminfo; counts as 0 if the kernel has no such line */
} twins[] = {
	{ AT(totalram), "MemTotal" },   { AT(freeram), "MemFree" },
	{ AT(sharedram), "Shmem" },     { AT(bufferram), "Buffers" },
	{ AT(totalswap), "SwapTotal" }, { AT(freeswap), "SwapFree" },
	{ AT(totalhigh), "HighTotal" }, { AT(freehigh), "HighFree" },
};

enum { TWINS = sizeof(twins) / sizeof(*twins) };

/* One reading of the system call between two of the file, in kB. */
struct reading {
	int64_t before, seen, after;
};

static struct reading read_twin(struct workload *w, const struct twin *t)
{
	struct reading r = { .before = workload_number("/proc/meminfo", t->line, 0) };
	unsigned long value;
	struct sysinfo si;

	workload_must(w, sysinfo(&si), "sysinfo");
	r.after = workload_number("/proc/meminfo", t->line, 0);
	memcpy(&value, (const char *)&si + t->at, sizeof(value));
	r.seen = (int64_t)((uint64_t)value * si.mem_unit / 1024);
	return r;
}

/*
 * Other processes move these numbers. So a reading counts only if the file's line is the same
 * before and after it. Even then the line may have moved and come back in between; therefore one
 * reading that agrees is enough, and only many that disagree, without one that agrees, are an
 * error.
 */
static void compare(struct workload *w, const struct twin *t)
{
	enum { TRIES = 256, DISAGREE = 16 };
	int disagree = 0;

	for (int i = 0; i < TRIES; i++) {
		struct reading r = read_twin(w, t);

		if (r.before != r.after)
			continue;
		if (r.seen == r.before) {
			workload_checked(w);
			return;
		}
		if (++disagree == DISAGREE)
			workload_fail(w,
				      "sysinfo(2) has %" PRId64
				      " kB in %s, but /proc/meminfo has %" PRId64
				      " kB in %s, before and after it",
				      r.seen, t->field, r.before, t->line);
	}
	workload_skip_step(w, "a machine whose %s stands still between two readings", t->line);
}

static void compare_all(struct workload *w)
{
	struct statfs of;

	if (statfs("/proc/meminfo", &of) < 0 || of.f_type != PROC_SUPER_MAGIC)
		workload_skip(w, "the kernel's own /proc/meminfo (lxcfs has its own)");
	for (int i = 0; i < TWINS; i++)
		compare(w, &twins[i]);
}

static void page_out(struct workload *w)
{
	char area[256];

	if (!workload_swap_area(area, sizeof(area)))
		workload_skip_step(w, "swap (/proc/swaps is empty)");
	step_page_out_shmem(w);
}

CASE(machine_sysinfo) {
	.claim =
		"sysinfo(2) has the numbers of /proc/meminfo, in units of mem_unit: MemTotal, MemFree, Shmem, Buffers, SwapTotal, SwapFree, HighTotal and HighFree",
	.because = "Both call si_meminfo() and si_swapinfo(), which count pages. do_sysinfo() "
		   "shifts each field to bytes and sets mem_unit to 1, unless the sum of memory "
		   "and swap would overflow a long.",
	.said_by = SAID_BY("sysinfo(2)", "proc_meminfo(5)"),
	.steps = STEPS(STEP("compare at rest", compare_all, .checks = TWINS),
		       STEP("take memory", step_map, .slot = ANON, ALL_WRITTEN(PAGES)),
		       STEP("compare", compare_all, .checks = TWINS),
		       STEP("take shmem", step_map_shmem, .slot = SHMEM, .pages = PAGES,
			    .written = PAGES, MOVES(VIRT_OTHER(PAGES), SHMEM_WRITE(PAGES))),
		       STEP("compare with shmem", compare_all, .checks = TWINS),
		       STEP("page it out", page_out, .slot = SHMEM, .pages = PAGES,
			    MOVES(SHMEM_WRITE(-PAGES), SHMEM_SWAPPED(PAGES))),
		       STEP("compare with swap", compare_all, .checks = TWINS)),
};
