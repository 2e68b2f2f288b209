// SPDX-License-Identifier: MIT
/* Messages from the guest to the host. */
#ifndef RSSCK_VM_FRAME_H
#define RSSCK_VM_FRAME_H

#include <stddef.h>
#include <stdint.h>

#define FRAME_HELLO   "hello"   /* init runs; the payload is the kernel's release */
#define FRAME_TEXT    "text"    /* a part of check's stdout */
#define FRAME_ERROR   "error"   /* a part of check's stderr */
#define FRAME_JOURNAL "journal" /* a part of check's journal */
#define FRAME_FAIL    "fail"    /* a sentence that says why this guest cannot run check */
#define FRAME_EXIT    "exit"    /* check's wait status, in decimal; always the last message */

enum { FRAME_KIND_SIZE = 16, FRAME_HEADER_MAX = 64 };

struct frame {
	char kind[FRAME_KIND_SIZE];
	size_t length;
	uint32_t checksum;
	const char *data; /* valid until the next frame_next() or frames_add() */
};

/* Bytes that were received and not yet parsed into frames. */
struct frames {
	char *bytes;
	size_t start, end, room;
};

/* Stores in `header` (FRAME_HEADER_MAX bytes) the line that precedes the payload. */
void frame_header(char *header, const char *kind, const void *data, size_t length);

/* Writes a frame. Returns 0, or -1 with errno. */
int frame_write(int fd, const char *kind, const void *data, size_t length);

/* Adds received bytes. Returns 0, or -1 if there is no memory. */
int frames_add(struct frames *f, const char *bytes, size_t length);
/*
 * Returns 1 and a complete frame, 0 if more bytes are needed, or -1 if the received bytes are
 * damaged.
 */
int frame_next(struct frames *f, struct frame *frame);
void frames_free(struct frames *f);

#endif
