// SPDX-License-Identifier: MIT
#include "prepare.h"
#include "agent/verbs/verbs.h"
#include "base/guest.h"
#include "base/kernel_file.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

#define POOL "60" /* at least HUGETLB_POOL pages; rssck vm itself gives a guest 8 */

#define THP  "/sys/kernel/mm/transparent_hugepage/"

/* A setting is changed only if it has the value `is`. Any other value is assumed to be intended. */
static const struct {
	const char *path, *is, *value;
} settings[] = {
	{ "/proc/sys/vm/nr_hugepages", "0\n", POOL },
	{ "/proc/sys/vm/nr_hugepages", "8\n", POOL },
	{ "/proc/sys/vm/dirty_writeback_centisecs", "500\n", "0" },
	{ THP "shmem_enabled", "[never]", "advise" },
	{ THP "hugepages-16kB/enabled", "[never]", "madvise" },
	{ THP "hugepages-64kB/enabled", "[never]", "madvise" },
	{ THP "hugepages-64kB/shmem_enabled", "[never]", "advise" },
	{ KHUGEPAGED "scan_sleep_millisecs", "10000\n", KHUGEPAGED_PAUSED },
	{ "/sys/kernel/mm/ksm/run", "1\n", "0" },
};

/* The value is the whole text of the file, or the word in brackets among others. */
static bool has_value(const char *text, const char *is)
{
	return *is == '[' ? strstr(text, is) != NULL : !strcmp(text, is);
}

void atlas_prepare(void)
{
	for (size_t i = 0; guest_is_here() && i < sizeof(settings) / sizeof(*settings); i++) {
		struct text t = { .data = NULL };
		bool as_it_was = text_read(&t, 0, settings[i].path) == 0 &&
				 has_value(t.data, settings[i].is);
		FILE *f = as_it_was ? fopen(settings[i].path, "we") : NULL;

		text_free(&t);
		if (!f)
			continue;
		fputs(settings[i].value, f);
		fclose(f);
	}
}

int kind_try(struct atlas *z, unsigned kind, int *error)
{
	struct batch b = { .nr = 1, .each_moment = true };
	struct suspect ignored;
	char area[128];
	enum ran ran;

	b.of[0] = sequence_of_kind(kind);
	*error = 0;
	if (z->words->kinds[kind].needs & NEEDS_SWAP && !kernel_swap(area, sizeof(area))) {
		*error = ENODEV;
		return 0;
	}
	ran = atlas_run(z, &b, false, &ignored);
	if (ran == RAN)
		*error = z->side->outcomes[0].error;
	return ran == RAN_TROUBLE ? -1 : 0;
}

/* Tries only events that are acts themselves: these fail only if the machine lacks something. */
int event_try(struct atlas *z, unsigned event, int *error)
{
	struct batch b = { .nr = 1, .each_moment = true };
	struct suspect ignored;
	const struct event *e = &z->words->events[event];
	enum ran ran;

	*error = 0;
	if (e->how != SIDE_ACT && e->how != SIDE_NEIGHBOUR)
		return 0;
	b.of[0] = (struct sequence) {
		.event = (uint8_t)event, .act = { NO_WORD, 0 }, .length = 1, .access = NO_WORD
	};
	ran = atlas_run(z, &b, false, &ignored);
	if (ran == RAN)
		*error = z->side->event_error;
	return ran == RAN_TROUBLE ? -1 : 0;
}

bool event_is_of_machine(const struct event *e)
{
	verb_fn *run = e->how == SIDE_ACT ? verbs[e->turn[0].acts[0].verb].run : verb_clear_refs;

	return run != verb_clear_refs && run != verb_cgroup_move && run != verb_cgroup_reclaim &&
	       run != verb_migrate_all && run != verb_mlockall && run != verb_munlockall;
}

bool kind_is_of_machine(const struct kind *k)
{
	for (unsigned i = 0; i < k->turn.nr; i++)
		if (verbs[k->turn.acts[i].verb].run == verb_ksm_round)
			return true;
	return false;
}
