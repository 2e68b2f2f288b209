#!/bin/sh
# SPDX-License-Identifier: MIT
# inside.sh USER COMPILER: runs the commands of the README in a bare root tree, with rssck's source in /rssck. The
# last line of its output is a row of check-fresh.sh's table: megabytes of packages, seconds of make deps, seconds and
# exit status of make deps check, seconds and exit status of make deps test.
set -u

user=$1
cc=''
[ "$2" = gcc ] || cc="CC=$2"
as=root
export HOME=/root USER=root DEBIAN_FRONTEND=noninteractive

now() { date +%s.%N; }
since() { echo "$1 $(now)" | awk '{ printf "%.1f", $2 - $1 }'; }

# by NAME COMMAND: runs a shell command in /rssck as the user NAME
by()
{
	printf '\nfresh: %s: %s\n' "$1" "$2"
	case $1 in
	root) (cd /rssck && sh -c "$2") ;;
	*) (cd /rssck && HOME=/home/$1 USER=$1 setpriv --reuid 1000 --regid 1000 --clear-groups \
		--inh-caps=-all sh -c "$2") ;;
	esac </dev/null 2>&1
}

# by_logged FILE NAME COMMAND: like by(), and also writes the output to a file; returns the command's status
by_logged()
{
	{ by "$2" "$3"; echo $? >"$1.status"; } | tee "$1"
	return "$(cat "$1.status")"
}

# megabytes FILE: prints the size of the packages that apt needed, cached or not: "Need to get 0 B/65.3 MB of archives."
megabytes()
{
	sed -n 's/^Need to get \(.*\) of archives.*/\1/p' "$@" | sed 's|.*/||' |
		awk '{ gsub(",", "", $1); sum += $1 / ($2 == "kB" ? 1000 : $2 == "B" ? 1000000 : 1) }
			END { printf "%.0f", sum }'
}

new_user()
{
	echo 'alice:x:1000:1000::/home/alice:/bin/sh' >>/etc/passwd
	echo 'alice:x:1000:' >>/etc/group
	mkdir -p /home/alice
	chown -R 1000:1000 /home/alice /rssck
	as=alice
}

# For an ordinary user, make deps prints the command that root must run. Exactly this command is run.
deps_for_user()
{
	by_logged /tmp/told alice "make $cc deps check" &&
		{ echo 'fresh: make deps found that nothing is missing in a bare tree'; return 1; }
	command=$(sed -n 's/^    //p' /tmp/told)
	[ -n "$command" ] || { echo 'fresh: make deps did not print a command for root'; return 1; }
	by_logged /tmp/deps root "$command"
}

# A bare system has no make.
by_logged /tmp/make root 'apt-get update && apt-get install -y --no-install-recommends make' || exit 2
rm -rf /var/lib/apt/lists/*
[ "$user" = root ] || new_user

started=$(now)
deps=0
if [ "$user" = root ]; then
	by_logged /tmp/deps root "make $cc deps" || deps=$?
else
	deps_for_user || deps=$?
fi
deps_s=$(since "$started")

check_started=$(now)
by "$as" "make $cc deps check" && check=0 || check=$?
check_s=$(since "$check_started")

test_started=$(now)
test=- test_s=-
[ -z "$TESTS" ] || { by "$as" "make $cc deps $TESTS" && test=0 || test=$?; test_s=$(since "$test_started"); }

echo
printf 'fresh: row %6s %7s %8s %5s %7s %5s\n' "$(megabytes /tmp/deps)" "$deps_s" "$check_s" "$check" "$test_s" "$test"
[ "$deps$check" = 00 ] && case $test in 0 | -) exit 0 ;; esac
exit 1
