// SPDX-License-Identifier: MIT
/*
 * Reads /proc/kpagecount and /proc/kpageflags.
 */
#include <errno.h>
#include <rssck/source.h>
#include <unistd.h>

int kpage_word(int fd, uint64_t pfn, uint64_t *word)
{
	ssize_t n;

	do
		n = pread(fd, word, sizeof(*word), (off_t)(pfn * sizeof(*word)));
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	return n == sizeof(*word) ? 0 : -ENXIO;
}
