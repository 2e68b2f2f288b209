#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Fetches the kernels of kernels.tsv into a cache folder: never installed, signatures checked, outside the tree.
set -eu

usage()
{
	cat <<'END'
usage: kernels.sh [fetch | update | list] [NAME | SET]...

  fetch   fetch the kernels (of the set "versions", or those named) that are not there yet (the default)
  update  look for newer versions too
  list    print NAME RELEASE PATH of those that are there

A kernel lies in ${XDG_CACHE_HOME:-~/.cache}/rssck/kernels/RELEASE/: vmlinuz, config, modules/ with modules.order.
RSSCK_ARCHITECTURE=arm64 (Debian's name) fetches the kernels of another machine than this, into kernels-arm64/.
The mirror is the one that this machine's apt uses; RSSCK_MIRROR and RSSCK_SECURITY_MIRROR name another.
Exit: 0 at least one kernel is there, 1 none, 2 the script failed (usage, or something is missing).
END
}

# What Debian calls this machine's architecture.
native()
{
	case $(uname -m) in
	aarch64) echo arm64 ;;
	ppc64le) echo ppc64el ;;
	riscv64 | s390x) uname -m ;;
	*) echo amd64 ;;
	esac
}

here=$(cd "$(dirname "$0")" && pwd)
table=${RSSCK_KERNELS:-$here/kernels.tsv}
cache=${XDG_CACHE_HOME:-${HOME:-}/.cache}/rssck
# Debian's name of what the kernels are for.
architecture=${RSSCK_ARCHITECTURE:-$(native)}
kernels=$cache/kernels apt=$cache/apt
[ "$architecture" = "$(native)" ] || kernels=$kernels-$architecture apt=$apt-$architecture

# What swap on zram and ext4 on virtio-blk need; a name that a kernel has built in (or never had) is no loss.
# crc32c and lzo-rle are asked for by name at run time, when init has no modprobe to serve the kernel with.
modules="virtio_pci virtio_blk nvme crc32c_generic lzo_rle zsmalloc zram ext4"

# shellcheck source=harness/apt-mirror.sh
. "$here/../apt-mirror.sh"

say() { printf 'kernels: %s\n' "$*" >&2; }
die() { say "$*"; exit 2; }

# rows [NAME | SET]...: those rows of the table, or the set of versions, without comments
rows()
{
	awk -F '\t' -v names="${*:-versions}" -v architecture="$architecture" '
		BEGIN { n = split(names, list, " "); for (i = 1; i <= n; i++) want[list[i] == "ages" ? "versions" : list[i]] = 1 }
		/^#/ || NF < 6 || $3 != architecture { next }
		$1 in want || $2 in want' "$table"
}

# release_of NAME: the newest release fetched under that name
release_of()
{
	grep -lxF -e "$1" "$kernels"/*/name 2>/dev/null | sed 's|/name$||; s|.*/||' | sort -V | tail -n 1
}

list()
{
	rows "$@" | while IFS='	' read -r name _; do
		release=$(release_of "$name")
		[ -z "$release" ] || printf '%s %s %s\n' "$name" "$release" "$kernels/$release/vmlinuz"
	done
}

# apt of our own: nothing of the machine's package state is read or written but its mirror and its proxy
apt_configure()
{
	main=${RSSCK_MIRROR:-$(apt_mirror Debian)}
	[ -n "$main" ] || die "this machine's apt knows no Debian mirror: run apt-get update, or set RSSCK_MIRROR to one"
	security=${RSSCK_SECURITY_MIRROR:-$(apt_mirror Debian-Security)}
	security=${security:-${main%/}-security}
	keys=$(apt_keys)
	apt_private "$apt" "$architecture" || die "no archive keys in /usr/share/keyrings: install debian-archive-keyring"
	rows "$@" | cut -f 4 | tr ',' '\n' | sort -u | while read -r suite; do
		case $suite in *-security) uri=$security ;; *) uri=$main ;; esac
		printf 'deb [arch=%s signed-by=%s] %s %s main\n' "$architecture" "$keys" "$uri" "$suite"
	done >"$apt/sources.list"
}

# A suite that has gone makes apt-get update fail as a whole, with the others read all the same.
apt_update()
{
	apt-get -q -c "$apt/apt.conf" update >"$apt/update.log" 2>&1 ||
		sed -n 's/^[EW]: /kernels: apt: /p' "$apt/update.log" >&2
}

# candidates SUITES PACKAGE VERSION: "version package" of what matches, oldest first
candidates()
{
	apt-cache -c "$apt/apt.conf" pkgnames linux- | while read -r package; do
		# shellcheck disable=SC2254 # a pattern is meant
		case $package in $2) printf '%s\n' "$package" ;; esac
	done | grep -v unsigned | xargs -r apt-cache -c "$apt/apt.conf" madison |
		awk -F ' *[|] *' -v suites="$1" '
			BEGIN { n = split(suites, list, ","); for (i = 1; i <= n; i++) want[list[i]] = 1 }
			{ split($3, at, " "); sub("/.*", "", at[2]); gsub(" ", "", $1); if (at[2] in want) print $2, $1 }' |
		while read -r version package; do
			# shellcheck disable=SC2254 # a pattern is meant
			case $version in $3) printf '%s %s\n' "$version" "$package" ;; esac
		done | sort -u -k 1,1V
}

