// SPDX-License-Identifier: MIT
/*
 * What a case may ask of the machine: by name, probed by using it.
 */
#include "need.h"
#include "base/guest.h"
#include <rssck/tool.h>
#include <stdio.h>
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

/* The number in a file of one number, -1 where there is none. */
static long number_in(const char *path)
{
	FILE *f = fopen(path, "re");
	long number;

	if (!f || fscanf(f, "%ld", &number) != 1)
		number = -1;
	if (f)
		fclose(f);
	return number;
}

/* A header, and a line for each swap area. rssck never adds one. */
static bool has_swap(const struct engine *e)
{
	FILE *f = fopen("/proc/swaps", "re");
	int lines = 0, c;

	(void)e;
	while (f && (c = getc(f)) != EOF)
		lines += c == '\n';
	if (f)
		fclose(f);
	return lines > 1;
}

/* rssck's own virtual machine, which nobody else uses: its settings may be changed. */
static bool is_guest(const struct engine *e)
{
	(void)e;
	return guest_is_here();
}

static bool has_ksm(const struct engine *e)
{
	(void)e;
	return number_in("/sys/kernel/mm/ksm/run") == 1;
}

static bool has_hugetlb(const struct engine *e)
{
	FILE *f = fopen("/proc/meminfo", "re");
	char line[128];
	long free_pages = 0, reserved = 0;

	(void)e;
	while (f && fgets(line, sizeof(line), f))
		if (!sscanf(line, "HugePages_Free: %ld", &free_pages))
			sscanf(line, "HugePages_Rsvd: %ld", &reserved);
	if (f)
		fclose(f);
	return free_pages > reserved;
}

static const struct need {
	const char *name;
	bool (*is_met)(const struct engine *e);
	const char *missing; /* what to say where it is not */
} needs[] = {
	{ "root", is_root, "root" },
	{ "pfn", sees_pfns, "page frame numbers (CAP_SYS_ADMIN, /proc/kpageflags)" },
	{ "scan", has_scan, "PAGEMAP_SCAN (Linux 6.7)" },
	{ "cpus", has_two_cpus, "a second CPU" },
	{ "thp", has_huge_pages, "transparent huge pages" },
	{ "swap", has_swap, "swap (/proc/swaps is empty)" },
	{ "guest", is_guest, "a machine that is nobody's (rssck vm)" },
	{ "ksm", has_ksm, "ksmd running (/sys/kernel/mm/ksm/run = 1)" },
	{ "hugetlb", has_hugetlb, "a free hugetlb page (vm.nr_hugepages)" },
};

static const struct need *need_by_name(const char *name)
{
	for (size_t i = 0; i < sizeof(needs) / sizeof(*needs); i++)
		if (!strcmp(needs[i].name, name))
			return &needs[i];
	return NULL;
}

bool needs_are_met(const struct engine *e, const struct testcase *c, char *why, size_t size)
{
	char absent[160];
	size_t len = 0;

	why[0] = '\0';
	for (const char *const *name = c->needs; name && *name; name++) {
		const struct need *n = need_by_name(*name);

		if (n && n->is_met(e))
			continue;
		len += (size_t)snprintf(why + len, len < size ? size - len : 0, "%s%s",
					len ? ", " : "needs ", n ? n->missing : *name);
	}
	if (c->tools && access("/proc/meminfo", R_OK))
		len += (size_t)snprintf(why + len, len < size ? size - len : 0,
					"%s/proc/meminfo for its tools: %m (is /proc mounted "
					"with subset=pid?)",
					len ? ", " : "needs ");
	for (const char *const *name = c->tools; name && *name; name++) {
		const struct tool *t = tool_by_name(*name);

		if (t && tool_is_here(t, absent, sizeof(absent)))
			continue;
		len += (size_t)snprintf(why + len, len < size ? size - len : 0, "%s%s",
					len ? ", " : "", t ? absent : *name);
	}
	return len == 0;
}
