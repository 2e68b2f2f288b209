// SPDX-License-Identifier: MIT
/* Keeps, for each kind of memory, a list of the largest holders. */
#include "base/print/json.h"
#include "base/print/words.h"
#include "holders.h"
#include "met.h"
#include <stdio.h>

static const struct {
	const char *name, *words;
} kinds[HELD_KINDS] = {
	[HELD_ANON] = { "anon", "anonymous memory, by process" },
	[HELD_PGTABLE] = { "page_tables", "page tables, by process" },
	[HELD_HUGETLB] = { "hugetlb", "hugetlb pages, by process" },
	[HELD_STACKS] = { "kernel_stacks", "kernel stacks, by process" },
	[HELD_SHMEM] = { "shmem", "tmpfs, memfds and SysV segments, mapped or not" },
	[HELD_SHMEM_MAPPED] = { "shmem_mapped", "shared memory, by process that maps it" },
	[HELD_PIPES] = { "pipes", "pipes, by process" },
	[HELD_SOCKETS] = { "sockets", "socket buffers, by protocol" },
	[HELD_RINGS] = { "rings", "rings shared with the kernel, by process" },
	[HELD_SLAB] = { "slab", "slabs that cannot shrink, by cache" },
	[HELD_SLAB_RECLAIMABLE] = { "slab_reclaimable", "slabs that can shrink, by cache" },
	[HELD_VMALLOC] = { "vmalloc", "vmalloc, by caller" },
	[HELD_CACHE] = { "cache", "page cache, by file" },
	[HELD_FILE_SYSTEM] = { "file_systems", "page cache of these files, by file system" },
};

const char *held_name(enum held_kind k)
{
	return kinds[k].name;
}

const char *held_words(enum held_kind k)
{
	return kinds[k].words;
}

static size_t at_most(const struct held_list *l, size_t most)
{
	return l->nr < most ? l->nr : most;
}

void held_put(const struct held_list *l, size_t most, FILE *out)
{
	char n[32];

	for (size_t i = 0; i < at_most(l, most); i++) {
		fprintf(out, "  %14s    ", number_words(l->most[i].kb, n, sizeof(n)));
		line_put(l->most[i].name, out);
		putc('\n', out);
	}
}

json_t *held_json(const struct held_list *l, size_t most)
{
	json_t *list = json_array();

	for (size_t i = 0; i < at_most(l, most); i++) {
		json_t *one = json_row(list);

		json_set_words(one, "name", l->most[i].name);
		if (l->most[i].pid)
			json_set_number(one, "pid", l->most[i].pid);
		json_set_number(one, "kB", l->most[i].kb);
	}
	return list;
}

void holders_add(struct memory_holders *h, enum held_kind k, const char *name, int64_t kb)
{
	struct held_list *l = &h->of[k];
	size_t at = at_most(l, HELD_MOST);

	if (kb <= 0)
		return;
	l->all += kb;
	l->nr++;
	if (at == HELD_MOST && l->most[--at].kb >= kb)
		return;
	for (; at > 0 && l->most[at - 1].kb < kb; at--)
		l->most[at] = l->most[at - 1];
	l->most[at].kb = kb;
	l->most[at].pid = h->pid;
	snprintf(l->most[at].name, sizeof(l->most[at].name), "%.95s", name);
}

void holders_begin(struct memory_holders *h)
{
	*h = (struct memory_holders) { .files = met_begin(), .by_device = met_begin() };
}

void holders_free(struct memory_holders *h)
{
	met_free(h->files);
	met_free(h->by_device);
	*h = (struct memory_holders) { .processes = 0 };
}
