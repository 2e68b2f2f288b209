// SPDX-License-Identifier: MIT
/*
 * Only a boot can prove that KVM works: /dev/kvm may open and the firmware may run, but the kernel
 * may hang. So the first boot uses KVM with a short time limit, and the next boot uses TCG.
 *
 * TCG is tried twice, because about one boot in 200 hangs in the firmware. A panic before init that
 * does not occur again is taken for the emulator's fault.
 *
 * RSSCK_ACCEL=kvm or tcg chooses one of them, which is then tried twice. check-kernels.sh and
 * grids.sh set it before their many runs (acceleration() in results.sh).
 */
#include "accel.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int accel_kvm_error(void)
{
	return access("/dev/kvm", R_OK | W_OK) ? errno : 0;
}

static enum accel chosen(const struct vm_options *o)
{
	const char *said = getenv("RSSCK_ACCEL");

	if (o->accel != ACCEL_AUTO)
		return o->accel;
	if (said && !strcmp(said, "kvm"))
		return ACCEL_KVM;
	if (said && !strcmp(said, "tcg"))
		return ACCEL_TCG;
	return ACCEL_AUTO;
}

static enum accel known(const struct vm_options *o)
{
	enum accel accel = chosen(o);

	return accel == ACCEL_AUTO && accel_kvm_error() ? ACCEL_TCG : accel;
}

const char *accel_refused(const struct vm_options *o, int number, char *buf, size_t size)
{
	buf[0] = '\0';
	if (number && chosen(o) == ACCEL_AUTO)
		snprintf(buf, size,
			 "cannot use KVM, so the machine runs many times slower: /dev/kvm: %s%s",
			 strerror(number),
			 number == EACCES
				 ? " (most distributions let members of the group kvm open it)"
				 : "");
	return buf;
}

/* Prints QEMU's first line, because it is the cause of the following ones. */
static void say_ended(const struct vm_outcome *out, char *buf, size_t size)
{
	const char *said = out->errors ? out->errors + strspn(out->errors, "\r\n") : "";

	snprintf(buf, size, "the machine ended before the kernel had booted%s%.*s",
		 *said ? ": " : "", (int)strcspn(said, "\r\n"), said);
}

const char *accel_gave_up(const struct attempt *attempt, const struct attempt *next,
			  const struct vm_outcome *out, char *buf, size_t size)
{
	char what[160];

	buf[0] = '\0';
	if (attempt->accel != ACCEL_KVM || next->accel == ACCEL_KVM)
		return buf;
	if (out->end == VM_EXITED)
		say_ended(out, what, sizeof(what));
	else if (out->end == VM_SILENT)
		snprintf(what, sizeof(what), "the guest was silent for %.0f s of CPU time",
			 attempt->limits.silence);
	else
		snprintf(what, sizeof(what), "the guest had not booted within %.0f s of CPU time",
			 attempt->limits.boot);
	snprintf(buf, size,
		 "continues without KVM, so the machine runs many times slower: /dev/kvm opens, "
		 "but %s (RSSCK_ACCEL=tcg skips this attempt)",
		 what);
	return buf;
}

int accel_attempts(struct attempt *attempts, const struct vm_options *o)
{
	/*
	 * Under TCG, a cloud kernel reaches init after about 3 s of CPU time; each CPU after the
	 * second adds about 25%. A boot that takes ten times as long is taken for a hang.
	 */
	const unsigned slow = o->board ? o->board->slow : 1;
	const struct limits kvm = { .silence = 5, .boot = 10, .run = o->timeout }, tcg = {
		.silence = 10 * slow, .boot = (30 + 3 * o->cpus) * slow, .run = o->timeout
	};
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
	/*
	 * status 0 is a reset or a panic; any other status with KVM may mean that QEMU needs
	 * something that this KVM lacks
	 */
	if (out->end == VM_EXITED)
		return !out->qemu_status || attempt->accel == ACCEL_KVM;
	return out->end == VM_SILENT || out->end == VM_UNBOOTED;
}

const char *accel_name(enum accel accel)
{
	return accel == ACCEL_KVM ? "KVM" : "TCG";
}
