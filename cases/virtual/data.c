// SPDX-License-Identifier: MIT
/* DATA is private writable address space plus stack, resident or not. */
#include <rssck/case.h>

enum { PAGES = 128 };
STEP_SYMBOLS(MAP_AND_WRITE_HALF, PROTECT, PROTECT_READ, READ_WRITE_AGAIN, PRIVATE_FILE);

static bool moved(const struct trial *t, unsigned from, unsigned to, enum metric_id id)
{
	return trial_value(t, from, 0, id) != trial_value(t, to, 0, id);
}

static void judge(const struct trial *t, struct judgement *j)
{
	const struct mapping *m = trial_mapping(t, PROTECT_READ, 0, MAP_AND_WRITE_HALF, "address");

	judge_true(j, PROTECT_READ, m && m->readable && !m->writable, "maps shows the protection");
	/* Kernels before 4.5 print total_vm - shared_vm, in which file mappings count as shared. */
	judge_yes_no(j, "data.counts_private_file_mappings",
		     moved(t, READ_WRITE_AGAIN, PRIVATE_FILE, METRIC_STATM_DATA));
	judge_fact(j, "data.counts_unwritable_mappings", "%s",
		   moved(t, MAP_AND_WRITE_HALF, PROTECT, METRIC_STATM_DATA) ? "no" : "yes");
}

CASE(virtual_data) {
	.claim = "DATA is private writable address space plus stack, resident or not; mprotect "
		 "changes DATA and leaves RES unchanged",
	.because = "vm_stat_account() counts each mapping by its flags. data_vm counts mappings "
		   "with VM_WRITE and without VM_SHARED and VM_STACK, whatever they map. Before "
		   "4.5 DATA was total_vm - shared_vm: it excluded private file mappings and "
		   "included PROT_NONE mappings.",
	.said_by = SAID_BY("top(1), DATA", "Documentation/filesystems/proc.rst, statm data",
			   "commit 84638335900f (mm: rework virtual memory accounting, 4.5)"),
	.steps = STEPS(STEP_AS(MAP_AND_WRITE_HALF, "map and write half", step_map, .pages = PAGES,
			       .written = PAGES / 2, .report = "address",
			       MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES / 2))),
		       STEP_AS(PROTECT, "PROT_NONE", step_protect, .pages = PAGES,
			       .prot = PROT_NONE, MOVES(DATA_TO_OTHER(PAGES))),
		       STEP_AS(PROTECT_READ, "PROT_READ", step_protect, .pages = PAGES,
			       .prot = PROT_READ),
		       STEP_AS(READ_WRITE_AGAIN, "read-write again", step_protect, .pages = PAGES,
			       .prot = PROT_READ | PROT_WRITE, MOVES(DATA_TO_OTHER(-PAGES))),
		       STEP_AS(PRIVATE_FILE, "private file", step_map_file, .pages = PAGES,
			       MOVES(VIRT_DATA(PAGES))),
		       STEP("shared file", step_map_file, .pages = PAGES, .mapping = MAP_SHARED,
			    MOVES(VIRT_OTHER(PAGES)))),
	.facts = FACTS(FACT("data.counts_private_file_mappings",
			    "Does VmData count private mappings of files?", "yes"),
		       FACT("data.counts_unwritable_mappings",
			    "Does VmData count mappings that cannot be written?", "no")),
	.judge = judge,
};
