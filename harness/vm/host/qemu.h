// SPDX-License-Identifier: MIT
/* A QEMU process. */
#ifndef RSSCK_VM_QEMU_H
#define RSSCK_VM_QEMU_H

#include "vm/vm.h"

#include <limits.h>

/* The part of a machine that is the same for all boots of a run. */
struct machine {
	char program[PATH_MAX];
	bool is_native; /* this machine can run the guest's programs natively */
	bool has_nvme, has_virtio, has_debugcon;
	int kernel;          /* a memfd with the image; -1: QEMU opens the file */
	unsigned page_scale; /* the guest's page size divided by 4 KiB */
	int initramfs;       /* a memfd; -1: none */
	/* memfds for the disks; -1: none; [0] is attached to NVMe, [1] to virtio */
	int ext4[2], swap[2];
};

struct qemu {
	pid_t pid;
	int console, results, errors; /* read ends of pipes: ttyS0, the guest's messages, QEMU's
				       * stdout and stderr */
};

/* Finds the QEMU program for a board, and the devices that it supports. */
int qemu_find(struct machine *m, const struct board *b, char *why, size_t size);

int qemu_start(struct qemu *q, const struct machine *m, const struct vm_options *o, char *why,
	       size_t size);

/*
 * Kills QEMU, reaps it and closes the pipes. If QEMU is `ending` by itself, waits a moment before
 * killing it. Returns its wait status.
 */
int qemu_stop(struct qemu *q, bool ending);

/* How long to watch a machine. */
struct limits {
	double silence; /* until the console's first byte, in seconds of QEMU's CPU time */
	double boot;    /* until FRAME_HELLO, in seconds of QEMU's CPU time */
	double run;     /* until check's exit, in seconds of elapsed time */
};

/* Fills in *out with the machine's output. Returns 0, or -1 with a sentence in `why`. */
int watch(struct vm_outcome *out, struct qemu *q, const struct vm_options *o,
	  const struct limits *limits, char *why, size_t size);

#endif
