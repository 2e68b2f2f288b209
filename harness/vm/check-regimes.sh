#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Checks under the conditions of regimes.tsv.
set -eu

usage()
{
	cat <<'END'
usage: check-regimes.sh [NAME...]

Runs `rssck vm` under the conditions of regimes.tsv (all, or those named). Prints a line a regime, and which cases
did not pass. The kernels are those that `make kernels` has fetched: KERNELS="ages flavours" are all of them.

  JOBS=N       that many at a time (default: one a CPU)
  RESULTS=DIR  where the results go, NAME.json (default: build/regimes)
  RSSCK=FILE   the program (default: ./rssck)
  CASES=CASES  those only

Exit: 0 all hold, 1 a case fails in a regime, or a regime could not be had, 2 nothing to check.
END
}

here=$(cd "$(dirname "$0")" && pwd)
table=${RSSCK_REGIMES:-$here/regimes.tsv}
results=${RESULTS:-build/regimes}
# shellcheck source=harness/vm/results.sh
. "$here/results.sh"

# rows [NAME...]: all rows, or those named, without comments
rows()
{
	awk -F '\t' -v names="$*" '
		BEGIN { n = split(names, list, " "); for (i = 1; i <= n; i++) want[list[i]] = 1 }
		/^#/ || NF < 7 { next }
		!n || $1 in want' "$table"
}

# none WORD: the word, or nothing for "-"
none() { [ "$1" = - ] || printf '%s' "$1"; }

# check_one NAME
check_one()
{
	IFS='	' read -r name kernel modules cpus memory append options <<-END
		$(rows "$1")
	END
	image=$("$here/kernels.sh" list "$kernel" | cut -d ' ' -f 3)
	if [ -z "$image" ]; then
		echo "$name: the kernel $kernel is not there; run make kernels KERNELS=$kernel"
		return 1
	fi
	modules_folder=$(dirname "$image")/modules
	{ [ "$modules" = yes ] && [ -s "$modules_folder/modules.order" ]; } || modules_folder=
	append=$(none "$append") options=$(none "$options")
	# Patterns among the options are for the guest.
	set -f
	# An emulated machine of 64 CPUs takes its time.
	# shellcheck disable=SC2086 # options and CASES are lists
	run_one "$name" "$kernel" "$results/$name.json" --kernel "$image" ${modules_folder:+--modules "$modules_folder"} \
		--cpus "$cpus" --memory "$memory" --timeout $((900 + 60 * cpus)) ${append:+--append "$append"} $options \
		${CASES:-}
}

case ${1:-} in
-h | --help) usage; exit 0 ;;
--one) shift; check_one "$@"; exit ;;
esac

[ -x "$rssck" ] || { echo "check-regimes: $rssck: not there; run make" >&2; exit 2; }
for name in "$@"; do
	[ -n "$(rows "$name")" ] ||
		{ echo "check-regimes: $table has no $name; it has: $(rows | cut -f 1 | paste -sd' ' -)" >&2; exit 2; }
done
names=$(rows "$@" | cut -f 1)
mkdir -p "$results"
started=$(now) status=0
acceleration "$("$here/kernels.sh" list | awk 'NR == 1 { print $3 }')"
printf '%s\n' "$names" | xargs -n 1 -P "${JOBS:-$(nproc)}" "$here/check-regimes.sh" --one || status=1
printf '%s regimes, %d s by %s: %s\n' "$(printf '%s\n' "$names" | wc -l)" $(($(now) - started)) "$RSSCK_ACCEL" \
	"$([ $status -eq 0 ] && echo 'all hold' || echo 'not all hold')"
exit $status
