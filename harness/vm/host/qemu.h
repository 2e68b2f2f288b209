// SPDX-License-Identifier: MIT
/*
 * A QEMU process.
 */
#ifndef RSSCK_VM_QEMU_H
#define RSSCK_VM_QEMU_H

#include "vm/vm.h"

#include <limits.h>

/* The part of a machine that stays the same for all boots of a run. */
struct machine {
	char program[PATH_MAX];
	bool is_native; /* this machine can run such programs natively */
	bool has_nvme, has_virtio, has_debugcon;
	int kernel;           /* a memfd with the image, or -1: QEMU opens the file */
	unsigned page_scale;  /* number of 4 KiB pages in a page of the guest */
	int initramfs;        /* memfds; a disk is -1 if there is none */
	int ext4[2], swap[2]; /* one on NVMe, one on virtio */
};

struct qemu {
	pid_t pid;
	int console, results, errors; /* read ends of pipes: ttyS0, the messages, QEMU's stderr */
};

/* Finds the QEMU for a board, and what devices it has. */
int qemu_find(struct machine *m, const struct board *b, char *why, size_t size);

int qemu_start(struct qemu *q, const struct machine *m, const struct vm_options *o, char *why,
	       size_t size);

/*
 * Kills QEMU (after a while, if it is ending by itself), reaps it and closes the pipes.
 * Returns its wait status.
 */
int qemu_stop(struct qemu *q, bool ending);

#endif
