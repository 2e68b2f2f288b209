# SPDX-License-Identifier: MIT
#
# Functions that run rssck vm once and print its result in a line. For the scripts in this folder, which source this
# file.

rssck=${RSSCK:-./rssck}

now() { date +%s; }

# summary FILE: prints "75 pass, 0 fail, 3 skip, 0 error"
summary()
{
	tr -d ' \n' <"$1" | sed -n 's/.*"summary":{\([^}]*\)}.*/\1/p' | tr -d '"' | tr ',' '\n' |
		awk -F : '$1 ~ /^(pass|fail|skip|error)$/ { printf "%s%s %s", n++ ? ", " : "", $2, $1 }'
}

# named FILE: prints the cases that did not pass, and the cases that took more than one try, one on each line
named()
{
	awk -F '"' '
		/^      "id": / { id = $4 }
		/^      "verdict": / && $4 != "pass" { print "    " $4 ": " id }
		/^      "tries": \[$/ { print "    more than one try: " id }' "$1"
}

# run_one NAME LABEL OUTPUT OPTION...: prints one line, and the failures below it. Returns 0 if rssck vm returned 0.
run_one()
{
	name=$1 label=$2 output=$3
	shift 3
	log=$(mktemp)
	trap 'rm -f "$log"' EXIT
	rm -f "$output"
	started=$(now) status=0
	"$rssck" vm --output "$output" "$@" 2>"$log" || status=$?
	case $status in
	0) said="$(summary "$output")" ;;
	4) said='nothing could run' ;;
	*) said="status $status"
		[ ! -s "$output" ] || said="$(summary "$output") ($said)" ;;
	esac
	# A single write, so that the lines of two runs do not mix.
	printf '%s\n' "$(
		printf '%-14s %-30s %4d s  %s\n' "$name" "$label" $(($(now) - started)) "$said"
		sed 's/^/    /' "$log"
		[ ! -s "$output" ] || named "$output"
	)"
	[ $status -eq 0 ]
}

# acceleration IMAGE: chooses KVM or TCG once for all runs, so that not every run waits for a KVM that hangs. For
# kernels of another machine, each run chooses for itself.
acceleration()
{
	[ -z "${RSSCK_ACCEL:-}${RSSCK_ARCHITECTURE:-}" ] || return 0
	RSSCK_ACCEL=tcg
	if [ -r /dev/kvm ] && [ -w /dev/kvm ] && RSSCK_ACCEL=kvm "$rssck" vm --kernel "$1" \
		--timeout 10 -- --list >/dev/null 2>&1; then
		RSSCK_ACCEL=kvm
	fi
	export RSSCK_ACCEL
}
