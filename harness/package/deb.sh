#!/bin/sh
# SPDX-License-Identifier: MIT
# deb.sh VERSION: makes Debian packages from the output of `make dist`, in build/deb. deb.sh VERSION check: builds
# them again in another folder, at another time and with another umask, which must give the same bytes, and then runs
# lintian. DEBEMAIL and DEBFULLNAME name the maintainer, as for dch(1). lintian refuses the default address.
set -eu

version=$1
top=$PWD
tarball=$PWD/build/rssck-$version.tar.xz
deb=$PWD/build/deb
stamp=''

die() { echo "deb: $*" >&2; exit 2; }

# build FOLDER: builds all packages in FOLDER
build()
{
	mkdir -p "$1"
	cp "$tarball" "$1/rssck_$version.orig.tar.xz"
	tar -C "$1" -xf "$tarball"
	cp -R "$top/harness/package/debian" "$1/rssck-$version/debian"
	chmod -R u+rwX,go=rX "$1/rssck-$version/debian"
	sed -i "1s/@VERSION@/$version/" "$1/rssck-$version/debian/changelog"
	[ -z "${DEBEMAIL:-}" ] || sed -i "s/rssck developers <[^>]*>/${DEBFULLNAME:-rssck developers} <$DEBEMAIL>/" \
		"$1/rssck-$version/debian/control" "$1/rssck-$version/debian/changelog"
	[ -z "$stamp" ] || touch "$1/rssck-$version/debian/control"
	(cd "$1/rssck-$version" && MAKEFLAGS='' dpkg-buildpackage -us -uc) >"$1/log" 2>&1 ||
		{ tail -n 20 "$1/log" >&2; die "the build failed: see $1/log"; }
	rm -rf "${1:?}/rssck-$version"
}

# hashes FOLDER: prints the hashes of the files in the packages and in the source package
hashes()
{
	(cd "$1" && sha256sum ./*.deb ./*.dsc ./*.tar.xz)
}

for tool in dpkg-buildpackage dh; do
	command -v $tool >/dev/null || die "$tool is not installed (Debian: dpkg-dev debhelper)"
done
[ -f "$tarball" ] || die "there is no $tarball; run make dist"
rm -rf "$deb"
build "$deb"
(cd "$deb" && ls -- *.deb)
[ "${2:-}" = check ] || exit 0

work=$(mktemp -d "${TMPDIR:-/tmp}/rssck-deb.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
stamp=other
(umask 027 && export TZ=Pacific/Kiritimati LC_ALL=C LANG=de_DE.UTF-8 HOME=/nonexistent && build "$work/another-folder")
hashes "$deb" >"$work/first"
hashes "$work/another-folder" >"$work/second"
diff "$work/first" "$work/second" || die "two builds give different packages"
cat "$work/first"
echo "deb: two builds give the same packages"
command -v lintian >/dev/null || die "lintian is not installed"
lintian --fail-on error,warning --display-info --pedantic --no-tag-display-limit "$deb"/*.changes
echo "deb: lintian has no warnings"
