#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh TEST...: runs test programs, under valgrind if VALGRIND is set, in parallel, one for each processor (JOBS=).
# The output of each is printed in one piece, when it ends. Parallel tests load the machine and map the same libraries,
# so a test that fails is run once more, alone, and the last line names it. Fails if a test also fails alone.
# LIMIT=1200: time limit of each test program, in seconds.
set -u

runner=''
[ -z "${VALGRIND:-}" ] || runner="valgrind --quiet --leak-check=full --show-leak-kinds=all --errors-for-leak-kinds=all
	--error-exitcode=99 --child-silent-after-fork=yes"
# nohup(1) makes this script ignore SIGHUP, and the tested programs would ignore it, too. But tests send them SIGHUP,
# and wait until they end.
if env --default-signal true 2>/dev/null; then
	runner="env --default-signal $runner"
fi
export UBSAN_OPTIONS="print_stacktrace=1${UBSAN_OPTIONS:+:$UBSAN_OPTIONS}"

# one TEST LIST: runs TEST, and adds it to LIST if it fails. cmocka prints failures on stderr and the rest on stdout; a
# single stream keeps their order.
one()
{
	work=$RUN_WORK name=$(basename "$1") start=$(date +%s)
	unset RUN_WORK
	# shellcheck disable=SC2086 # runner is a list
	timeout --foreground --kill-after=10 "${LIMIT:-1200}" $runner "$1" >"$work/$name" 2>&1 || {
		[ $? -ne 124 ] || echo "not done within ${LIMIT:-1200} s" >>"$work/$name"
		echo "$1" >>"$work/$2"
	}
	exec 9>>"$work/printing"
	flock 9
	printf '\n%s%s (%d s)\n' "$name" "${VALGRIND:+ (valgrind)}" $(($(date +%s) - start))
	cat "$work/$name"
}

# names LIST
names()
{
	sed 's,.*/, ,' "$RUN_WORK/$1" | tr -d '\n'
}

# Run again by xargs, for one test.
[ -z "${RUN_WORK:-}" ] || { one "$1" failed; exit 0; }

[ -z "${VALGRIND:-}" ] || command -v valgrind >/dev/null 2>&1 ||
	{ echo 'test: valgrind is not installed (make deps-dev)' >&2; exit 2; }
[ $# -gt 0 ] || { echo "test: there is no test" >&2; exit 2; }
RUN_WORK=$(mktemp -d "${TMPDIR:-/tmp}/rssck-tests.XXXXXX") || exit 2
trap 'rm -rf "$RUN_WORK"' EXIT
trap 'exit 2' INT TERM HUP
export RUN_WORK
printf '%s\0' "$@" | xargs -0 -n 1 -P "${JOBS:-$(nproc)}" sh "$0" || exit 1

printf '\n%d test programs' $#
[ -e "$RUN_WORK/failed" ] || { echo ': all passed'; exit 0; }
echo "; failed:$(names failed). Once more, alone:"
while read -r test; do
	(one "$test" failed_alone) </dev/null
done <"$RUN_WORK/failed"
[ -e "$RUN_WORK/failed_alone" ] || { printf '\nall passed, alone:%s\n' "$(names failed)"; exit 0; }
printf '\nfailed, alone, too:%s\n' "$(names failed_alone)"
exit 1
