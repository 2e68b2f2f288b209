// SPDX-License-Identifier: MIT
/* rssck as init of a virtual machine. */
#ifndef RSSCK_VM_GUEST_H
#define RSSCK_VM_GUEST_H

/* Mounts, checks, sends the results, powers off. */
int guest_main(void) __attribute__((noreturn));

#endif
