#!/bin/sh
# SPDX-License-Identifier: MIT
# dist.sh VERSION: makes build/rssck-VERSION.tar.xz from the committed files. Then builds it in another folder,
# without git, and tests that it works. The same commit gives the same bytes with the same git and xz.
set -eu

version=$1
name=rssck-$version
tarball=$PWD/build/$name.tar.xz
make=${MAKE:-make}

die() { echo "dist: $*" >&2; exit 2; }

echo "$version" | grep -qxE '(0|[1-9][0-9]*)(\.(0|[1-9][0-9]*)){2}(-[0-9A-Za-z.-]+)?' ||
	die "VERSION = $version in the Makefile is not a semantic version (1.2.3, 1.2.3-rc.1)"
grep -q "^## $version\b" results/CHANGES.md ||
	die "results/CHANGES.md has no heading '## $version': describe the changes, or correct VERSION in the Makefile"
git rev-parse -q --verify HEAD >/dev/null 2>&1 || die "this is not a git repository, so there is no HEAD to pack"
[ -z "$(git status --porcelain)" ] || die "the tarball would not contain uncommitted changes; commit or stash them first"

mkdir -p build
work=$(mktemp -d "${TMPDIR:-/tmp}/rssck-dist.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP

git archive --format=tar --prefix="$name/" HEAD | xz -9 -T1 >"$work/$name.tar.xz"
tar -C "$work" -xf "$work/$name.tar.xz"
cd "$work/$name"
# The tarball has no git repository, and git must not find one in a folder above.
GIT_DIR=/nonexistent MAKEFLAGS='' $make -j"$(nproc)" all >"$work/log" 2>&1 ||
	{ tail -n 20 "$work/log" >&2; die "the tarball does not build"; }
[ "$(./rssck --version)" = "rssck $version" ] || die "the tarball's program has the version $(./rssck --version)"
./rssck check --quiet file/private_write counters/calibrate >"$work/log" 2>&1 ||
	{ tail -n 20 "$work/log" >&2; die "the tarball's program cannot check"; }
mv "$work/$name.tar.xz" "$tarball"
cd "${tarball%/*}"
sha256sum "$name.tar.xz"