# unpack FOLDER VERSION PACKAGE: fetches a package (apt checks its hash) and unpacks it below FOLDER
unpack()
{
	(cd "$1" && apt-get -q -c "$apt/apt.conf" download "$3=$2") >>"$1/log" 2>&1 || return 1
	for deb in "$1"/*.deb; do
		dpkg-deb -x "$deb" "$1/root" && rm "$deb"
	done
}

# plain FILE TO: a module, decompressed
plain()
{
	case $1 in
	*.xz) xz -dc "$1" ;;
	*.zst) zstd -qdc "$1" ;;
	*.gz) gzip -dc "$1" ;;
	*) cat "$1" ;;
	esac >"$2"
}

# add_module NAME: the module and, before it, what it depends on
add_module()
{
	[ ! -e "$to/$1.ko" ] || return 0
	path=$(awk -v name="$1" '$1 == name { print $2; exit }' "$part/index")
	[ -n "$path" ] || return 0
	plain "$path" "$to/$1.ko"
	for needed in $(tr '\0' '\n' <"$to/$1.ko" | LC_ALL=C sed -n 's/^depends=//p' | tr ',-' ' _'); do
		add_module "$needed"
	done
	# dash has no local variables, and recursion has changed none that is used from here on but $1
	printf '%s.ko\n' "$1" >>"$to/modules.order"
}

# take_modules: the modules of $part/root that are wanted, flat and plain, in the order of loading
take_modules()
{
	to=$part/kernel/modules
	mkdir -p "$to"
	: >"$to/modules.order"
	[ ! -d "$part/root" ] || find "$part/root" -name '*.ko*' | awk '{
		name = $0; sub(".*/", "", name); sub("[.]ko.*", "", name); gsub("-", "_", name); print name, $0 }' >"$part/index"
	for module in $modules; do
		add_module "$module"
	done
}

# fetch_one NAME SUITES PACKAGE VERSION
fetch_one()
{
	found=$(candidates "$2" "$3" "$4" | tail -n 1)
	if [ -z "$found" ]; then
		say "$1: no suite of $2 has a $3 $4 any more; edit $table or leave it out"
		return 1
	fi
	version=${found% *} package=${found#* }
	release=${package#linux-*-}
	if [ ! -f "$kernels/$release/name" ]; then
		say "$1: fetching $package $version"
		part=$(mktemp -d "$kernels/.part.XXXXXX")
		if ! fetch_packages "$1"; then
			say "$1: $package $version cannot be fetched: $(tail -n 1 "$part/log")"
			rm -r "$part"
			return 1
		fi
		rm -r "$part"
	fi
	printf '%s\n' "$1" >"$kernels/$release/name"
}

# fetch_packages NAME: $package $version into $kernels/$release, whole or not at all
fetch_packages()
{
	mkdir "$part/root" "$part/kernel"
	unpack "$part" "$version" "$package" || return 1
	case $package in
	linux-binary-*)
		unpack "$part" "$version" "linux-modules-$release" ||
			say "$1: linux-modules-$release is in no suite any more: the image alone, so swap on a disk, not zram"
		unpack "$part" "$version" "linux-base-$release" || say "$1: linux-base-$release is in no suite: no config" ;;
	esac
	# /boot in old packages, beside the modules in new ones
	image=$(find "$part/root" -name 'vmlinu[xz]*' -type f | head -n 1)
	[ -n "$image" ] || { echo "no vmlinuz in it" >>"$part/log"; return 1; }
	cp "$image" "$part/kernel/vmlinuz"
	config=$(find "$part/root" \( -name "config-$release" -o -path '*/modules/*/config' \) -type f | head -n 1)
	[ -z "$config" ] || cp "$config" "$part/kernel/config"
	take_modules
	printf '%s %s\n' "$package" "$version" >"$part/kernel/package"
	mv "$part/kernel" "$kernels/$release"
}

# missing [NAME...]: the names that are not there
missing()
{
	rows "$@" | while IFS='	' read -r name _; do
		[ -n "$(release_of "$name")" ] || printf '%s ' "$name"
	done
}

fetch()
{
	for tool in apt-get apt-cache dpkg-deb xz flock; do
		command -v "$tool" >/dev/null || die "$tool is not installed here; Debian's kernels are fetched with it"
	done
	mkdir -p "$kernels"
	exec 9>"$cache/lock"
	flock -n 9 || {
		echo "kernels.sh: another make kernels is fetching into $cache: waiting for its end" >&2
		flock 9
	}
	apt_configure "$@"
	apt_update
	rows "$@" | {
		failed=0
		while IFS='	' read -r name _ _ suites package version _; do
			fetch_one "$name" "$suites" "$package" "$version" </dev/null || failed=$((failed + 1))
		done
		[ $failed -eq 0 ] || say "$failed of the kernels could not be fetched; the others are not affected"
	}
	rm -rf "$kernels"/.part.*
}

[ -n "${XDG_CACHE_HOME:-}${HOME:-}" ] || die "neither HOME nor XDG_CACHE_HOME is set: there is no place for kernels"
[ -r "$table" ] || die "$table cannot be read"
command=fetch
case ${1:-} in
-h | --help) usage; exit 0 ;;
fetch | update | list) command=$1; shift ;;
esac
for name in "$@"; do
	[ -n "$(rows "$name")" ] || die "$table has no kernel and no set named $name; for $architecture it has: $(awk -F '\t' -v a="$architecture" '!/^#/ && $3 == a { print $1 }' "$table" | paste -sd' ' -)"
done

case $command in
list) list "$@"; [ -n "$(list "$@")" ] || exit 1; exit 0 ;;
update) fetch "$@" ;;
fetch)
	wanted=$(missing "$@")
	# shellcheck disable=SC2086 # a list of names
	[ -z "$wanted" ] || fetch $wanted ;;
esac
list "$@"
[ -n "$(list "$@")" ]
