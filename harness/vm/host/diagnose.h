// SPDX-License-Identifier: MIT
/* Explains in a sentence how a machine ended. */
#ifndef RSSCK_VM_DIAGNOSE_H
#define RSSCK_VM_DIAGNOSE_H

#include "accel.h"

/*
 * Writes the sentence, what to do, and the console's last lines, for every end except VM_DONE. For
 * VM_SIGNAL, writes only the sentence.
 */
void diagnose(const struct vm_outcome *out, const struct vm_options *o,
	      const struct attempt *attempt, char *why, size_t size);

/*
 * Writes the lines of the guest's kernel log that a healthy run does not have (BUG, WARNING, oops),
 * or "".
 */
void diagnose_complaints(const struct vm_outcome *out, char *text, size_t size);

#endif
