// SPDX-License-Identifier: MIT
/*
 * rssck-libproc2 PID: prints the memory numbers of a process that libproc2 reports, one on each
 * line: "PIDS_RSS 123". ps and top use that library. This is a separate program, so that rssck
 * itself can be built and run without the library.
 *
 * It reads the results directly from their structure, because procps 4.0.5 removed an argument of
 * the PIDS_VAL() macro.
 */
#include <libproc2/pids.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ITEM(item)                         \
	{                                  \
		PIDS_##item, "PIDS_" #item \
	}
static const struct item {
	enum pids_item number;
	const char *name;
} table[] = {
	ITEM(FLT_MAJ),        ITEM(FLT_MIN),          ITEM(VSIZE_BYTES),      ITEM(RSS),
	ITEM(MEM_VIRT),       ITEM(MEM_RES),          ITEM(MEM_SHR),          ITEM(MEM_CODE),
	ITEM(MEM_DATA),       ITEM(VM_SIZE),          ITEM(VM_RSS_LOCKED),    ITEM(VM_RSS),
	ITEM(VM_RSS_ANON),    ITEM(VM_RSS_FILE),      ITEM(VM_RSS_SHARED),    ITEM(VM_DATA),
	ITEM(VM_STACK),       ITEM(VM_EXE),           ITEM(VM_LIB),           ITEM(VM_SWAP),
	ITEM(VM_USED),        ITEM(SMAP_RSS),         ITEM(SMAP_PSS),         ITEM(SMAP_PSS_ANON),
	ITEM(SMAP_PSS_FILE),  ITEM(SMAP_PSS_SHMEM),   ITEM(SMAP_SHR_CLEAN),   ITEM(SMAP_SHR_DIRTY),
	ITEM(SMAP_PRV_CLEAN), ITEM(SMAP_PRV_DIRTY),   ITEM(SMAP_PRV_TOTAL),   ITEM(SMAP_REFERENCED),
	ITEM(SMAP_ANONYMOUS), ITEM(SMAP_LAZY_FREE),   ITEM(SMAP_HUGE_ANON),   ITEM(SMAP_HUGE_SHMEM),
	ITEM(SMAP_HUGE_FILE), ITEM(SMAP_HUGE_TLBSHR), ITEM(SMAP_HUGE_TLBPRV), ITEM(SMAP_SWAP),
	ITEM(SMAP_SWAP_PSS),  ITEM(SMAP_LOCKED),      ITEM(OOM_SCORE),
};

enum { ITEMS = sizeof(table) / sizeof(*table) };

int main(int argc, char **argv)
{
	enum pids_item items[ITEMS];
	unsigned pid = argc == 2 ? (unsigned)strtoul(argv[1], NULL, 10) : 0;
	struct pids_info *info = NULL;
	struct pids_fetch *found;
	int error;

	if (!pid) {
		fprintf(stderr, "usage: rssck-libproc2 PID\n");
		return 2;
	}
	for (int i = 0; i < ITEMS; i++)
		items[i] = table[i].number;
	error = procps_pids_new(&info, items, ITEMS);
	found = error ? NULL : procps_pids_select(info, &pid, 1, PIDS_SELECT_PID);
	if (!found || found->counts->total != 1) {
		fprintf(stderr, "rssck-libproc2: %u: %s\n", pid,
			error ? strerror(-error) : "no such process");
		return 1;
	}
	for (int i = 0; i < ITEMS; i++) {
		const struct pids_result *r = &found->stacks[0]->head[i];

		if (r->item == PIDS_OOM_SCORE)
			printf("%s %d\n", table[i].name, r->result.s_int);
		else
			printf("%s %lu\n", table[i].name, r->result.ul_int);
	}
	procps_pids_unref(&info);
	return 0;
}
