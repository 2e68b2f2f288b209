// SPDX-License-Identifier: MIT
/* Compares and shortens kernel releases. */
#ifndef RSSCK_RELEASE_H
#define RSSCK_RELEASE_H

#include <stddef.h>

/* Compares releases in the usual order: 6.9 before 6.12, 6.12.43 before 6.12.100. */
int release_compare(const char *a, const char *b);

/* Writes "6.12.43" for "6.12.43+deb12-cloud-amd64" into buf. */
const char *release_short(const char *release, char *buf, size_t size);

#endif
