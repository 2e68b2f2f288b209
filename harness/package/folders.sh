#!/bin/sh
# SPDX-License-Identifier: MIT
# folders.sh make DESTDIR LIST FOLDER...: makes the folders, and adds the names of new ones to the file LIST.
# folders.sh remove DESTDIR LIST: removes LIST, and the empty folders among those that it names.
set -eu

do=$1 destdir=$2 list=$2$3
shift 3

# absent FOLDER: prints the folder and its parents, as far as they do not exist
absent()
{
	at=$1
	while [ ! -d "$destdir$at" ] && [ "$at" != / ] && [ "$at" != . ]; do
		printf '%s\n' "$at"
		at=$(dirname "$at")
	done
}

case $do in
make)
	made=$(for folder; do absent "$folder"; done | LC_ALL=C sort -u)
	for folder; do
		mkdir -p "$destdir$folder"
	done
	[ ! -f "$list" ] || made=$(printf '%s\n' "$made" | LC_ALL=C sort -u - "$list")
	printf '%s\n' "$made" >"$list"
	chmod 644 "$list" ;;
remove)
	[ -f "$list" ] || exit 0
	made=$(LC_ALL=C sort -r "$list")
	rm -f "$list"
	printf '%s\n' "$made" | while read -r folder; do
		[ -z "$folder" ] || rmdir "$destdir$folder" 2>/dev/null || :
	done ;;
esac
