// SPDX-License-Identifier: MIT
/* Decides whether the guest runs under KVM or TCG. */
#ifndef RSSCK_VM_ACCEL_H
#define RSSCK_VM_ACCEL_H

#include "qemu.h"
#include <stddef.h>

enum { ATTEMPTS_MAX = 3 };

struct attempt {
	enum accel accel;
	struct limits limits;
};

/* Makes the list of boots to try, in order. Returns their number. */
int accel_attempts(struct attempt *attempts, const struct vm_options *o);

/* True if this boot says nothing about the kernel, so that the next attempt is made. */
bool accel_try_again(const struct attempt *attempt, const struct vm_outcome *out);

/*
 * Writes why the machine cannot use KVM; "" if it can, or if the user has chosen an accelerator.
 * `number` is the errno of opening /dev/kvm, or 0.
 */
const char *accel_refused(const struct vm_options *o, int number, char *buf, size_t size);

/* Writes why the next attempt does not use KVM although this one did; "" if that is not so. */
const char *accel_gave_up(const struct attempt *attempt, const struct attempt *next,
			  const struct vm_outcome *out, char *buf, size_t size);

/* Returns 0, or the errno with which /dev/kvm cannot be opened. */
int accel_kvm_error(void);

/* The accelerator's name: "KVM" or "TCG". */
const char *accel_name(enum accel accel);

#endif
