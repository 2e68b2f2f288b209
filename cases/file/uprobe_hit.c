// SPDX-License-Identifier: MIT
/*
 * When a process first hits a uprobe whose instruction the kernel does not emulate, it gets the
 * special mapping [uprobes], which VIRT counts like any other.
 */
#include "uprobe.h"

STEP_SYMBOLS(HIT_THE_PROBE);

/*
 * Code of a function that only returns. On arm64 the kernel would emulate a probed return, so the
 * code adds 1 first.
 */
#if defined(__x86_64__)
static const unsigned char code[] = { 0xc3 };
#elif defined(__aarch64__)
static const unsigned char code[] = { 0x00, 0x04, 0x00, 0x91, 0xc0, 0x03, 0x5f, 0xd6 };
#else
static const unsigned char code[1];
#define NO_CODE
#endif

enum { PAGES = 4, PROBED = 2, REGION = 0, FD = 0, PROBE = 1 };

static void map(struct workload *w)
{
	char *p;

#ifdef NO_CODE
	workload_skip(w, "code for this machine type");
#endif
	w->fd[FD] = workload_file(w, PAGES);
	if (pwrite(w->fd[FD], code, sizeof(code), (off_t)(PROBED * w->page_size)) < 0)
		workload_die(w, "pwrite: %m");
	p = workload_map_text(w, w->fd[FD], PAGES);
	w->slot[REGION] = p + PROBED * w->page_size;
}

static void hit(struct workload *w)
{
	void (*function)(void);

	w->fd[PROBE] = uprobe_put_in(w, w->fd[FD], PROBED * w->page_size);
	memcpy(&function, &w->slot[REGION], sizeof(function));
	function();
	close(w->fd[PROBE]);
}

static void judge(const struct trial *t, struct judgement *j)
{
	const struct snapshot *s = trial_snapshot(t, HIT_THE_PROBE, 0);
	bool there = false;

	for (size_t i = 0; s && i < s->nr_maps; i++)
		there |= !strcmp(s->maps[i].name, "[uprobes]");
	judge_yes_no(j, "uprobe.hit_makes_a_mapping", there);
}

CASE(file_uprobe_hit) {
	.claim =
		"When a process first hits a uprobe whose instruction the kernel does not emulate, VIRT and VmLib rise by the size of the mapping [uprobes]",
	.because = "get_xol_area() makes one such mapping per mm (xol_add_vma()). "
		   "__install_special_mapping() counts it like [vdso].",
	.said_by = SAID_BY("Documentation/trace/uprobetracer.rst"),
	.needs = NEEDS("root"),
	.flags = CASE_KEEPS_MEMORY,
	.steps = STEPS(STEP("map", map, MOVES(VIRT_EXEC(PAGES))),
		       STEP_AS(HIT_THE_PROBE, "hit the probe", hit, .flags = STEP_ANY_PAGES)),
	.facts = FACTS(FACT("uprobe.hit_makes_a_mapping",
			    "Does hitting a breakpoint (uprobe) make a mapping?", "yes")),
	.judge = judge,
};
