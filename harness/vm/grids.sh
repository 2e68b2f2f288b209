#!/bin/sh
# SPDX-License-Identifier: MIT
# grids.sh [NAME...]: runs `rssck atlas --grid` on the kernels that `make kernels` has fetched, or on those named, and
# writes results/atlas/RELEASE.json. A kernel that fails does not stop the others. Exit: 0 all were recorded, 1 some,
# 2 none was fetched.
#
#   JOBS=N       that many at a time (default: one for each CPU)
#   RESULTS=DIR  where the records are written
#   RSSCK=FILE   the program (default: ./rssck)
set -eu

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=harness/vm/results.sh
. "$here/results.sh"
results=${RESULTS:-results/atlas}

# record NAME RELEASE IMAGE
record()
{
	folder=$(dirname "$3")/modules
	[ -s "$folder/modules.order" ] || folder=
	started=$(now) status=0
	"$rssck" vm --kernel "$3" ${folder:+--modules "$folder"} --cpus 1 --memory 1024 --timeout 1800 --atlas=--grid \
		--output="$results/$2.json" || status=$?
	echo "$1 $2: $(($(now) - started)) s, status $status"
	return $status
}

if [ "${1:-}" = --one ]; then
	shift
	record "$@"
	exit
fi
there=$("$here/kernels.sh" list "$@") || { echo "grids: no kernel has been fetched; run make kernels" >&2; exit 2; }
mkdir -p "$results"
acceleration "$(printf '%s\n' "$there" | awk 'NR == 1 { print $3 }')"
printf '%s\n' "$there" | xargs -n 3 -P "${JOBS:-$(nproc)}" sh "$0" --one || exit 1
