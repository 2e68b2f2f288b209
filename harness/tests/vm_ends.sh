#!/bin/sh
# SPDX-License-Identifier: MIT
# vm_ends.sh [IMAGE]: virtual machines that end before their check does. Results up to then must be reported, and
# nothing left behind. Without an image: the first that `make kernels` has fetched. KILLS=N: how often rssck itself is
# killed (10).
set -u

rssck=${RSSCK:-./rssck}
image=${1:-$(sh harness/vm/kernels.sh list | awk 'NR == 1 { print $3 }')}
[ -n "$image" ] || { echo 'vm_ends: no kernel is there (make kernels): skipped'; exit 0; }
folder=$(mktemp -d) mark=rssck_test=$$ failures=0
out=$folder/out.json
trap 'rm -rf "$folder"' EXIT
export TMPDIR="$folder"

# The mark is on the kernel's command line, and so on QEMU's.
vm() { "$rssck" vm --kernel "$image" --append "$mark" --output "$out" "$@" 2>"$folder/errors"; }

told()
{
	if [ "$2" = "$3" ]; then
		printf 'ok: %s\n' "$1"
	else
		printf 'not ok: %s: %s, expected %s\n' "$1" "$3" "$2"
		sed 's/^/    /' "$folder/errors"
		failures=$((failures + 1))
	fi
}

# The processes that have the mark; the pattern does not match itself.
left() { grep -lsa "[r]${mark#r}" /proc/[0-9]*/cmdline | wc -l; }

# The results are marked as incomplete, name the place, and can be read.
assert_early()
{
	told "$1: status" 2 "$2"
	told "$1: reason" 1 "$(grep -c "\"reason\": \".*$3" "$out" | head -c 1 | tr 2-9 1)"
	told "$1: the case is named" 1 "$(grep -A3 ended_early "$out" | grep -c '"case": "file/')"
	"$rssck" compare "$out" "$out" >/dev/null 2>&1
	told "$1: results can be read" 0 $?
	told "$1: processes left" 0 "$(left)"
	rm -f "$out"
}

# in_background OPTION...: sets $rssck_pid
in_background()
{
	"$rssck" vm --kernel "$image" --append "$mark" "$@" >"$folder/text" 2>"$folder/errors" &
	rssck_pid=$!
}

# until_it_checks: a case has begun
until_it_checks()
{
	tries=600
	while [ $tries -gt 0 ] && ! grep -qs RUN "$folder/text"; do
		sleep 0.2
		tries=$((tries - 1))
	done
}

vm --setup=5:/proc/sysrq-trigger=c 'file/*'
assert_early 'a panic' $? 'Kernel panic'
vm --setup=5:/proc/sysrq-trigger=i 'file/*'
assert_early 'check is killed in the guest' $? 'killed by signal 9'
vm --timeout 25 --setup=10:/proc/sysrq-trigger=w
told 'the time is out: status' 2 $?
told 'the time is out: told' 1 "$(grep -c 'has not ended within 25 s' "$out" | tr 2-9 1)"
rm -f "$out"

in_background --timeout 60
until_it_checks
qemu=$(grep -lsa "[r]${mark#r}" /proc/[0-9]*/cmdline | grep -v "/$rssck_pid/" | head -n 1 | tr -dc 0-9)
kill -STOP "$qemu"
wait $rssck_pid
told 'a machine that hangs: status' 2 $?
told 'a machine that hangs: told' 1 "$(grep -c 'The run ended early, in ' "$folder/text")"
told 'a machine that hangs: processes left' 0 "$(left)"

in_background
until_it_checks
kill -TERM $rssck_pid
wait $rssck_pid
told 'SIGTERM: status' 143 $?
told 'SIGTERM: told' 1 "$(grep -c 'The run ended early, in ' "$folder/text")"

kills=${KILLS:-10}
while [ "$kills" -gt 0 ]; do
	in_background --output "$out" file/private_write
	sleep "$(awk -v n="$kills" 'BEGIN { srand(n); printf "%.2f", 8 * rand() * rand() }')"
	kill -KILL $rssck_pid 2>/dev/null
	wait $rssck_pid 2>/dev/null
	sleep 0.5
	told "kill -9, $kills: processes and files left" '0 0' "$(left) $(find "$folder" -type f ! -name out.json ! -name errors ! -name text | wc -l)"
	kills=$((kills - 1))
done

[ $failures -eq 0 ] || { echo "vm_ends: $failures failed"; exit 1; }
echo 'vm_ends: all passed'
