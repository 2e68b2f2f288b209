// SPDX-License-Identifier: MIT
/* The calls of userfaultfd(2) about a range, for cases that compare what they answer. */
#ifndef CASES_ANONYMOUS_USERFAULTFD_H
#define CASES_ANONYMOUS_USERFAULTFD_H

#include <rssck/case.h>

enum { UNTOUCHED = -77, MISSING = 1, PROTECTS = 2, MINOR = 4 };

/* As <linux/userfaultfd.h> defines them; older headers lack the last ones. */
#define CALL(number, bytes) _IOC((unsigned)_IOC_READ | _IOC_WRITE, UFFDIO, number, bytes)

static const struct call {
	const char *name;
	unsigned long number;
	bool has_source; /* struct {dst, src, len, mode, done}, else {start, len, mode, done} */
	int mode;        /* of UFFDIO_REGISTER */
} COPY = { "UFFDIO_COPY", CALL(3, 40), true, MISSING },
  ZEROPAGE = { "UFFDIO_ZEROPAGE", CALL(4, 32), false, MISSING },
  CONTINUE = { "UFFDIO_CONTINUE", CALL(7, 32), false, MINOR },     /* since 5.13 */
	POISON = { "UFFDIO_POISON", CALL(8, 32), false, MISSING }, /* since 6.6 */
	MOVE = { "UFFDIO_MOVE", CALL(5, 40), true, MISSING };      /* since 6.8 */

struct answer {
	int error; /* 0: the call succeeded */
	int64_t done;
};

static inline struct answer ask_userfaultfd(int uffd, const struct call *c, const char *to,
					    const char *source, size_t bytes, uint64_t mode)
{
	uint64_t a[5] = { (uintptr_t)to, (uintptr_t)source, bytes, mode };
	int done = c->has_source ? 4 : 3;

	if (!c->has_source) {
		a[1] = bytes;
		a[2] = mode;
	}
	a[done] = (uint64_t)(int64_t)UNTOUCHED;
	errno = 0;
	ioctl(uffd, c->number, a);
	return (struct answer) { errno, (int64_t)a[done] };
}

#endif
