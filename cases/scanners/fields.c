// SPDX-License-Identifier: MIT
/* Checks which documented fields and flags this kernel prints. */
#include <rssck/case.h>

STEP_SYMBOLS(MAP_TEXT);

static void map_text(struct workload *w)
{
	workload_map_pages(w, 1, PROT_READ | PROT_EXEC, MAP_PRIVATE, workload_file(w, 1));
}

/* s->unknown has the lines that metrics.def does not describe. */
static const char *prints(const struct snapshot *s, enum source source, const char *key)
{
	for (size_t i = 0; i < s->nr_unknown; i++)
		if (s->unknown[i].source == source && !strcmp(s->unknown[i].key, key))
			return "yes";
	return metric_by_key(source, key, strlen(key), 0) == METRIC_NONE ? "no" : "yes";
}

/* exec sets VM_DENYWRITE on the program's own text, on kernels that have the flag. */
static const char *denies_writing(const struct snapshot *s)
{
	for (size_t i = 0; i < s->nr_maps; i++)
		if (mapping_has_flag(&s->maps[i], "dw"))
			return "yes";
	return "no";
}

static void judge(const struct trial *t, struct judgement *j)
{
	const struct snapshot *s = trial_snapshot(t, MAP_TEXT, 0);

	judge_fact(j, "fields.status_prints_VmPMD", "%s", prints(s, SOURCE_STATUS, "VmPMD"));
	judge_fact(j, "fields.smaps_prints_ShmemHugePages", "%s",
		   prints(s, SOURCE_SMAPS, "ShmemHugePages"));
	judge_fact(j, "fields.smaps_prints_Pss_Anon", "%s", prints(s, SOURCE_SMAPS, "Pss_Anon"));
	judge_fact(j, "fields.smaps_rollup_prints_Size", "%s", prints(s, SOURCE_ROLLUP, "Size"));
	judge_fact(j, "fields.smaps_rollup_prints_KernelPageSize", "%s",
		   prints(s, SOURCE_ROLLUP, "KernelPageSize"));
	judge_fact(j, "fields.VmFlags_of_text_have_dw", "%s", denies_writing(s));
}

CASE(scanners_fields) {
	.claim =
		"Some documented fields are not printed: VmPMD of status (since 4.15), ShmemHugePages of smaps and Size of smaps_rollup",
	.because = "Since 4.15 VmPTE includes what VmPMD counted. ShmemHugePages is a line "
		   "of meminfo. __show_smap() prints the fields that smaps and smaps_rollup "
		   "share; Size and the page sizes are printed before it, for smaps only. VmFlags "
		   "of text has no dw since 5.15, which removed VM_DENYWRITE.",
	.said_by = SAID_BY("proc_pid_smaps(5)", "Documentation/ABI/testing/procfs-smaps_rollup"),
	.steps = STEPS(STEP_AS(MAP_TEXT, "map text", map_text, MOVES(VIRT_EXEC(1)))),
	.facts = FACTS(FACT("fields.status_prints_VmPMD", "Does status print VmPMD?", "no"),
		       FACT("fields.smaps_prints_ShmemHugePages",
			    "Does smaps print ShmemHugePages?", "no"),
		       FACT("fields.smaps_prints_Pss_Anon", "Does smaps print Pss_Anon?", "no"),
		       FACT("fields.smaps_rollup_prints_Size", "Does smaps_rollup print Size?",
			    "no"),
		       FACT("fields.smaps_rollup_prints_KernelPageSize",
			    "Does smaps_rollup print KernelPageSize?", "no"),
		       FACT("fields.VmFlags_of_text_have_dw",
			    "Do VmFlags of a program's text have dw?", "yes|no")),
	.judge = judge,
};
