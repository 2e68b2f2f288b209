#!/bin/sh
# SPDX-License-Identifier: MIT
# make check-compilers: builds rssck and its tests with many compilers and in several ways.
set -u

usage()
{
	cat <<'END'
usage: check-compilers.sh [COMPILER...]

Builds the tree of HEAD with each compiler of compilers.tsv (or those named), in a minimal root tree of the suite of
Debian that has it, in each of the ways below: without a warning, and the workload static. The root trees are made
by mmdebstrap and gone afterwards; it needs root or user namespaces, and some 150 MB from the mirror for each suite.

Settings, for make too (make check-compilers COMPILERS=gcc-16 WAYS="O3 LTO"):
  COMPILERS  which compilers (all)
  WAYS       in which ways (O0 O2 O3 LTO FORTIFY); with LTO one of the tests is built, because each is linked anew
  JOBS       how many at a time (one a CPU)

The mirror is the one that this machine's apt uses; RSSCK_MIRROR names another.
Exit: 0 all were built without a warning, 1 one was not, 2 the script failed (usage, or something is missing).
END
}

here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
libraries=make,pkgconf,binutils,libc6-dev,linux-libc-dev,libcmocka-dev,libjansson-dev,libarchive-dev

say() { printf 'check-compilers: %s\n' "$*" >&2; }
die() { say "$*"; exit 2; }

# rows [SUITE]: prints the rows of the table, or of one suite, for the requested compilers
rows()
{
	awk -F '\t' -v suite="${1:-}" -v names="$compilers" '
		BEGIN { n = split(names, list, " "); for (i = 1; i <= n; i++) want[list[i]] = 1 }
		!/^#/ && NF == 4 && (!n || $2 in want) && (suite == "" || $1 == suite)' "$here/compilers.tsv"
}

# build SUITE: prints a line for each compiler and way; the complete output is in $work/SUITE.log
build()
{
	packages=$(rows "$1" | cut -f 4 | tr ' \n' ,,)
	mkdir "$work/$1"
	rows "$1" >"$work/$1/rows"
	# shellcheck disable=SC2086 # a list of words
	TMPDIR="$work" $apart mmdebstrap --variant=apt --format=null --include="$libraries,${packages%,}" \
		--aptopt='Acquire::Check-Valid-Until "false"' --aptopt='APT::Install-Recommends "false"' \
		--customize-hook="tar-in $work/head.tar /opt" \
		--customize-hook="upload $here/compile.sh /compile.sh" \
		--customize-hook="upload $work/$1/rows /rows" \
		--customize-hook="chroot \"\$1\" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin sh /compile.sh '$ways' '$jobs' >$work/$1/table" \
		--customize-hook="copy-out /logs $work/$1" \
		"$1" - "$mirror" >/dev/null 2>"$work/$1.log" ||
		{ tail -n 5 "$work/$1.log" >&2; say "$1: no root tree can be made"; return 1; }
	cat "$work/$1/table"
	for log in "$work/$1"/logs/*; do
		[ -s "$log" ] || continue
		say "$(basename "$log"):"
		head -n 20 "$log" >&2
	done
}

case ${1:-} in -h | --help) usage; exit 0 ;; esac
compilers=${*:-${COMPILERS:-}}
ways=${WAYS:-O0 O2 O3 LTO FORTIFY}
jobs=${JOBS:-$(nproc)}
# shellcheck source=harness/apt-mirror.sh
. "$here/../apt-mirror.sh"
mirror=${RSSCK_MIRROR:-$(apt_mirror Debian)}
[ -n "$mirror" ] || die "this machine's apt knows no Debian mirror: run apt-get update, or set RSSCK_MIRROR to one"
command -v mmdebstrap >/dev/null 2>&1 || die "mmdebstrap is not installed (apt-get install mmdebstrap)"
# As root, mmdebstrap mounts in a separate namespace, which ends with it. Without root, it creates the namespace itself.
apart=''
[ "$(id -u)" != 0 ] || apart='setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child'
[ -n "$(rows)" ] || die "compilers.tsv has none of these compilers: $compilers"
work=$(mktemp -d "${TMPDIR:-/tmp}/rssck-compilers.XXXXXX") || exit 2
# apt runs as another user there
chmod 755 "$work"
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
git -C "$top" archive --format=tar HEAD >"$work/head.tar" || die "$top is not a git repository, so there is no HEAD to build"

printf '%-10s %-8s %5s %9s %8s %8s\n' compiler way exit warnings workload seconds
for suite in $(rows | cut -f 1 | uniq); do
	build "$suite" || exit 2
done | tee "$work/all"
[ -s "$work/all" ] || exit 2
awk '$3 || $4 || $5 != "static" { bad = 1 } END { exit bad }' "$work/all" || { say "not all were built well"; exit 1; }
say "all were built without a warning"
