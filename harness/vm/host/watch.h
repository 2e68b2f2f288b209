// SPDX-License-Identifier: MIT
/* Watches a machine until it ends. */
#ifndef RSSCK_VM_WATCH_H
#define RSSCK_VM_WATCH_H

#include "qemu.h"

struct limits {
	double silence; /* until the console's first byte, in seconds of QEMU's CPU time */
	double boot;    /* until FRAME_HELLO, in seconds of QEMU's CPU time */
	double run;     /* until check's exit, in seconds of elapsed time */
};

/* Fills in *out with the machine's output. Returns 0, or -1 with a sentence in `why`. */
int watch(struct vm_outcome *out, struct qemu *q, const struct vm_options *o,
	  const struct limits *limits, char *why, size_t size);

#endif
