#!/bin/sh
# SPDX-License-Identifier: MIT
#
# still.sh [KERNEL]: each line of meminfo, vmstat and memory.stat for which machine/checked.def names cases stands still, and
# the first of these cases must then fail. LINES="memory.stat.s*": only these. Some ten minutes for all.
# Exit: 1 where a case passes although its line stands still.
set -eu

: "${LINES:=*}" "${TIMEOUT:=3600}"
kernel=${1:-7.2}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/rssck-still.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP

image=$("$here/../vm/kernels.sh" list "$kernel" | cut -d ' ' -f 3)
[ -n "$image" ] || { echo "the kernel $kernel is not there; run make kernels KERNELS=$kernel"; exit 2; }
./rssck list --coverage --json >"$work/json"
python3 - "$work/json" "$LINES" >"$work/list" <<'EOF'
import fnmatch, json, sys
for x in json.load(open(sys.argv[1]))["lines"]:
    if x["cases"] and fnmatch.fnmatch(x["file"] + "." + x["line"], sys.argv[2]):
        print(x["file"], x["line"], x["cases"][0])
EOF
cp build/still/rssck build/still/rssck-workload "$here/still/guest.sh" "$work"
./rssck vm --kernel "$image" --timeout="$TIMEOUT" --setup=cgroup=v2 --run-options=--every=3600 --with="$work" \
	--run="sh $work/guest.sh $work/rssck $work/list" 2>/dev/null | grep '^== ' >"$work/out" || :
awk '
	$5 == 0 { print $2 "." $3 ": " $4 " passes although it stands still"; failed = 1 }
	$5 == 1 { noticed++ }
	$5 > 1 { print $2 "." $3 ": " $4 " could not run (exit status " $5 ")" }
	END { printf "%d lines, %d noticed\n", NR, noticed; exit failed || !NR }
' "$work/out"
