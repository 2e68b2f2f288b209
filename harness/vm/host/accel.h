// SPDX-License-Identifier: MIT
/*
 * Whether KVM or TCG runs the guest.
 */
#ifndef RSSCK_VM_ACCEL_H
#define RSSCK_VM_ACCEL_H

#include "qemu.h"
#include "watch.h"
#include <stddef.h>

enum { ATTEMPTS_MAX = 3 };

struct attempt {
	enum accel accel;
	struct limits limits;
};

/* Fill in the boots to try, in this order. Returns how many. */
int accel_attempts(struct attempt *attempts, const struct vm_options *o);

/* True if this boot says nothing about the kernel, so that the next attempt is due. */
bool accel_try_again(const struct attempt *attempt, const struct vm_outcome *out);

/*
 * A sentence: why the machine runs by TCG though that was not chosen; "" where it does not.
 * `number` is the errno of opening /dev/kvm, or 0.
 */
const char *accel_refused(const struct vm_options *o, int number, char *buf, size_t size);

/* The same where KVM was tried, and the boot that should have proved it did not. */
const char *accel_gave_up(const struct attempt *attempt, const struct attempt *next,
			  const struct vm_outcome *out, char *buf, size_t size);

/* 0, or the errno with which /dev/kvm cannot be opened. */
int accel_kvm_error(void);

/* Say in words what the machine ran by: "KVM" or "TCG". */
const char *accel_name(enum accel accel);

#endif
