#!/bin/sh
# SPDX-License-Identifier: MIT
# new-case.sh GROUP/NAME: writes a documented skeleton of a case. Never overwrites a file.
set -eu

name=${1:-}
case $name in
'' | */*/* | /* | */ | *[!a-z0-9_/]*)
	echo "usage: make new-case NAME=file/append (a folder below cases/, a slash, a name; a-z 0-9 _)" >&2
	exit 2
	;;
*/*) ;;
*)
	echo "new-case: '$name' has no group; the groups are: $(cd cases && echo */ | tr -d /)" >&2
	exit 2
	;;
esac
file=cases/$name.c
[ ! -e "$file" ] || { echo "new-case: $file is there already" >&2; exit 1; }
mkdir -p "$(dirname "$file")"
id=$(echo "$name" | tr / _)

cat >"$file" <<END
// SPDX-License-Identifier: MIT
/* The claim in words: what a reader may believe of the metrics after this. */
#include <rssck/case.h>

enum { PAGES = 256, REGION = 0 };

/*
 * A step does one thing to the process and returns; rssck reads every metric
 * before and after it. What many cases do is a ready step: <rssck/step.h> lists
 * them. This one is the case's own, and <rssck/workload.h> lists what it may do:
 * wrong content is reported by workload_fail(), what cannot be done on
 * this machine by workload_skip(); that it has checked at all by workload_checked().
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
 * MOVES() names the pages that come and go; <rssck/posting.h> lists the words.
 * What a step does not name must not move, in any metric.
 */
CASE($id) {
	.claim = "Mapping memory moves VIRT, touching it moves RES",
	.because = "mmap() only makes a mapping; the page comes with the first write to it",
	.said_by = SAID_BY("mmap(2)"),
	.steps = STEPS(STEP("map", step_map, .pages = PAGES, MOVES(VIRT_DATA(PAGES))),
		       STEP("write", step_write, .pages = PAGES, MOVES(ANON_WRITE(PAGES))),
		       STEP("read back", read_back, .checks = 1)),
};
END
echo "$file is yours; when it says what you want: make && ./rssck check $name"
