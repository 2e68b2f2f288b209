// SPDX-License-Identifier: MIT
/* CODE is the program's own text; every other executable mapping is VmLib. */
#include <rssck/case.h>

enum { PAGES = 64, REGION = 0 };

static void make_writable(struct workload *w)
{
	if (mprotect(w->slot[REGION], PAGES * w->page_size, PROT_READ | PROT_WRITE | PROT_EXEC) < 0)
		workload_skip_step(w, "mprotect to writable and executable: %m");
}

static void map_file(struct workload *w)
{
	int fd = workload_file(w, PAGES);
	void *p = mmap(NULL, PAGES * w->page_size, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);

	/* The directory is mounted noexec. */
	if (p == MAP_FAILED)
		workload_skip_step(w, "an executable mapping of a file: %m");
	workload_remember(w, p, PAGES * w->page_size);
	touch_read(w, p, PAGES);
}

/* Under MMAP_PAGE_ZERO (setarch -Z) a page without a name comes first. */
static const char *program_name(const struct snapshot *s)
{
	for (size_t i = 0; i < s->nr_maps; i++)
		if (s->maps[i].name[0] == '/')
			return s->maps[i].name;
	return "";
}

/* The workload is a static program: it has one executable mapping, which is all its text. */
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
		    "VmExe = the executable mapping of the program itself");
}

CASE(virtual_text_lib) {
	.claim = "CODE and VmExe are the program's own text and never move; other executable "
		 "mappings are VmLib",
	.because = "VmExe is end_code - start_code, set by exec. VmLib is everything executable "
		   "and not writable, less VmExe: libraries, the vdso, JIT code. statm's lib and "
		   "dt are always 0.",
	.said_by = SAID_BY("proc_pid_statm(5)", "proc_pid_status(5), VmLib"),
	.steps = STEPS(
		STEP("anonymous, executable", step_map, .pages = PAGES,
		     .prot = PROT_READ | PROT_EXEC, MOVES(VIRT_EXEC(PAGES))),
		STEP("and writable", make_writable, MOVES(VIRT_EXEC(-PAGES), VIRT_DATA(PAGES))),
		STEP("a file, executable", map_file, MOVES(VIRT_EXEC(PAGES), FILE_READ(PAGES)))),
	.judge = judge,
};
