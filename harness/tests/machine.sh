#!/bin/sh
# SPDX-License-Identifier: MIT
#
# machine.sh [NAME...]: runs `rssck machine` at rest and under ten loads, on the running kernel ("host") and on fetched
# kernels in virtual machines. Prints one line for each load. RSSCK_ARCHITECTURE=arm64: the kernels of another machine
# (make cross ARCH=arm64). SETUP="--setup=swap=none": more options of rssck vm. Exit status 1: a line is wrong, a load
# is not named in the first sentence, or more than 0.5 % of the memory is unexplained.
set -eu

: "${LOADS:=rest,anon,tmpfs,memfd,pipes,sockets,dentries,pagetables,hugetlb,vmalloc,io_uring}"
: "${MEMORY:=2048}" "${TIMEOUT:=1800}" "${SETUP:=}"
here=$(cd "$(dirname "$0")" && pwd)
logs=$(mktemp -d "${TMPDIR:-/tmp}/rssck-machine.XXXXXX")
trap 'rm -rf "$logs"' EXIT
trap 'exit 130' INT TERM HUP
failed=0

[ $# -gt 0 ] || set -- host 5.10 6.1 6.12 6.18 7.2 7.3

# Uses this machine's programs, or those that `make cross` has built for another machine. For another machine the
# program `load` is linked statically.
if [ -n "${RSSCK_ARCHITECTURE:-}" ]; then
	# shellcheck source=harness/package/pool.sh
	. "$here/../package/pool.sh"
	folder=$(realpath "build/cross/$RSSCK_ARCHITECTURE")
	machine=$(machine_of "$RSSCK_ARCHITECTURE")
	"$(compiler_name)-gcc" -static -O2 -D_GNU_SOURCE -o "$folder/load" harness/bench/load.c
else
	[ -n "${RSSCK_MADE:-}" ] || make -s build/bench/load all >/dev/null
	folder=$(pwd) load=$(realpath build/bench/load)
fi
: "${load:=$folder/load}"

# The host's load is 512 MiB, because its huge pages may be larger than a guest's load.
on_host()
{
	"$load" "$LOADS" "${MIB:-512}" "$folder/rssck" machine --json
}

in_guest()
{
	image=$("$here/../vm/kernels.sh" list "$1" | cut -d ' ' -f 3)
	[ -n "$image" ] || { echo "the kernel $1 is not there; run make kernels KERNELS=$1"; return; }
	case $SETUP in *zram*) modules="--modules=$(dirname "$image")/modules" ;; *) modules= ;; esac
	# shellcheck disable=SC2086
	./rssck vm --kernel "$image" $SETUP $modules --timeout="$TIMEOUT" --memory="$MEMORY" --run-options=--every=3600 \
		--run="$load $LOADS ${MIB:-64} $folder/rssck machine --json"
}

echo 'kernel                 load        equal late moved wrong unexplained% ms/GiB readings  verdict'
for name in "$@"; do
	if [ "$name" = host ]; then on_host; else in_guest "$name"; fi >"$logs/$name" 2>&1 || :
	python3 "$here/machine.py" "${RSSCK_ARCHITECTURE:+$RSSCK_ARCHITECTURE }$name" "$logs/$name" ||
		{ failed=1; [ -z "${KEEP:-}" ] || cp "$logs/$name" "$KEEP"; }
done
exit $failed
