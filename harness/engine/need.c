// SPDX-License-Identifier: MIT
/* Tests what a case needs of the machine. */
#include "need.h"
#include "base/guest.h"
#include "base/kernel_file.h"
#include <rssck/tool.h>
#include <string.h>
#include <unistd.h>

static bool is_root(const struct engine *e)
{
	(void)e;
	return geteuid() == 0;
}

static bool sees_pfns(const struct engine *e)
{
	return e->host.sees_pfns;
}

static bool has_scan(const struct engine *e)
{
	return e->host.has_scan;
}

static bool has_two_cpus(const struct engine *e)
{
	return e->host.nr_cpu_list > 1;
}

static bool has_huge_pages(const struct engine *e)
{
	return e->host.huge_page_size > 0;
}

/* Outside its own guest rssck uses existing swap and never adds any. */
static bool has_swap(const struct engine *e)
{
	char area[128];

	(void)e;
	return kernel_swap(area, sizeof(area));
}

/* True in rssck's own virtual machine, whose settings rssck may change. */
static bool is_guest(const struct engine *e)
{
	(void)e;
	return guest_is_here();
}

static bool has_ksm(const struct engine *e)
{
	(void)e;
	return kernel_number("/sys/kernel/mm/ksm/run", NULL, -1) == 1;
}

static bool has_hugetlb(const struct engine *e)
{
	struct numbered of[] = { { .field = "HugePages_Free" }, { .field = "HugePages_Rsvd" } };

	(void)e;
	kernel_numbers("/proc/meminfo", of, 2);
	return of[0].value > of[1].value;
}

static bool maps_zero_page(const struct engine *e)
{
	return !e->host.reads_own_pages;
}

static const struct need {
	enum missing_kind kind;
	bool (*is_met)(const struct engine *e);
	const char *missing;
} needs[] = {
	{ MISSING_ROOT, is_root, "root" },
	{ MISSING_PFN, sees_pfns, "page frame numbers (CAP_SYS_ADMIN, /proc/kpageflags)" },
	{ MISSING_SCAN, has_scan, "PAGEMAP_SCAN (Linux 6.7)" },
	{ MISSING_CPUS, has_two_cpus, "a second CPU" },
	{ MISSING_THP, has_huge_pages, "transparent huge pages" },
	{ MISSING_SWAP, has_swap, "swap (/proc/swaps is empty)" },
	{ MISSING_GUEST, is_guest, "a machine without other users (rssck vm)" },
	{ MISSING_KSM, has_ksm, "ksmd running (/sys/kernel/mm/ksm/run = 1)" },
	{ MISSING_HUGETLB, has_hugetlb, "a free hugetlb page (vm.nr_hugepages)" },
	{ MISSING_ZERO_PAGE, maps_zero_page,
	  "the zero page (here memory that is only read gets pages of its own)" },
};

static const struct need *need_by_name(const char *name)
{
	for (size_t i = 0; i < sizeof(needs) / sizeof(*needs); i++)
		if (!strcmp(missing_name(needs[i].kind), name))
			return &needs[i];
	return NULL;
}

bool needs_are_met(const struct engine *e, const struct testcase *c, struct missing *m)
{
	char absent[160];

	m->nr = 0;
	for (const char *const *name = c->needs; name && *name; name++) {
		const struct need *n = need_by_name(*name);

		if (!n)
			missing_add(m, MISSING_OTHER, "%s", *name);
		else if (!n->is_met(e))
			missing_add(m, n->kind, "%s", n->missing);
	}
	if (c->tools && access("/proc/meminfo", R_OK))
		missing_add(m, MISSING_MEMINFO,
			    "/proc/meminfo for its tools: %m (is /proc mounted with subset=pid?)");
	for (const char *const *name = c->tools; name && *name; name++) {
		const struct tool *t = tool_by_name(*name);

		if (!t)
			missing_add(m, MISSING_PROGRAM, "%s", *name);
		else if (!tool_is_here(t, absent, sizeof(absent)))
			missing_add(m, MISSING_PROGRAM, "%s", absent);
	}
	return !m->nr;
}
