#!/bin/sh
# SPDX-License-Identifier: MIT
#
# new-case.sh GROUP/NAME: writes a documented skeleton of a case. Never overwrites.
set -eu

name=${1:-}
case $name in
'' | */*/* | /* | */ | *[!a-z0-9_/]*)
	echo "usage: make new-case NAME=file/truncate (a folder below cases/, a slash, a name; a-z 0-9 _)" >&2
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

enum { PAGES = 256 };

/*
 * A step does one thing to the process and returns; rssck reads the books
 * before and after it. Remember addresses in w->slot[]. What cannot be done on
 * this machine is said with workload_skip().
 */
static void map(struct workload *w)
{
	w->slot[0] = workload_anonymous(w, PAGES);
}

static void touch(struct workload *w)
{
	touch_write(w, w->slot[0], PAGES);
}

/*
 * Each step names the pages that come and go, by account; <rssck/case.h> lists
 * the postings. What a step does not name must not move, in any metric.
 */
CASE($id) {
	.claim = "Mapping memory moves VIRT, touching it moves RES",
	.because = "mmap() only makes a mapping; the page comes with the first write to it",
	.said_by = SAID_BY("mmap(2)"),
	.steps = STEPS(
		STEP("map",   map,   VIRT_DATA(PAGES)),
		STEP("touch", touch, ANON_WRITE(PAGES))),
};
END
echo "$file is yours; when it says what you want: make && ./rssck check $name"
