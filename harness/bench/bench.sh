#!/bin/sh
# SPDX-License-Identifier: MIT
# make bench: measures the time of `rssck scan`, and compares it with the lower limit (the kernel's own walk, bare.c),
# smem, ps_mem and the kernel's page-types. Takes these from PATH, or from Debian's packages (page-types from the
# kernel's source). Names missing programs and leaves them out. Prints the best of several runs, and leaves nothing
# behind. BENCH_TIME=cpu measures the average processor time instead, for a machine with other load.
set -u

rssck=./rssck target=build/bench/target bare=build/bench/bare
runs=${BENCH_RUNS:-7} processes=${BENCH_PROCESSES:-1000}

work=$(mktemp -d) || exit 2
held=''
clean()
{
	[ -z "$held" ] || kill "$held" 2>/dev/null
	rm -rf "$work"
}
trap clean EXIT
trap 'exit 130' INT TERM HUP

# hold ARGUMENT...: starts the target and waits until it is ready; its PID is in $pid
hold()
{
	mkfifo "$work/ready"
	"$target" "$@" >"$work/ready" &
	pid=$!
	held=$pid
	read -r line <"$work/ready"
	rm -f "$work/ready"
	[ "${line:-}" = ready ]
}

release()
{
	kill "$pid" 2>/dev/null
	wait "$pid" 2>/dev/null
	held=''
}

# best COMMAND...: prints the shortest time of several runs, in ms. The columns of hyperfine are command, mean,
# stddev, median, user, system, min, max; a command may contain commas.
best()
{
	hyperfine -N --warmup 1 --runs "$runs" --ignore-failure --style none --export-csv "$work/csv" "$*" >/dev/null 2>&1 ||
		{ echo 0; return; }
	awk -F , -v cpu="${BENCH_TIME:-}" 'NR == 2 { printf "%.2f", (cpu == "cpu" ? $(NF - 3) + $(NF - 2) : $(NF - 1)) * 1000 }' "$work/csv"
}

# line NAME MILLISECONDS [OF WHAT]: prints a row, with the ratio to OF
line()
{
	awk -v name="$1" -v ms="$2" -v of="${3:-0}" -v what="${4:-}" 'BEGIN {
		printf "  %-48s %10.2f ms", name, ms
		if (of + 0 && ms + 0)
			printf "  %7.2f x %s", ms / of, what
		print "" }'
}

