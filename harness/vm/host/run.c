// SPDX-License-Identifier: MIT
/*
 * A run: checks the image, prepares everything that the machine needs, and boots the machine until
 * a boot says something about the kernel.
 */
#include "accel.h"
#include "diagnose.h"
#include "vm/image/disk.h"
#include "vm/image/initramfs.h"
#include "vm/image/kernel.h"
#include "vm/image/programs.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MIB = 1 << 20, MEMORY_LEAST = 64 /* in MiB, besides kernel and initramfs */ };

/*
 * Checks that the memory is large enough: while the initramfs is unpacked, it is in memory twice.
 */
static int memory_check(const struct vm_options *o, const struct image *image, int initramfs,
			char *why, size_t size)
{
	struct stat st;
	unsigned long long need;

	if (fstat(initramfs, &st))
		st.st_size = 0;
	need = MEMORY_LEAST + (image->init_size + 2 * st.st_size) / MIB;
	if (o->memory >= need)
		return 0;
	snprintf(why, size,
		 "--memory=%u is too small: the kernel needs %llu MiB to unpack itself, and the "
		 "initramfs has %llu MiB; give at least %llu MiB, or better 1024",
		 o->memory, (unsigned long long)image->init_size / MIB,
		 (unsigned long long)st.st_size / MIB, need);
	return -1;
}

static void machine_close(struct machine *m)
{
	const int fds[] = {
		m->kernel, m->initramfs, m->ext4[0], m->ext4[1], m->swap[0], m->swap[1]
	};

	for (size_t i = 0; i < sizeof(fds) / sizeof(*fds); i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

/*
 * Attaches the same disks to both buses, because a bare kernel may have only one of the drivers
 * built in, or none.
 */
static int disks_create(struct machine *m, char *why, size_t size)
{
	const bool has_bus[] = { m->has_nvme, m->has_virtio };

	for (int bus = 0; bus < 2; bus++) {
		if (!has_bus[bus])
			continue;
		m->ext4[bus] = disk_ext4(m->page_scale);
		m->swap[bus] = disk_swap(m->page_scale, why, size);
		if (m->swap[bus] < 0)
			return -1;
	}
	return 0;
}

/*
 * Sets defaults that depend on the machine. Its memory depends on its page size. If this host
 * cannot run the guest's programs, the guest uses TCG.
 */
static void options_settle(struct vm_options *o, struct machine *m, const struct image *image)
{
	unsigned page = image->page_size ? image->page_size : image->board->page_most;
	unsigned scale = page / VM_SMALL_PAGE;

	o->board = image->board;
	m->is_native = programs_are_ours(image->board);
	m->kernel = image->fd;
	m->page_scale = scale ? scale : 1;
	if (!m->is_native)
		o->accel = ACCEL_TCG;
	if (scale > VM_MEMORY_SCALE_MOST)
		scale = VM_MEMORY_SCALE_MOST;
	if (!o->memory)
		o->memory = VM_MEMORY * (scale ? scale : 1);
}

static int machine_create(struct machine *m, struct vm_options *o, char *why, size_t size)
{
	struct image image;

	*m = (struct machine) {
		.kernel = -1, .initramfs = -1, .ext4 = { -1, -1 }, .swap = { -1, -1 }
	};
	if (image_check(&image, o->kernel, why, size))
		return -1;
	options_settle(o, m, &image);
	if (qemu_find(m, o->board, why, size))
		return -1;
	m->initramfs = initramfs_build(o, why, size);
	if (m->initramfs < 0 || memory_check(o, &image, m->initramfs, why, size))
		return -1;
	return disks_create(m, why, size);
}

static int boot(const struct machine *m, const struct vm_options *options,
		const struct attempt *attempt, struct vm_outcome *out, char *why, size_t size)
{
	struct vm_options o = *options;
	struct qemu q;
	int result;

	o.accel = attempt->accel;
	vm_outcome_free(out);
	*out = (struct vm_outcome) { 0 };
	if (qemu_start(&q, m, &o, why, size))
		return -1;
	result = watch(out, &q, &o, &attempt->limits, why, size);
	out->qemu_status = qemu_stop(&q, out->end == VM_EXITED);
	return result;
}

static void remark(const char *sentence)
{
	if (sentence[0])
		fprintf(stderr, "rssck vm: %s\n", sentence);
}

static int boots(const struct machine *m, const struct vm_options *o, struct vm_outcome *out,
		 char *why, size_t size)
{
	struct attempt attempts[ATTEMPTS_MAX];
	int n = accel_attempts(attempts, o);
	char text[320];

	remark(accel_refused(o, accel_kvm_error(), text, sizeof(text)));
	for (int i = 0; i < n; i++) {
		if (boot(m, o, &attempts[i], out, why, size))
			return -1;
		if (out->end == VM_DONE)
			return 0;
		diagnose(out, o, &attempts[i], why, size);
		if (!accel_try_again(&attempts[i], out))
			break;
		if (i + 1 < n)
			remark(accel_gave_up(&attempts[i], &attempts[i + 1], out, text,
					     sizeof(text)));
	}
	return -1;
}

int vm_run(const struct vm_options *options, struct vm_outcome *out, char *why, size_t size)
{
	struct vm_options o = *options;
	struct machine m;
	int result;

	*out = (struct vm_outcome) { 0 };
	result = machine_create(&m, &o, why, size) || boots(&m, &o, out, why, size);
	machine_close(&m);
	return result ? -1 : 0;
}

void vm_outcome_free(struct vm_outcome *out)
{
	free(out->journal);
	free(out->console);
	free(out->errors);
	*out = (struct vm_outcome) { 0 };
}
