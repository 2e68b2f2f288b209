#!/bin/sh
# SPDX-License-Identifier: MIT
# readers.sh PROGRAM [READER...]: feeds made-up input to the readers, each for SECONDS (2), or RUNS inputs if that is
# set. New inputs are kept beside the program and tried first the next time; so is an input that made a reader fail.
set -eu

# one PROGRAM READER: prints a line with the number of inputs, or the end of libFuzzer's report
one()
{
	program=$1 reader=$2
	folder=$(dirname "$program")
	corpus=$folder/corpus/$reader
	log=$folder/$reader.log
	mkdir -p "$corpus"
	for seed in $("$program" | awk -F '\t' -v reader="$reader" '$1 == reader { print $2 }'); do
		[ ! -r "$seed" ] || cp "$seed" "$corpus/seed-$(echo "$seed" | tr / -)"
	done
	limit=-max_total_time=${SECONDS:-2}
	[ -z "${RUNS:-}" ] || limit=-runs=$RUNS
	if FUZZ=$reader "$program" "$limit" -max_len=32768 -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
		-artifact_prefix="$corpus/" "$corpus" >"$log" 2>&1; then
		awk -v reader="$reader" '/number_of_executed_units/ { n = $2 } /average_exec_per_sec/ { rate = $2 }
			END { printf "  %-14s %10d inputs %8d a second\n", reader, n, rate }' "$log"
		return
	fi
	grep -v '^#' "$log" | tail -n 40
	input=$(sed -n 's/.*Test unit written to //p' "$log" | tail -n 1)
	echo "fuzz: $reader fell; to see it again: FUZZ=$reader $program $input" >&2
	exit 1
}

unset FUZZ
export UBSAN_OPTIONS=print_stacktrace=1 ASAN_OPTIONS=abort_on_error=1
[ "$1" != --one ] || { one "$2" "$3"; exit; }
program=$1
shift
list=${*:-$("$program" | cut -f 1)}
echo "$list" | xargs -n 1 -P "$(nproc)" sh "$0" --one "$program" ||
	{ echo 'fuzz: at least one reader fell' >&2; exit 1; }
