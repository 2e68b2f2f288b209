// SPDX-License-Identifier: MIT
/*
 * Fuzz targets for libFuzzer: one for each reader, a function that parses input which other
 * programs or the kernel wrote. A reader must not crash on any input. Its target also checks what
 * the reader promises about its result.
 */
#ifndef RSSCK_READERS_H
#define RSSCK_READERS_H

#include <rssck/source.h>
#include <stdlib.h>

/* The input that is left; values are taken from its beginning. */
struct input {
	const uint8_t *at;
	size_t left;
};

typedef void fuzz_fn(struct input in);

/* Returns the next bytes as a number; after the end it returns zeroes. */
uint64_t take_number(struct input *in, size_t bytes);

/* Returns the rest as a text of its own, which ends with a NUL. The caller frees it. */
char *take_text(struct input *in);

/* Checks a promise: libFuzzer keeps an input that leads to abort(). */
static inline void must(bool kept)
{
	if (!kept)
		abort();
}

/* Checks that there is a message if and only if the input could not be read. */
static inline void must_say(int failed, const char *why)
{
	must(!failed == !why[0]);
}

/* Returns a memfd with this content. It is created once, and filled again for each input. */
int file_of(int *fd, const void *content, size_t size);

/* Changes a JSON text so that it remains JSON. Returns the new size. */
size_t json_mutate(uint8_t *data, size_t size, size_t max_size, unsigned seed);

/* harness/tests/readers/proc.c */
fuzz_fn fuzz_stat, fuzz_statm, fuzz_status, fuzz_oom_score, fuzz_rollup, fuzz_smaps, fuzz_maps;
fuzz_fn fuzz_numa_maps, fuzz_identity, fuzz_meminfo;

/* harness/tests/readers/walk.c */
fuzz_fn fuzz_pagemap, fuzz_scan, fuzz_kpage;

/* harness/tests/readers/tools.c */
fuzz_fn fuzz_tool, fuzz_screen;

/* harness/tests/readers/files.c */
fuzz_fn fuzz_results, fuzz_pages, fuzz_journal, fuzz_image, fuzz_frame, fuzz_kmsg, fuzz_cgroup;

#endif
