#!/bin/sh
# SPDX-License-Identifier: MIT
# new-case.sh GROUP/NAME: writes a documented skeleton of a case. It never overwrites a file.
set -eu

name=${1:-}
case $name in
'' | */*/* | /* | */ | *[!a-z0-9_/]*)
	echo "usage: make new-case NAME=file/append (a folder below cases/, a slash, a name, with the characters a-z 0-9 _)" >&2
	exit 2
	;;
*/*) ;;
*)
	echo "new-case: '$name' has no group; the groups are: $(cd cases && echo */ | tr -d /)" >&2
	exit 2
	;;
esac
file=cases/$name.c
[ ! -e "$file" ] || { echo "new-case: $file exists already" >&2; exit 1; }
mkdir -p "$(dirname "$file")"
id=$(echo "$name" | tr / _)

cat >"$file" <<END
// SPDX-License-Identifier: MIT
/* The claim in words: how the metrics change. */
#include <rssck/case.h>

enum { PAGES = 256, REGION = 0 };

/*
 * A step does one thing to the process and returns. rssck reads every metric
 * before and after it. <rssck/step.h> lists the steps that many cases use. This
 * step belongs to the case, and <rssck/workload.h> lists the functions that it may
 * call: workload_fail() reports wrong content, workload_skip() reports that this
 * machine lacks something, and workload_checked() that the step has checked.
 */
static void read_back(struct workload *w)
{
	const volatile char *p = w->slot[REGION];

	for (size_t i = 0; i < PAGES; i++)
		if (!p[i * w->page_size])
			workload_fail(w, "page %zu has lost its content", i);
	workload_checked(w);
}

/*
 * MOVES() names the pages that a step adds and removes; <rssck/posting.h> lists
 * the words. A step must not change any other metric.
 */
CASE($id) {
	.claim = "Mapping memory raises VIRT, and touching it raises RES",
	.because = "mmap() only makes a mapping; the first write to a page allocates it",
	.said_by = SAID_BY("mmap(2)"),
	.steps = STEPS(STEP("map", step_map, .pages = PAGES, MOVES(VIRT_DATA(PAGES))),
		       STEP("write", step_write, .pages = PAGES, MOVES(ANON_WRITE(PAGES))),
		       STEP("read back", read_back, .checks = 1)),
};
END
echo "$file was written; edit it, then run: make && ./rssck check $name"
