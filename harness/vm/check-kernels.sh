#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Checks the fetched kernels, as many at a time as there are CPUs, and keeps each one's results.
set -eu

usage()
{
	cat <<'END'
usage: check-kernels.sh [NAME...]

Runs `rssck vm` on the kernels that `make kernels` has fetched (all, or those named) and writes
results/RELEASE.json. Prints a line a kernel. A kernel's failure does not stop the others.

  JOBS=N       that many at a time (default: one a CPU)
  RESULTS=DIR  where the results go (default: results)
  RSSCK=FILE   the program (default: ./rssck)
  VM=OPTIONS   more options for rssck vm, such as "--cpus 32"
  CASES=CASES  those only
  RSSCK_ARCHITECTURE=arm64  the kernels of another machine; its programs come from build/cross/arm64 (make cross)

Exit: 0 all hold, 1 a case fails on a kernel, or a kernel could not be checked, 2 nothing to check.
END
}

here=$(cd "$(dirname "$0")" && pwd)
results=${RESULTS:-results}
# shellcheck source=harness/vm/results.sh
. "$here/results.sh"

# check_one NAME RELEASE IMAGE: one line, and what went wrong below it
check_one()
{
	modules=$(dirname "$3")/modules
	[ -s "$modules/modules.order" ] || modules=
	# shellcheck disable=SC2086 # VM and CASES are lists
	run_one "$1" "$2" "$results/$2.json" --kernel "$3" ${modules:+--modules "$modules"} ${VM:-} ${CASES:-}
}

case ${1:-} in
-h | --help) usage; exit 0 ;;
--one) shift; check_one "$@"; exit ;;
esac

[ -x "$rssck" ] || { echo "check-kernels: $rssck: not there; run make" >&2; exit 2; }
there=$("$here/kernels.sh" list "$@") ||
	{ echo "check-kernels: no kernel has been fetched${*:+ of $*}; run make kernels" >&2; exit 2; }
mkdir -p "$results"
started=$(now) status=0
acceleration "$(printf '%s\n' "$there" | awk 'NR == 1 { print $3 }')"
printf '%s\n' "$there" |
	xargs -n 3 -P "${JOBS:-$(nproc)}" "$here/check-kernels.sh" --one || status=1
for name in "$@"; do
	[ -n "$("$here/kernels.sh" list "$name")" ] || { echo "$name: not fetched; run make kernels"; status=1; }
done
printf '%s kernels, %d s%s: %s\n' "$(printf '%s\n' "$there" | wc -l)" $(($(now) - started)) "${RSSCK_ACCEL:+ by $RSSCK_ACCEL}" \
	"$([ $status -eq 0 ] && echo 'all hold' || echo 'not all hold')"
exit $status
