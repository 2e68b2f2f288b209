#!/bin/sh
# SPDX-License-Identifier: MIT
# record.sh [KERNEL...]: runs the cases of the lessons on all fetched kernels, or on the named ones, each in a virtual
# machine, and writes results/course/RELEASE.json. Exit status: 0 all kernels were recorded, 1 a kernel was not
# recorded, 2 no kernel was fetched.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
rssck=${RSSCK:-./rssck}
results=${RESULTS:-results/course}
cases=$(sed -n 's/.*\.case_id = "\([^"]*\)".*/\1/p' "$here/lessons.def")
list=$("$here/../vm/kernels.sh" list "$@")
[ -n "$list" ] || { echo 'record.sh: no kernel was fetched; run make kernels' >&2; exit 2; }

mkdir -p "$results"
failed=0
while read -r name release image; do
	modules=${image%/*}/modules
	[ -s "$modules/modules.order" ] || modules=
	# shellcheck disable=SC2086 # cases is a list
	if "$rssck" demo --kernel="$image" ${modules:+--modules="$modules"} --timeout=1200 --format=json \
		--output="$results/$release.json" $cases </dev/null; then
		echo "$name: $results/$release.json"
	else
		failed=1
	fi
done <<END
$list
END
exit $failed
