// SPDX-License-Identifier: MIT
/*
 * The numbers of a machine's memory: lines of /proc/meminfo, /proc/vmstat and /proc/zoneinfo, sums
 * of page frames, and sums of other files; and how each follows from the others. All are in kB,
 * except counts.
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
	MACHINE_FRAMES, /* /proc/kpageflags and kpagecount, added up */
	MACHINE_SUM,    /* the sum of another file's lines, or a sum over processes */
	MACHINE_MEMINFO,
	MACHINE_VMSTAT,
};

enum { MACHINE_TERMS = 6 };

struct machine_row {
	const char *name; /* "meminfo.MemFree" */
	enum machine_source source;
	bool counts; /* a plain number; otherwise meminfo and frames are in kB, vmstat in pages */
	/*
	 * The least and the most that the line may be: sums of numbers. A negative term is
	 * subtracted.
	 */
	short least[MACHINE_TERMS], most[MACHINE_TERMS];
	bool vmstat;            /* kept per CPU: each CPU may hold back up to a threshold */
	const char *maintained; /* the kernel function or counter behind it */
	const char *prose;
	const char *why_not; /* why nothing can be compared with it; NULL: it is compared */
};

const struct machine_row *machine_row(enum machine_number n);

/* The key in its file: "MemFree". */
const char *machine_key(enum machine_number n);

/* The row of a file's key, or MACHINE_NONE; `hint`: where to begin the search. */
enum machine_number machine_by_key(enum machine_source s, const char *key, size_t len,
				   enum machine_number hint);
enum machine_number machine_by_name(const char *name);

/* True if it is compared with others. */
bool machine_is_judged(enum machine_number n);

/* Why a line without a row is not a state (it counts events); NULL: the line is unknown. */
const char *machine_event(enum machine_source s, const char *key);

/* One value for each of them. */
struct machine_values {
	int64_t of[MACHINE_NUMBERS];
	bool have[MACHINE_NUMBERS];
};

static inline void machine_set(struct machine_values *v, enum machine_number n, int64_t value)
{
	v->of[n] = value;
	v->have[n] = true;
}

/* Adds up terms. False if one of them was not read, or there are none. */
bool machine_sum(const struct machine_values *v, const short *terms, int64_t *sum);

/* "frames.anon + frames.batch": into buf. */
const char *machine_words(const short *terms, char *buf, size_t size);

/*
 * Parses lines "key: 12 kB" or "key 12" into the rows of that source. Returns the number of lines
 * without a row.
 */
size_t machine_parse(const char *text, enum machine_source s, int64_t page_kb,
		     struct machine_values *v);

#endif
