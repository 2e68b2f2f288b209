#!/bin/sh
# SPDX-License-Identifier: MIT
set -eu

usage()
{
	cat <<'END'
usage: static.sh VERSION [ARCHITECTURE]

make static [ARCH=aarch64]: build/rssck-VERSION-ARCHITECTURE/ with static programs, to be copied to any Linux of that
architecture. ARCHITECTURE is the name that `uname -m` prints there (default: this machine's).

CC names the compiler (default: cc here, ARCHITECTURE-linux-gnu-gcc for another one). If the compiler has no
static form of a library, the library is fetched into ${XDG_CACHE_HOME:-~/.cache}/rssck/static, and not installed: as
Debian's package or, if Debian has none (cmocka; all of them for riscv64 in bookworm), as its source.
Exit status: 0 the folder was made, 2 it cannot be made.
END
}

die() { echo "static: $*" >&2; exit 2; }

case ${1:--h} in -h | --help) usage; exit 0 ;; esac
version=$1
native=$(uname -m)
machine=${2:-$native}
here=$(cd "$(dirname "$0")" && pwd)
make=${MAKE:-make}
cache=${XDG_CACHE_HOME:-${HOME:-}/.cache}/rssck/static/$machine
out=$PWD/build/static-$machine
folder=$PWD/build/rssck-$version-$machine
# shellcheck source=harness/apt-mirror.sh
. "$here/../apt-mirror.sh"
# shellcheck source=harness/package/pool.sh
. "$here/pool.sh"

choose_compiler()
{
	if [ -z "${CC:-}" ]; then
		CC=cc
		[ "$machine" = "$native" ] || CC=$(compiler_name)-gcc
	fi
	command -v "${CC%% *}" >/dev/null 2>&1 ||
		die "there is no compiler $CC; install it (Debian: gcc-$(compiler_name | tr _ -) libc6-dev-$(debian_name)-cross), or name another one in CC"
	made=$($CC -dumpmachine)
	case $made in
	"$(compiler_name | cut -d- -f1)"-*) ;;
	*) die "$CC compiles for $made, not for $machine; name another compiler in CC" ;;
	esac
}

# from_package NAME PACKAGE: makes $cache/libNAME.a with its headers from a Debian package
from_package()
{
	pool_unpack "$2" "$work/$1"
	find "$work/$1" -name "lib$1.a" -exec cp {} "$cache" \;
	[ -f "$cache/lib$1.a" ] || die "$2 of $(debian_name) has no lib$1.a"
	cp -R "$work/$1"/usr/include/. "$cache/include"
}

# The results that cmocka's cmake would find with any glibc or musl.
cmocka_has='-DHAVE_MALLOC_H -DHAVE_INTTYPES_H -DHAVE_SIGNAL_H -DHAVE_STRINGS_H -DHAVE_STRSIGNAL -DHAVE_SIGLONGJMP
	-DHAVE_CLOCK_REALTIME -DHAVE_STRUCT_TIMESPEC -DHAVE_GCC_THREAD_LOCAL_STORAGE -DHAVE_UINTPTR_T'

cmocka_from_source()
{
	pool_source cmocka "$work/cmocka"
	cp "$work"/cmocka/include/*.h "$cache/include"
	# shellcheck disable=SC2086 # a list of options
	$CC -O2 -w $cmocka_has -I "$work/cmocka/include" -c -o "$work/cmocka.o" "$work/cmocka/src/cmocka.c" ||
		die "cmocka's source does not compile"
	"$($CC -print-prog-name=ar)" rcs "$cache/libcmocka.a" "$work/cmocka.o"
}

# from_source NAME PACKAGE: builds the library if Debian has no package for this machine; leaves out parts that rssck
# does not use
from_source()
{
	pool_source "$2" "$work/$1"
	[ -x "$work/$1/configure" ] || (cd "$work/$1" && autoreconf -fi) >"$work/log" 2>&1 ||
		die "$2's source has no configure, and autoreconf cannot make it (Debian: autoconf automake libtool)"
	(cd "$work/$1" && ./configure -q --host="$(compiler_name)" CC="$CC" --prefix="$work/$1/out" --disable-shared \
		--disable-bsdtar --disable-bsdcpio --disable-bsdcat --without-zlib --without-bz2lib --without-lzma \
		--without-zstd --without-lz4 --without-xml2 --without-expat --without-openssl --without-nettle &&
		$make -s install) >"$work/log" 2>&1 || die "$2's source does not compile: $(tail -n 1 "$work/log")"
	cp "$work/$1/out/lib/lib$1.a" "$cache"
	cp -R "$work/$1"/out/include/. "$cache/include"
}

source_of()
{
	case $1 in archive) echo libarchive ;; *) echo "$1" ;; esac
}

# library NAME: adds the linker's arguments for a library to $libraries
library()
{
	case $($CC -print-file-name="lib$1.a") in
	/*) libraries="$libraries -l:lib$1.a"; return ;;
	esac
	[ -f "$cache/lib$1.a" ] || case $1 in
	cmocka) cmocka_from_source ;;
	*)
		if pool_has "lib$1-dev"; then
			from_package "$1" "lib$1-dev"
		else
			from_source "$1" "$(source_of "$1")"
		fi ;;
	esac
	libraries="$libraries $cache/lib$1.a"
}

[ -n "${XDG_CACHE_HOME:-}${HOME:-}" ] || die "HOME and XDG_CACHE_HOME are not set, so there is no folder for the libraries"
choose_compiler
mkdir -p "$cache/include"
work=$(mktemp -d "${TMPDIR:-/tmp}/rssck-static.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP

libraries=''
for name in cmocka jansson archive; do
	library $name
done
$make O="$out" CC="$CC" CPPFLAGS="-isystem $cache/include ${CPPFLAGS:-}" LDFLAGS="-static ${LDFLAGS:-}" \
	LIBS="$libraries" libproc2= all

rm -rf "$folder"
mkdir -p "$folder"
strip=$($CC -print-prog-name=strip)
for program in rssck rssck-workload rssck-worker; do
	"$strip" -o "$folder/$program" "$out/$program"
	! readelf -lW "$folder/$program" | grep -q INTERP || die "$program is not static"
done
cp "$PWD/LICENSE" "$here/lava/lava.sh" "$folder"
sed "s/@VERSION@/$version/; s/@MACHINE@/$machine/" "$here/static.txt" >"$folder/README"
(cd "$folder/.." && du -sh "${folder##*/}")
