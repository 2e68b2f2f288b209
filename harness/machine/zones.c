// SPDX-License-Identifier: MIT
/* Parses /proc/zoneinfo. */
#include "zones.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCKS "/sys/devices/system/memory"

/*
 * Returns the largest number of a list like "(0, 1, 2)" (mm/page_alloc.c
 * calculate_totalreserve_pages()).
 */
static int64_t largest(const char *list)
{
	int64_t most = 0, one;
	int n;

	for (; sscanf(list, "%*[(, ]%" SCNd64 "%n", &one, &n) == 1; list += n)
		most = one > most ? one : most;
	return most;
}

/*
 * Parses a line of a zone, or of its node (`of_node`). Versions of Linux differ in which lines
 * belong to the zone.
 */
static void field(struct zone *z, bool of_node, const char *name, const char *value,
		  int64_t page_kb)
{
	const struct {
		const char *name;
		int64_t *to;
	} fields[] = {
		{ "spanned", &z->spanned }, { "present", &z->present }, { "managed", &z->managed },
		{ "low", &z->low },         { "high", &z->high },       { "cma", &z->cma },
	};
	int64_t number = strtoll(value, NULL, 10);
	enum machine_number n;

	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++)
		if (!strcmp(name, fields[i].name)) {
			*fields[i].to = number;
			return;
		}
	if (!strcmp(name, "protection:")) {
		z->kept = largest(value);
	} else if (!strcmp(name, "count:")) {
		z->pcp += number;
	} else if (!strcmp(name, "start_pfn:")) {
		z->start_pfn = (uint64_t)number;
	} else {
		n = machine_by_key(MACHINE_VMSTAT, name, strlen(name), MACHINE_NONE);
		if (n)
			machine_set(of_node ? &z->of_node : &z->values, n,
				    number * (machine_row(n)->counts ? 1 : page_kb));
	}
}

static struct zone *zone_begin(struct zones *z, int node, const char *name)
{
	struct zone *one;

	if (z->nr == ZONES_MAX)
		return NULL;
	one = &z->of[z->nr++];
	*one = (struct zone) { .node = node, .first = z->nr == 1 || z->of[z->nr - 2].node != node };
	snprintf(one->name, sizeof(one->name), "%.15s", name);
	return one;
}

int zones_parse(const char *text, int64_t page_kb, struct zones *z)
{
	struct zone *one = NULL;
	bool of_node = false;
	char name[64], word[64];
	int node, at;

	z->nr = 0;
	for (const char *line = text; *line; line += *line == '\n') {
		if (sscanf(line, "Node %d, zone %15s", &node, word) == 2)
			one = zone_begin(z, node, word);
		else if (one && sscanf(line, " vm stats threshold: %" SCNd64, &one->threshold) == 1)
			;
		else if (one && sscanf(line, " pages free %63[0-9]", word) == 1)
			of_node = false;
		else if (one && sscanf(line, " per-node %63s", word) == 1)
			of_node = true;
		else if (one && sscanf(line, " %63s%n", name, &at) == 1)
			field(one, of_node, name, line + at + strspn(line + at, " "), page_kb);
		line += strcspn(line, "\n");
	}
	return z->nr ? 0 : -1;
}

uint64_t zone_end(const struct zone *z)
{
	return z->start_pfn + (uint64_t)z->spanned;
}

static bool spans(const struct zone *z, uint64_t pfn)
{
	return pfn >= z->start_pfn && pfn < zone_end(z);
}

uint64_t zones_next(const struct zone_blocks *b, uint64_t pfn)
{
	return b->pages ? (pfn / b->pages + 1) * b->pages : UINT64_MAX;
}

bool zones_has(const struct zones *z, const struct zone_blocks *b, size_t zone, uint64_t pfn)
{
	size_t block = b->pages ? pfn / b->pages : 0, first = 0;

	if (!b->pages)
		return true;
	if (block < ZONES_BLOCKS && b->owner[block] != ZONES_MAX)
		return b->owner[block] == zone;
	while (!spans(&z->of[first], pfn))
		first++;
	return first == zone;
}

