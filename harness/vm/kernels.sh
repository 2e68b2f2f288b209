#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Fetches the kernels of kernels.tsv into a cache folder outside the tree. Signatures are checked, and nothing is
# installed.
set -eu

usage()
{
	cat <<'END'
usage: kernels.sh [fetch | update | list] [NAME | SET]...

  fetch   fetch the kernels (of the set "versions", or the named ones) that were not fetched yet (the default)
  update  fetch newer versions, too
  list    print NAME RELEASE PATH of each fetched kernel

The folder of a kernel is ${XDG_CACHE_HOME:-~/.cache}/rssck/kernels/RELEASE/: vmlinuz, config, modules/ with modules.order.
RSSCK_ARCHITECTURE=arm64 (Debian's name) fetches the kernels of another machine into kernels-arm64/.
The script uses the mirror of this machine's apt, or the mirrors in RSSCK_MIRROR and RSSCK_SECURITY_MIRROR.
Exit status: 0 at least one kernel was fetched, 1 no kernel was fetched, 2 the script failed (usage, or a missing program).
END
}

# Debian's name for this machine's architecture.
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
# Debian's name for the architecture of the kernels.
architecture=${RSSCK_ARCHITECTURE:-$(native)}
kernels=$cache/kernels apt=$cache/apt
[ "$architecture" = "$(native)" ] || kernels=$kernels-$architecture apt=$apt-$architecture

# The modules for swap on zram and for ext4 on virtio-blk. A module that is built in, or that a kernel does not have,
# is skipped. crc32c and lzo-rle are requested by name at run time, and init has no modprobe to load them.
modules="virtio_pci virtio_blk nvme crc32c_generic lzo_rle zsmalloc zram ext4"

# shellcheck source=harness/apt-mirror.sh
. "$here/../apt-mirror.sh"

say() { printf 'kernels: %s\n' "$*" >&2; }
die() { say "$*"; exit 2; }

# rows [NAME | SET]...: prints the named rows of the table, or the set "versions", without comments
rows()
{
	awk -F '\t' -v names="${*:-versions}" -v architecture="$architecture" '
		BEGIN { n = split(names, list, " "); for (i = 1; i <= n; i++) want[list[i] == "ages" ? "versions" : list[i]] = 1 }
		/^#/ || NF < 6 || $3 != architecture { next }
		$1 in want || $2 in want' "$table"
}

# release_of NAME: prints the newest release that was fetched under this name
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

# apt_configure [NAME | SET]...: sets up a private apt. It takes the mirror and the proxy from the machine's own apt,
# and changes nothing there.
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

# If a suite no longer exists, apt-get update fails as a whole, but reads the other suites.
apt_update()
{
	apt-get -q -c "$apt/apt.conf" update >"$apt/update.log" 2>&1 ||
		sed -n 's/^[EW]: /kernels: apt: /p' "$apt/update.log" >&2
}

# candidates SUITES PACKAGE VERSION: prints "version package" for each match, oldest first
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

# unpack FOLDER VERSION PACKAGE: fetches a package, whose hash apt checks, and unpacks it below FOLDER
unpack()
{
	(cd "$1" && apt-get -q -c "$apt/apt.conf" download "$3=$2") >>"$1/log" 2>&1 || return 1
	for deb in "$1"/*.deb; do
		dpkg-deb -x "$deb" "$1/root" && rm "$deb"
	done
}

# plain FILE TO: writes the decompressed module to TO
plain()
{
	case $1 in
	*.xz) xz -dc "$1" ;;
	*.zst) zstd -qdc "$1" ;;
	*.gz) gzip -dc "$1" ;;
	*) cat "$1" ;;
	esac >"$2"
}

# add_module NAME: adds the modules on which a module depends, and then the module itself
add_module()
{
	[ ! -e "$to/$1.ko" ] || return 0
	path=$(awk -v name="$1" '$1 == name { print $2; exit }' "$part/index")
	[ -n "$path" ] || return 0
	plain "$path" "$to/$1.ko"
	for needed in $(tr '\0' '\n' <"$to/$1.ko" | LC_ALL=C sed -n 's/^depends=//p' | tr ',-' ' _'); do
		add_module "$needed"
	done
	# POSIX has no local variables. The recursion changes all variables except $1, so only $1 is used from here on.
	printf '%s.ko\n' "$1" >>"$to/modules.order"
}

# take_modules: copies the wanted modules of $part/root into one folder, decompressed, and writes their order of
# loading
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

# fetch_one NAME SUITES PACKAGE VERSION: fetches a kernel if its newest version was not fetched yet. A mirror may name
# packages that it does not have, even all of a suite: then the next older version is taken.
fetch_one()
{
	found=$(candidates "$2" "$3" "$4" | tac)
	if [ -z "$found" ]; then
		say "$1: none of the suites $2 has $3 $4 any more; change the row in $table"
		return 1
	fi
	while read -r version package; do
		fetch_version "$1" </dev/null && return
	done <<-END
		$found
	END
	return 1
}

# fetch_version NAME: fetches $package $version as the kernel NAME if it was not fetched yet
fetch_version()
{
	release=${package#linux-*-}
	if [ ! -f "$kernels/$release/name" ]; then
		say "$1: fetching $package $version"
		part=$(mktemp -d "$kernels/.part.XXXXXX")
		if ! fetch_packages "$1"; then
			say "$1: cannot fetch $package $version: $(tail -n 1 "$part/log")"
			rm -r "$part"
			return 1
		fi
		rm -r "$part"
	fi
	printf '%s\n' "$1" >"$kernels/$release/name"
}

# fetch_packages NAME: puts $package $version into $kernels/$release, completely or not at all
fetch_packages()
{
	mkdir "$part/root" "$part/kernel"
	unpack "$part" "$version" "$package" || return 1
	case $package in
	linux-binary-*)
		unpack "$part" "$version" "linux-modules-$release" ||
			say "$1: linux-modules-$release is in no suite any more, so this kernel has no modules: swap is on a disk"
		unpack "$part" "$version" "linux-base-$release" || say "$1: linux-base-$release is in no suite, so this kernel has no config" ;;
	esac
	# Old packages have the image in /boot, new ones beside the modules.
	image=$(find "$part/root" -name 'vmlinu[xz]*' -type f | head -n 1)
	[ -n "$image" ] || { echo "no vmlinuz in it" >>"$part/log"; return 1; }
	cp "$image" "$part/kernel/vmlinuz"
	config=$(find "$part/root" \( -name "config-$release" -o -path '*/modules/*/config' \) -type f | head -n 1)
	[ -z "$config" ] || cp "$config" "$part/kernel/config"
	take_modules
	printf '%s %s\n' "$package" "$version" >"$part/kernel/package"
	mv "$part/kernel" "$kernels/$release"
}

# missing [NAME...]: prints the names of kernels that were not fetched yet
missing()
{
	rows "$@" | while IFS='	' read -r name _; do
		[ -n "$(release_of "$name")" ] || printf '%s ' "$name"
	done
}

fetch()
{
	for tool in apt-get apt-cache dpkg-deb xz flock; do
		command -v "$tool" >/dev/null || die "$tool is not installed; it is needed to fetch Debian's kernels"
	done
	mkdir -p "$kernels"
	exec 9>"$cache/lock"
	flock -n 9 || {
		echo "kernels.sh: waiting for another make kernels, which fetches into $cache" >&2
		flock 9
	}
	apt_configure "$@"
	apt_update
	rows "$@" | {
		failed=0
		while IFS='	' read -r name _ _ suites package version _; do
			fetch_one "$name" "$suites" "$package" "$version" </dev/null || failed=$((failed + 1))
		done
		[ $failed -eq 0 ] || say "$failed kernels could not be fetched; the others are not affected"
	}
	rm -rf "$kernels"/.part.*
}

[ -n "${XDG_CACHE_HOME:-}${HOME:-}" ] || die "HOME and XDG_CACHE_HOME are not set, so there is no folder for the kernels"
[ -r "$table" ] || die "cannot read $table"
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
