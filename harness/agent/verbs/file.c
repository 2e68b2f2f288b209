// SPDX-License-Identifier: MIT
/* Verbs: what is done to a file while it is mapped. */
#include "verbs.h"
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int act_file(const struct worker *k, const struct act *a)
{
	uint16_t file = k->regions[a->region].file;

	errno = EBADF;
	return file ? k->files[file] : -1;
}

static off_t offset_of(const struct worker *k, const struct act *a)
{
	return (off_t)(a->first * k->page);
}

/* What stays is all in front of the range. */
void verb_truncate(struct worker *k, const struct act *a)
{
	int fd = act_file(k, a);

	act_result(k, fd < 0 ? -1 : ftruncate(fd, offset_of(k, a)));
}

void verb_punch(struct worker *k, const struct act *a)
{
	int fd = act_file(k, a);

	act_result(k, fd < 0 ? -1
			     : fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
					 offset_of(k, a), (off_t)act_bytes(k, a)));
}

/* One byte in each page: enough to make it dirty. */
void verb_pwrite(struct worker *k, const struct act *a)
{
	int fd = act_file(k, a);
	char byte = (char)a->serial;

	act_result(k, fd);
	for (uint32_t i = 0; fd >= 0 && i < a->pages && !k->outcome.error; i++)
		act_result(k, pwrite(fd, &byte, 1, offset_of(k, a) + (off_t)(i * k->page)));
}
