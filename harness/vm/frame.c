// SPDX-License-Identifier: MIT
/*
 * A frame is a line "RSSCK kind length checksum" and a payload. Its length and checksum distinguish
 * a complete message from a message that was cut off when the machine ended.
 */
#include "frame.h"
#include "base/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAYLOAD_MAX = 64 << 20 };

/* The FNV-1a hash. */
static uint32_t checksum(const char *data, size_t length)
{
	uint32_t sum = 2166136261u;

	while (length--)
		sum = (sum ^ (unsigned char)*data++) * 16777619u;
	return sum;
}

void frame_header(char *header, const char *kind, const void *data, size_t length)
{
	snprintf(header, FRAME_HEADER_MAX, "RSSCK %s %zu %08x\n", kind, length,
		 checksum(data, length));
}

int frame_write(int fd, const char *kind, const void *data, size_t length)
{
	char header[FRAME_HEADER_MAX];

	frame_header(header, kind, data, length);
	return write_all(fd, header, strlen(header)) || write_all(fd, data, length) ? -1 : 0;
}

int frames_add(struct frames *f, const char *bytes, size_t length)
{
	if (f->start) {
		memmove(f->bytes, f->bytes + f->start, f->end - f->start);
		f->end -= f->start;
		f->start = 0;
	}
	if (f->end + length > f->room) {
		size_t room = 2 * (f->end + length);
		char *more = realloc(f->bytes, room);

		if (!more)
			return -1;
		f->bytes = more;
		f->room = room;
	}
	memcpy(f->bytes + f->end, bytes, length);
	f->end += length;
	return 0;
}

int frame_next(struct frames *f, struct frame *frame)
{
	char header[FRAME_HEADER_MAX + 1] = "";
	size_t there = f->end - f->start, line;
	const char *at = f->bytes + f->start;
	const char *newline = there ? memchr(at, '\n',
					     there < FRAME_HEADER_MAX ? there : FRAME_HEADER_MAX)
				    : NULL;

	if (!newline)
		return there < FRAME_HEADER_MAX ? 0 : -1;
	line = newline - at + 1;
	memcpy(header, at, line);
	if (sscanf(header, "RSSCK %15s %zu %x\n", frame->kind, &frame->length, &frame->checksum) !=
		    3 ||
	    frame->length > PAYLOAD_MAX)
		return -1;
	if (there < line + frame->length)
		return 0;
	frame->data = at + line;
	f->start += line + frame->length;
	return checksum(frame->data, frame->length) == frame->checksum ? 1 : -1;
}

void frames_free(struct frames *f)
{
	free(f->bytes);
	*f = (struct frames) { 0 };
}
