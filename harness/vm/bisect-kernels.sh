#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Finds the first of a list of fetched kernels that counts a metric in another way than the first one does.
set -eu

usage()
{
	cat <<'END'
usage: bisect-kernels.sh METRIC NAME NAME...

  bisect-kernels.sh statm.resident 5.10 6.1 6.12.43 6.18 7.2

METRIC is one of the models that rssck measures (see "models" in results/*.json), the NAMEs are those of
kernels.tsv, in their order. For a kernel tree of your own, whose commits are the list:

  git bisect run sh -c 'make -j8 bzImage || exit 125; rssck vm --kernel arch/x86/boot/bzImage --bisect CASE'

RSSCK names the program (default: ./rssck). Exit: 0 found, 1 the last is like the first, 2 it cannot be told.
END
}

die() { echo "bisect-kernels: $*" >&2; exit 2; }

# model NAME: how the metric is counted on that kernel, measured
model()
{
	image=$("$here/kernels.sh" list "$1" | cut -d ' ' -f 3)
	[ -n "$image" ] || die "$1 is not fetched; run make kernels"
	# The models are measured before the first case; the shortest case is enough.
	"$rssck" vm --kernel "$image" --format json counters/calibrate | tr -d ' \n' |
		sed -n "s/.*\"$metric\":{\"kind\":\"\([^\"]*\)\".*/\1/p"
}

# look NUMBER: sets $found to the model of the NUMBERth kernel, and says it
look()
{
	name=$(echo "$names" | cut -d ' ' -f "$1")
	found=$(model "$name")
	[ -n "$found" ] || die "$name: no model of $metric was measured"
	printf '%-10s %s: %s\n' "$name" "$metric" "$found"
}

case ${1:--h} in -h | --help) usage; exit 0 ;; esac
[ $# -ge 3 ] || { usage >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
rssck=${RSSCK:-./rssck}
metric=$1
shift
names=$*

look 1
first=$found
look $#
[ "$found" != "$first" ] || { echo "no change of $metric from $1 to $name"; exit 1; }
same=1 other=$# as=$found
while [ $((other - same)) -gt 1 ]; do
	middle=$(((same + other) / 2))
	look $middle
	if [ "$found" = "$first" ]; then
		same=$middle
	else
		other=$middle as=$found
	fi
done
printf '%s changes from %s (%s) to %s (%s)\n' "$metric" "$first" "$(echo "$names" | cut -d ' ' -f $same)" \
	"$as" "$(echo "$names" | cut -d ' ' -f $other)"
