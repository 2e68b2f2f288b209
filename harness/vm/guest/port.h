// SPDX-License-Identifier: MIT
/*
 * The guest's channel to the host.
 *
 * The guest writes to an I/O port, and QEMU's debug console receives the bytes. This needs no
 * driver and no interrupt. (rt kernels of 6.1 may disable the interrupt of a busy serial port: "irq
 * 3: nobody cared".) If the kernel forbids I/O ports, or QEMU has no such device, the channel is
 * ttyS1, or the terminal named by VM_GUEST_PORT.
 */
#ifndef RSSCK_GUEST_PORT_H
#define RSSCK_GUEST_PORT_H

#include <stdbool.h>
#include <stddef.h>

struct port {
	bool direct; /* send through the I/O port */
	int tty;     /* otherwise send through this terminal; -1: there is none */
};

/* Returns 0, or -1 if the guest has no I/O port and no terminal. */
int port_open(struct port *p);

/* Sends one message: see frame.h. */
void port_send(const struct port *p, const char *kind, const void *data, size_t length);

/* Waits until everything has been sent. */
void port_drain(const struct port *p);

/* Call in a child process: gives up the permission for I/O ports. */
void port_drop(const struct port *p);

#endif
