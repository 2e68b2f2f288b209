#!/bin/sh
# SPDX-License-Identifier: MIT
# helgrind.sh WORKLOAD: finds data races in the threads of a workload. The workload (a dynamic one: helgrind recognizes
# locks by the library's functions) runs under helgrind, driven by rssck as usual. Its memory is then also valgrind's,
# so rssck's verdicts mean nothing here. Only two things count: every step ran, and helgrind found no race.
set -eu

workload=$(readlink -f "$1")
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT

command -v valgrind >/dev/null 2>&1 || { echo 'helgrind: valgrind is not installed (make deps-dev)' >&2; exit 1; }
cp rssck "$stage/rssck"
cat >"$stage/rssck-workload" <<END
#!/bin/sh
exec valgrind --tool=helgrind --log-file='$stage/log.%p' '$workload' "\$@"
END
chmod +x "$stage/rssck-workload"

# rssck looks for the workload beside itself, and finds the one under helgrind.
"$stage/rssck" check --format=ktap --limit=120 ${CASES:-counters/threads_malloc} >"$stage/said" 2>&1 || :

# A workload is killed in the end, so helgrind prints no summary: it prints each race when it finds it.
if grep -E -q 'Possible data race|Thread #[0-9]+|lock order|Process terminating' "$stage"/log.*; then
	cat "$stage"/log.*
	echo 'helgrind: errors, above' >&2
	exit 1
fi
# "# Totals: pass:1 fail:0 ... error:0": an error is a step that did not run, or a model that cannot be measured
# because valgrind maps and unmaps beside the workload.
if ! grep -E -q '^# Totals: .* skip:0 error:0$|^# the model of .* is unknown' "$stage/said"; then
	cat "$stage/said"
	echo 'helgrind: not every step ran' >&2
	exit 1
fi
set -- "$stage"/log.*
echo "helgrind: no error in $# runs of a workload"
