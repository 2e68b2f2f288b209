#!/bin/sh
# SPDX-License-Identifier: MIT
# dist.sh VERSION: makes build/rssck-VERSION.tar.xz from the committed files; then builds it elsewhere, without git,
# and tests that it works. The same commit gives the same bytes.
set -eu

version=$1
name=rssck-$version
tarball=$PWD/build/$name.tar.xz
make=${MAKE:-make}

die() { echo "dist: $*" >&2; exit 2; }

echo "$version" | grep -qxE '(0|[1-9][0-9]*)(\.(0|[1-9][0-9]*)){2}(-[0-9A-Za-z.-]+)?' ||
	die "VERSION = $version in the Makefile is no semantic version (1.2.3, 1.2.3-rc.1)"
grep -q "^## $version\b" results/CHANGES.md ||
	die "results/CHANGES.md has no heading '## $version': say what changed, or mend VERSION in the Makefile"
git rev-parse -q --verify HEAD >/dev/null 2>&1 || die "this is no git repository: there is no HEAD to pack"
[ -z "$(git status --porcelain)" ] || die "what is not committed would not be in it: commit or stash it first"

mkdir -p build
work=$(mktemp -d "${TMPDIR:-/tmp}/rssck-dist.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP

git archive --format=tar --prefix="$name/" HEAD | xz -9 -T1 >"$work/$name.tar.xz"
tar -C "$work" -xf "$work/$name.tar.xz"
cd "$work/$name"
# The tarball has no git repository, and one in a folder above must not be used instead.
GIT_DIR=/nonexistent MAKEFLAGS='' $make -j"$(nproc)" all >"$work/log" 2>&1 ||
	{ tail -n 20 "$work/log" >&2; die "the tarball does not build"; }
[ "$(./rssck --version)" = "rssck $version" ] || die "the tarball's program says $(./rssck --version)"
./rssck check --quiet file/private_write counters/calibrate >"$work/log" 2>&1 ||
	{ tail -n 20 "$work/log" >&2; die "the tarball's program cannot check"; }
mv "$work/$name.tar.xz" "$tarball"
cd "${tarball%/*}"
sha256sum "$name.tar.xz"
