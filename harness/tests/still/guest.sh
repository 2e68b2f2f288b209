#!/bin/sh
# SPDX-License-Identifier: MIT
#
# guest.sh RSSCK LIST: runs in a guest, with only the shell and rssck, because the guest may have no other programs. For
# each "FILE LINE CASE" of the list, runs the case while the line keeps its present value; in memory.stat 0, because the
# case's cgroup is new. The line "-" means that no line stands still. Prints "== FILE LINE CASE EXIT-STATUS" for each;
# "absent" in place of the status if the kernel has no such line.
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
