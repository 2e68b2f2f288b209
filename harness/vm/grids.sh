#!/bin/sh
# SPDX-License-Identifier: MIT
# grids.sh [NAME...]: runs `rssck atlas --grid` on all kernels that `make kernels` has fetched, or on the named ones,
# and writes results/atlas/RELEASE.json. A kernel that fails does not stop the others. Exit status: 0 all kernels were
# recorded, 1 a kernel was not recorded, 2 no kernel was fetched.
#
#   JOBS=N       run N kernels in parallel (default: one for each CPU)
#   RESULTS=DIR  the folder for the records
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
there=$("$here/kernels.sh" list "$@") || { echo "grids: no kernel was fetched; run make kernels" >&2; exit 2; }
mkdir -p "$results"
acceleration "$(printf '%s\n' "$there" | awk 'NR == 1 { print $3 }')"
printf '%s\n' "$there" | xargs -n 3 -P "${JOBS:-$(nproc)}" sh "$0" --one || exit 1
