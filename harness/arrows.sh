#!/bin/sh
# SPDX-License-Identifier: MIT
# arrows.sh [OBJECT...]: checks the order of the folders. Refuses an include or a call of a folder that comes later in
# the list, headers that include each other, and files of one folder that call each other in a circle. Exit status: 0
# nothing is wrong, 1 something is.
#
# The list contains the folders of harness/. The files of a folder may use their own folder and the folders before it.
# Tests and benchmarks may use everything.
set -eu

folders='
base
base/print
base/process
model
source
pagetable
machine
snapshot
tool
judge
agent
agent/verbs
agent/runtime
engine/workload
engine/log
engine/models
engine
fuzz
atlas
report
compare
runs
sheet
grid
matrix
explain
plot
page
course
scan/process
scan/keep
scan/files
scan/audit
scan/census
audit
vm
vm/image
vm/guest
vm/host
cmd/line
cmd/list
cmd/check
cmd/vm
cmd/demo
cmd/fuzz
cmd/atlas
cmd/scan
cmd/machine
cmd/run
cmd/bisect
cmd
'

# includes: prints a line "FILE FOLDER includes ..." for each file that includes a header of another folder
includes()
{
	find -H harness -name '*.[ch]' | grep -vE '^harness/(tests|bench)/' | xargs grep -H '^#include "' |
		awk -F '[:"]' '
		$3 ~ /\.\./ { print $1, "..", "includes \"" $3 "\""; next }
		$3 ~ /\// { folder = $3; sub(/\/[^\/]*$/, "", folder); print $1, folder, "includes \"" $3 "\"" }'
}

# calls: prints the same for the names that objects define and use, because <rssck/...> declares some names for all
# folders
calls()
{
	[ $# -gt 0 ] || return 0
	# With LTO, nm cannot read an object's symbols; then only the includes are checked.
	nm -A "$@" 2>/dev/null | awk '
		{ file = $1; sub(/:.*/, "", file); sub(/^.*\/obj\//, "", file); sub(/o$/, "c", file) }
		$(NF - 1) ~ /^[TDRBC]$/ { home[$NF] = file }
		$(NF - 1) == "U" { user[++n] = file; name[n] = $NF }
		END {
			for (i = 1; i <= n; i++) {
				if (home[name[i]] !~ /^harness\//) continue
				folder = home[name[i]]; sub(/^harness\//, "", folder); sub(/\/[^\/]*$/, "", folder)
				print user[i], folder, "uses " name[i]
			}
		}'
}

# No header of include/rssck may include itself through others. tsort(1) prints the names of such headers.
if [ -d include/rssck ]; then
	grep -H '^#include <rssck/' include/rssck/*.h | sed 's,^include/\(.*\):#include <\(.*\)>.*,\1 \2,' | tsort >/dev/null ||
		{ echo 'include/rssck: the headers above include each other' >&2; exit 1; }
fi

# neighbours: prints pairs of files of one folder of which the first calls the second; table.o only refers to
# functions and does not call them
neighbours()
{
	[ $# -gt 0 ] || return 0
	nm -A "$@" 2>/dev/null | awk '
		{ file = $1; sub(/:.*/, "", file) }
		!sub(/^.*\/obj\/harness\//, "", file) { next }
		$(NF - 1) ~ /^[TDRBC]$/ { home[$NF] = file }
		$(NF - 1) == "U" && file !~ /\/table\.o$/ { user[++n] = file; name[n] = $NF }
		END {
			for (i = 1; i <= n; i++) {
				from = user[i]; to = home[name[i]]
				sub(/[^\/]*$/, "", from); sub(/[^\/]*$/, "", to)
				if (from == to) print user[i], home[name[i]]
			}
		}'
}

neighbours "$@" | tsort >/dev/null || { echo 'harness: the files above call each other in a circle' >&2; exit 1; }

{ includes; calls "$@"; } | awk -v folders="$folders" '
	BEGIN { n = split(folders, list); for (i = 1; i <= n; i++) floor[list[i]] = i }
	{
		file = $1; from = $1; to = $2; what = $3 " " $4
		if (from !~ /^harness\/.*\//) next
		sub(/^harness\//, "", from); sub(/\/[^\/]*$/, "", from)
		if (from == "libproc2" || from == to) next
		if (to == "..") why = "name it from harness/ on"
		else if (!(from in floor)) why = "harness/" from " has no place in the list of harness/arrows.sh"
		else if (!(to in floor)) why = "harness/" to " has no place in the list of harness/arrows.sh"
		else if (floor[to] > floor[from]) why = from "/ comes before " to "/ in harness/arrows.sh"
		else next
		print file ": " what ": " why
		bad = 1
	}
	END { exit bad }' >&2
