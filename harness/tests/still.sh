#!/bin/sh
# SPDX-License-Identifier: MIT
#
# still.sh [KERNEL]: makes each line of meminfo, vmstat and memory.stat stand still for which machine/checked.def names
# cases. The first of these cases must then fail. Each case must pass while no line stands still, in the same guest.
# LINES="memory.stat.s*": only these lines. TRY="machine/lines": these cases, for the lines for which the table names
# none. Exit status 1: a case passes although its line stands still, or fails although no line does.
set -eu

: "${LINES:=*}" "${TIMEOUT:=3600}" "${TRY:=}"
kernel=${1:-7.2}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/rssck-still.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP

image=$("$here/../vm/kernels.sh" list "$kernel" | cut -d ' ' -f 3)
[ -n "$image" ] || { echo "the kernel $kernel is not there; run make kernels KERNELS=$kernel"; exit 2; }
./rssck list --coverage --json >"$work/json"
# "-" is no line: a case that fails with it fails for another reason.
python3 - "$work/json" "$LINES" "$TRY" >"$work/list" <<'EOF'
import fnmatch, json, sys
pairs = []
for x in json.load(open(sys.argv[1]))["lines"]:
    if fnmatch.fnmatch(x["file"] + "." + x["line"], sys.argv[2]):
        pairs += [(x["file"], x["line"], case) for case in x["cases"][:1] or sys.argv[3].split()]
for case in dict.fromkeys(case for _, _, case in pairs):
    print("memory.stat -", case)
for pair in pairs:
    print(*pair)
EOF
cp build/still/rssck build/still/rssck-workload "$here/still/guest.sh" "$work"
./rssck vm --kernel "$image" --timeout="$TIMEOUT" --setup=cgroup=v2 --run-options=--every=3600 --with="$work" \
	--run="sh $work/guest.sh $work/rssck $work/list" 2>/dev/null | grep '^== ' >"$work/out" || :
awk '
	$3 == "-" && $5 == 1 { print $4 " fails although no line stands still"; failed = 1 }
	$3 == "-" || $5 == "absent" { next }
	{ lines++ }
	$5 == 0 { print $2 "." $3 ": " $4 " passes although it stands still"; failed = 1 }
	$5 == 1 { noticed++ }
	$5 > 1 { print $2 "." $3 ": " $4 " could not run (exit status " $5 ")" }
	END { printf "%d lines, %d noticed\n", lines, noticed; exit failed || !lines }
' "$work/out"