/* Returns the first word of a file of a block of memory; "" if it cannot be read. */
static const char *block_word(uint64_t block, const char *file, char word[32])
{
	char path[96];
	FILE *f;

	snprintf(path, sizeof(path), BLOCKS "/memory%" PRIu64 "/%s", block, file);
	f = fopen(path, "re");
	if (!f || fscanf(f, "%31s", word) != 1)
		word[0] = '\0';
	if (f)
		fclose(f);
	return word;
}

static bool block_is_of(uint64_t block, const struct zone *z)
{
	char path[96], name[32];

	snprintf(path, sizeof(path), "/sys/devices/system/node/node%d/memory%" PRIu64, z->node,
		 block);
	return !strcmp(block_word(block, "valid_zones", name), z->name) && !access(path, F_OK);
}

/*
 * Finds the zone of a block that several zones span. The frames of an offline block belong to no
 * zone, so it makes none of them unclear.
 */
static void block_divide(struct zones *z, struct zone_blocks *b, uint64_t block)
{
	uint64_t pfn = block * b->pages;
	char state[32];

	for (size_t i = 0; i < z->nr; i++)
		if (spans(&z->of[i], pfn) && block_is_of(block, &z->of[i])) {
			b->owner[block] = (uint8_t)i;
			return;
		}
	if (strcmp(block_word(block, "state", state), "online") != 0)
		return;
	for (size_t i = 0; i < z->nr; i++)
		z->of[i].unclear |= spans(&z->of[i], pfn);
}

static bool overlap(const struct zone *a, const struct zone *b)
{
	return a->spanned && b->spanned && a->start_pfn < zone_end(b) && b->start_pfn < zone_end(a);
}

static void both_divide(struct zones *z, struct zone_blocks *b, size_t one, size_t other)
{
	uint64_t from = z->of[one].start_pfn, to = zone_end(&z->of[one]);

	if (from < z->of[other].start_pfn)
		from = z->of[other].start_pfn;
	if (to > zone_end(&z->of[other]))
		to = zone_end(&z->of[other]);
	for (uint64_t pfn = from; pfn < to; pfn = zones_next(b, pfn))
		if (pfn / b->pages < ZONES_BLOCKS && pfn % b->pages == 0)
			block_divide(z, b, pfn / b->pages);
		else
			z->of[one].unclear = z->of[other].unclear = true;
}

static uint64_t block_pages(int64_t page_kb)
{
	FILE *f = fopen(BLOCKS "/block_size_bytes", "re");
	uint64_t bytes = 0;

	if (!f || fscanf(f, "%" SCNx64, &bytes) != 1)
		bytes = 0;
	if (f)
		fclose(f);
	return bytes ? bytes / 1024 / (uint64_t)page_kb : 1 << 15;
}

void zones_divide(struct zones *z, int64_t page_kb, struct zone_blocks *b)
{
	b->pages = 0;
	for (size_t i = 0; i < z->nr; i++)
		for (size_t k = i + 1; k < z->nr; k++) {
			if (!overlap(&z->of[i], &z->of[k]))
				continue;
			if (!b->pages) {
				b->pages = block_pages(page_kb);
				memset(b->owner, ZONES_MAX, sizeof(b->owner));
			}
			both_divide(z, b, i, k);
		}
}

void zones_sum(const struct zones *z, int64_t page_kb, struct machine_values *v)
{
	int64_t managed = 0, present = 0, pcp = 0, low = 0, cma = 0, reserves = 0;

	for (size_t i = 0; i < z->nr; i++) {
		const struct zone *one = &z->of[i];
		int64_t kept = one->kept + one->high;

		managed += one->managed;
		present += one->present;
		pcp += one->pcp;
		low += one->low;
		cma += one->cma;
		reserves += kept < one->managed ? kept : one->managed;
	}
	machine_set(v, MACHINE_SUM_MANAGED, managed * page_kb);
	machine_set(v, MACHINE_SUM_PRESENT, present * page_kb);
	machine_set(v, MACHINE_SUM_PCP, pcp * page_kb);
	machine_set(v, MACHINE_SUM_LOW, low * page_kb);
	machine_set(v, MACHINE_SUM_CMA, cma * page_kb);
	machine_set(v, MACHINE_SUM_RESERVES, reserves * page_kb);
}

int64_t zones_held_back(const struct zones *z, unsigned cpus)
{
	int64_t sum = 0;

	for (size_t i = 0; i < z->nr; i++)
		sum += z->of[i].threshold * cpus;
	return sum;
}
