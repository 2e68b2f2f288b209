// SPDX-License-Identifier: MIT
/* Reads the kernel log. */
#include "log.h"
#include <stdlib.h>
#include <sys/klog.h>

enum { READ_ALL = 3, SIZE = 10 };

char *kernel_log_read(void)
{
	int size = klogctl(SIZE, NULL, 0);
	char *log = size > 0 ? malloc((size_t)size + 1) : NULL;

	if (!log)
		return NULL;
	size = klogctl(READ_ALL, log, size);
	log[size > 0 ? size : 0] = '\0';
	return log;
}
