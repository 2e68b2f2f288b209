// SPDX-License-Identifier: MIT
/* The setting that turns MGLRU on and off. */
#ifndef CASES_MACHINE_GENERATIONS_H
#define CASES_MACHINE_GENERATIONS_H

#include <inttypes.h>
#include <stdio.h>

#define GENERATIONS "/sys/kernel/mm/lru_gen/enabled"

/* Returns the bits of MGLRU's parts that are on; -1 if the kernel has no MGLRU. */
static inline int64_t generations_now(void)
{
	int64_t now = -1;
	FILE *f = fopen(GENERATIONS, "re");

	if (!f || fscanf(f, "%" SCNx64, &now) != 1)
		now = -1;
	if (f)
		fclose(f);
	return now;
}

#endif
