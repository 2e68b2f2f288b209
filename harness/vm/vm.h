// SPDX-License-Identifier: MIT
/*
 * rssck vm: any kernel image booted in a virtual machine with rssck as its init.
 *
 * No file is written for a run: the initramfs and the disks are memfds, the console and the results
 * come through pipes. A run leaves nothing behind, however it ends.
 *
 * Functions return 0 (or a descriptor), or -1 with a sentence in `why`.
 */
#ifndef RSSCK_VM_H
#define RSSCK_VM_H

#include "board.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/* Room for a sentence and the console's last lines. */
enum { VM_WHY_SIZE = 8192 };

/*
 * The conditions to set up in the guest, in the format of GUEST_MARKER (base/guest.h); see
 * guest/conditions.c.
 */
#define VM_GUEST_SETUP "/rssck-setup"
/* A FIFO: the guest sends each line of check --journal to the host immediately. */
#define VM_GUEST_JOURNAL "/run/journal"
#define VM_GUEST_MODULES "/modules"
/*
 * A word of the kernel's command line, which init finds in its environment: the device for its
 * messages if that is not ttyS1.
 */
#define VM_GUEST_PORT "RSSCK_PORT"

/* The I/O port of QEMU's debug console, which receives the guest's messages. */
enum { VM_DEBUG_PORT = 0xe9 };

/* The guest finds its disks by their labels, since their names depend on the driver. */
#define VM_EXT4_LABEL "rssck-ext4"
#define VM_SWAP_LABEL "rssck-swap"

enum { VM_SETUP_MAX = 32, VM_WITH_MAX = 64 };

enum accel { ACCEL_AUTO, ACCEL_KVM, ACCEL_TCG };

struct vm_options {
	const char *kernel;
	const char *programs;            /* a folder with rssck for the guest's machine, or NULL */
	const char *modules;             /* a folder with modules.order, or NULL */
	const char *append;              /* more of the kernel's command line, or NULL */
	const char *setup[VM_SETUP_MAX]; /* "NAME=VALUE" each */
	int nr_setup;
	const char *run;               /* a shell's line, whose programs are carried in; or NULL */
	const char *with[VM_WITH_MAX]; /* files and folders of the host that the command needs */
	int nr_with;
	unsigned cpus;
	unsigned memory;      /* MiB; 0: as much as that machine needs */
	unsigned node_shares; /* the second node has this fraction of the memory, 1/N; 0: room for a
			       * few huge pages */
	unsigned timeout;     /* seconds for the whole run */
	enum accel accel;
	const char *const *arguments; /* arguments of rssck inside: check ... */
	int nr_arguments;
	FILE *text;                /* the stream for the guest's text while it runs, or NULL */
	bool colour;               /* it may be coloured */
	const struct board *board; /* of the image: vm_run() finds it */
};

/* A guest's memory and disks grow with its page size: this many times those for 4 KiB pages. */
enum { VM_SMALL_PAGE = 4096, VM_MEMORY = 1024 /* MiB */, VM_MEMORY_SCALE_MOST = 4 };

/* How a boot ended. */
enum vm_end {
	VM_DONE,     /* the guest has sent check's exit status */
	VM_FAILED,   /* the guest has sent the reason why it cannot work */
	VM_GARBLED,  /* a message of the guest came out damaged */
	VM_SILENT,   /* not a byte on the console within the limit */
	VM_UNBOOTED, /* bytes on the console, but init has not said hello within the limit */
	VM_TIMEOUT,  /* check has not ended within the limit */
	VM_EXITED,   /* QEMU has ended before check */
	VM_SIGNAL,   /* rssck received a signal */
};

/* The output of the machine. */
struct vm_outcome {
	enum vm_end end;
	bool booted;     /* init has said hello */
	int status;      /* of check */
	int qemu_status; /* wait status, when QEMU ended by itself */
	int signal;      /* that told rssck to stop */
	double boot_s, run_s;
	char release[96];
	char failure[1024]; /* the guest's own sentence */
	char *journal;      /* the results that check has written there so far; NULL: none */
	size_t journal_length;
	char *console; /* the end of what the kernel printed, NUL-ended, fit for a terminal */
	size_t console_length;
	char *errors; /* QEMU's own output, likewise */
	size_t errors_length;
};

int vm_run(const struct vm_options *o, struct vm_outcome *out, char *why, size_t size);
void vm_outcome_free(struct vm_outcome *out);

#endif
