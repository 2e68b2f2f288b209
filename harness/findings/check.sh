#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs every repro.c of results/findings on the fetched kernels, and compares the results with kernels.tsv.
set -eu

usage()
{
	cat <<'END'
usage: check.sh [KERNEL]...

Compiles results/findings/*/repro.c, runs them all on each kernel of results/findings/kernels.tsv that `make kernels`
has fetched (or on those named), and compares their exit statuses with the table: 0 right, 1 wrong, 4 cannot tell.

  FINDINGS="02 38"   the programs of these findings alone
  IMAGE=FILE         one kernel image instead; its column is not compared, only printed
  RSSCK=FILE         the program (default: ./rssck)

Exit status: 0 all are as in the table, 1 one differs, 2 nothing could be compared.
END
}

case ${1:-} in -h | --help) usage; exit 0 ;; esac
here=$(cd "$(dirname "$0")" && pwd)
rssck=${RSSCK:-./rssck}
folder=results/findings
build=$(pwd)/build/findings
rm -rf "$build"
mkdir -p "$build/bin"

for source in "$folder"/*/repro.c; do
	name=${source%/repro.c}
	name=${name##*/}
	case " ${FINDINGS:-${name%%-*}} " in *" ${name%%-*} "*) ;; *) continue ;; esac
	${CC:-cc} -static -O1 -Wall -Wextra -o "$build/bin/$name" "$source" || exit 2
done

# run IMAGE MODULES SWAP: writes a line "NN STATUS" for each program into $build/said. Finding 60 needs a hugetlb page
# of 1 GiB, which a guest gets for certain only at boot.
run()
{
	with=
	for program in "$build"/bin/*; do with="$with --with=$program"; done
	# shellcheck disable=SC2086 # words are meant
	$rssck vm --kernel "$1" ${2:+--modules="$2"} --setup="swap=$3" --timeout=600 \
		--memory=3000 --append='hugepagesz=1G hugepages=1' --run-options='--every=600 --no-model' \
		--run="for p in $build/bin/*; do timeout 90 \$p finding.data; echo finding \${p##*/} \$?; done" $with \
		>"$build/log" 2>&1 || :
	sed -n 's/^finding \([0-9]*\)-[^ ]* \([0-9]*\).*/\1 \2/p' "$build/log" >"$build/said"
}

if [ -n "${IMAGE:-}" ]; then
	run "$IMAGE" '' "${SWAP:-disk}"
	sort "$build/said"
	[ -s "$build/said" ]
	exit
fi

# differences KERNEL: prints results that the table does not have; prints nothing if they agree
differences()
{
	awk -F '\t' -v kernel="$1" -v only=" ${FINDINGS:-} " '
		NR == FNR { split($0, word, " "); said[word[1]] = word[2]; next }
		$1 == "finding" { for (i = 2; i <= NF; i++) if ($i == kernel) column = i; next }
		/^#/ || !column || only ~ /[0-9]/ && !index(only, " " $1 " ") { next }
		{ seen = $1 in said ? said[$1] : "nothing"
		  if (seen != $column) printf "  %s: finding %s: claimed %s, seen %s\n", kernel, $1, $column, seen }' \
		"$build/said" "$folder/kernels.tsv"
}

compared=0 different=0
for name in ${*:-$(sed -n 's/^finding	//p' "$folder/kernels.tsv")}; do
	image=$(sh "$here/../vm/kernels.sh" list "$name" | awk '{ print $3; exit }')
	[ -n "$image" ] || { echo "$name: this kernel was not fetched (make kernels KERNELS=$name)"; continue; }
	modules=$(dirname "$image")/modules swap=disk
	[ ! -e "$modules/zram.ko" ] || swap=zram
	run "$image" "$modules" "$swap"
	[ -s "$build/said" ] || { echo "$name: nothing ran: $(tail -n 1 "$build/log")"; continue; }
	compared=$((compared + 1))
	text=$(differences "$name")
	printf '%s: %d programs, %d wrong as seen, %d differences\n' "$name" "$(wc -l <"$build/said")" \
		"$(grep -c ' 1$' "$build/said" || :)" "$(printf '%s' "$text" | grep -c . || :)"
	[ -z "$text" ] || { printf '%s\n' "$text"; different=1; }
done
[ "$compared" -gt 0 ] || exit 2
exit "$different"
