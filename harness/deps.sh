#!/bin/sh
# SPDX-License-Identifier: MIT
# make deps: installs everything that `make` and `make check` need, with the system's package manager. Does not use
# the network if nothing is missing. deps.sh vm (make deps-vm) also installs what `rssck vm` needs; deps.sh dev (make
# deps-dev) what developers need.
set -eu

cc=${CC:-cc}

# Only the first word is a program name. With CC="ccache gcc" this script does not install the compiler.
have_compiler()
{
	command -v "${cc%% *}" >/dev/null 2>&1
}

have_header()
{
	printf '#include <%s>\n' "$1" | $cc -E -x c - >/dev/null 2>&1
}

have_library()
{
	pkg-config --exists "$1" 2>/dev/null
}

# without PROGRAM: true if the program is missing
without()
{
	! PATH=$PATH:/usr/sbin:/sbin command -v "$1" >/dev/null 2>&1
}

compiler()
{
	case $cc in
	clang*) echo "$cc $cc clang clang clang clang" ;;
	*) echo "$cc gcc gcc gcc gcc gcc" ;;
	esac
}

# Each line: a requirement, a test for it, and its package for apt, dnf, pacman, zypper and apk.
basic()
{
	have_compiler || compiler
	without make && echo make make make make make make
	without pkg-config && echo pkg-config pkg-config pkgconf pkgconf pkg-config pkgconf
	have_header stdio.h || echo libc libc6-dev glibc-devel glibc glibc-devel musl-dev
	have_header linux/fs.h || echo headers linux-libc-dev kernel-headers linux-api-headers linux-glibc-devel linux-headers
	have_library cmocka || echo cmocka libcmocka-dev libcmocka-devel cmocka libcmocka-devel cmocka-dev
	have_library jansson || echo jansson libjansson-dev jansson-devel jansson libjansson-devel jansson-dev
	have_library libarchive || echo libarchive libarchive-dev libarchive-devel libarchive libarchive-devel libarchive-dev
	return 0
}

# Requirements of rssck vm. Its tests are skipped without them.
vm()
{
	without "qemu-system-$(uname -m)" &&
		echo qemu qemu-system-x86 qemu-system-x86-core qemu-system-x86 qemu-x86 qemu-system-x86_64
	without mkfs.ext4 && echo mkfs.ext4 e2fsprogs e2fsprogs e2fsprogs e2fsprogs e2fsprogs
	return 0
}

# Requirements of make memcheck, make format, rssck demo --plot and make check-fresh.
dev()
{
	without valgrind && echo valgrind valgrind valgrind valgrind valgrind valgrind
	without clang-format && echo clang-format clang-format clang-tools-extra clang clang clang-extra-tools
	without gnuplot && echo gnuplot gnuplot-nox gnuplot gnuplot gnuplot gnuplot
	without clang && echo clang clang clang clang clang clang
	without mmdebstrap && without debootstrap &&
		echo mmdebstrap mmdebstrap debootstrap debootstrap debootstrap debootstrap
	return 0
}

# choose COLUMN: prints that column of the lines on stdin, in one line
choose()
{
	awk -v column="$1" '{ printf "%s%s", separator, $column; separator = " " }'
}

# Updates the package lists first: a new image has none, and an old image lists packages that no longer exist.
install_command()
{
	case $1 in
	apt-get) echo "apt-get update && apt-get install -y --no-install-recommends $2" ;;
	dnf) echo "dnf install -y $2" ;;
	pacman) echo "pacman -Sy --needed --noconfirm $2" ;;
	zypper) echo "zypper --non-interactive install $2" ;;
	apk) echo "apk add $2" ;;
	esac
}

missing=$(
	basic
	for more; do
		"$more"
	done
)
[ -n "$missing" ] || { echo "deps: nothing is missing"; exit 0; }
names=$(printf '%s\n' "$missing" | choose 1)

manager='' column=1
for candidate in apt-get dnf pacman zypper apk; do
	column=$((column + 1))
	command -v "$candidate" >/dev/null 2>&1 && { manager=$candidate; break; }
done
[ -n "$manager" ] || {
	echo "deps: missing: $names; this script knows no package manager of this system, so please install them yourself" >&2
	exit 1
}

packages=$(printf '%s\n' "$missing" | choose "$column")
command=$(install_command "$manager" "$packages")
if [ "$(id -u)" != 0 ]; then
	echo "deps: missing: $names. Run as root:" >&2
	echo "    $command" >&2
	exit 1
fi

echo "deps: missing: $names"
export DEBIAN_FRONTEND=noninteractive
# shellcheck disable=SC2086 # a list of packages
[ "$manager" = apt-get ] && apt-get install -y --no-install-recommends $packages && exit 0
sh -c "$command"
