// SPDX-License-Identifier: MIT
/*
 * rssck vm boots any kernel image in a virtual machine, with rssck as its init.
 *
 * A run writes no file: the initramfs and the disks are memfds, and the console and the results are
 * read from pipes. So a run leaves nothing behind, however it ends.
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

/* Size of a buffer for a sentence and the console's last lines. */
enum { VM_WHY_SIZE = 8192 };

/*
 * The file with the conditions to set up in the guest, in the format of GUEST_MARKER
 * (base/guest.h); see guest/conditions.c.
 */
#define VM_GUEST_SETUP "/rssck-setup"
/* The FIFO to which check --journal writes. The guest sends each line to the host immediately. */
#define VM_GUEST_JOURNAL "/run/journal"
#define VM_GUEST_MODULES "/modules"
/*
 * A word of the kernel's command line, which init finds in its environment: the device for the
 * guest's messages, if it is not ttyS1.
 */
#define VM_GUEST_PORT "RSSCK_PORT"

/* The I/O port of QEMU's debug console, which receives the guest's messages. */
enum { VM_DEBUG_PORT = 0xe9 };

/*
 * The labels of the guest's disks. The guest finds its disks by label, because their names depend
 * on the driver.
 */
#define VM_EXT4_LABEL "rssck-ext4"
#define VM_SWAP_LABEL "rssck-swap"

enum { VM_SETUP_MAX = 32, VM_WITH_MAX = 64 };

enum accel { ACCEL_AUTO, ACCEL_KVM, ACCEL_TCG };

struct vm_options {
	const char *kernel;
	const char *programs;            /* a folder with rssck for the guest's machine, or NULL */
	const char *modules;             /* a folder with modules.order, or NULL */
	const char *append;              /* words to add to the kernel's command line, or NULL */
	const char *setup[VM_SETUP_MAX]; /* each is "[SECONDS:|loop:]NAME=VALUE" */
	int nr_setup;
	const char *run; /* a command line for the shell, or NULL; the programs that it names are
			  * copied into the guest */
	const char *with[VM_WITH_MAX]; /* files and folders of the host that the command needs */
	int nr_with;
	unsigned cpus;
	unsigned memory;      /* in MiB; 0: the default for this machine */
	unsigned node_shares; /* the second node has 1/N of the memory; 0: enough for a few huge
			       * pages */
	unsigned timeout;     /* time limit of each boot until check ends, in seconds */
	enum accel accel;
	const char *const *arguments; /* arguments for rssck in the guest: check ... */
	int nr_arguments;
	FILE *text;                /* the stream for the guest's text while it runs, or NULL */
	bool colour;               /* the text may have colours */
	const struct board *board; /* the image's board; vm_run() finds it */
};

/*
 * VM_MEMORY is for 4 KiB pages. A guest with larger pages needs larger disks, and up to
 * VM_MEMORY_SCALE_MOST times as much memory.
 */
enum { VM_SMALL_PAGE = 4096, VM_MEMORY = 1024 /* MiB */, VM_MEMORY_SCALE_MOST = 4 };

enum vm_end {
	VM_DONE,     /* the guest has sent check's exit status */
	VM_FAILED,   /* the guest has sent the reason why it cannot run check */
	VM_GARBLED,  /* a message from the guest was damaged */
	VM_SILENT,   /* the console printed nothing within the time limit */
	VM_UNBOOTED, /* init sent no FRAME_HELLO within the time limit */
	VM_TIMEOUT,  /* check did not end within the time limit */
	VM_EXITED,   /* QEMU ended before check did */
	VM_SIGNAL,   /* rssck received a signal */
};

/* The result of a boot, and everything that the machine has printed. */
struct vm_outcome {
	enum vm_end end;
	bool booted;     /* init has sent FRAME_HELLO */
	int status;      /* check's wait status */
	int qemu_status; /* QEMU's wait status, if QEMU ended by itself */
	int signal;      /* the signal that rssck has received */
	double boot_s, run_s;
	char release[96];
	char failure[1024]; /* the sentence that the guest has sent */
	char *journal;      /* the results that check has written to its journal so far; NULL:
			     * none */
	size_t journal_length;
	char *console; /* the end of the kernel's output, NUL-terminated, with only printable
			* characters */
	size_t console_length;
	char *errors; /* QEMU's own output, also NUL-terminated and printable */
	size_t errors_length;
};

int vm_run(const struct vm_options *o, struct vm_outcome *out, char *why, size_t size);
void vm_outcome_free(struct vm_outcome *out);

#endif
