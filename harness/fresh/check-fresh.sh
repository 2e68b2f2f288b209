#!/bin/sh
# SPDX-License-Identifier: MIT
# make check-fresh: runs both commands of the README on systems that have only Debian's base system.
set -u

usage()
{
	cat <<'END'
usage: check-fresh.sh [SUITE...]

Makes a minimal root tree of each Debian suite, copies the tree of HEAD into it, and runs the commands of the README,
`make deps check` and `make deps test`. Runs them as root, and as an ordinary user, after root has run the command that
`make deps` prints for the user. Each run begins with a new root tree in a new container. Nothing is mounted on this
machine, and nothing remains if the run is interrupted or killed.

Settings, also for make (make check-fresh SUITES=trixie USERS=root):
  SUITES    the suites (bookworm trixie sid); bookworm:i386 is a suite of another architecture, whose programs this
            machine can run
  USERS     the users (root user)
  CLANG     the suites that are also built with clang, as root (trixie)
  PACKAGES  a folder of Debian packages, which are installed, used and removed instead (make check-installed)
  TESTS     the targets that run after `make deps check` (test); empty: none
  BASE_DAYS a root tree older than this many days is made again (7)

Trees, packages and logs are kept in ${XDG_CACHE_HOME:-~/.cache}/rssck/fresh. The script uses the mirror of this
machine's apt, or the mirror in RSSCK_MIRROR. It needs root, or user namespaces with newuidmap; mmdebstrap or
debootstrap; git; 2 GB of disk space.
Exit status: 0 all commands ended with status 0, 1 a command did not, 2 the script failed (usage, or a missing program).
END
}

here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
cache=${XDG_CACHE_HOME:-${HOME:-}/.cache}/rssck/fresh
users=${USERS-root user}
clang=${CLANG-trixie}
tests=${TESTS-test}
packages=${PACKAGES:-}
days=${BASE_DAYS:-7}
container=''

say() { printf 'check-fresh: %s\n' "$*" >&2; }
die() { say "$*"; exit 2; }

# shellcheck source=harness/apt-mirror.sh
. "$here/../apt-mirror.sh"

# need COMMAND PACKAGE: requires a command; PACKAGE contains it on Debian
need()
{
	command -v "$1" >/dev/null 2>&1 || die "$1 is not installed (apt-get install $2)"
}

# Sets $container to the command that starts a container. When the container's first process dies, the kernel removes
# the whole container; the first process dies with this script.
choose_container()
{
	need unshare util-linux
	need setpriv util-linux
	container="setpriv --pdeathsig KILL unshare --mount --pid --ipc --uts --fork --kill-child"
	[ "$(id -u)" != 0 ] || return 0
	unshare --user --map-root-user true 2>/dev/null ||
		die "this needs root, or user namespaces, which this kernel does not give to $(id -un)" \
			"(user.max_user_namespaces, kernel.unprivileged_userns_clone, kernel.apparmor_restrict_unprivileged_userns)"
	need newuidmap uidmap
	unshare --user --map-root-user --map-auto true 2>/dev/null ||
		die "$(id -un) has no range of user ids of his own in /etc/subuid and /etc/subgid" \
			"(as root: usermod --add-subuids 100000-165535 --add-subgids 100000-165535 $(id -un))"
	container="$container --user --map-root-user --map-auto"
}

# Removes trees of runs that were killed. A tree in use is locked by its run.
sweep()
{
	for run in "$cache"/run.*; do
		[ -d "$run" ] || continue
		flock -n "$run" true && remove "$run"
	done
}

# remove FOLDER: removes a folder whose files may belong to users of the container
remove()
{
	if [ "$(id -u)" = 0 ]; then
		rm -rf "$1"
	else
		unshare --user --map-root-user --map-auto rm -rf "$1"
	fi
}

# architecture SUITE OPTION [ANOTHER]: prints the options for a suite of another architecture
architecture()
{
	case $1 in *:*) echo "$2${1#*:} ${3:-}" ;; esac
}

# make_base SUITE: makes $cache/SUITE.tar, completely or not at all
make_base()
{
	base=$cache/$1.tar
	[ -z "$(find "$base" -mtime "-$days" 2>/dev/null)" ] || return 0
	say "$1: making a minimal root tree (once in $days days)"
	if command -v mmdebstrap >/dev/null 2>&1; then
		# The mirror may lag behind: a suite's signature is checked, its date is not.
		# shellcheck disable=SC2046 # an option, or none
		mmdebstrap --variant=apt --format=tar --aptopt='Acquire::Check-Valid-Until "false"' \
			$(architecture "$1" --arch= --skip=check/qemu) \
			"${1%:*}" "$base.new" "$mirror" >"$cache/$1.log" 2>&1
	else
		make_base_slowly "$1" >"$cache/$1.log" 2>&1
	fi && mv "$base.new" "$base" && return 0
	rm -f "$base.new"
	grep -E '^E: ' "$cache/$1.log" | head -n 3 >&2
	[ -f "$base" ] || { say "$1: no root tree can be made: see $cache/$1.log"; return 1; }
	say "$1: no newer root tree can be made (see $cache/$1.log); the one from $(date -r "$base" +%F) is used"
}

