// SPDX-License-Identifier: MIT
#include "charge.h"
#include <inttypes.h>
#include <rssck/source.h>
#include <stdio.h>
#include <string.h>

static const struct {
	const char *file, *field, *name;
} numbers[CHARGE_NUMBERS] = {
	[CHARGE_ANON] = { "memory.stat", "anon", "memory.stat anon" },
	[CHARGE_FILE] = { "memory.stat", "file", "memory.stat file" },
	[CHARGE_SHMEM] = { "memory.stat", "shmem", "memory.stat shmem" },
	[CHARGE_SWAP] = { "memory.swap.current", NULL, "memory.swap.current" },
	[CHARGE_FILE_MAPPED] = { "memory.stat", "file_mapped", "memory.stat file_mapped" },
	[CHARGE_ANON_THP] = { "memory.stat", "anon_thp", "memory.stat anon_thp" },
	[CHARGE_SHMEM_THP] = { "memory.stat", "shmem_thp", "memory.stat shmem_thp" },
	[CHARGE_FILE_THP] = { "memory.stat", "file_thp", "memory.stat file_thp" },
	[CHARGE_SWAPCACHED] = { "memory.stat", "swapcached", "memory.stat swapcached" },
	[CHARGE_UNEVICTABLE] = { "memory.stat", "unevictable", "memory.stat unevictable" },
	[CHARGE_KERNEL_STACK] = { "memory.stat", "kernel_stack", "memory.stat kernel_stack" },
	[CHARGE_PAGETABLES] = { "memory.stat", "pagetables", "memory.stat pagetables" },
};

static bool read_file(struct text *t, const char *cgroup, const char *file)
{
	char path[160];

	*t = (struct text) { .data = NULL };
	snprintf(path, sizeof(path), "%s/%s", cgroup, file);
	return text_read(t, 0, path) == 0;
}

/* Finds a line like "anon 4096". If `field` is NULL, the file is a single number. */
static bool find(const char *text, const char *field, int64_t *bytes)
{
	size_t length = field ? strlen(field) : 0;

	for (const char *line = text; line && *line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, field ? field : "", length) && (!field || line[length] == ' '))
			return sscanf(line + length, "%" SCNd64, bytes) == 1;
	}
	return false;
}

void charge_take(struct charge *c, const char *cgroup)
{
	struct text stat, swap;

	*c = (struct charge) { .known = cgroup[0] != '\0' };
	if (!c->known)
		return;
	c->known = read_file(&stat, cgroup, "memory.stat");
	c->has_swap = read_file(&swap, cgroup, "memory.swap.current");
	for (unsigned i = 0; i < CHARGE_NUMBERS; i++) {
		bool of_swap = i == CHARGE_SWAP;
		int64_t bytes = 0;
		bool found = find(of_swap ? swap.data : stat.data, numbers[i].field, &bytes);

		c->known &= found || i >= CHARGE_SWAP;
		c->kb[i] = found || of_swap ? bytes / 1024 : -1;
	}
	text_free(&stat);
	text_free(&swap);
}

int64_t charge_lag(int cpus)
{
	enum { BATCH = 64 };

	return 2 * BATCH * (int64_t)cpus;
}

static int64_t slack_of(const struct charge_slack *slack, enum charge_number i)
{
	switch (i) {
	case CHARGE_ANON:
	case CHARGE_SWAP:
	case CHARGE_SWAPCACHED:
		return slack->anon;
	case CHARGE_FILE_MAPPED:
		return slack->lag;
	case CHARGE_UNEVICTABLE:
	case CHARGE_KERNEL_STACK:
	case CHARGE_PAGETABLES:
		return slack->few;
	default:
		return slack->rest;
	}
}

bool charge_left_behind(const struct charge *before, const struct charge *now,
			const struct charge_slack *slack, struct charge_difference *d)
{
	for (unsigned i = 0; before->known && now->known && i < CHARGE_NUMBERS; i++) {
		/* CHARGE_FILE also counts program text and read-ahead. */
		if (i == CHARGE_FILE || before->kb[i] < 0 ||
		    now->kb[i] - before->kb[i] <= slack_of(slack, i))
			continue;
		*d = (struct charge_difference) { numbers[i].name, before->kb[i], now->kb[i] };
		return true;
	}
	return false;
}

static bool is_short(const struct charge *before, const struct charge *now, enum charge_number i,
		     int64_t more, struct charge_difference *d)
{
	int64_t least = before->kb[i] + more;

	if (before->kb[i] < 0 || now->kb[i] >= least)
		return false;
	*d = (struct charge_difference) { numbers[i].name, least, now->kb[i] };
	return true;
}

bool charge_falls_short(const struct charge *before, const struct charge *now,
			const struct charge_least *least, struct charge_difference *d)
{
	if (!before->known || !now->known)
		return false;
	if (is_short(before, now, CHARGE_ANON, least->anon, d) ||
	    is_short(before, now, CHARGE_SHMEM, least->shmem, d) ||
	    (now->has_swap && is_short(before, now, CHARGE_SWAP, least->swap, d)))
		return true;
	/* file_thp exists since 5.11. 5.10 counts huge pages in batches. */
	return now->kb[CHARGE_FILE_THP] >= 0 &&
	       (is_short(before, now, CHARGE_ANON_THP, least->anon_thp, d) ||
		is_short(before, now, CHARGE_SHMEM_THP, least->shmem_thp, d) ||
		is_short(before, now, CHARGE_FILE_THP, least->file_thp, d));
}
