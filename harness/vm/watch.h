// SPDX-License-Identifier: MIT
/*
 * Watches a machine until it has ended, one way or another.
 */
#ifndef RSSCK_VM_WATCH_H
#define RSSCK_VM_WATCH_H

#include "qemu.h"

struct limits {
	double silence; /* seconds to the console's first byte */
	double boot;    /* to init's hello */
	double run;     /* to check's exit */
};

/* Fill in *out with what the machine sends. Returns 0, or -1 with a sentence in `why`. */
int watch(struct vm_outcome *out, struct qemu *q, const struct vm_options *o,
	  const struct limits *limits, char *why, size_t size);

#endif
