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
};

static bool read_file(struct text *t, const char *cgroup, const char *file)
{
	char path[160];

	*t = (struct text) { .data = NULL };
	snprintf(path, sizeof(path), "%s/%s", cgroup, file);
	return text_read(t, 0, path) == 0;
}

/* "anon 4096", at the beginning of a line; without a field the file is the number. */
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

/* Swap is charged only where the kernel counts it. */
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

		if (!find(of_swap ? swap.data : stat.data, numbers[i].field, &bytes))
			c->known &= of_swap;
		c->kb[i] = bytes / 1024;
	}
	text_free(&stat);
	text_free(&swap);
}

int64_t charge_lag(int cpus)
{
	enum { BATCH = 64 };

	return 2 * BATCH * (int64_t)cpus;
}

bool charge_left_behind(const struct charge *before, const struct charge *now, int64_t more_kb,
			struct charge_difference *d)
{
	for (unsigned i = 0; before->known && now->known && i < CHARGE_NUMBERS; i++) {
		/* Page cache of text and of what the kernel reads ahead. */
		if (i == CHARGE_FILE || now->kb[i] - before->kb[i] <= more_kb)
			continue;
		*d = (struct charge_difference) { numbers[i].name, before->kb[i], now->kb[i] };
		return true;
	}
	return false;
}

bool charge_falls_short(const struct charge *before, const struct charge *now, int64_t anon_kb,
			int64_t swap_kb, struct charge_difference *d)
{
	const int64_t least[CHARGE_NUMBERS] = {
		[CHARGE_ANON] = before->kb[CHARGE_ANON] + anon_kb,
		[CHARGE_SWAP] = before->kb[CHARGE_SWAP] + swap_kb,
	};

	for (unsigned i = 0; before->known && now->known && i < CHARGE_NUMBERS; i++) {
		if (now->kb[i] >= least[i] || (i == CHARGE_SWAP && !now->has_swap))
			continue;
		*d = (struct charge_difference) { numbers[i].name, least[i], now->kb[i] };
		return true;
	}
	return false;
}
