// SPDX-License-Identifier: MIT
#include "guest.h"
#include "agent/agent.h"
#include "base/guest.h"
#include "base/kernel_file.h"
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>

static int64_t number(const char *path, const char *field)
{
	return workload_number(path, field, -1);
}

void guest_read(const char *root, int64_t of[GUEST_NUMBERS])
{
	struct numbered n[] = { { .field = "nr_foll_pin_acquired", .value = -1 },
				{ .field = "nr_foll_pin_released", .value = -1 },
				{ .field = "nr_hugetlb", .value = -1 } };
	char path[GUEST_PATH];

	snprintf(path, sizeof(path), "%s/proc/vmstat", root);
	kernel_numbers(path, n, sizeof(n) / sizeof(*n));
	of[GUEST_PINNED] = n[0].value < 0 || n[1].value < 0 ? -1 : n[0].value - n[1].value;
	of[GUEST_HUGETLB] = n[2].value;
}

void guest_begin(struct guest *g, pid_t workload)
{
	ksm_open(&g->ksm);
	g->before = (struct alone) { .known = false };
	if (!g->only || !guest_is_here())
		return;
	alone_read(&g->before, workload);
	guest_read("", g->numbers);
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
			"ksm_rmap_items of a newly forked child");
	d->process = 1;
	return false;
}

static int64_t sum_of_nodes(const char *nodes, uint64_t kb, const char *file)
{
	DIR *all = opendir(nodes);
	int64_t sum = 0;

	for (struct dirent *e; all && (e = readdir(all));) {
		char path[GUEST_PATH];
		unsigned node;
		int64_t of;

		if (sscanf(e->d_name, "node%u", &node) != 1)
			continue;
		snprintf(path, sizeof(path), "%s/node%u/hugepages/hugepages-%" PRIu64 "kB/%s",
			 nodes, node, kb, file);
		of = number(path, NULL);
		sum += of > 0 ? of : 0;
	}
	if (all)
		closedir(all);
	return sum;
}

bool guest_nodes_agree(const char *root, uint64_t kb, const char *file, struct discrepancy *d)
{
	char pool[GUEST_PATH], nodes[GUEST_PATH / 2];
	int64_t sum, all;

	snprintf(pool, sizeof(pool), "%s/sys/kernel/mm/hugepages/hugepages-%" PRIu64 "kB/%s", root,
		 kb, file);
	snprintf(nodes, sizeof(nodes), "%s/sys/devices/system/node", root);
	all = number(pool, NULL);
	sum = sum_of_nodes(nodes, kb, file);
	if (all < 0 || !sum || sum == all)
		return true;
	discrepancy_set(d, RULE_HUGETLB_NODES, "huge pages", all, sum, "%s", file);
	return false;
}

bool guest_is_as_before(const struct guest *g, pid_t workload, uint64_t huge_page_size,
			uint64_t *nr, struct discrepancy *d)
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
	alone_read(&now, workload);
	guest_read("", numbers);
	*nr += ALONE_LINES + ALONE_COUNTS + GUEST_NUMBERS;
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
		if (!guest_nodes_agree("", huge_page_size / 1024, files[i], d))
			return false;
	return true;
}
