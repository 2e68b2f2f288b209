// SPDX-License-Identifier: MIT
/* CODE is the program's own text. VmLib is all other memory that is executable and not writable. */
#include <rssck/case.h>

enum { PAGES = 64 };

static void map_file(struct workload *w)
{
	int fd = workload_file(w, PAGES);
	void *p = workload_try_map(PAGES * w->page_size, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd);

	/* mmap fails if the file's directory is mounted noexec. */
	if (!p)
		workload_skip_step(w, "an executable mapping of a file: %m");
	workload_remember(w, p, PAGES * w->page_size);
	touch_read(w, p, PAGES);
}

/*
 * Returns the name of the first mapping of a named file. With MMAP_PAGE_ZERO (setarch -Z) an
 * unnamed page comes first.
 */
static const char *program_name(const struct snapshot *s)
{
	for (size_t i = 0; i < s->nr_maps; i++)
		if (s->maps[i].name[0] == '/')
			return s->maps[i].name;
	return "";
}

/*
 * VmExe must be the size of the executable mapping of the program's own file. The libraries of a
 * workload that is not static have other names.
 */
static void judge(const struct trial *t, struct judgement *j)
{
	const struct snapshot *s = trial_snapshot(t, STEP_BASELINE, 0);
	const char *program = program_name(s);
	int64_t text = 0;

	for (size_t i = 0; i < s->nr_maps; i++)
		if (s->maps[i].executable && !strcmp(s->maps[i].name, program))
			text += (int64_t)(s->maps[i].end - s->maps[i].start) / t->host->page_size;
	judge_equal(j, STEP_BASELINE, "status.VmExe",
		    snapshot_pages(s, METRIC_STATUS_VMEXE, t->host->page_size), text,
		    "VmExe = the program's own executable mapping");
}

CASE(virtual_text_lib) {
	.claim =
		"CODE and VmExe are the size of the program's own text, whatever else is mapped; VmLib counts all other mappings that are executable and not writable",
	.because = "VmExe is end_code - start_code, which exec sets. VmLib is all memory that is "
		   "executable and not writable, minus VmExe: libraries, the vdso, JIT code. lib "
		   "and dt of statm are always 0.",
	.said_by = SAID_BY("proc_pid_statm(5)", "proc_pid_status(5), VmLib"),
	.steps = STEPS(STEP("map executable memory", step_map, .pages = PAGES,
			    .prot = PROT_READ | PROT_EXEC, MOVES(VIRT_EXEC(PAGES))),
		       STEP("make it writable, too", step_make_writable_text, .pages = PAGES,
			    MOVES(VIRT_EXEC(-PAGES), VIRT_DATA(PAGES))),
		       STEP("map an executable file", map_file,
			    MOVES(VIRT_EXEC(PAGES), FILE_READ(PAGES)))),
	.judge = judge,
};
