#!/bin/sh
# SPDX-License-Identifier: MIT
#
# guest.sh RSSCK LIST: in a guest, whose shell has no other program: for each "FILE LINE CASE" of the list the case runs while
# the line has the value of now, 0 in a cgroup that is new. The line "-" stands for none. One line each:
# "== FILE LINE CASE EXIT-STATUS", or "absent" where the kernel has no such line.
while read -r file line case; do
	value=0 there= path=/proc/$file
	[ "$file" != memory.stat ] || path=/sys/fs/cgroup/memory.stat
	while read -r key now _; do
		if [ "${key%:}" = "$line" ]; then
			there=yes
			[ "$file" = memory.stat ] || value=$now
		fi
	done <"$path"
	if [ "$line" = - ] || [ -n "$there" ]; then
		RSSCK_TEST_STILL="$file $line $value" "$1" check --quiet "$case" </dev/null >/dev/null 2>&1
		echo "== $file $line $case $?"
	else
		echo "== $file $line $case absent"
	fi
done <"$2"
