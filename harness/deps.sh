#!/bin/sh
# SPDX-License-Identifier: MIT
#
# make deps: installs what is missing by the system's package manager. Asks no network where nothing is missing.
# deps.sh vm (make deps-vm): also what `rssck vm` needs.
set -eu

with=${1:-}

have_header()
{
	printf '#include <%s>\n' "$1" | cc -E -x c - >/dev/null 2>&1
}

have_library()
{
	pkg-config --exists "$1" 2>/dev/null
}

# Each line: what rssck needs, how to tell that it is there, then its package for apt, dnf, pacman, zypper, apk.
needed()
{
	command -v cc >/dev/null 2>&1 || echo cc gcc gcc gcc gcc gcc
	command -v make >/dev/null 2>&1 || echo make make make make make make
	command -v pkg-config >/dev/null 2>&1 || echo pkg-config pkg-config pkgconf pkgconf pkg-config pkgconf
	have_header stdio.h || echo libc libc6-dev glibc-devel glibc glibc-devel musl-dev
	have_header linux/fs.h || echo headers linux-libc-dev kernel-headers linux-api-headers linux-glibc-devel linux-headers
	have_library cmocka || echo cmocka libcmocka-dev libcmocka-devel cmocka libcmocka-devel cmocka-dev
	have_library jansson || echo jansson libjansson-dev jansson-devel jansson libjansson-devel jansson-dev
	have_library libarchive || echo libarchive libarchive-dev libarchive-devel libarchive libarchive-devel libarchive-dev
}

# For make memcheck and make format only: a person without root may go on without them.
wanted()
{
	command -v valgrind >/dev/null 2>&1 || echo valgrind valgrind valgrind valgrind valgrind valgrind
	command -v clang-format >/dev/null 2>&1 ||
		echo clang-format clang-format clang-tools-extra clang clang clang-extra-tools
}

# For plots: without it everything else works.
plots()
{
	command -v gnuplot >/dev/null 2>&1 || echo gnuplot gnuplot-nox gnuplot gnuplot gnuplot gnuplot
}

# For rssck vm; its tests skip without.
machines()
{
	[ "$with" = vm ] || return 0
	PATH=$PATH:/usr/sbin:/sbin
	command -v "qemu-system-$(uname -m)" >/dev/null 2>&1 ||
		echo qemu qemu-system-x86 qemu-system-x86-core qemu-system-x86 qemu-x86 qemu-system-x86_64
	command -v mkfs.ext4 >/dev/null 2>&1 || echo mkfs.ext4 e2fsprogs e2fsprogs e2fsprogs e2fsprogs e2fsprogs
}

# choose COLUMN: that column of the lines on stdin, on one line
choose()
{
	awk -v column="$1" '{ printf "%s%s", separator, $column; separator = " " }'
}

install_command()
{
	case $1 in
	apt-get) echo "apt-get install -y --no-install-recommends $2" ;;
	dnf) echo "dnf install -y $2" ;;
	pacman) echo "pacman -S --needed --noconfirm $2" ;;
	zypper) echo "zypper --non-interactive install $2" ;;
	apk) echo "apk add $2" ;;
	esac
}

needed=$(needed; machines)
wanted=$(wanted; plots)
[ -n "$needed$wanted" ] || { echo "deps: nothing is missing"; exit 0; }

manager='' column=1
for candidate in apt-get dnf pacman zypper apk; do
	column=$((column + 1))
	command -v "$candidate" >/dev/null 2>&1 && { manager=$candidate; break; }
done
missing=$(printf '%s\n%s\n' "$needed" "$wanted" | awk NF | choose 1)
if [ -z "$manager" ]; then
	echo "deps: missing: $missing; no package manager that this script knows, please install them yourself" >&2
	[ -n "$needed" ] && exit 1
	exit 0
fi

packages=$(printf '%s\n%s\n' "$needed" "$wanted" | awk NF | choose "$column")
command=$(install_command "$manager" "$packages")
if [ "$(id -u)" != 0 ]; then
	echo "deps: missing: $missing. As root:" >&2
	echo "    $command" >&2
	[ -n "$needed" ] && exit 1
	echo "deps: they are for plots, 'make memcheck' and 'make format' only; going on without" >&2
	exit 0
fi

echo "deps: missing: $missing"
if [ "$manager" = apt-get ]; then
	export DEBIAN_FRONTEND=noninteractive
	# A fresh image has no package lists, an old one has lists of packages that are gone: both show as a failure.
	# shellcheck disable=SC2086
	apt-get install -y --no-install-recommends $packages || {
		apt-get update
		apt-get install -y --no-install-recommends $packages
	}
else
	$command
fi
