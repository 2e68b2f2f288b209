// SPDX-License-Identifier: MIT
/*
 * KVM is proved by a boot: /dev/kvm may open, the firmware run, and the kernel
 * hang all the same. So the first boot has KVM and little time, the next TCG.
 *
 * TCG is tried twice: about one boot in 200 hangs in the firmware, and a panic
 * that does not come again is the emulator's.
 *
 * RSSCK_ACCEL=kvm or tcg says what is known already: a caller of many runs
 * (check-kernels.sh) sets it after the first.
 */
#include "accel.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static enum accel known(const struct vm_options *o)
{
	const char *said = getenv("RSSCK_ACCEL");

	if (o->accel != ACCEL_AUTO)
		return o->accel;
	if (said && !strcmp(said, "kvm"))
		return ACCEL_KVM;
	if (said && !strcmp(said, "tcg"))
		return ACCEL_TCG;
	return access("/dev/kvm", R_OK | W_OK) ? ACCEL_TCG : ACCEL_AUTO;
}

int accel_attempts(struct attempt *attempts, const struct vm_options *o)
{
	/*
	 * A cloud kernel is at init after 3 s of CPU time under TCG, and each CPU
	 * beyond two costs a quarter: ten times that is a hang.
	 */
	const struct limits kvm = { .silence = 5, .boot = 10, .run = o->timeout },
			    tcg = { .silence = 10, .boot = 30 + 3 * o->cpus, .run = o->timeout };
	enum accel accel = known(o);
	int n = 0;

	if (accel != ACCEL_TCG)
		attempts[n++] = (struct attempt) { ACCEL_KVM, accel == ACCEL_KVM ? tcg : kvm };
	if (accel == ACCEL_KVM)
		attempts[n++] = (struct attempt) { ACCEL_KVM, tcg };
	while (accel != ACCEL_KVM && n < ATTEMPTS_MAX)
		attempts[n++] = (struct attempt) { ACCEL_TCG, tcg };
	return accel == ACCEL_TCG ? n - 1 : n;
}

bool accel_try_again(const struct attempt *attempt, const struct vm_outcome *out)
{
	if (out->booted)
		return false;
	/* status 0 is a reset or a panic; QEMU itself may abort over what this KVM lacks */
	if (out->end == VM_EXITED)
		return !out->qemu_status || attempt->accel == ACCEL_KVM;
	return out->end == VM_SILENT || out->end == VM_UNBOOTED;
}

const char *accel_name(enum accel accel)
{
	return accel == ACCEL_KVM ? "KVM" : "TCG";
}
