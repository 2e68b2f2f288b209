#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Checks the fetched kernels, or one of them under many conditions, as many at a time as there are CPUs.
set -eu

usage()
{
	cat <<'END'
usage: check-kernels.sh [NAME...]
       check-kernels.sh --configs [NAME...]

Runs `rssck vm` on the kernels that `make kernels` has fetched (all, or those named) and writes
results/RELEASE.json; with --configs under the conditions of configs.tsv, into build/configs/NAME.json: the kernels
KERNELS="versions flavours" are all that it needs. Prints a line a run. A failure does not stop the others.

  JOBS=N       that many at a time (default: one a CPU)
  RESULTS=DIR  where the results go
  RSSCK=FILE   the program (default: ./rssck)
  VM=OPTIONS   more options for rssck vm, such as "--cpus 32"
  CASES=CASES  those only
  RSSCK_ARCHITECTURE=arm64  the kernels of another machine; its programs come from build/cross/arm64 (make cross)

Exit: 0 all hold, 1 a case fails, or a run was not possible, 2 nothing to check.
END
}

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=harness/vm/results.sh
. "$here/results.sh"

die() { echo "check-kernels: $*" >&2; exit 2; }

# rows [NAME...]: the rows of configs.tsv, or those named, without comments
rows()
{
	awk -F '\t' -v names="$*" '
		BEGIN { n = split(names, list, " "); for (i = 1; i <= n; i++) want[list[i]] = 1 }
		/^#/ || NF < 7 { next }
		!n || $1 in want' "${RSSCK_CONFIGS:-$here/configs.tsv}"
}

# check_one NAME LABEL OUTPUT IMAGE MODULES OPTION...: one line, and what went wrong below it
check_one()
{
	name=$1 label=$2 output=$3 image=$4 folder=$(dirname "$4")/modules
	{ [ "$5" = yes ] && [ -s "$folder/modules.order" ]; } || folder=
	shift 5
	# shellcheck disable=SC2086 # VM and CASES are lists
	run_one "$name" "$label" "$output" --kernel "$image" ${folder:+--modules "$folder"} "$@" ${VM:-} ${CASES:-}
}

# check_config NAME
check_config()
{
	IFS='	' read -r name kernel modules cpus memory append options <<-END
		$(rows "$1")
	END
	image=$("$here/kernels.sh" list "$kernel" | cut -d ' ' -f 3)
	if [ -z "$image" ]; then
		echo "$name: the kernel $kernel is not there; run make kernels KERNELS=$kernel"
		return 1
	fi
	[ "$append" != - ] || append=
	[ "$options" != - ] || options=
	# Patterns among the options are for the guest.
	set -f
	# An emulated machine of 64 CPUs takes its time.
	# shellcheck disable=SC2086 # options are a list
	check_one "$name" "$kernel" "$results/$name.json" "$image" "$modules" --cpus "$cpus" --memory "$memory" \
		--timeout $((900 + 60 * cpus)) ${append:+--append "$append"} $options
}

what=kernels
case ${1:-} in
-h | --help) usage; exit 0 ;;
--configs) what=configs; shift ;;
esac
results=${RESULTS:-$([ $what = kernels ] && echo results || echo build/configs)}
case ${1:-} in
--one-kernel) check_one "$2" "$3" "$results/$3.json" "$4" yes --timeout 1800; exit ;;
--one-config) check_config "$2"; exit ;;
esac

[ -x "$rssck" ] || die "$rssck: not there; run make"
wanted=$*
[ $what = kernels ] || wanted=
# shellcheck disable=SC2086 # a list
there=$("$here/kernels.sh" list $wanted) ||
	die "no kernel has been fetched${*:+ of $*}; run make kernels"
for name in "$@"; do
	[ $what = kernels ] || [ -n "$(rows "$name")" ] || die "configs.tsv has no $name; it has: $(rows | cut -f 1 | paste -sd' ' -)"
done
mkdir -p "$results"
started=$(now) status=0
acceleration "$(printf '%s\n' "$there" | awk 'NR == 1 { print $3 }')"
if [ $what = configs ]; then
	there=$(rows "$@" | cut -f 1)
	printf '%s\n' "$there" | xargs -n 1 -P "${JOBS:-$(nproc)}" "$here/check-kernels.sh" --configs --one-config || status=1
else
	printf '%s\n' "$there" | xargs -n 3 -P "${JOBS:-$(nproc)}" "$here/check-kernels.sh" --one-kernel || status=1
	for name in "$@"; do
		[ -n "$("$here/kernels.sh" list "$name")" ] || { echo "$name: not fetched; run make kernels"; status=1; }
	done
fi
printf '%s %s, %d s%s: %s\n' "$(printf '%s\n' "$there" | wc -l)" $what $(($(now) - started)) \
	"${RSSCK_ACCEL:+ by $RSSCK_ACCEL}" "$([ $status -eq 0 ] && echo 'all hold' || echo 'not all hold')"
exit $status