package()
{
	command -v "$1" >/dev/null 2>&1 && return 0
	[ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1 &&
		DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$2" >/dev/null 2>&1
	command -v "$1" >/dev/null 2>&1 && return 0
	echo "  $1 is left out, because it is not installed and could not be installed (package $2)"
	return 1
}

# No package contains a built page-types, but one contains its source. debugfs is needed only to poison pages.
page_types()
{
	page_types=$(command -v page-types) && return 0
	command -v apt-get >/dev/null 2>&1 || return 1
	source=$(apt-cache search --names-only '^linux-source-[0-9.]+$' | sort -V | awk 'END { print $1 }')
	[ -n "$source" ] || return 1
	(
		cd "$work" && apt-get download "$source" >/dev/null 2>&1 &&
			dpkg-deb --fsys-tarfile "$source"_*.deb | tar -xO "./usr/src/$source.tar.xz" |
			tar -xJ --occurrence --wildcards "$source/include/uapi/linux/magic.h" \
				"$source/include/uapi/linux/kernel-page-flags.h" "$source/tools/*/page-types.c"
		rm -f "$source"_*.deb
		mkdir -p shim/api/fs &&
			echo 'static inline const char *debugfs__mount(void) { return 0; }' >shim/api/fs/fs.h
		cc -O2 -Ishim -o page-types "$source"/tools/*/page-types.c
	) >/dev/null 2>&1
	page_types=$work/page-types
	[ -x "$page_types" ]
}

# meminfo NAME: prints the number after "NAME:" in /proc/meminfo, in MiB
meminfo()
{
	awk -v name="$1:" '$1 == name { print int($2 / 1024) }' /proc/meminfo
}

most=$(($(meminfo MemAvailable) * 6 / 10))

totals()
{
	size=4096
	[ "$size" -le "$most" ] || size=$most
	echo "Totals of one process, $size MiB in 4 KiB pages:"
	hold memory "$size" || return
	limit=$(best "$bare" file "/proc/$pid/smaps_rollup")
	line 'the limit: smaps_rollup, read' "$limit"
	line 'rssck scan --no-model' "$(best "$rssck" scan --no-model "$pid")" "$limit" 'the limit (aim: 1.1)'
	line 'rssck scan (and measures how counters count)' "$(best "$rssck" scan "$pid")"
	release
	hold memory "$size" 1 16 || return
	line 'the same, with 16 TiB reserved in addition' "$(best "$rssck" scan --no-model "$pid")" "$limit" 'the limit'
	release
}

# Measures the walks of scan --sharers: the totals, page frames and their mapcounts, and maps of every process. Reading
# the sharers' page tables is not included.
sharers_limit()
{
	walk=$(best "$bare" file "/proc/$pid/smaps_rollup")
	frames=$(best "$bare" frames "$pid")
	maps=$(best "$bare" all maps)
	limit=$(awk -v a="$walk" -v b="$frames" -v c="$maps" 'BEGIN { print a + b + c }')
	line 'the limit: rollup, pagemap, kpagecount, all maps' "$limit"
}

sharers()
{
	echo "Who shares its pages, 2048 MiB in 4 KiB pages:"
	hold memory 2048 || return
	sharers_limit
	ours=$(best "$rssck" scan --no-model --sharers "$pid")
	line 'rssck scan --sharers' "$ours" "$limit" 'the limit (aim: 1.2)'
	if page_types; then
		line 'page-types -p (counts flags)' "$(best "$page_types" -p "$pid")" "$ours" "rssck's"
		line 'page-types -p -l -M (lists mapcounts)' "$(best "$page_types" -p "$pid" -l -M -N)" "$ours" "rssck's"
	else
		echo '  page-types is left out, because it is not installed and there is no package linux-source'
	fi
	release
}

server()
{
	echo 'A server that maps a file of 256 MiB, and its 20 children:'
	hold server 256 20 "$work/served" || return
	ours=$(best "$rssck" scan --sharers="$work/served")
	line 'rssck scan --sharers=FILE (which processes map it)' "$ours"
	package smem smem && line 'smem -m (all mappings of all processes)' "$(best smem -m)" "$ours" "rssck's"
	sharers_limit
	ours=$(best "$rssck" scan --no-model --sharers "$pid")
	line 'rssck scan --sharers PID (with which processes)' "$ours" "$limit" 'the limit of only the server'
	page_types && line 'page-types -p -l -M (only the number)' "$(best "$page_types" -p "$pid" -l -M -N)" "$ours" "rssck's"
	release
}

census()
{
	echo "All processes, including $processes new ones of 0.5 MiB:"
	hold processes "$processes" || return
	limit=$(best "$bare" all smaps_rollup)
	line 'the limit: smaps_rollup of each, by one thread' "$limit"
	ours=$(best "$rssck" scan --all)
	line 'rssck scan --all' "$ours" "$limit" 'the limit (aim: 1.2)'
	package smem smem && line smem "$(best smem)" "$ours" "rssck's"
	package ps_mem ps-mem && line ps_mem "$(best ps_mem)" "$ours" "rssck's"
	release
}

growth()
{
	echo 'Time as a function of memory (one mapping):'
	for size in 64 256 1024 4096 8192; do
		[ "$size" -le "$most" ] || { echo "  $size MiB: there is not enough free memory"; continue; }
		hold memory "$size" || return
		line "$size MiB" "$(best "$rssck" scan --no-model "$pid")" "$(best "$bare" file "/proc/$pid/smaps_rollup")" 'the limit (aim: 1.1)'
		release
	done
	echo 'Time as a function of mappings (256 MiB):'
	for nr in 100 1000 10000 40000 50000; do
		hold memory 256 "$nr" || return
		line "$nr mappings" "$(best "$rssck" scan --no-model "$pid")" "$(best "$bare" file "/proc/$pid/smaps_rollup")" 'the limit (aim: 1.1)'
		line "$nr mappings, --maps" "$(best "$rssck" scan --no-model --maps "$pid")" "$(best "$bare" file "/proc/$pid/smaps")" 'the limit (aim: 1.3)'
		release
	done
}

package hyperfine hyperfine || exit 2
[ $# -gt 0 ] || set -- totals sharers server census growth
for part; do
	case $part in
	totals | sharers | server | census | growth) "$part" ;;
	*) echo "bench.sh: there is no part '$part'; the parts are totals, sharers, server, census, growth" >&2; exit 2 ;;
	esac
	echo
done
