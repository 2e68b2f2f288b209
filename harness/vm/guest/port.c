// SPDX-License-Identifier: MIT
/* Sends frames to the host. */
#include "port.h"
#include "vm/frame.h"
#include "vm/vm.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>

#if defined(__x86_64__) || defined(__i386__)
#include <sys/io.h>

/*
 * QEMU's debug console answers a read with the number of its port. Without the device, a read
 * returns all bits set.
 */
static bool direct_open(void)
{
	return !ioperm(VM_DEBUG_PORT, 1, 1) && inb(VM_DEBUG_PORT) == VM_DEBUG_PORT;
}

static void direct_write(const char *data, size_t length)
{
	__asm__ volatile("rep outsb" : "+S"(data), "+c"(length) : "d"(VM_DEBUG_PORT) : "memory");
}

static void direct_drop(void)
{
	ioperm(VM_DEBUG_PORT, 1, 0);
}
#else
static bool direct_open(void)
{
	return false;
}

static void direct_write(const char *data, size_t length)
{
	(void)data;
	(void)length;
}

static void direct_drop(void)
{
}
#endif

static int tty_open(void)
{
	const char *named = getenv(VM_GUEST_PORT);
	struct termios raw;
	char path[64];
	int tty;

	snprintf(path, sizeof(path), "/dev/%s", named ? named : "ttyS1");
	tty = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC);

	/* opening a missing port succeeds, and only tcgetattr() fails */
	if (tty < 0 || tcgetattr(tty, &raw))
		return -1;
	cfmakeraw(&raw);
	cfsetspeed(&raw, B115200);
	raw.c_cflag |= CLOCAL;
	raw.c_cflag &= ~CRTSCTS;
	return tcsetattr(tty, TCSANOW, &raw) ? -1 : tty;
}

int port_open(struct port *p)
{
	*p = (struct port) { .direct = direct_open(), .tty = -1 };
	if (!p->direct)
		p->tty = tty_open();
	return p->direct || p->tty >= 0 ? 0 : -1;
}

void port_send(const struct port *p, const char *kind, const void *data, size_t length)
{
	char header[FRAME_HEADER_MAX];

	if (p->tty >= 0) {
		frame_write(p->tty, kind, data, length);
	} else if (p->direct) {
		frame_header(header, kind, data, length);
		direct_write(header, strlen(header));
		direct_write(data, length);
	}
}

void port_drain(const struct port *p)
{
	if (p->tty >= 0)
		tcdrain(p->tty);
}

void port_drop(const struct port *p)
{
	if (p->direct)
		direct_drop();
}
