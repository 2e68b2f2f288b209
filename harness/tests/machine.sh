#!/bin/sh
# SPDX-License-Identifier: MIT
#
# machine.sh IMAGE...: boots each kernel image, with MEMORY MiB, and has `rssck machine` audit it at rest and under ten
# loads (LOADS, of MIB). Fails where a line is wrong, more than 0.5 % of the memory is unexplained, or the load is not named in the
# first three sentences.
set -eu

: "${LOADS:=rest anon tmpfs memfd pipes sockets dentries pagetables hugetlb vmalloc io_uring}"
: "${MIB:=64}" "${MEMORY:=2048}"

make -s build/bench/load all >/dev/null
rssck=$(realpath rssck) load=$(realpath build/bench/load)
failed=0

# What the first sentences must name, by load.
named()
{
	case $1 in
	rest) echo free ;;
	anon) echo 'anonymous memory' ;;
	tmpfs | memfd) echo 'nobody maps, .*load' ;;
	pipes) echo pipes ;;
	sockets) echo 'socket buffers' ;;
	dentries) echo 'slabs' ;;
	pagetables) echo 'page tables' ;;
	hugetlb) echo 'hugetlb pages in use' ;;
	vmalloc) echo vmalloc ;;
	io_uring) echo 'io_uring' ;;
	esac
}

judge()
{
	kernel=$1 log=$2
	for kind in $LOADS; do
		part=$(sed -n "/^== $kind\$/,/^status/p" "$log")
		first=$(printf '%s\n' "$part" | sed '1d;/^$/q' | tr '\n' ' ')
		unexplained=$(printf '%s\n' "$part" | awk '$NF == "unexplained" && NF == 3 { print $2 }')
		wrong=$(printf '%s\n' "$part" | tr '\n' ' ' | sed -n 's/.* \([0-9]*\) wrong.*/\1/p')
		status=$(printf '%s\n' "$part" | sed -n 's/^status //p')
		result=ok
		[ "$status" = 0 ] || result="FAILED: status $status"
		[ "$status" = 77 ] && result="skipped: the load cannot be made"
		if [ "$result" = ok ]; then
			awk -v n="$unexplained" 'BEGIN { exit !(n <= 0.5 && n >= -0.5) }' || result="FAILED: unexplained"
			printf '%s' "$first" | grep -q "$(named "$kind")" || result="FAILED: not named"
		fi
		echo "$kernel $kind: $result; $wrong wrong, $unexplained % unexplained"
		case $result in FAILED*) failed=1; printf '%s\n' "$part" ;; esac
	done
}

for image in "$@"; do
	log=$(mktemp)
	./rssck vm --kernel "$image" --timeout=1200 --memory="$MEMORY" --run-options=--every=3600 \
		--run="for k in $LOADS; do echo == \$k; $load \$k $MIB $rssck machine; echo status \$?; done" >"$log" 2>&1 || :
	judge "$(basename "$(dirname "$image")")" "$log"
	rm -f "$log"
done
exit $failed
