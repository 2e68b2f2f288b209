#!/bin/sh
# SPDX-License-Identifier: MIT
# rpm.sh VERSION: makes RPM packages from the output of `make dist`, in build/rpm. Then runs rpmlint if it is
# installed. On a machine that does not use RPMs, the requirements in the spec file are not checked.
set -eu

version=$1
here=$(cd "$(dirname "$0")" && pwd)
tarball=$PWD/build/rssck-$version.tar.xz
to=$PWD/build/rpm
spec=$to/rssck.spec

die() { echo "rpm: $*" >&2; exit 2; }

command -v rpmbuild >/dev/null || die "rpmbuild is not installed (Debian: rpm; Fedora: rpm-build)"
[ -f "$tarball" ] || die "there is no $tarball; run make dist"
rm -rf "$to"
mkdir -p "$to/tree"
sed "s/@VERSION@/$version/" "$here/rpm/rssck.spec" >"$spec"
# The requirements can be checked only if the RPM database contains packages.
nodeps=''
[ -n "$(rpm -qa 2>/dev/null | head -n 1)" ] || nodeps=--nodeps
SOURCE_DATE_EPOCH=$(tar -tvf "$tarball" --full-time --utc "rssck-$version/Makefile" | awk '{ print $4 " " $5 " UTC" }' | date -f - +%s)
export SOURCE_DATE_EPOCH
MAKEFLAGS='' rpmbuild -ba $nodeps --define "_topdir $to/tree" --define "_sourcedir ${tarball%/*}" \
	--define '_buildhost localhost' --define 'use_source_date_epoch_as_buildtime 1' \
	--define 'clamp_mtime_to_source_date_epoch 1' "$spec" >"$to/log" 2>&1 ||
	{ tail -n 20 "$to/log" >&2; die "the build failed: see $to/log"; }
find "$to/tree/RPMS" "$to/tree/SRPMS" -name '*.rpm' -exec mv {} "$to" \;
rm -rf "$to/tree"
(cd "$to" && ls -- *.rpm)
command -v rpmlint >/dev/null || { echo "rpm: rpmlint is not installed, so the packages were not checked" >&2; exit 0; }
rpmlint -r "$here/rpm/rpmlintrc" "$spec" "$to"/*.rpm
