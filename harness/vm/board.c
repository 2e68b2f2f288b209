// SPDX-License-Identifier: MIT
/*
 * The table of machines. Each row was booted in QEMU 7.2.
 *
 * earlyprintk and earlycon show a panic even before the console driver is loaded. no_timer_check is
 * needed because on a busy host the emulated timer may fail the kernel's check. "-erms" is set
 * because otherwise a kernel clears and copies pages with "rep stosb" and "rep movsb", which TCG
 * emulates byte by byte (10% of the time of a run).
 *
 * QEMU refuses a memory node without CPUs for riscv64, and s390x has no nodes.
 *
 * The kernel chooses default_hugepagesz, unless such a page would not fit into the guest
 * (image/kernel.c finds the page size).
 */
#include "board.h"

#include <elf.h>
#include <string.h>

#define SERIAL_CONSOLE                       \
	{                                    \
		"-serial", "chardev:console" \
	}
#define SERIAL_SECOND                        \
	{                                    \
		"-serial", "chardev:results" \
	}

/* The machine that amd64 and i386 share. */
#define A_PC                                                                                     \
	.image = "arch/x86/boot/bzImage", .emulator = "qemu-system-x86_64",                      \
	.package = "qemu-system-x86", .machine = "pc", .cpu = "max,-erms", .cpu_kvm = "max",     \
	.console = SERIAL_CONSOLE, .second = SERIAL_SECOND, .port = "ttyS1",                     \
	.disk = "virtio-blk-pci", .has_pci = true, .has_isa = true,                              \
	.words = "console=ttyS0,115200 earlyprintk=ttyS0,115200 8250.nr_uarts=4 no_timer_check", \
	.driver = "CONFIG_SERIAL_8250_CONSOLE", .slow = 1

static const struct board boards[] = {
	{
		.name = "amd64",
		.program = { ELFCLASS64, ELFDATA2LSB, EM_X86_64 },
		.also = "i386",
		.boots_elf = true,
		A_PC,
		.node_step = 1,
	},
	{
		.name = "i386",
		.program = { ELFCLASS32, ELFDATA2LSB, EM_386 },
		A_PC,
	},
	{
		.name = "arm64",
		.program = { ELFCLASS64, ELFDATA2LSB, EM_AARCH64 },
		.image = "arch/arm64/boot/Image",
		.emulator = "qemu-system-aarch64",
		.package = "qemu-system-arm",
		.machine = "virt,gic-version=max",
		.cpu = "max,pauth-impdef=on",
		.cpu_kvm = "host",
		.console = SERIAL_CONSOLE,
		.second = { "-device", "pci-serial,chardev=results" },
		.port = "ttyS0",
		.disk = "virtio-blk-pci",
		.has_pci = true,
		.words = "console=ttyAMA0,115200 earlycon 8250.nr_uarts=4",
		.driver = "CONFIG_SERIAL_AMBA_PL011_CONSOLE",
		.node_step = 1,
		.slow = 2,
	},
	{
		.name = "ppc64el",
		.program = { ELFCLASS64, ELFDATA2LSB, EM_PPC64 },
		.image = "vmlinux",
		.boots_elf = true,
		.emulator = "qemu-system-ppc64",
		.package = "qemu-system-ppc",
		.machine = "pseries,cap-cfpc=broken,cap-sbbc=broken,cap-ibs=broken,cap-ccf-assist="
			   "off",
		.cpu = "power9",
		.cpu_kvm = "host",
		.console = SERIAL_CONSOLE,
		.second = SERIAL_SECOND,
		.port = "hvc1",
		.disk = "virtio-blk-pci",
		.has_pci = true,
		.words = "console=hvc0",
		.driver = "CONFIG_HVC_CONSOLE",
		.page_most = 65536,
		.node_step = 256,
		.slow = 6,
	},
	{
		.name = "riscv64",
		.program = { ELFCLASS64, ELFDATA2LSB, EM_RISCV },
		.image = "arch/riscv/boot/Image",
		.emulator = "qemu-system-riscv64",
		.package = "qemu-system-misc opensbi",
		.machine = "virt",
		.cpu = "rv64",
		.cpu_kvm = "host",
		.console = SERIAL_CONSOLE,
		.second = { "-device", "pci-serial,chardev=results" },
		.port = "ttyS1",
		.disk = "virtio-blk-pci",
		.has_pci = true,
		.words = "console=ttyS0,115200 earlycon=sbi 8250.nr_uarts=4",
		.driver = "CONFIG_SERIAL_OF_PLATFORM",
		.slow = 4,
	},
	{
		.name = "s390x",
		.program = { ELFCLASS64, ELFDATA2MSB, EM_S390 },
		.image = "arch/s390/boot/bzImage",
		.boots_elf = true,
		.emulator = "qemu-system-s390x",
		.package = "qemu-system-misc",
		.machine = "s390-ccw-virtio",
		.cpu = "max",
		.cpu_kvm = "host",
		.console = SERIAL_CONSOLE,
		.second = { "-device", "virtio-serial-ccw", "-device",
			    "virtconsole,chardev=results" },
		.port = "hvc0",
		.disk = "virtio-blk-ccw",
		.words = "console=ttyS1 conmode=sclp",
		.driver = "CONFIG_SCLP_CONSOLE",
		.slow = 4,
	},
};

enum { NR_BOARDS = sizeof(boards) / sizeof(*boards) };

const struct board *board_find(const char *name)
{
	for (size_t i = 0; i < NR_BOARDS; i++)
		if (!strcmp(boards[i].name, name))
			return &boards[i];
	return NULL;
}

static bool is_same(const struct elf_kind *a, const struct elf_kind *b)
{
	return a->bits == b->bits && a->order == b->order && a->machine == b->machine;
}

const struct board *board_of_elf(const struct elf_kind *kind)
{
	for (size_t i = 0; i < NR_BOARDS; i++)
		if (is_same(&boards[i].program, kind))
			return &boards[i];
	return NULL;
}

bool board_runs(const struct board *b, const struct elf_kind *kind)
{
	const struct board *also = b->also ? board_find(b->also) : NULL;

	return is_same(&b->program, kind) || (also && is_same(&also->program, kind));
}

int elf_kind_read(struct elf_kind *kind, const unsigned char *header, size_t length)
{
	const size_t at = offsetof(Elf64_Ehdr, e_machine); /* e_machine has the same offset in
							    * Elf32_Ehdr and Elf64_Ehdr */

	if (length < sizeof(Elf32_Ehdr) || memcmp(header, ELFMAG, SELFMAG))
		return -1;
	kind->bits = header[EI_CLASS];
	kind->order = header[EI_DATA];
	kind->machine = kind->order == ELFDATA2MSB ? header[at] << 8 | header[at + 1]
						   : header[at + 1] << 8 | header[at];
	return 0;
}
