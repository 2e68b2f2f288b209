#!/bin/sh
# SPDX-License-Identifier: MIT
#
# guest.sh RSSCK LIST: in a guest, whose shell has no other program: for each "FILE LINE CASE" of the list the case runs while
# the line has the value of now, 0 in a cgroup that is new. One line each: "== FILE LINE CASE EXIT-STATUS".
while read -r file line case; do
	value=0
	if [ "$file" != memory.stat ]; then
		while read -r key now _; do
			[ "${key%:}" != "$line" ] || value=$now
		done <"/proc/$file"
	fi
	RSSCK_TEST_STILL="$file $line $value" "$1" check --quiet "$case" </dev/null >/dev/null 2>&1
	echo "== $file $line $case $?"
done <"$2"
