#!/bin/sh
# SPDX-License-Identifier: MIT
# kills.sh: rssck check is killed with SIGKILL at KILLS (5) random moments. Each time, within SECONDS_LEFT (5) s,
# everything must be as before: settings of the kernel's memory management, mounts, cgroups, System V memory, files in
# $TMPDIR, /tmp, /var/tmp and /dev/shm; and no process of rssck may be left. CASES= limits the cases.
set -u
cd "$(dirname "$0")/../.."

rssck=${RSSCK:-./rssck} kills=${KILLS:-5} seconds=${SECONDS_LEFT:-5}

# Runs in a process namespace and a mount namespace of its own, if available, so that other checks are not seen.
if [ -z "${KILLS_INSIDE:-}" ] && unshare -mpf --mount-proc true 2>/dev/null; then
	KILLS_INSIDE=1 exec unshare -mpf --mount-proc sh "$0"
fi
work=$(mktemp -d /var/tmp/rssck-kills.XXXXXX) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 2' INT TERM HUP
mkdir "$work/tmp"
export TMPDIR="$work/tmp"
[ -z "${KILLS_INSIDE:-}" ] || mount -t tmpfs none /dev/shm

settings()
{
	grep -rs . /sys/kernel/mm/transparent_hugepage /sys/kernel/mm/ksm/run /sys/kernel/mm/ksm/use_zero_pages \
		/sys/kernel/mm/hugepages /sys/devices/system/cpu/online /proc/sys/vm /proc/swaps |
		grep -v -e full_scans -e stat_refresh -e '/stats/' -e free_hugepages
}

state()
{
	settings
	cat /proc/mounts
	find /sys/fs/cgroup -type d -name 'rssck.[0-9]*' 2>/dev/null
	ls -A "$TMPDIR" /dev/shm
	ls -A /tmp /var/tmp | grep -e '^rssck\.' -e '^rssck-home'
	awk 'NR > 1 { print $1, $2 }' /proc/sysvipc/shm
	[ -z "${KILLS_INSIDE:-}" ] || ps -e -o comm= | grep '^rssck'
}

# A random number of milliseconds below $1.
random() { echo $(($(od -An -N4 -tu4 /dev/urandom) % $1)); }

start=$(date +%s%3N)
# shellcheck disable=SC2086 # words
"$rssck" check --quiet ${CASES:-} >/dev/null 2>&1
took=$(($(date +%s%3N) - start))
state >"$work/before"
bad=0 killed=0
for i in $(seq "$kills"); do
	"$rssck" check --quiet ${CASES:-} >/dev/null 2>&1 &
	pid=$! moment=$(random "$took")
	sleep $((moment / 1000)).$(printf %03d $((moment % 1000)))
	kill -KILL $pid 2>/dev/null && killed=$((killed + 1))
	wait $pid 2>/dev/null
	until=$(($(date +%s) + seconds))
	while state >"$work/after"; ! cmp -s "$work/before" "$work/after" && [ "$(date +%s)" -lt $until ]; do
		sleep 0.1
	done
	cmp -s "$work/before" "$work/after" && continue
	bad=$((bad + 1))
	printf 'killed after %d ms:\n' "$moment"
	diff "$work/before" "$work/after"
done
printf '%d kills, %d in time: %d left something\n' "$kills" "$killed" $bad
[ $bad -eq 0 ]
