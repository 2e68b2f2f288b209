#!/bin/sh
# SPDX-License-Identifier: MIT
# apk.sh VERSION: writes the input for Alpine's abuild into build/apk: the APKBUILD with its checksum, and the tarball
# of `make dist`. apk.sh VERSION check: does here what abuild would do, with the functions of the APKBUILD, in
# busybox's shell if it is installed. The installed files must then be exactly the files that the subpackages contain.
set -eu

version=$1
here=$(cd "$(dirname "$0")" && pwd)
tarball=$PWD/build/rssck-$version.tar.xz
to=$PWD/build/apk

die() { echo "apk: $*" >&2; exit 2; }

[ -f "$tarball" ] || die "there is no $tarball; run make dist"
rm -rf "$to"
mkdir -p "$to"
cp "$tarball" "$to"
{
	sed "s/@VERSION@/$version/" "$here/alpine/APKBUILD"
	printf '\nsha512sums="\n%s\n"\n' "$(cd "$to" && sha512sum "${tarball##*/}")"
} >"$to/APKBUILD"
ls "$to"
[ "${2:-}" = check ] || exit 0

work=$(mktemp -d "${TMPDIR:-/tmp}/rssck-apk.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
ash=$(command -v busybox || :)
cat >"$work/abuild" <<'END'
set -eu
startdir=$1 srcdir=$2/src pkgdir=$2/pkg
. "$startdir/APKBUILD"
builddir=$srcdir/$pkgname-$pkgver
for name in pkgname pkgver pkgrel pkgdesc url arch license source sha512sums; do
	eval "[ -n \"\$$name\" ]" || { echo "$name is empty" >&2; exit 1; }
done
[ ${#pkgdesc} -lt 128 ]
mkdir -p "$srcdir" "$pkgdir"
(cd "$startdir" && echo "$sha512sums" | sed '/^$/d' | sha512sum -c -)
tar -C "$srcdir" -xf "$startdir/$source"
for phase in build check package; do
	(cd "$builddir" && $phase)
done
END
MAKEFLAGS='' ${ash:+"$ash"} sh "$work/abuild" "$to" "$work" >"$work/log" 2>&1 || { tail -n 20 "$work/log" >&2; die "the build failed"; }
# Sorts the files into subpackages: abuild's own functions move some for -doc and the completions, results() moves
# others, and the rest remains.
(cd "$work/pkg" && find . -type f) | sed 's,^\./,,' | awk '
	/^usr\/share\/(man|doc)\// { of["doc"]++; next }
	/^usr\/share\/rssck\/results\// { of["results"]++; next }
	/^usr\/share\/bash-completion\/completions\// { of["bash-completion"]++; next }
	/^usr\/share\/zsh\/site-functions\// { of["zsh-completion"]++; next }
	/^usr\/share\/fish\/vendor_completions.d\// { of["fish-completion"]++; next }
	/^usr\/(bin|libexec|share\/rssck\/schema)\// { of["itself"]++; next }
	{ print "apk: nobody takes " $0; lost = 1 }
	END { for (part in of) print "apk: " of[part] " files of " part; exit lost }'
"$work/pkg/usr/bin/rssck" check --quiet file/private_write || die "the installed program cannot check"
