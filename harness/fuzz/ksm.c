// SPDX-License-Identifier: MIT
/* KSM's counts for each process and for the machine. In a guest only the workload uses KSM. */
#include "ksm.h"
#include "agent/agent.h"
#include "base/guest.h"
#include "base/kernel_file.h"
#include "base/number.h"
#include <stdio.h>

#define KSM "/sys/kernel/mm/ksm/"

/*
 * Returns an upper limit for the zero pages that a fork of this process counts for the child
 * although the child does not get them.
 */
static int64_t not_forked(const struct ksm *k, unsigned process)
{
	int64_t zeroes = k->of[process].zeroes;

	return zeroes > 0 ? lesser(zeroes, k->kept[process] + k->stays[process]) : 0;
}

static void fork_act(struct ksm *k, const struct act *a)
{
	k->unscanned[a->to] = true;
	k->ended += k->stays[a->to];
	k->stays[a->to] = not_forked(k, a->process);
}

void ksm_act(struct ksm *k, const struct act *a, const struct act_outcome *o)
{
	enum effect effect = verbs[a->verb].effect;

	if (effect == EFFECT_FORK && !o->error)
		fork_act(k, a);
	/*
	 * Allows for helpers that the operation may have forked and reaped, although no operation
	 * does so any more.
	 */
	if (effect == EFFECT_NONE)
		k->ended += ACT_HELPERS * not_forked(k, a->process);
	for (unsigned i = 0; i < ACT_PROCESSES; i++)
		if (effect == EFFECT_MERGE || effect == EFFECT_MERGE_ZEROES ||
		    effect == EFFECT_MERGE_ALL_ZEROES)
			k->unscanned[i] = false;
}

void ksm_race(struct ksm *k)
{
	for (unsigned i = 0; i < ACT_PROCESSES; i++)
		k->kept[i] = k->of[i].zeroes;
}

/*
 * pages_volatile_show() computes pages_volatile by subtracting the other three parts from
 * ksm_rmap_items (mm/ksm.c). Adding all four gives ksm_rmap_items.
 */
static void read_machine(struct ksm_numbers *n)
{
	static const char *const parts[] = { KSM "pages_shared", KSM "pages_sharing",
					     KSM "pages_unshared", KSM "pages_volatile" };

	n->items = n->merging = 0;
	for (unsigned i = 0; i < 4; i++) {
		int64_t part = workload_number(parts[i], NULL, -1);

		if (part < 0 || n->items < 0)
			n->items = -1;
		else
			n->items += part;
		if (i == 1)
			n->merging = n->items;
	}
	n->zeroes = workload_number(KSM "ksm_zero_pages", NULL, -1);
}

static void read_process(pid_t pid, struct ksm_numbers *n)
{
	struct numbered of[] = { { .field = "ksm_rmap_items", .value = -1 },
				 { .field = "ksm_zero_pages", .value = -1 } };
	char path[48];

	snprintf(path, sizeof(path), "/proc/%d/ksm_stat", (int)pid);
	kernel_numbers(path, of, 2);
	snprintf(path, sizeof(path), "/proc/%d/ksm_merging_pages", (int)pid);
	*n = (struct ksm_numbers) { of[0].value, workload_number(path, NULL, -1), of[1].value };
}

void ksm_open(struct ksm *k)
{
	struct ksm_numbers own;

	*k = (struct ksm) { .begins_anew = k->begins_anew };
	if (!guest_is_here())
		return;
	read_process(getpid(), &own);
	read_machine(&k->machine);
	k->here = own.items >= 0 && k->machine.items >= 0;
	/*
	 * A machine-wide count that an earlier workload made wrong stays wrong, so it is
	 * subtracted.
	 */
	k->of_nobody = k->machine.zeroes;
}