make_base_slowly()
{
	tree=$cache/run.base.$1
	[ "$(id -u)" = 0 ] || { echo "E: debootstrap needs root; install mmdebstrap"; return 1; }
	rm -rf "$tree"
	# shellcheck disable=SC2046 # an option, or none
	debootstrap --variant=minbase --no-check-valid-until $(architecture "$1" --arch=) "${1%:*}" "$tree" "$mirror" &&
		tar -C "$tree" --one-file-system -cf "$cache/$1.tar.new" .
	status=$?
	rm -rf "$tree"
	return $status
}

# run SUITE USER COMPILER: prints a row of the table; the log is in $cache
run()
{
	name=$1-$2-$3
	run=$(mktemp -d "$cache/run.XXXXXX") || return 2
	exec 9<"$run"
	flock 9
	git -C "$top" archive --format=tar "$head" >"$run/head.tar" || return 1
	[ -z "$packages" ] || cp -R "$packages" "$run/packages" || return 1
	# A shell's background process ignores Ctrl-C, and so would everything that it starts.
	# shellcheck disable=SC2046,SC2086 # lists of words
	env -i --default-signal=INT,QUIT PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb TESTS="$tests" \
		${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
		${no_proxy:+no_proxy="$no_proxy"} \
		$container $(architecture "$1" 'setarch ') sh "$here/enter.sh" "$run" "$cache" "$1" "$2" "$3" 8<&- 9<&- >"$cache/$name.log" 2>&1 &
	child=$!
	wait $child
	status=$?
	child=''
	exec 9<&-
	remove "$run"
	row=$(LC_ALL=C sed -n 's/^fresh: row //p' "$cache/$name.log" | tail -n 1)
	printf '%-14s %-5s %-6s %s\n' "$1" "$2" "$3" "${row:--}"
	[ $status -eq 0 ] && return 0
	say "$name failed (exit $status); the end of $cache/$name.log:"
	grep -av '^fresh: row' "$cache/$name.log" | tail -n 25 >&2
	return 1
}

# runs SUITE: prints USER/COMPILER for each run
runs()
{
	for user in $users; do
		echo "$user/gcc"
	done
	case " $clang " in *" $1 "*) echo root/clang ;; esac
}

# A signal ends the container first, and with it all its mounts.
child=''
give_up()
{
	trap '' INT TERM HUP
	[ -z "$child" ] || { kill -KILL "$child" 2>/dev/null; wait "$child" 2>/dev/null; }
	exec 9<&-
	sweep
	say "interrupted"
	exit 130
}
trap give_up INT TERM HUP

case ${1:-} in -h | --help) usage; exit 0 ;; esac
suites=${*:-${SUITES:-bookworm trixie sid}}

[ -n "${XDG_CACHE_HOME:-}${HOME:-}" ] || die "HOME and XDG_CACHE_HOME are not set, so there is no folder for the trees"
need git git
need flock util-linux
command -v mmdebstrap >/dev/null 2>&1 || command -v debootstrap >/dev/null 2>&1 ||
	die "mmdebstrap and debootstrap are not installed (apt-get install mmdebstrap)"
choose_container
mirror=${RSSCK_MIRROR:-$(apt_mirror Debian)}
[ -n "$mirror" ] || die "this machine's apt knows no Debian mirror: run apt-get update, or set RSSCK_MIRROR to one"
mkdir -p "$cache" || die "cannot make $cache; set XDG_CACHE_HOME to a folder of your own"
sweep
git -C "$top" rev-parse -q --verify HEAD >/dev/null || die "$top is not a git repository, so there is no HEAD to copy"
head=$(git -C "$top" rev-parse HEAD)
[ -z "$(git -C "$top" status --porcelain)" ] || say "what is not committed is not tried: the tree of HEAD is"

failed=0
columns='MB got  deps s  check s  exit  test s  exit'
[ -z "$packages" ] || columns=' install s  check s  exit  left'
printf '%-14s %-5s %-6s %s\n' suite as with "$columns"
for suite in $suites; do
	mkdir -p "$cache/packages/$suite" || exit 2
	exec 8<"$cache/packages/$suite"
	flock -n 8 || { say "$suite: waiting for another check-fresh"; flock 8; }
	make_base "$suite" || exit 2
	for one in $(runs "$suite"); do
		run "$suite" "${one%/*}" "${one#*/}" || failed=1
	done
done
[ $failed -eq 0 ] || { say "not all passed"; exit 1; }
say "all passed"
