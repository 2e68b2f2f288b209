// SPDX-License-Identifier: MIT
/* ProtectionKey shows the key that pkey_mprotect(2) set for the mapping. A key changes no page. */
#include <rssck/case.h>

STEP_SYMBOLS(WRITE, GIVE_IT_A_KEY, TAKE_IT_AWAY);

#ifndef __GLIBC__
/* musl does not wrap these system calls. */
static int pkey_mprotect(void *p, size_t size, int prot, int key)
{
	return (int)syscall(SYS_pkey_mprotect, p, size, prot, key);
}

static int pkey_alloc(unsigned flags, unsigned rights)
{
	return (int)syscall(SYS_pkey_alloc, flags, rights);
}

static int pkey_free(int key)
{
	return (int)syscall(SYS_pkey_free, key);
}
#endif

enum { PAGES = 256, REGION = 0, KEY = 0 };

static void set_key(struct workload *w, int key)
{
	workload_must(
		w,
		pkey_mprotect(w->slot[REGION], PAGES * w->page_size, PROT_READ | PROT_WRITE, key),
		"pkey_mprotect");
}

static void give_key(struct workload *w)
{
	w->number[KEY] = pkey_alloc(0, 0);
	if (w->number[KEY] < 0)
		workload_skip(w, "protection keys (pkey_alloc(2): %m)");
	set_key(w, (int)w->number[KEY]);
	workload_report(w, "key", w->number[KEY]);
}

static void take_key(struct workload *w)
{
	set_key(w, 0);
	pkey_free((int)w->number[KEY]);
}

static void judge_none(const struct snapshot *s, struct judgement *j)
{
	for (size_t i = 0; i < s->nr_maps; i++)
		judge_equal(j, WRITE, "smaps.ProtectionKey",
			    mapping_smaps(&s->maps[i], METRIC_SMAPS_PROTECTIONKEY), 0,
			    "no mapping has a key before pkey_mprotect(2)");
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t key = trial_reported(t, GIVE_IT_A_KEY, "key");
	int64_t none = trial_value(t, WRITE, 0, METRIC_SMAPS_PROTECTIONKEY);
	int64_t with = trial_value(t, GIVE_IT_A_KEY, 0, METRIC_SMAPS_PROTECTIONKEY);
	int64_t after = trial_value(t, TAKE_IT_AWAY, 0, METRIC_SMAPS_PROTECTIONKEY);

	judge_none(trial_snapshot(t, WRITE, 0), j);
	judge_moved(j, GIVE_IT_A_KEY, METRIC_SMAPS_PROTECTIONKEY, with - none, key, 0,
		    "ProtectionKey = the key given to pkey_mprotect(2)");
	judge_moved(j, TAKE_IT_AWAY, METRIC_SMAPS_PROTECTIONKEY, after - with, -key, 0,
		    "ProtectionKey = the key given to pkey_mprotect(2)");
}

CASE(virtual_protection_key) {
	.claim = "ProtectionKey of smaps shows the key that pkey_mprotect(2) set; no other "
		 "number changes",
	.because = "The key is in vm_flags and in each page table entry. Setting it does not "
		   "change whether a page is dirty.",
	.said_by = SAID_BY("pkeys(7)", "proc_pid_smaps(5), ProtectionKey"),
	.steps = STEPS(STEP_AS(WRITE, "write", step_map, ALL_WRITTEN(PAGES)),
		       STEP_AS(GIVE_IT_A_KEY, "set a key", give_key),
		       STEP_AS(TAKE_IT_AWAY, "remove the key", take_key)),
	.moves = METRICS(METRIC_SMAPS_PROTECTIONKEY),
	.judge = judge,
};
