// SPDX-License-Identifier: MIT
/*
 * What rssck knows of the machines that it can boot: one row an architecture.
 */
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
	struct elf_kind program; /* what runs on it */
	const char *also;        /* the board whose programs it runs as well, or NULL */
	const char *image;       /* what its kernel build makes for QEMU */
	bool boots_elf;          /* QEMU takes its vmlinux, too */
	const char *emulator, *package;
	const char *machine, *cpu, *cpu_kvm; /* of QEMU */
	/* QEMU's options, ended by NULL; its chardevs are console and results */
	const char *console[3], *second[5];
	const char *port; /* the second channel's device in the guest */
	const char *disk; /* QEMU's device for a disk */
	bool has_pci, has_isa;
	const char *words;  /* of the kernel's command line */
	const char *driver; /* of the console, as the kernel's configuration has it */
	unsigned page_most; /* the largest page of its kernels, where the image does not tell */
	unsigned node_step; /* MiB that a memory node is a multiple of; 0: one node */
	unsigned slow;      /* so many times the CPU time that amd64 needs to boot under TCG */
};

/* The board with that name; NULL: none. */
const struct board *board_find(const char *name);

/* The board whose programs are such; NULL: none. */
const struct board *board_of_elf(const struct elf_kind *kind);

/* Whether such a program runs on it. */
bool board_runs(const struct board *b, const struct elf_kind *kind);

/*
 * Read what an ELF file's first bytes say, in whatever byte order. Returns 0,
 * or -1 where it is none.
 */
int elf_kind_read(struct elf_kind *kind, const unsigned char *header, size_t length);

#endif
