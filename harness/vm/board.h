// SPDX-License-Identifier: MIT
/* The machines that rssck can boot, one row for each architecture. */
#ifndef RSSCK_VM_BOARD_H
#define RSSCK_VM_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The machine that is named in the header of an ELF file. */
struct elf_kind {
	unsigned char bits, order; /* e.g. ELFCLASS64, ELFDATA2LSB */
	uint16_t machine;          /* e.g. EM_X86_64 */
};

struct board {
	const char *name;        /* Debian's name of the architecture */
	struct elf_kind program; /* the kind of ELF programs that run on it */
	const char *also;        /* another board whose programs it can also run, or NULL */
	const char *image;       /* the image that the kernel's build makes for QEMU */
	bool boots_elf;          /* QEMU also boots the kernel's vmlinux */
	const char *emulator, *package;
	const char *machine, *cpu, *cpu_kvm; /* names that QEMU uses */
	/* QEMU's options, ended by NULL; they use the chardevs "console" and "results" */
	const char *console[3], *second[5];
	const char *port; /* the device of the second channel in the guest */
	const char *disk; /* QEMU's device for a disk */
	bool has_pci, has_isa;
	const char *words;  /* words for the kernel's command line */
	const char *driver; /* the console driver's name in the kernel's configuration */
	unsigned page_most; /* the largest page size of its kernels, for images that do not show
			     * it */
	unsigned node_step; /* the size of a memory node must be a multiple of this, in MiB; 0:
			     * only one node */
	unsigned slow;      /* boot time under TCG, as a multiple of amd64's */
};

/* The board called `name`; NULL: there is none. */
const struct board *board_find(const char *name);

/* The board that runs such programs natively; NULL: there is none. */
const struct board *board_of_elf(const struct elf_kind *kind);

/* True if the board can run such programs. */
bool board_runs(const struct board *b, const struct elf_kind *kind);

/*
 * Reads the first bytes of an ELF file, in either byte order. Returns 0, or -1 if it is not an ELF
 * file.
 */
int elf_kind_read(struct elf_kind *kind, const unsigned char *header, size_t length);

#endif
