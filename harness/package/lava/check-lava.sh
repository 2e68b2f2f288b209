#!/bin/sh
# SPDX-License-Identifier: MIT
set -eu

usage()
{
	cat <<'END'
usage: check-lava.sh VERSION

make check-lava [KERNELS=6.12 CASES="file fork"]: one job on a QEMU device, run by lava-run (Debian: lava-dispatcher)
without a server; the list of its results. Needs root, `make static`, and busybox as `make check-static` fetches it.
Exit: 0 the job ended and each of its results passed or was skipped, 1 otherwise, 2 the script failed.
END
}

die() { echo "check-lava: $*" >&2; exit 2; }

case ${1:--h} in -h | --help) usage; exit 0 ;; esac
here=$(cd "$(dirname "$0")" && pwd)
folder=build/rssck-$1-x86_64
busybox=${XDG_CACHE_HOME:-${HOME:-}/.cache}/rssck/static/x86_64/busybox
command -v lava-run >/dev/null || die "lava-run is not installed here (Debian: lava-dispatcher)"
[ -f "$folder/lava.sh" ] || die "$folder is not there: make static"
[ -x "$busybox" ] || die "$busybox is not there: make check-static KERNELS=6.12 CASES=file/private_write"
work=$(mktemp -d "${TMPDIR:-/tmp}/rssck-lava.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP

# LAVA needs only a shell on the console of a device.
mkdir -p "$work/tree/bin" "$work/tree/tmp"
cp "$busybox" "$work/tree/bin"
cp -R "$folder" "$work/tree/rssck"
cat >"$work/tree/init" <<'END'
#!/bin/busybox sh
/bin/busybox mkdir -p /proc /sys /dev /files /sbin /usr/bin /usr/sbin
/bin/busybox --install -s
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs dev /dev
mount -t ramfs files /files
export TMPDIR=/files HOME=/ PS1='/ # '
while :; do
	setsid sh -c 'exec sh </dev/ttyS0 >/dev/ttyS0 2>&1'
done
END
chmod 755 "$work/tree/init"
(cd "$work/tree" && find . | cpio --quiet -o -H newc) >"$work/ramdisk"

sh "$here/../../vm/kernels.sh" fetch "${KERNELS:-6.12}" >"$work/kernels"
read -r _ release kernel <"$work/kernels"
sed 's/^/            /' "$here/rssck.yaml" >"$work/definition"
sed -e "s,@RELEASE@,$release,; s,@KERNEL@,$kernel,; s,@RAMDISK@,$work/ramdisk,; s,@CASES@,${CASES:-}," \
	-e "/@DEFINITION@/{r $work/definition" -e 'd}' "$here/job.yaml" >"$work/job.yaml"
printf 'dispatcher_ip: 127.0.0.1\n' >"$work/dispatcher.yaml"
lava-run --job-id 1 --output-dir "$work/out" --device "$here/device.yaml" --dispatcher "$work/dispatcher.yaml" \
	"$work/job.yaml" >"$work/log" 2>&1 || { tail -n 30 "$work/log"; exit 1; }
mkdir -p build
cp "$work/log" build/lava.log
python3 "$here/results.py" "$work/log"
