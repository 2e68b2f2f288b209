#!/bin/sh
# SPDX-License-Identifier: MIT
# enter.sh RUN CACHE SUITE USER COMPILER: the first process of a container of check-fresh.sh. Unpacks the root tree
# into the folder RUN, mounts what an ordinary container has, makes the tree its root, and continues with inside.sh
# or, if RUN has packages, with installed.sh.
set -eu

run=$1 cache=$2 suite=$3 user=$4 compiler=$5
here=$(cd "$(dirname "$0")" && pwd)
root=$run/root

# bind FROM TO [OPTIONS]: makes a bind mount
bind()
{
	mount --rbind "$1" "$2"
	[ -z "${3:-}" ] || mount -o "remount,bind,$3" "$2"
}

# This machine's devices are bind-mounted, because a user namespace may not create devices.
mount_dev()
{
	mount -t tmpfs -o mode=755,nosuid tmpfs "$root/dev"
	for device in null zero full random urandom tty; do
		: >"$root/dev/$device"
		mount --bind "/dev/$device" "$root/dev/$device"
	done
	mkdir "$root/dev/pts" "$root/dev/shm"
	mount -t devpts -o newinstance,ptmxmode=0666,mode=0620 devpts "$root/dev/pts"
	mount -t tmpfs -o mode=1777,nosuid,nodev,size=64m tmpfs "$root/dev/shm"
	ln -s pts/ptmx "$root/dev/ptmx"
	ln -s /proc/self/fd "$root/dev/fd"
	for i in 0/stdin 1/stdout 2/stderr; do
		ln -s "/proc/self/fd/${i%/*}" "$root/dev/${i#*/}"
	done
}

# The machine's settings are readable but not writable.
mount_all()
{
	mount --make-rprivate /
	mount --bind "$root" "$root"
	mount -t proc -o nosuid,nodev,noexec proc "$root/proc"
	bind "$root/proc/sys" "$root/proc/sys" ro,nosuid,nodev,noexec
	bind /sys "$root/sys" ro,nosuid,nodev,noexec
	[ ! -d /sys/fs/cgroup ] || mount -o remount,bind,ro,nosuid,nodev,noexec "$root/sys/fs/cgroup" 2>/dev/null || :
	mount_dev
	mount --bind "$cache/packages/$suite" "$root/var/cache/apt/archives"
}

# Uses the machine's mirror and proxy. Fetched packages are kept, and the date of a mirror's signature is not checked.
configure_apt()
{
	rm -f "$root/etc/apt/apt.conf.d/docker-clean"
	{
		apt-config dump 2>/dev/null | grep -E '^Acquire::(http|https)::Proxy ' || :
		echo 'Acquire::Check-Valid-Until "false";'
		echo 'Binary::apt-get::APT::Keep-Downloaded-Packages "true";'
	} >"$root/etc/apt/apt.conf.d/90check-fresh"
}

mkdir "$root"
tar -C "$root" --numeric-owner -xf "$cache/$suite.tar"
mkdir -p "$root/rssck"
tar -C "$root/rssck" --no-same-owner -xf "$run/head.tar"
if [ -d "$run/packages" ]; then
	rm -rf "$root/rssck"
	cp -R "$run/packages" "$root/packages"
	cp "$here/installed.sh" "$root/inside.sh"
else
	cp "$here/inside.sh" "$root/inside.sh"
fi
for file in resolv.conf hosts; do
	rm -f "$root/etc/$file"
	cat "/etc/$file" >"$root/etc/$file"
done
hostname fresh
echo fresh >"$root/etc/hostname"
configure_apt
mount_all
cd "$root"
mkdir .old
pivot_root . .old
cd /
chroot /.old umount -l /
rmdir /.old
exec sh /inside.sh "$user" "$compiler"
