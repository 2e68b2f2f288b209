#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run.sh TEST...: runs test programs one after the other, under valgrind if VALGRIND is set. Fails if one fails.
set -u

runner=''
[ -z "${VALGRIND:-}" ] || runner="valgrind --quiet --leak-check=full --show-leak-kinds=all --errors-for-leak-kinds=all
	--error-exitcode=99 --child-silent-after-fork=yes"
# Whoever runs us by nohup ignores SIGHUP, and what is tested would, too: tests send it and wait.
if env --default-signal true 2>/dev/null; then
	runner="env --default-signal $runner"
fi
export UBSAN_OPTIONS="print_stacktrace=1${UBSAN_OPTIONS:+:$UBSAN_OPTIONS}"

[ -z "${VALGRIND:-}" ] || command -v valgrind >/dev/null 2>&1 ||
	{ echo 'test: valgrind is not installed (make deps-dev)' >&2; exit 2; }
[ $# -gt 0 ] || { echo "test: there is no test" >&2; exit 2; }
failed=''
for test; do
	printf '\n%s\n' "$(basename "$test")${VALGRIND:+ (valgrind)}"
	# cmocka says what failed on stderr and the rest on stdout: one stream keeps the order
	$runner "$test" 2>&1 || failed="$failed $(basename "$test")"
done

printf '\n%d test programs' $#
[ -z "$failed" ] && { echo ': all passed'; exit 0; }
echo "; failed:$failed"
exit 1
