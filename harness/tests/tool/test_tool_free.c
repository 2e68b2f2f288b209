// SPDX-License-Identifier: MIT
/*
 * The output of free and vmstat for /proc/meminfo, as figures.def describes it: both read a meminfo
 * in which every line has a different number.
 */
#include "tests/support/files.h"
#include "tests/support/test.h"

enum {
	TOTAL = 8000000,
	FREE = 1000001,
	AVAILABLE = 4000020,
	BUFFERS = 300003,
	CACHED = 2500004,
	SHMEM = 170005,
	RECLAIMABLE = 210006,
	SWAP = 900000,
	SWAP_FREE = 800007,
};

static const char *make_meminfo(void)
{
	char text[1024];

	snprintf(
		text, sizeof(text),
		"MemTotal: %d kB\nMemFree: %d kB\nMemAvailable: %d kB\nBuffers: %d kB\nCached: %d kB\n"
		"SwapCached: 0 kB\nActive: 11 kB\nInactive: 12 kB\nSwapTotal: %d kB\nSwapFree: %d kB\n"
		"Shmem: %d kB\nSlab: %d kB\nSReclaimable: %d kB\nSUnreclaim: 13 kB\n",
		TOTAL, FREE, AVAILABLE, BUFFERS, CACHED, SWAP, SWAP_FREE, SHMEM, RECLAIMABLE + 13,
		RECLAIMABLE);
	return folder_put("meminfo", text);
}

/* Returns the output of a program that finds this file in place of /proc/meminfo. */
static char *shown(const char *command)
{
	static char out[4096];
	int status = shell(out, sizeof(out),
			   "unshare -m sh -c 'mount --bind %s /proc/meminfo && %s' 2>/dev/null",
			   make_meminfo(), command);

	if (status)
		skip();
	return out;
}

/* Reads the six columns of free. */
static void free_columns(const char *command, long of[6])
{
	const char *line = strstr(shown(command), "Mem:");

	assert_non_null(line);
	assert_int_equal(sscanf(line, "Mem: %ld %ld %ld %ld %ld %ld", &of[0], &of[1], &of[2],
				&of[3], &of[4], &of[5]),
			 6);
}

TEST(free_agrees_with_figures_def)
{
	long of[6];

	free_columns("free -k", of);
	assert_int_equal(of[0], TOTAL);
	assert_int_equal(of[2], FREE);
	assert_int_equal(of[3], SHMEM);
	assert_int_equal(of[4], BUFFERS + CACHED + RECLAIMABLE);
	assert_int_equal(of[5], AVAILABLE);
	/* Versions of procps define "used" in two ways. */
	if (of[1] != TOTAL - AVAILABLE)
		assert_int_equal(of[1], TOTAL - FREE - BUFFERS - CACHED - RECLAIMABLE);
}

/* Each column is rounded down to whole MiB or GiB by itself, so the columns do not add up. */
static void free_in(const char *command, long kib)
{
	static const long said[] = { TOTAL,    0, FREE, SHMEM, BUFFERS + CACHED + RECLAIMABLE,
				     AVAILABLE };
	long of[6];

	free_columns(command, of);
	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++)
		if (i != 1)
			assert_int_equal(of[i], said[i] / kib);
}

TEST(free_truncates_each_column_to_whole_units)
{
	free_in("free -m", 1024);
	free_in("free -g", 1024 * 1024);
}

TEST(vmstat_agrees_with_figures_def)
{
	long swapped, unused, buffers, cache;
	char *out = shown("vmstat"), *line;

	line = strrchr(out, '\n');
	assert_non_null(line);
	*line = '\0';
	line = strrchr(out, '\n');
	assert_non_null(line);
	assert_int_equal(
		sscanf(line, " %*d %*d %ld %ld %ld %ld", &swapped, &unused, &buffers, &cache), 4);
	assert_int_equal(swapped, SWAP - SWAP_FREE);
	assert_int_equal(unused, FREE);
	assert_int_equal(buffers, BUFFERS);
	assert_int_equal(cache, CACHED + RECLAIMABLE);
}
