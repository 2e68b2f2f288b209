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

Exit: 0 all hold, 1 a case fails on a kernel, or a kernel could not be checked, 2 nothing to check.
END
}

here=$(cd "$(dirname "$0")" && pwd)
rssck=${RSSCK:-./rssck}
results=${RESULTS:-results}

now() { date +%s; }

# summary FILE: "75 pass, 0 fail, 3 skip, 0 error"
summary()
{
	tr -d ' \n' <"$1" | sed -n 's/.*"summary":{\([^}]*\)}.*/\1/p' | tr -d '"' | tr ',' '\n' |
		awk -F : '$1 ~ /^(pass|fail|skip|error)$/ { printf "%s%s %s", n++ ? ", " : "", $2, $1 }'
}

# named FILE: the cases that did not pass, one a line
named()
{
	# shellcheck disable=SC2020 # two characters are meant
	tr ',{' '\n\n' <"$1" | awk -F '"' '
		$2 == "id" { id = $4 }
		$2 == "verdict" && $4 != "pass" { print "    " $4 ": " id }'
}

# check_one NAME RELEASE IMAGE: one line, and what went wrong below it
check_one()
{
	modules=$(dirname "$3")/modules
	[ -s "$modules/modules.order" ] || modules=
	log=$(mktemp)
	trap 'rm -f "$log"' EXIT
	started=$(now) status=0
	# shellcheck disable=SC2086 # VM and CASES are lists
	"$rssck" vm --kernel "$3" ${modules:+--modules "$modules"} --output "$results/$2.json" \
		${VM:-} ${CASES:-} 2>"$log" || status=$?
	case $status in
	0 | 1) said="$(summary "$results/$2.json")" ;;
	4) said='nothing could run' ;;
	*) said="could not be checked (status $status)" ;;
	esac
	# one write, so that the lines of two kernels do not mix
	printf '%s\n' "$(
		printf '%-8s %-30s %4d s  %s\n' "$1" "$2" $(($(now) - started)) "$said"
		sed 's/^/    /' "$log"
		[ $status -gt 1 ] || named "$results/$2.json"
	)"
	[ $status -eq 0 ]
}

# acceleration IMAGE: said once for all runs, so that not each of them waits for a KVM that hangs
acceleration()
{
	[ -z "${RSSCK_ACCEL:-}" ] || return 0
	RSSCK_ACCEL=tcg
	if [ -r /dev/kvm ] && [ -w /dev/kvm ] && RSSCK_ACCEL=kvm "$rssck" vm --kernel "$1" \
		--timeout 10 -- --list >/dev/null 2>&1; then
		RSSCK_ACCEL=kvm
	fi
	export RSSCK_ACCEL
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
printf '%s kernels, %d s by %s: %s\n' "$(printf '%s\n' "$there" | wc -l)" $(($(now) - started)) "$RSSCK_ACCEL" \
	"$([ $status -eq 0 ] && echo 'all hold' || echo 'not all hold')"
exit $status
