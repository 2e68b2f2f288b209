#!/bin/sh
# SPDX-License-Identifier: MIT
# vm_ends.sh [IMAGE]: tests virtual machines that end before their check does. The results up to then must be reported,
# and nothing may be left behind. IMAGE is by default the first kernel that `make kernels` has fetched. rssck itself is
# killed KILLS times (10). How a run ended is read from its exit status, from the JSON and from the ids of cases.
set -u

rssck=${RSSCK:-./rssck}
image=${1:-$(sh harness/vm/kernels.sh list | awk 'NR == 1 { print $3 }')}
[ -n "$image" ] || { echo 'vm_ends: skipped, because no kernel was fetched (make kernels)'; exit 0; }
folder=$(mktemp -d) mark=rssck_test=$$ failures=0
out=$folder/out.json
trap 'rm -rf "$folder"' EXIT
export TMPDIR="$folder"

# The mark is on the kernel's command line, and therefore on QEMU's.
vm() { "$rssck" vm --kernel "$image" --append "$mark" --output "$out" "$@" 2>"$folder/errors"; }

is()
{
	if [ "$2" = "$3" ]; then
		printf 'ok: %s\n' "$1"
	else
		printf 'not ok: %s: %s, expected %s\n' "$1" "$3" "$2"
		sed 's/^/    /' "$folder/errors"
		failures=$((failures + 1))
	fi
}

# The number of processes with the mark on their command line; the pattern does not match grep itself.
left() { grep -lsa "[r]${mark#r}" /proc/[0-9]*/cmdline | wc -l; }

# early MEMBER: prints a member of the results' "ended_early"
early() { sed -n "/\"ended_early\":/,/}/s/.*\"$1\": \"\(.*\)\".*/\1/p" "$out"; }

# assert_early NAME STATUS: the results are marked as incomplete, have a reason, name the case, and can be read
assert_early()
{
	is "$1: status" 2 "$2"
	is "$1: there is a reason" 1 "$(early reason | wc -l)"
	is "$1: the case is named" file "$(early case | cut -d / -f 1)"
	"$rssck" compare "$out" "$out" >/dev/null 2>&1
	is "$1: the results can be read" 0 $?
	is "$1: processes left" 0 "$(left)"
	rm -f "$out"
}

# named_again: prints yes if the case that was running is named after its line "[ RUN ] CASE", i.e. in the report
named_again()
{
	running=$(sed -n 's/.*RUN *\] *//p' "$folder/text" | tail -n 1)
	sed -n '/RUN/h;/RUN/!H;${x;p;}' "$folder/text" | sed 1d | grep -qwF -e "${running:-none}" && echo yes
}

# in_background OPTION...: sets $rssck_pid
in_background()
{
	"$rssck" vm --kernel "$image" --append "$mark" "$@" >"$folder/text" 2>"$folder/errors" &
	rssck_pid=$!
}

# until_it_checks: waits until a case has begun
until_it_checks()
{
	tries=600
	while [ $tries -gt 0 ] && ! grep -qs RUN "$folder/text"; do
		sleep 0.2
		tries=$((tries - 1))
	done
}

vm --setup=5:/proc/sysrq-trigger=c 'file/*'
assert_early 'a panic' $?
vm --setup=5:/proc/sysrq-trigger=i 'file/*'
assert_early 'check is killed in the guest' $?
vm --timeout 25 --setup=10:/proc/sysrq-trigger=w
is 'the time is out: status' 2 $?
is 'the time is out: there is a reason' 1 "$(early reason | wc -l)"
rm -f "$out"

in_background --timeout 60
until_it_checks
qemu=$(grep -lsa "[r]${mark#r}" /proc/[0-9]*/cmdline | grep -v "/$rssck_pid/" | head -n 1 | tr -dc 0-9)
kill -STOP "$qemu"
wait $rssck_pid
is 'a machine that hangs: status' 2 $?
is 'a machine that hangs: the case is named' yes "$(named_again)"
is 'a machine that hangs: processes left' 0 "$(left)"

in_background
until_it_checks
kill -TERM $rssck_pid
wait $rssck_pid
is 'SIGTERM: status' 143 $?
is 'SIGTERM: the case is named' yes "$(named_again)"

kills=${KILLS:-10}
while [ "$kills" -gt 0 ]; do
	in_background --output "$out" file/private_write
	sleep "$(awk -v n="$kills" 'BEGIN { srand(n); printf "%.2f", 8 * rand() * rand() }')"
	kill -KILL $rssck_pid 2>/dev/null
	wait $rssck_pid 2>/dev/null
	sleep 0.5
	is "kill -9, $kills: processes and files left" '0 0' "$(left) $(find "$folder" -type f ! -name out.json ! -name errors ! -name text | wc -l)"
	kills=$((kills - 1))
done

[ $failures -eq 0 ] || { echo "vm_ends: $failures failed"; exit 1; }
echo 'vm_ends: all passed'
