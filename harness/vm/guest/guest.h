// SPDX-License-Identifier: MIT
/* rssck as init of a virtual machine. */
#ifndef RSSCK_VM_GUEST_H
#define RSSCK_VM_GUEST_H

/* Mounts the file systems, runs check, sends the results, and ends the machine. */
int guest_main(void) __attribute__((noreturn));

#endif
