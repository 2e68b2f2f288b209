// SPDX-License-Identifier: MIT
/*
 * The guest's end of the line to the host.
 *
 * The bytes are written to an I/O port, where QEMU's debug console receives them: that needs no
 * driver and no interrupt. (On rt kernels of 6.1 the kernel may disable the interrupt of a busy
 * serial port, "irq 3: nobody cared".) If a kernel forbids I/O ports, or QEMU has no such device,
 * the line is ttyS1, or the terminal that VM_GUEST_PORT names.
 */
#ifndef RSSCK_GUEST_PORT_H
#define RSSCK_GUEST_PORT_H

#include <stdbool.h>
#include <stddef.h>

struct port {
	bool direct; /* sends through the I/O port */
	int tty;     /* otherwise sends through this terminal; -1: no terminal */
};

/* Returns 0, or -1 if there is neither. */
int port_open(struct port *p);

/* Sends one message, see frame.h. */
void port_send(const struct port *p, const char *kind, const void *data, size_t length);

/* Waits until all has been sent. */
void port_drain(const struct port *p);

/* Call in a child: drops the permission for the I/O ports. */
void port_drop(const struct port *p);

#endif