/* Zero pages in mappings that a fork leaves out (VM_DONTCOPY) or empties (VM_WIPEONFORK). */
static int64_t kept_from_fork(const struct snapshot *s)
{
	int64_t kept = 0;

	for (size_t i = 0; i < s->nr_maps; i++)
		if (mapping_has_flag(&s->maps[i], "dc") || mapping_has_flag(&s->maps[i], "wf"))
			kept += s->maps[i].pagemap.of[CLASS_ZERO];
	return kept;
}

void ksm_look(struct ksm *k)
{
	read_machine(&k->machine);
}

void ksm_look_at(struct ksm *k, unsigned process, const struct snapshot *s)
{
	k->of[process] = (struct ksm_numbers) { -1, -1, -1 };
	k->kept[process] = 0;
	if (s) {
		read_process(s->pid, &k->of[process]);
		k->kept[process] = kept_from_fork(s);
		return;
	}
	k->ended += k->stays[process];
	k->stays[process] = 0;
}

static bool differs(struct discrepancy *d, enum rule_id rule, const char *number, int64_t seen,
		    int64_t expected)
{
	discrepancy_set(d, rule, "pages", seen, expected, "%s", number);
	return false;
}

/*
 * dup_mm() copies the parent's numbers to a child; fixed kernels set them to 0 in ksm_fork()
 * (4d6fc29f3634).
 */
static bool has_inherited(const struct ksm *k)
{
	for (unsigned i = 0; i < ACT_PROCESSES; i++)
		if (k->unscanned[i] && (k->of[i].items > 0 || k->of[i].merging > 0))
			return true;
	return false;
}

/*
 * True once a child was seen with numbers that begin at 0. Until then a child may have inherited
 * zero pages and subtracted them from the machine's count at its exit, before rssck could read
 * them.
 */
static bool has_begun_anew(const struct ksm *k)
{
	for (unsigned i = 0; i < ACT_PROCESSES; i++)
		if (k->unscanned[i] && k->of[i].items == 0 && k->of[0].items > 0)
			return true;
	return k->begins_anew;
}

static struct ksm_numbers sum_of(const struct ksm *k)
{
	struct ksm_numbers sum = { 0 };

	for (unsigned i = 0; i < ACT_PROCESSES; i++) {
		if (k->of[i].items < 0)
			continue;
		sum.items += k->of[i].items;
		sum.merging += k->of[i].merging;
		sum.zeroes += k->of[i].zeroes;
	}
	return sum;
}

/* Zero pages that an ended process left in the machine's count belong to no process from now on. */
static bool zeroes_agree(struct ksm *k, int64_t zeroes, struct discrepancy *d)
{
	int64_t of_processes = k->machine.zeroes - k->of_nobody, more = of_processes - zeroes;

	if (more < 0 || more > k->ended)
		return differs(d, RULE_KSM_ZEROES, "/sys/kernel/mm/ksm/ksm_zero_pages",
			       of_processes, zeroes);
	k->stayed = more > 0;
	k->of_nobody += more;
	k->ended = 0;
	return true;
}

/*
 * KSM keeps an exited process's rmap items until its next scan, so the machine may count more items
 * than the processes. Zero pages are subtracted when the page tables are freed.
 */
bool ksm_agrees(struct ksm *k, bool closed, uint64_t *nr, struct discrepancy *d)
{
	struct ksm_numbers sum = sum_of(k);

	k->stayed = false;
	k->inherits |= has_inherited(k);
	k->begins_anew = has_begun_anew(k);
	if (!k->here || k->inherits)
		return true;
	*nr += 3;
	if (sum.items > k->machine.items)
		return differs(d, RULE_KSM_ITEMS, "ksm_rmap_items", sum.items, k->machine.items);
	if (sum.merging > k->machine.merging)
		return differs(d, RULE_KSM_MERGING, "ksm_merging_pages", sum.merging,
			       k->machine.merging);
	if (k->begins_anew && k->machine.zeroes >= 0 && !zeroes_agree(k, sum.zeroes, d))
		return false;
	if (closed && sum.zeroes > 0)
		return differs(d, RULE_KSM_ZEROES_LEFT, "ksm_stat's ksm_zero_pages", sum.zeroes, 0);
	return true;
}
