// SPDX-License-Identifier: MIT
/* Text in an executable file mapping is RssFile; patched text is RssAnon. */
#include <rssck/case.h>

enum { PAGES = 128, HALF = PAGES / 2, REGION = 0 };

static void map_and_read(struct workload *w)
{
	w->slot[REGION] = workload_map_text(w, workload_file(w, PAGES), PAGES);
	touch_read(w, w->slot[REGION], PAGES);
}

/*
 * Writes text as a dynamic linker does for text relocations. The next step, make_executable(),
 * makes it executable again.
 */
static void patch_half(struct workload *w)
{
	workload_protect(w, w->slot[REGION], HALF * w->page_size, PROT_READ | PROT_WRITE);
	touch_write(w, w->slot[REGION], HALF);
}

static void make_executable(struct workload *w)
{
	if (mprotect(w->slot[REGION], HALF * w->page_size, PROT_READ | PROT_EXEC) < 0)
		workload_skip_step(w, "mprotect of a written page to executable: %m");
	workload_expect(w, VIRT_DATA(-HALF), VIRT_EXEC(HALF));
}

CASE(file_exec_mapping) {
	.claim = "VmLib counts a library's text, and RssFile its resident pages. Patched pages are "
		 "RssAnon, and are in VmLib only while they are executable and not writable",
	.because = "VmLib and DATA depend on the mapping's flags, RssFile and RssAnon on the "
		   "pages. A text relocation copies the page, and the copy is not shared.",
	.said_by = SAID_BY("proc_pid_status(5), VmLib", "elf(5), DT_TEXTREL"),
	.steps = STEPS(STEP("map and read", map_and_read,
			    MOVES(VIRT_EXEC(PAGES), FILE_READ(PAGES))),
		       STEP("patch half", patch_half,
			    MOVES(VIRT_EXEC(-HALF), VIRT_DATA(HALF), FILE_TO_ANON(HALF))),
		       STEP("make the text executable", make_executable)),
	.posts = POSTS(VIRT_EXEC(1)),
};
