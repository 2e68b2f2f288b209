// SPDX-License-Identifier: MIT
#include "guest.h"
#include "agent/agent.h"
#include "base/guest.h"
#include <inttypes.h>
#include <stdio.h>

enum { NODES = 16 };

static int64_t number(const char *path, const char *field)
{
	return workload_number(path, field, -1);
}

static void read_numbers(int64_t of[GUEST_NUMBERS])
{
	int64_t pinned = number("/proc/vmstat", "nr_foll_pin_acquired");

	of[GUEST_PINNED] = pinned < 0 ? -1
				      : pinned - number("/proc/vmstat", "nr_foll_pin_released");
	of[GUEST_HUGETLB] = number("/proc/vmstat", "nr_hugetlb");
}

void guest_begin(struct guest *g)
{
	ksm_open(&g->ksm);
	g->before = (struct alone) { .known = false };
	if (!g->only || !guest_is_here())
		return;
	alone_read(&g->before);
	read_numbers(g->numbers);
}

bool guest_ksm_agrees(struct guest *g, const struct look *l, uint64_t *nr, struct discrepancy *d)
{
	bool inherited = g->ksm.inherits;

	if (!g->ksm.here || inherited)
		return true;
	ksm_look(&g->ksm);
	for (unsigned i = 0; i < 2; i++) {
		ksm_look_at(&g->ksm, i, l->of[i].pid ? &l->of[i] : NULL);
		g->ksm.unscanned[i] = i && l->of[i].pid;
	}
	for (unsigned i = 2; i < ACT_PROCESSES; i++)
		ksm_look_at(&g->ksm, i, NULL);
	if (!ksm_agrees(&g->ksm, false, nr, d))
		return false;
	if (!g->ksm.inherits)
		return true;
	discrepancy_set(d, RULE_KSM_MERGING, "pages", g->ksm.of[1].items, 0,
			"ksm_rmap_items of a child that was just forked");
	d->process = 1;
	return false;
}

/* The pool's number is the sum of the nodes'. */
static bool nodes_agree(uint64_t kb, const char *file, struct discrepancy *d)
{
	char path[128];
	int64_t sum = 0, all;

	snprintf(path, sizeof(path), "/sys/kernel/mm/hugepages/hugepages-%" PRIu64 "kB/%s", kb,
		 file);
	all = number(path, NULL);
	for (unsigned node = 0; node < NODES; node++) {
		int64_t of;

		snprintf(path, sizeof(path),
			 "/sys/devices/system/node/node%u/hugepages/hugepages-%" PRIu64 "kB/%s",
			 node, kb, file);
		of = number(path, NULL);
		sum += of > 0 ? of : 0;
	}
	if (all < 0 || !sum || sum == all)
		return true;
	discrepancy_set(d, RULE_HUGETLB_NODES, "huge pages", all, sum, "%s", file);
	return false;
}

bool guest_is_as_before(const struct guest *g, uint64_t huge_page_size, uint64_t *nr,
			struct discrepancy *d)
{
	static const char *const names[GUEST_NUMBERS] = {
		[GUEST_PINNED] = "nr_foll_pin_acquired - nr_foll_pin_released",
		[GUEST_HUGETLB] = "nr_hugetlb",
	};
	static const char *const files[] = { "nr_hugepages", "free_hugepages",
					     "surplus_hugepages" };
	int64_t numbers[GUEST_NUMBERS];
	struct alone now;

	if (!g->before.known)
		return true;
	alone_read(&now);
	read_numbers(numbers);
	*nr += ALONE_BOOKS + ALONE_COUNTS + GUEST_NUMBERS;
	if (!alone_is_as_before(&g->before, &now, d))
		return false;
	for (unsigned i = 0; i < GUEST_NUMBERS; i++) {
		if (numbers[i] == g->numbers[i])
			continue;
		discrepancy_set(d, RULE_LEFT_BEHIND, "pages", numbers[i], g->numbers[i],
				"vmstat's %s", names[i]);
		return false;
	}
	for (unsigned i = 0; i < sizeof(files) / sizeof(*files); i++)
		if (!nodes_agree(huge_page_size / 1024, files[i], d))
			return false;
	return true;
}
