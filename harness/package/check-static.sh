#!/bin/sh
# SPDX-License-Identifier: MIT
set -u

usage()
{
	cat <<'END'
usage: check-static.sh VERSION [ARCHITECTURE]

make check-static: boots kernels in QEMU with an initramfs that contains only busybox and the folder that `make static`
has made, and runs `rssck check` there. Unlike in rssck vm, rssck is an ordinary program in the guest. Prints a line for each
kernel, and writes the results as JSON to build/static-ARCHITECTURE/results-RELEASE.json.

Settings: KERNELS: names in harness/vm/kernels.tsv (5.10 6.12 7.2; for another machine 6.12 7.2), which are fetched if necessary;
CASES (all); FILES=none: every file system of the guest is a tmpfs; CPUS (2); MEMORY in MiB (1024); SECONDS_MOST: time limit for
each kernel (3600).
Exit status: 0 each check ended with status 0, 1 a check did not, 2 the script failed.
END
}

die() { echo "check-static: $*" >&2; exit 2; }

case ${1:--h} in -h | --help) usage; exit 0 ;; esac
version=$1
machine=${2:-$(uname -m)}
here=$(cd "$(dirname "$0")" && pwd)
name=rssck-$version-$machine
results=$PWD/build/static-$machine
cache=${XDG_CACHE_HOME:-${HOME:-}/.cache}/rssck/static/$machine
# shellcheck source=harness/apt-mirror.sh
. "$here/../apt-mirror.sh"
# shellcheck source=harness/package/pool.sh
. "$here/pool.sh"

# The QEMU machine for that architecture, and the name of its console.
case $machine in
x86_64) board='-machine pc -cpu max' console=ttyS0 ;;
aarch64) board='-machine virt -cpu max,pauth-impdef=on' console=ttyAMA0 ;;
*) die "this script cannot start QEMU for $machine; copy build/$name to such a machine" ;;
esac
emulator=qemu-system-$machine

# Writes the guest's init script. The console is a terminal, which ends each line with a carriage return, too.
write_init()
{
	cat <<END
#!/bin/busybox sh
/bin/busybox mkdir -p /proc /sys /dev /tmp /files
/bin/busybox mount -t proc proc /proc
/bin/busybox mount -t sysfs sysfs /sys
/bin/busybox mount -t devtmpfs dev /dev
[ $files = none ] || /bin/busybox mount -t ramfs files /files
echo 1 >/proc/sys/kernel/printk
cd /$name
TMPDIR=/files ./rssck check --format=json --output=/results.json $cases 2>/errors
status=\$?
/bin/busybox cat /errors
echo "static: status \$status"
echo "static: results"
/bin/busybox cat /results.json
echo "static: end"
# Waits until pending output is written, which would be lost otherwise.
/bin/busybox stty -echo
echo o >/proc/sysrq-trigger
/bin/busybox sleep 60
END
}

make_initramfs()
{
	mkdir -p "$work/tree/bin"
	if [ ! -x "$cache/busybox" ]; then
		pool_unpack busybox-static "$work/busybox"
		mkdir -p "$cache"
		cp "$(find "$work/busybox" -path '*bin/busybox' -type f)" "$cache/busybox"
	fi
	cp "$cache/busybox" "$work/tree/bin"
	cp -R "build/$name" "$work/tree"
	write_init >"$work/tree/init"
	chmod 755 "$work/tree/init"
	(cd "$work/tree" && find . | cpio --quiet -o -H newc) >"$work/initramfs"
}

# boot NAME RELEASE IMAGE: boots a kernel and prints a line; false if the check did not end with status 0
boot()
{
	started=$(date +%s)
	# Each process dies with its parent, so that nothing remains when this script is killed. Signals interrupt wait, but
	# not a pipe.
	# shellcheck disable=SC2086 # a list of words
	setpriv --pdeathsig KILL timeout "${SECONDS_MOST:-3600}" setpriv --pdeathsig KILL \
		$emulator $board -accel tcg -smp "${CPUS:-2}" -m "${MEMORY:-1024}" \
		-nodefaults -no-reboot -display none -serial "file:$work/serial" -kernel "$3" \
		-initrd "$work/initramfs" -append "console=$console quiet panic=-1" </dev/null >"$work/qemu" 2>&1 &
	wait $! || sed 's/^/    /' "$work/qemu"
	tr -d '\r' <"$work/serial" >"$work/console"
	status=$(sed -n 's/^static: status //p' "$work/console")
	out=$results/results-$2.json
	sed -n '/^static: results$/,/^static: end$/p' "$work/console" | sed '1d;$d' >"$out"
	printf '%-8s %-28s %5d s  exit %-4s %s\n' "$1" "$2" $(($(date +%s) - started)) "${status:--}" "$(summary "$out")"
	[ "$status" != 0 ] || grep -q '^static: end$' "$work/console" || status=lost
	[ "$status" = 0 ] && return 0
	sed '/^static: results$/,$d' "$work/console" | tail -n 20 | sed 's/^/    /'
	named "$out"
	return 1
}

[ -x "build/$name/rssck" ] || die "there is no build/$name; run make static${2:+ ARCH=$2}"
command -v "$emulator" >/dev/null || die "$emulator is not installed"
command -v cpio >/dev/null || die "cpio, which makes the initramfs, is not installed"
# For summary(); its run_one() is not used.
# shellcheck source=harness/vm/results.sh
. "$here/../vm/results.sh"
cases=${CASES:-} files=${FILES:-ramfs}
mkdir -p "$results"
work=$(mktemp -d "${TMPDIR:-/tmp}/rssck-static.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
make_initramfs

RSSCK_ARCHITECTURE=$(debian_name)
export RSSCK_ARCHITECTURE
[ "$machine" = x86_64 ] && ages='5.10 6.12 7.2' || ages='6.12 7.2'
kernels=${KERNELS:-$ages}
# shellcheck disable=SC2086 # a list of names
sh "$here/../vm/kernels.sh" fetch $kernels >"$work/kernels" || exit 2
failed=0
while read -r kernel release image; do
	boot "$kernel" "$release" "$image" || failed=1
done <"$work/kernels"
exit $failed
