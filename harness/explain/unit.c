// SPDX-License-Identifier: MIT
/* Says in which unit a number is printed. */
#include "unit.h"
#include "machine/numbers.h"
#include "metric_words.h"
#include <stdio.h>
#include <string.h>

/* Numbers in bytes: files of a cgroup, and numbers of other programs. */
static const char *const in_bytes[] = {
	"memory.current",
	"memory.peak",
	"memory.max",
	"memory.high",
	"memory.low",
	"memory.min",
	"memory.stat",
	"memory.swap.current",
	"memory.swap.max",
	"memory.swap.high",
	"memory.swap.peak",
	"memory.zswap.current",
	"memory.zswap.max",
	"memory.kmem",
	"memory.memsw.limit_in_bytes",
	"memory.soft_limit_in_bytes",
	"container_memory_rss",
	"container_memory_cache",
	"container_memory_swap",
	"process_resident_memory_bytes",
	"node exporter memory",
	"MemoryCurrent",
};

/* Lines of memory.stat that are amounts; the others are counts of events. */
static const char *const amounts[] = {
	"anon",        "file",          "kernel",         "kernel_stack",
	"pagetables",  "percpu",        "sock",           "vmalloc",
	"shmem",       "file_dirty",    "file_writeback", "swapcached",
	"anon_thp",    "file_thp",      "shmem_thp",      "inactive_anon",
	"active_anon", "active_file",   "unevictable",    "slab_reclaimable",
	"slab",        "zswap",         "zswapped",       "slab_unreclaimable",
	"hugetlb",     "inactive_file", "sec_pagetables", "file_mapped",
};

static bool is_among(const char *name, const char *const *list, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (!strcmp(list[i], name))
			return true;
	return false;
}

static const char *group_unit(const struct group *g)
{
	if (g->tool)
		return NULL;
	switch (g->source) {
	case SOURCE_SMAPS:
	case SOURCE_ROLLUP:
	case SOURCE_STATUS:
		return unit_kb;
	case SOURCE_STATM:
		return unit_pages;
	default:
		return NULL;
	}
}

static const char *figure_unit(const struct figure *f)
{
	const char *key = strncmp(f->name, "meminfo.", 8) ? f->name : f->name + 8;
	const char *line = strrchr(f->name, ' ') ? strrchr(f->name, ' ') + 1 : f->name;
	enum machine_number n = machine_by_key(MACHINE_MEMINFO, key, strlen(key), MACHINE_NONE);

	if (n)
		return machine_row(n)->counts ? "pages of Hugepagesize" : unit_kb;
	if (is_among(f->name, in_bytes, sizeof(in_bytes) / sizeof(*in_bytes)) ||
	    is_among(line, amounts, sizeof(amounts) / sizeof(*amounts)))
		return "bytes";
	n = machine_by_name(f->name);
	return n && machine_row(n)->source == MACHINE_VMSTAT && !machine_row(n)->counts ? unit_pages
											: NULL;
}

void topic_unit(const struct topic *t, char *buf, size_t size)
{
	const char *unit = t->kind == TOPIC_METRIC   ? metric_unit(t->metric)
			   : t->kind == TOPIC_COLUMN ? column_unit(t->column)
			   : t->kind == TOPIC_FIGURE ? figure_unit(t->figure)
			   : t->kind == TOPIC_GROUP  ? group_unit(&t->group)
						     : NULL;

	buf[0] = '\0';
	if (unit)
		snprintf(buf, size, "%s is in %s.", t->name, unit);
}
