#!/bin/sh
# SPDX-License-Identifier: MIT
set -eu

usage()
{
	cat <<'END'
usage: cross.sh VERSION ARCHITECTURE

make cross ARCH=arm64: build/cross/ARCHITECTURE/ with static rssck, rssck-workload and rssck-worker, and Debian's busybox, for guests of
that architecture (rssck vm takes them from there). ARCHITECTURE is Debian's name: arm64, ppc64el, riscv64, s390x, i386.

The compiler is Debian's for that architecture, or CC; nothing of that architecture is installed: libraries and busybox are
fetched into ${XDG_CACHE_HOME:-~/.cache}/rssck/static.
Exit: 0 it is there, 2 it cannot be made.
END
}

die() { echo "cross: $*" >&2; exit 2; }

case ${1:--h} in -h | --help) usage; exit 0 ;; esac
[ -n "${2:-}" ] || die "name an architecture: make cross ARCH=arm64 (or ppc64el, riscv64, s390x, i386)"
version=$1 architecture=$2
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=harness/apt-mirror.sh
. "$here/../apt-mirror.sh"
# shellcheck source=harness/package/pool.sh
. "$here/pool.sh"
machine=$(machine_of "$architecture")
cache=${XDG_CACHE_HOME:-${HOME:-}/.cache}/rssck/static/$machine
out=build/cross/$architecture

sh "$here/static.sh" "$version" "$machine"
work=$(mktemp -d "${TMPDIR:-/tmp}/rssck-cross.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
programs=$(ls -d "build/rssck-$version-$machine"/rssck*)
# busybox gives the guest a ps, a top and a pmap. Without it, the cases that use them are skipped.
if [ ! -x "$cache/busybox" ] && pool_has busybox-static; then
	pool_unpack busybox-static "$work/busybox"
	cp "$(find "$work/busybox" -path '*bin/busybox' -type f)" "$cache/busybox"
fi
mkdir -p "$out"
[ ! -x "$cache/busybox" ] || programs="$programs $cache/busybox"
for program in $programs; do # a list of names
	cp "$program" "$out/.new"
	mv -f "$out/.new" "$out/${program##*/}"
done
echo "$out: rssck vm uses these programs in a guest"
