// SPDX-License-Identifier: MIT
/* Decides whether KVM or TCG runs the guest. */
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

/* Fills in the boots to try, in this order. Returns how many. */
int accel_attempts(struct attempt *attempts, const struct vm_options *o);

/* True if this boot shows nothing about the kernel, so that the next attempt is made. */
bool accel_try_again(const struct attempt *attempt, const struct vm_outcome *out);

/*
 * A sentence: why the machine uses TCG although that was not chosen; "" if it does not. `number`
 * is the errno of opening /dev/kvm, or 0.
 */
const char *accel_refused(const struct vm_options *o, int number, char *buf, size_t size);

/* The same if KVM was tried and its trial boot failed. */
const char *accel_gave_up(const struct attempt *attempt, const struct attempt *next,
			  const struct vm_outcome *out, char *buf, size_t size);

/* 0, or the errno with which /dev/kvm cannot be opened. */
int accel_kvm_error(void);

/* The accelerator's name: "KVM" or "TCG". */
const char *accel_name(enum accel accel);

#endif
