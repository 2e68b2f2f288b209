#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Checks the fetched kernels, or with --configs the conditions of configs.tsv. Runs one check for each CPU in parallel.
set -eu

usage()
{
	cat <<'END'
usage: check-kernels.sh [NAME...]
       check-kernels.sh --configs [NAME...]

Runs `rssck vm` on the kernels that `make kernels` has fetched (all, or the named ones) and writes
results/RELEASE.json. With --configs, checks under the conditions of configs.tsv and writes build/configs/NAME.json;
this needs the kernels of KERNELS="versions flavours". Prints one line for each run. A failure does not stop the others.

  JOBS=N       run N checks in parallel (default: one for each CPU)
  RESULTS=DIR  the folder for the results
  RSSCK=FILE   the program (default: ./rssck)
  VM=OPTIONS   more options for rssck vm, such as "--cpus 32"
  CASES=CASES  run only these cases
  RSSCK_ARCHITECTURE=arm64  check the kernels of another machine with its programs in build/cross/arm64 (make cross)

Exit status: 0 all cases hold, 1 a case fails or a run was not possible, 2 there is nothing to check.
END
}

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=harness/vm/results.sh
. "$here/results.sh"

die() { echo "check-kernels: $*" >&2; exit 2; }

# rows [NAME...]: prints the rows of configs.tsv, or the named ones, without comments
rows()
{
	awk -F '\t' -v names="$*" '
		BEGIN { n = split(names, list, " "); for (i = 1; i <= n; i++) want[list[i]] = 1 }
		/^#/ || NF < 7 { next }
		!n || $1 in want' "${RSSCK_CONFIGS:-$here/configs.tsv}"
}

# check_one NAME LABEL OUTPUT IMAGE MODULES OPTION...: prints one line, and the failures below it
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
		echo "$name: the kernel $kernel was not fetched; run make kernels KERNELS=$kernel"
		return 1
	fi
	[ "$append" != - ] || append=
	[ "$options" != - ] || options=
	# An option may contain a pattern, which is meant for the guest.
	set -f
	# An emulated machine of 64 CPUs is slow.
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

[ -x "$rssck" ] || die "there is no $rssck; run make"
wanted=$*
[ $what = kernels ] || wanted=
# shellcheck disable=SC2086 # a list
there=$("$here/kernels.sh" list $wanted) ||
	die "no kernel${*:+ of $*} was fetched; run make kernels"
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
	"${RSSCK_ACCEL:+ with $RSSCK_ACCEL}" "$([ $status -eq 0 ] && echo 'all hold' || echo 'not all hold')"
exit $status
