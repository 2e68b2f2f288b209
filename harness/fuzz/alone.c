// SPDX-License-Identifier: MIT
/* The books of a machine on which nobody else does anything. */
#include "alone.h"
#include "base/guest.h"
#include "base/number.h"
#include <rssck/source.h>
#include <stdio.h>
#include <string.h>

#define HUGETLB_PAGES "8"

static const char *const lines[ALONE_BOOKS] = { "AnonHugePages:", "ShmemPmdMapped:",
						"FilePmdMapped:" };

/* Write a kernel's file: true if it has taken it. */
static bool set(const char *path, const char *value)
{
	FILE *f = fopen(path, "we");

	if (!f)
		return false;
	fputs(value, f);
	return !fclose(f);
}

/* The same where that word is in it; what it refuses stays as it is. */
static void set_where(const char *path, const char *says, const char *value)
{
	struct text t = { .data = NULL };
	const char *word = NULL;

	if (!text_read(&t, 0, path))
		word = strstr(t.data, says);
	if (word && (word == t.data || word[-1] == ' '))
		set(path, value);
	text_free(&t);
}

void alone_prepare(void)
{
	if (!guest_is_here())
		return;
	set_where("/sys/kernel/mm/transparent_hugepage/shmem_enabled", "[never]", "advise");
	set_where("/proc/sys/vm/nr_hugepages", "0\n", HUGETLB_PAGES);
}

/* What CPUs hold back is handed in: huge pages count one by one up to 5.10 (vmstat_refresh()). */
static bool hand_in(void)
{
	return set("/proc/sys/vm/stat_refresh", "1");
}

void alone_read(struct alone *m)
{
	struct text t = { .data = NULL };

	*m = (struct alone) { .known = false };
	if (!guest_is_here() || !hand_in() || text_read(&t, 0, "/proc/meminfo"))
		return;
	m->known = true;
	for (unsigned i = 0; i < ALONE_BOOKS; i++) {
		const char *line = strstr(t.data, lines[i]);
		uint64_t kb = 0;

		m->kb[i] = -1;
		if (!line)
			continue;
		line += strlen(lines[i]);
		line += strspn(line, " ");
		if (number_unsigned(&line, t.data + t.len, &kb) == NUMBER_OK)
			m->kb[i] = (int64_t)kb;
	}
	text_free(&t);
}

bool alone_is_as_before(const struct alone *before, const struct alone *now, struct mismatch *m)
{
	for (unsigned i = 0; i < ALONE_BOOKS && before->known && now->known; i++) {
		if (before->kb[i] == now->kb[i])
			continue;
		*m = (struct mismatch) { .unit = "kB",
					 .seen = now->kb[i],
					 .expected = before->kb[i] };
		snprintf(m->number, sizeof(m->number), "meminfo's %.*s", (int)strlen(lines[i]) - 1,
			 lines[i]);
		snprintf(m->rule, sizeof(m->rule), "with everything unmapped, as it was at first");
		return false;
	}
	return true;
}
