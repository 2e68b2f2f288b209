// SPDX-License-Identifier: MIT
/* The machines that rssck can boot: one row for each architecture. */
#ifndef RSSCK_VM_BOARD_H
#define RSSCK_VM_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The machine that an ELF file's header names. */
struct elf_kind {
	unsigned char bits, order; /* ELFCLASS64, ELFDATA2LSB */
	uint16_t machine;          /* EM_X86_64 */
};

struct board {
	const char *name;        /* Debian's name of the architecture */
	struct elf_kind program; /* the ELF kind of programs that run on it */
	const char *also;        /* the board whose programs it runs as well, or NULL */
	const char *image;       /* the image that its kernel build makes for QEMU */
	bool boots_elf;          /* QEMU also boots its vmlinux */
	const char *emulator, *package;
	const char *machine, *cpu, *cpu_kvm; /* of QEMU */
	/* QEMU's options, ended by NULL; its chardevs are console and results */
	const char *console[3], *second[5];
	const char *port; /* the second channel's device in the guest */
	const char *disk; /* QEMU's device for a disk */
	bool has_pci, has_isa;
	const char *words;  /* words for the kernel's command line */
	const char *driver; /* the console driver's name in the kernel's configuration */
	unsigned
		page_most; /* the largest page size of its kernels, if the image does not show it */
	unsigned node_step; /* the size of a memory node is a multiple of this, in MiB; 0: one node
			     */
	unsigned slow;      /* boot time under TCG, as a multiple of amd64's */
};

/* The board with that name; NULL: none. */
const struct board *board_find(const char *name);

/* The board that runs such programs natively; NULL: none. */
const struct board *board_of_elf(const struct elf_kind *kind);

/* True if the board can run such a program. */
bool board_runs(const struct board *b, const struct elf_kind *kind);

/* Reads the first bytes of an ELF file, in either byte order. Returns 0, or -1 if it is not one. */
int elf_kind_read(struct elf_kind *kind, const unsigned char *header, size_t length);

#endif
