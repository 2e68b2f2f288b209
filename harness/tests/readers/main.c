// SPDX-License-Identifier: MIT
/* One program for all readers: FUZZ names one; without FUZZ they are listed. */
#define _GNU_SOURCE
#include "readers.h"
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define RECORDED "harness/tests/recorded/"
#define SEEDS    "harness/tests/readers/seeds/"

static const struct target {
	const char *name;
	fuzz_fn *run;
	const char *seeds; /* a pattern for the shell */
} targets[] = {
	{ "stat", fuzz_stat, RECORDED "*/*.stat" },
	{ "statm", fuzz_statm, RECORDED "*/*.statm" },
	{ "status", fuzz_status, RECORDED "*/*.status" },
	{ "oom_score", fuzz_oom_score, RECORDED "*/*.oom_score" },
	{ "smaps_rollup", fuzz_rollup, RECORDED "*/*.smaps_rollup" },
	{ "smaps", fuzz_smaps, RECORDED "*/*.smaps" },
	{ "maps", fuzz_maps, RECORDED "*/*.maps" },
	{ "numa_maps", fuzz_numa_maps, SEEDS "*.numa_maps" },
	{ "identity", fuzz_identity, RECORDED "*/*.status" },
	{ "meminfo", fuzz_meminfo, "/proc/meminfo" },
	{ "pagemap", fuzz_pagemap, "" },
	{ "scan", fuzz_scan, "" },
	{ "kpage", fuzz_kpage, "" },
	{ "tool", fuzz_tool, RECORDED "tools/*.txt" },
	{ "screen", fuzz_screen, RECORDED "tools/*.raw" },
	{ "results", fuzz_results, SEEDS "*.results" },
	{ "pages", fuzz_pages, SEEDS "*.results" },
	{ "journal", fuzz_journal, SEEDS "*.journal" },
	{ "image", fuzz_image, "" },
	{ "frame", fuzz_frame, SEEDS "*.frame" },
	{ "cgroup", fuzz_cgroup, SEEDS "*.cgroup" },
	{ "kmsg", fuzz_kmsg, SEEDS "*.kmsg" },
};

static const struct target *target;

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

uint64_t take_number(struct input *in, size_t bytes)
{
	uint64_t number = 0;

	for (size_t i = 0; i < bytes && in->left; i++, in->left--)
		number |= (uint64_t)*in->at++ << (8 * i);
	return number;
}

char *take_text(struct input *in)
{
	char *text = malloc(in->left + 1);

	must(text);
	memcpy(text, in->at, in->left);
	text[in->left] = '\0';
	return text;
}

int file_of(int *fd, const void *content, size_t size)
{
	if (*fd < 0)
		*fd = memfd_create("fuzz", MFD_CLOEXEC);
	must(*fd >= 0 && ftruncate(*fd, 0) == 0 && lseek(*fd, 0, SEEK_SET) == 0);
	must(pwrite(*fd, content, size, 0) == (ssize_t)size);
	return *fd;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const char *name = getenv("FUZZ");

	(void)argc;
	(void)argv;
	for (size_t i = 0; i < sizeof(targets) / sizeof(*targets); i++) {
		if (!name)
			printf("%s\t%s\n", targets[i].name, targets[i].seeds);
		else if (!strcmp(targets[i].name, name))
			target = &targets[i];
	}
	if (target)
		return 0;
	if (name)
		fprintf(stderr, "FUZZ=%s: no such reader; without FUZZ they are listed\n", name);
	exit(name ? 2 : 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	target->run((struct input) { data, size });
	return 0;
}

/*
 * Only one in eight changes of a JSON text may change any byte, because most such changes leave
 * text that is not JSON.
 */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	bool is_json = target->run == fuzz_results || target->run == fuzz_pages;

	if (!is_json || seed % 8 == 0)
		return LLVMFuzzerMutate(data, size, max_size);
	return json_mutate(data, size, max_size, seed);
}
