// SPDX-License-Identifier: MIT
/*
 * Only a boot proves KVM: /dev/kvm may open, the firmware run, and the kernel still hang. So the
 * first boot uses KVM with a short limit, the next TCG.
 *
 * TCG is tried a second time: about one boot in 200 hangs in the firmware, and a panic that does
 * not repeat is the emulator's fault.
 *
 * RSSCK_ACCEL=kvm or tcg skips that: a caller of many runs (check-kernels.sh) sets it after the
 * first.
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

/* The accelerator that the user chose; ACCEL_AUTO if none was chosen. */
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
		snprintf(buf, size, "without KVM, many times slower: /dev/kvm: %s%s",
			 strerror(number),
			 number == EACCES ? " (in most distributions the group kvm may open it)"
					  : "");
	return buf;
}

/* Names QEMU's first line, which is the cause of those that follow. */
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
		 "continues without KVM, many times slower: /dev/kvm opens, but %s "
		 "(RSSCK_ACCEL=tcg skips this attempt)",
		 what);
	return buf;
}

int accel_attempts(struct attempt *attempts, const struct vm_options *o)
{
	/*
	 * A cloud kernel reaches init after 3 s of CPU time under TCG, and each CPU beyond two adds
	 * a quarter: ten times that is a hang.
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
	/* status 0 is a reset or a panic; QEMU itself may abort because this KVM lacks something */
	if (out->end == VM_EXITED)
		return !out->qemu_status || attempt->accel == ACCEL_KVM;
	return out->end == VM_SILENT || out->end == VM_UNBOOTED;
}

const char *accel_name(enum accel accel)
{
	return accel == ACCEL_KVM ? "KVM" : "TCG";
}
