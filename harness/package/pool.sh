# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# Functions for other scripts that get packages of Debian's archive for $machine (a name of uname -m). The packages are
# fetched with a private apt in $work and never installed. The calling script defines die() and sources apt-mirror.sh.

# Debian's name for the architecture.
debian_name()
{
	case $machine in
	x86_64) echo amd64 ;;
	aarch64) echo arm64 ;;
	ppc64le) echo ppc64el ;;
	i?86) echo i386 ;;
	*) echo "$machine" ;;
	esac
}

# machine_of DEBIAN: prints the output of uname -m on such a machine
machine_of()
{
	case $1 in
	amd64) echo x86_64 ;;
	arm64) echo aarch64 ;;
	ppc64el) echo ppc64le ;;
	i386) echo i686 ;;
	*) echo "$1" ;;
	esac
}

# The first part of the compiler's name, which is GNU's name for the machine.
compiler_name()
{
	case $machine in
	ppc64le) echo powerpc64le-linux-gnu ;;
	*) echo "$machine-linux-gnu" ;;
	esac
}

# The suite that this machine runs, if it is Debian's, because libraries must match the compiler.
pool_suite()
{
	# shellcheck disable=SC1091 # the system's own
	(. /etc/os-release && [ "$ID" = debian ] && echo "${VERSION_CODENAME:-sid}") || echo stable
}

pool_open()
{
	[ ! -f "$work/apt/ready" ] || return 0
	for tool in apt-get dpkg-deb xz; do
		command -v $tool >/dev/null || die "$tool is not installed, which is needed to fetch $1"
	done
	main=${RSSCK_MIRROR:-$(apt_mirror Debian)}
	[ -n "$main" ] || die "this machine's apt knows no Debian mirror: run apt-get update, or set RSSCK_MIRROR to one"
	apt_private "$work/apt" "$(debian_name)" || die "no archive keys in /usr/share/keyrings: install debian-archive-keyring"
	for kind in deb deb-src; do
		printf '%s [signed-by=%s] %s %s main\n' $kind "$(apt_keys)" "$main" "$(pool_suite)"
	done >"$work/apt/sources.list"
	apt-get -q -c "$work/apt/apt.conf" update >"$work/log" 2>&1 || die "$main: $(grep -m 1 '^[EW]: ' "$work/log")"
	: >"$work/apt/ready"
}

# pool_has PACKAGE: true if the suite has the package for this machine (riscv64 exists since trixie)
pool_has()
{
	pool_open "$1"
	[ -n "$(apt-cache -c "$work/apt/apt.conf" show "$1" 2>/dev/null)" ]
}

# pool_get ARGUMENT...: runs apt-get with these arguments in $work
pool_get()
{
	(cd "$work" && apt-get -q -c apt/apt.conf "$@") >"$work/log" 2>&1 || die "$*: $(tail -n 1 "$work/log")"
}

# pool_unpack PACKAGE FOLDER: unpacks a package
pool_unpack()
{
	pool_open "$1"
	pool_get download "$1"
	mkdir -p "$2"
	dpkg-deb -x "$work/$1"_*.deb "$2"
}

# pool_source PACKAGE FOLDER: unpacks the upstream source without Debian's own files
pool_source()
{
	pool_open "the source of $1"
	(cd "$work" && apt-get -q -c apt/apt.conf source --download-only "$1") >"$work/log" 2>&1 || :
	set -- "$1" "$2" "$work/$1"_*.orig.tar.*z
	[ -f "$3" ] || die "source $1: $(tail -n 1 "$work/log")"
	mkdir -p "$2"
	tar -C "$2" --strip-components=1 -xf "$3"
}
