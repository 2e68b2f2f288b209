#!/bin/sh
# SPDX-License-Identifier: MIT
# make check-package: tests builds outside the source tree, and installation and removal. Exit: 0 all passes, 1
# something fails, 2 the script failed.
set -u

version=$1
make=${MAKE:-make}
source=$PWD
failed=0
work=$(mktemp -d "${TMPDIR:-/tmp}/rssck-package.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
# The builds below must not inherit the options of the caller's make.
unset MAKEFLAGS MAKELEVEL MAKEOVERRIDES O

# holds WORDS COMMAND...: prints a line that shows whether COMMAND ended with status 0
holds()
{
	words=$1
	shift
	if ("$@") >"$work/log" 2>&1; then
		echo "ok      $words"
	else
		echo "FAILED  $words"
		tail -n 15 "$work/log" | sed 's/^/    /'
		failed=1
	fi
}

# The files of the sources, and when they were changed.
sources_list()
{
	find cases harness include results Makefile README.md -printf '%p %T@ %s\n' | sort
}

builds_with_O()
{
	$make O="$work/out" all && "$work/out/rssck" check --quiet file/private_write &&
		$make O="$work/out" install DESTDIR="$work/stage" PREFIX=/usr &&
		"$work/stage/usr/bin/rssck" check --quiet file/private_write &&
		"$work/stage/usr/bin/rssck" explain --no-measure VmRSS | grep -q VmRSS
}

builds_with_f()
{
	mkdir "$work/f" && cd "$work/f" && $make -f "$source/Makefile" && ./rssck --version
}

builds_in_a_name_with_spaces()
{
	mkdir -p "$work/a name" && cp -RL Makefile harness include cases results "$work/a name" &&
		cd "$work/a name" && $make -n >/dev/null && $make build/obj/harness/base/number.o
}

builds_named_from_the_root()
{
	$make -f "$source/Makefile" -n all
}

refuses_a_folder_with_sources()
{
	mkdir -p "$work/full/cases" && ! $make O="$work/full" all
}

# Not even root can write to a read-only mount.
builds_from_read_only_sources()
{
	unshare --mount --map-root-user sh -eu -c '
		mount --bind "$1" "$1"
		mount -o remount,bind,ro "$1"
		cd "$1"
		! touch Makefile 2>/dev/null
		$3 O="$2" all
		"$2/rssck" check --quiet file/private_write' sh "$source" "$work/ro" "$make"
}

# Tests the C library of Alpine: the workload is built with musl, the observer with this machine's C library.
works_with_musl()
{
	after="-idirafter /usr/include -idirafter /usr/include/$(cc -print-multiarch)"
	$make O="$work/musl" CC=musl-gcc CPPFLAGS="$after" rssck-workload &&
		cp "$work/out/rssck" "$work/musl/build" && cp -L "$work/musl/rssck-workload" "$work/musl/build" &&
		"$work/musl/build/rssck" check --quiet anonymous fork counters
}

leaves_nothing()
{
	$make O="$work/out" uninstall DESTDIR="$work/stage" PREFIX=/usr && [ -z "$(ls -A "$work/stage")" ]
}

# Folders that existed before the installation must stay, even if they are empty.
leaves_what_was_there()
{
	mkdir -p "$work/old/usr/share/man/man1" "$work/old/usr/bin"
	before=$(find "$work/old" | sort)
	$make O="$work/out" install DESTDIR="$work/old" PREFIX=/usr &&
		$make O="$work/out" install DESTDIR="$work/old" PREFIX=/usr &&
		$make O="$work/out" uninstall DESTDIR="$work/old" PREFIX=/usr &&
		[ "$(find "$work/old" | sort)" = "$before" ]
}

# format-check must pass here, and must fail in a tree without git that has one unformatted file.
finds_what_is_not_formatted()
{
	$make O="$work/out" format-check || return 1
	mkdir "$work/plain" && cp -RL Makefile harness include .clang-format "$work/plain" || return 1
	rm -rf "$work/plain/harness/tests"
	mkdir "$work/plain/cases" && echo 'int  a ;' >"$work/plain/cases/ugly.c"
	! $make -C "$work/plain" format-check
}

fails_where_it_checks_nothing()
{
	rm -rf "$work/none" && mkdir "$work/none" && cp -RL Makefile harness include "$work/none" || return 1
	mkdir "$work/none/cases"
	find "$work/none" -name '*.[ch]' -delete
	! $make -C "$work/none" format-check
}

# Compares each version of each result in git's history with itself and with the kernel's newest one.
reads_all_that_was_recorded()
{
	mkdir -p "$work/old-results" && nr=0
	for commit in $(git -C "$source" log --format=%H -- 'results/*.json'); do
		for file in $(git -C "$source" ls-tree --name-only "$commit" results/ | grep 'json$'); do
			old=$work/old-results/$(git -C "$source" rev-parse "$commit:$file").json
			[ ! -e "$old" ] || continue
			git -C "$source" show "$commit:$file" >"$old" && "$work/out/rssck" compare "$old" "$old" || return 1
			[ ! -e "$file" ] || "$work/out/rssck" compare "$old" "$file" >/dev/null || [ $? -eq 1 ] || return 1
			nr=$((nr + 1))
		done
	done
	"$work/out/rssck" report --output="$work/README.md" "$work/old-results"/*.json || return 1
	[ $nr -gt 0 ] && echo "$nr results"
}

makes_a_tarball()
{
	$make dist && [ -s "build/rssck-$version.tar.xz" ]
}

before=$(sources_list)
holds "make O=DIR builds, checks, installs, and the installed program checks" builds_with_O
holds "make -f ../Makefile builds in an empty folder" builds_with_f
holds "make builds in a folder whose name has spaces" builds_in_a_name_with_spaces
holds "make -f with the whole path of the Makefile is the same as without" builds_named_from_the_root
holds "make O=DIR refuses a folder that holds sources" refuses_a_folder_with_sources
holds "sources on a read-only mount are built elsewhere" builds_from_read_only_sources
if command -v musl-gcc >/dev/null; then
	holds "the workload is built with musl, and what it shows passes" works_with_musl
else
	echo "skip    musl: musl-gcc is not installed (Debian: musl-tools)"
fi
holds "make uninstall leaves nothing of what install made" leaves_nothing
holds "make uninstall leaves folders that were there before" leaves_what_was_there
if command -v clang-format >/dev/null; then
	holds "format-check needs no git, and finds what is not formatted" finds_what_is_not_formatted
	holds "format-check fails where there is nothing to check" fails_where_it_checks_nothing
else
	echo "skip    format-check: clang-format is not installed (make deps-dev)"
fi
if git -C "$source" rev-parse -q --verify HEAD >/dev/null 2>&1 && [ -z "$(git status --porcelain)" ]; then
	holds "every result that git's history has is read, compared and reported" reads_all_that_was_recorded
	holds "make dist gives a tarball that builds without git" makes_a_tarball
else
	echo "skip    make dist: no git repository, or something is not committed"
fi
[ "$(sources_list)" = "$before" ] || { echo "FAILED  the sources were written to"; failed=1; }
exit $failed
