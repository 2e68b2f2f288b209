// SPDX-License-Identifier: MIT
/* CODE is the program's own text; every other executable mapping is VmLib. */
#include <errno.h>
#include <rssck/case.h>
#include <rssck/workload.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGES = 64, REGION = 0 };

static void map_anonymous(struct workload *w)
{
	w->slot[REGION] = workload_map(w, PAGES * w->page_size, PROT_READ | PROT_EXEC,
				       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void make_writable(struct workload *w)
{
	if (mprotect(w->slot[REGION], PAGES * w->page_size, PROT_READ | PROT_WRITE | PROT_EXEC) < 0)
		workload_skip_step(w, "mprotect to writable and executable: %s", strerror(errno));
}

static void map_file(struct workload *w)
{
	int fd = workload_file(w, PAGES);
	void *p = mmap(NULL, PAGES * w->page_size, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);

	/* A directory mounted noexec. */
	if (p == MAP_FAILED)
		workload_skip_step(w, "an executable mapping of a file: %s", strerror(errno));
	workload_remember(w, p, PAGES * w->page_size);
	touch_read(w, p, PAGES);
}

CASE(virtual_text_lib) {
	.claim = "CODE and VmExe are the program's own text and never move; other executable "
		 "mappings are VmLib",
	.because = "VmExe is end_code - start_code, set by exec. VmLib is all that is executable "
		   "and not writable, less VmExe: libraries, the vdso, JIT code. statm's lib and "
		   "dt are always 0.",
	.said_by = SAID_BY("proc_pid_statm(5)", "proc_pid_status(5), VmLib"),
	.steps = STEPS(STEP("anonymous, executable", map_anonymous, VIRT_EXEC(PAGES)),
		       STEP("and writable", make_writable, VIRT_EXEC(-PAGES), VIRT_DATA(PAGES)),
		       STEP("a file, executable", map_file, VIRT_EXEC(PAGES), FILE_READ(PAGES))),
};
