// SPDX-License-Identifier: MIT
/* Describes one discrepancy in a sentence. */
#include "base/print/words.h"
#include "report.h"

const char *discrepancy_words(const struct discrepancy *d, char *buf, size_t size)
{
	char says[32], should[32], off[32], bound[32];

	snprintf(buf, size, "%s says %s%s%s, should be %s: off by %s, %s%s", d->metric,
		 number_words(d->counter, says, sizeof(says)), d->unit[0] ? " " : "", d->unit,
		 number_words(d->precise, should, sizeof(should)),
		 difference_words(d->counter - d->precise, off, sizeof(off)),
		 d->bound < 0 ? "its model is unknown"
		 : d->bound   ? "may be off by "
			      : "must be exact",
		 d->bound > 0 ? number_words(d->bound, bound, sizeof(bound)) : "");
	return buf;
}
