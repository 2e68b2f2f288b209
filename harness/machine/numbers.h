// SPDX-License-Identifier: MIT
/*
 * The numbers of a machine's memory: lines of /proc/meminfo, /proc/vmstat and /proc/zoneinfo, sums
 * of page frames, and sums of other files. A row says how the number follows from other numbers.
 * All numbers are in kB, except counts.
 */
#ifndef RSSCK_MACHINE_NUMBERS_H
#define RSSCK_MACHINE_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NUMBER(id, ...) MACHINE_##id,
enum machine_number {
	MACHINE_NONE,
#include "numbers.def"
	MACHINE_NUMBERS,
};
#undef NUMBER

enum machine_source {
	MACHINE_FRAMES, /* sums of /proc/kpageflags and /proc/kpagecount */
	MACHINE_SUM,    /* a sum of lines of another file, or a sum over all processes */
	MACHINE_MEMINFO,
	MACHINE_VMSTAT,
};

enum { MACHINE_TERMS = 6 };

struct machine_row {
	const char *name; /* "meminfo.MemFree" */
	enum machine_source source;
	bool counts; /* the number is kept as its file prints it; otherwise it is kept in kB
		      * (machine_parse() converts the pages of vmstat) */
	/*
	 * The smallest and the largest correct value of the line, each as a sum of numbers. A
	 * negative term is subtracted.
	 */
	short least[MACHINE_TERMS], most[MACHINE_TERMS];
	bool vmstat;            /* the kernel counts it per CPU, so each CPU may hold back a part */
	const char *maintained; /* the kernel's function or counter */
	const char *prose;
	const char *why_not; /* why no number can be compared with it; NULL: it is compared */
};

const struct machine_row *machine_row(enum machine_number n);

/* Returns the key in the file: "MemFree". */
const char *machine_key(enum machine_number n);

/* Returns the row of a key, or MACHINE_NONE. The search begins at `hint`. */
enum machine_number machine_by_key(enum machine_source s, const char *key, size_t len,
				   enum machine_number hint);
enum machine_number machine_by_name(const char *name);

/* True if the row has a least or a most value to compare with. */
bool machine_is_judged(enum machine_number n);

/* A value for each number. */
struct machine_values {
	int64_t of[MACHINE_NUMBERS];
	bool have[MACHINE_NUMBERS];
};

static inline void machine_set(struct machine_values *v, enum machine_number n, int64_t value)
{
	v->of[n] = value;
	v->have[n] = true;
}

/* Adds up the terms. Returns false if a term was not read, or if there are no terms. */
bool machine_sum(const struct machine_values *v, const short *terms, int64_t *sum);

/* Writes the terms into buf: "frames.anon + frames.batch". */
const char *machine_words(const short *terms, char *buf, size_t size);

/*
 * Parses lines like "key: 12 kB" or "key 12" into the rows of this source. Returns the number of
 * lines that have no row and do not count events.
 */
size_t machine_parse(const char *text, enum machine_source s, int64_t page_kb,
		     struct machine_values *v);

#endif
