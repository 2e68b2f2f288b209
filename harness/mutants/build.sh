#!/bin/sh
# SPDX-License-Identifier: MIT
# build.sh SOURCE BUILD: builds the kernel with mutants. SOURCE is an unpacked kernel source that this script changes
# (it first restores the commit that its first run has made there). BUILD is a folder for objects. BUILD/mutants.tsv
# lists the mutants. ONLY=601-636,651-674 in the environment: see make.py.
set -eu

source=$1 build=$2
here=$(cd "$(dirname "$0")" && pwd)
places="mm fs kernel lib include/linux io_uring ipc drivers/base"

cd "$source"
if [ ! -e .git/rssck ]; then
	[ -e .git ] || git init -q .
	# shellcheck disable=SC2086 # a list of folders
	git add -f $places
	git -c user.name=rssck -c user.email=rssck commit -qm "as it was" || true
	touch .git/rssck
fi
mkdir -p "$build"
[ -e "$build/.config" ] ||
	make -s O="$build" CC="${CC:-gcc}" KCONFIG_ALLCONFIG="$here/kernel.config" allnoconfig
: >.rssck-drop

# Mutants that do not compile are left out by their numbers, and the sources are changed again.
for try in 1 2 3 4 5 6; do
	# shellcheck disable=SC2086
	git checkout -q -- $places
	cp "$here/rssck_mutant.h" "$here/rssck_line.h" include/linux/
	cp "$here/rssck_mutant.c" "$here/rssck_line.c" mm/
	grep -q rssck_mutant mm/Makefile || echo 'obj-y += rssck_mutant.o rssck_line.o' >>mm/Makefile
	python3 "$here/hooks.py" .
	python3 "$here/make.py" "$source" "$build/mutants.tsv"
	if make -k O="$build" -j"${JOBS:-3}" CC="${CC:-gcc}" bzImage >"$build/log" 2>&1; then
		break
	fi
	before=$(wc -l <.rssck-drop)
	python3 "$here/errors.py" "$source" "$build/log" >>.rssck-drop
	echo "try $try: $(($(wc -l <.rssck-drop) - before)) places do not compile"
	[ "$(wc -l <.rssck-drop)" -gt "$before" ] || { grep -m 5 -E 'error:|Error' "$build/log"; exit 1; }
done
python3 "$here/compiled.py" "$build"
