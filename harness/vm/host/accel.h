// SPDX-License-Identifier: MIT
/*
 * What the guest's instructions are run by.
 */
#ifndef RSSCK_VM_ACCEL_H
#define RSSCK_VM_ACCEL_H

#include "qemu.h"
#include "watch.h"

enum { ATTEMPTS_MAX = 3 };

struct attempt {
	enum accel accel;
	struct limits limits;
};

/* Fill in the boots to try, in this order. Returns how many. */
int accel_attempts(struct attempt *attempts, const struct vm_options *o);

/* True if this boot says nothing about the kernel, so that the next attempt is due. */
bool accel_try_again(const struct attempt *attempt, const struct vm_outcome *out);

/* Say in words what the machine ran by: "KVM" or "TCG". */
const char *accel_name(enum accel accel);

#endif
