#!/bin/sh
# SPDX-License-Identifier: MIT
# installed.sh: runs in a bare root tree, with the packages of make deb in /packages. Installs them, checks the kernel
# with them, reads the manual, and removes them; no file may remain. The last line of its output is the row of the
# table.
set -u
export DEBIAN_FRONTEND=noninteractive LC_ALL=C PAGER=cat MANPAGER=cat

die() { echo "installed: $*"; exit 1; }
now() { date +%s; }

# Prints all files except logs, caches, temporary and virtual files, and the files that apt and dpkg keep for themselves.
# Prints dpkg's files about rssck, too.
files()
{
	find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /tmp -o -path /var/cache -o -path /var/log \
		-o -path /var/lib/apt -o -path /var/lib/dpkg \) -prune -o -print | sort
	find /var/lib/dpkg/info -name 'rssck*'
}

(apt-get update && apt-get install -y --no-install-recommends man-db) >/tmp/apt 2>&1 || { tail -n 20 /tmp/apt; exit 1; }
files >/tmp/before

started=$(now)
apt-get install -y --no-install-recommends /packages/*.deb >/tmp/install 2>&1 || { tail -n 20 /tmp/install; exit 1; }
install_s=$(($(now) - started))
rssck --version || die "the installed program does not run"

started=$(now)
rssck check && check=0 || check=$?
check_s=$(($(now) - started))

# man's exit status is not enough, so its messages are checked, too.
for page in rssck rssck-check rssck-results rssck-metrics; do
	lines=$(man $page 2>/tmp/man | wc -l)
	if [ "$lines" -lt 20 ] || [ -s /tmp/man ]; then
		die "man $page: $lines lines; $(cat /tmp/man)"
	fi
	echo "man $page: $lines lines"
done

apt-get purge -y --autoremove rssck rssck-doc >/tmp/purge 2>&1 || { tail -n 20 /tmp/purge; exit 1; }
files >/tmp/after
diff /tmp/before /tmp/after >/tmp/left
cat /tmp/left
left=$(wc -l </tmp/left)

printf 'fresh: row %10s %8s %5s %5s\n' "$install_s" "$check_s" "$check" "$left"
[ "$check$left" = 00 ]
