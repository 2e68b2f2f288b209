// SPDX-License-Identifier: MIT
/* DATA is private writable address space plus stack, resident or not. */
#include <rssck/case.h>

enum { PAGES = 128, REGION = 0 };

static void map_anonymous(struct workload *w)
{
	w->slot[REGION] = workload_anonymous(w, PAGES);
	touch_write(w, w->slot[REGION], PAGES / 2);
}

static void protect(struct workload *w, int prot)
{
	if (mprotect(w->slot[REGION], PAGES * w->page_size, prot) < 0)
		workload_die(w, "mprotect");
}

static void make_none(struct workload *w)
{
	protect(w, PROT_NONE);
}

static void make_readable(struct workload *w)
{
	protect(w, PROT_READ);
}

static void make_writable(struct workload *w)
{
	protect(w, PROT_READ | PROT_WRITE);
}

static void map_private_file(struct workload *w)
{
	workload_map(w, PAGES * w->page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE,
		     workload_file(w, PAGES), 0);
}

static void map_shared_file(struct workload *w)
{
	workload_map(w, PAGES * w->page_size, PROT_READ | PROT_WRITE, MAP_SHARED,
		     workload_file(w, PAGES), 0);
}

static bool moved(const struct trial *t, const char *from, const char *to, enum metric_id id)
{
	return snapshot_value(trial_snapshot(t, from, 0), id) !=
	       snapshot_value(trial_snapshot(t, to, 0), id);
}

static void judge(const struct trial *t, struct judgement *j)
{
	/* The writings' older kernels printed total_vm - shared_vm, and counted files as shared. */
	judge_fact(j, "data.counts_private_file_mappings", "%s",
		   moved(t, "read-write again", "private file", METRIC_STATM_DATA) ? "yes" : "no");
	judge_fact(j, "data.counts_unwritable_mappings", "%s",
		   moved(t, "map and write half", "PROT_NONE", METRIC_STATM_DATA) ? "no" : "yes");
}

CASE(virtual_data) {
	.claim = "DATA is private writable address space plus stack, resident or not; mprotect "
		 "moves it, RES stays",
	.because = "vm_stat_account() counts each mapping by its flags: data_vm is VM_WRITE "
		   "without VM_SHARED and VM_STACK, whatever is behind it. It was total_vm - "
		   "shared_vm until 4.6, which left private file mappings out and counted "
		   "PROT_NONE.",
	.said_by = SAID_BY("top(1), DATA", "Documentation/filesystems/proc.rst, statm data",
			   "commit 84638335900f (mm: rework virtual memory accounting, 4.5)"),
	.steps = STEPS(STEP("map and write half", map_anonymous,
			    MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES / 2))),
		       STEP("PROT_NONE", make_none, MOVES(DATA_TO_OTHER(PAGES))),
		       STEP("PROT_READ", make_readable),
		       STEP("read-write again", make_writable, MOVES(DATA_TO_OTHER(-PAGES))),
		       STEP("private file", map_private_file, MOVES(VIRT_DATA(PAGES))),
		       STEP("shared file", map_shared_file, MOVES(VIRT_OTHER(PAGES)))),
	.facts = FACTS(FACT("data.counts_private_file_mappings", "yes"),
		       FACT("data.counts_unwritable_mappings", "no")),
	.judge = judge,
};
