#!/bin/sh
# SPDX-License-Identifier: MIT
# lava.sh [CASE...]: runs rssck check on a board. Reports each case to LAVA as a result with its time, and each
# counter's possible lag as a measurement. `make static` installs it in the same folder as rssck. It needs a shell,
# awk and mktemp.
here=$(cd "$(dirname "$0")" && pwd)
results=$(mktemp) || exit 2

"$here/rssck" check --format=json --output="$results" "$@"
status=$?

awk -F '"' '
	function number() { gsub(/[^0-9.]/, ""); return $0 }
	/^    "[a-z]+\.[A-Za-z_]+": \{/ { counter = $2 }
	/^      "kind": / { units = $4 == "per-thread" ? "faults" : "pages" }
	/^      "batch": / { print "lag-" counter, "pass", number(), units }
	/^      "id": / { id = $4 }
	/^      "verdict": / { verdict = $4 == "error" ? "unknown" : $4 }
	/^      "duration_ms": / { print id, verdict, number(), "ms" }' "$results" |
	while read -r id verdict value units; do
		lava-test-case "$(echo "$id" | tr / .)" --result "$verdict" --measurement "${value:-0}" --units "$units"
	done
rm -f "$results"
# With status 2, rssck may have failed before it could report a case.
[ $status -eq 2 ] && lava-test-case rssck --result fail
exit 0
