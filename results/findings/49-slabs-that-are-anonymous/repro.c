// SPDX-License-Identifier: MIT
/*
 * KPF_ANON, bit 12 of /proc/kpageflags, is set for page frames of slabs (KPF_SLAB, bit 7).
 *
 * cc -static -o repro repro.c. Exit status: 0 right, 1 wrong, 4 cannot tell.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

enum { WORDS = 65536, SLAB = 7, ANON = 12 };

int main(void)
{
	static uint64_t word[WORDS];
	int fd = open("/proc/kpageflags", O_RDONLY);
	long slabs = 0, anonymous = 0;
	ssize_t n;

	while (fd >= 0 && (n = read(fd, word, sizeof(word))) > 0)
		for (ssize_t i = 0; i < n / 8; i++) {
			slabs += word[i] >> SLAB & 1;
			anonymous += (word[i] >> SLAB & 1) && (word[i] >> ANON & 1);
		}
	if (!slabs) {
		perror("/proc/kpageflags");
		return 4;
	}
	printf("of %ld frames of slabs anonymous: expected 0, seen %ld: %s\n", slabs, anonymous,
	       anonymous ? "WRONG" : "right");
	return anonymous != 0;
}
