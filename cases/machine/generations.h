// SPDX-License-Identifier: MIT
/* The setting that turns MGLRU on and off. */
#ifndef CASES_MACHINE_GENERATIONS_H
#define CASES_MACHINE_GENERATIONS_H

#include <inttypes.h>
#include <rssck/case.h>

#define GENERATIONS "/sys/kernel/mm/lru_gen/enabled"

/* Returns the bits of MGLRU's parts that are on; -1 if the kernel has no MGLRU. */
static inline int64_t generations_now(void)
{
	char text[32];
	int64_t now;

	workload_read_text(GENERATIONS, text, sizeof(text));
	return sscanf(text, "%" SCNx64, &now) == 1 ? now : -1;
}

#endif
