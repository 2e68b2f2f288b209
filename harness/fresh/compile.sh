#!/bin/sh
# SPDX-License-Identifier: MIT
# compile.sh WAYS JOBS: runs in a root tree with rssck in /opt and the compilers of /rows. Builds with each compiler
# in each way. Prints a line for each build; the compilers' messages are in /logs/COMPILER-WAY.
set -u

# linker WAY COMPILER: prints the option for the linker that clang needs for LTO
linker()
{
	case $1$2 in LTOclang*) echo -fuse-ld=lld ;; esac
}

# flags WAY COMPILER: prints the compiler's options
flags()
{
	case $1 in
	O[0-9]) echo "-$1 -g" ;;
	FORTIFY) echo '-O2 -g -D_FORTIFY_SOURCE=3' ;;
	LTO) case $2 in clang*) echo '-O2 -g -flto' ;; *) echo '-O2 -g -flto=auto' ;; esac ;;
	esac
}

# what WAY: prints the targets. With LTO each program is compiled when it is linked, so only one test is built.
what()
{
	echo all build/rssck-workload-test
	[ "$1" = LTO ] && echo build/tests/test_report_load && return
	find harness/tests -name 'test_*.c' | sed 's|.*/|build/tests/|; s|\.c$||'
}

one()
{
	compiler=$1 archiver=$2 way=$3
	log=/logs/$compiler-$way
	started=$(date +%s)
	make -s clean >/dev/null
	# shellcheck disable=SC2046 # a list of targets
	make -k -j "$jobs" CC="$compiler" AR="$archiver" CFLAGS="$(flags "$way" "$compiler")" LDFLAGS="$(linker "$way" "$compiler")" $(what "$way") \
		>/dev/null 2>"$log"
	status=$?
	workload=static
	readelf -lW rssck-workload 2>/dev/null | grep -q INTERP && workload=dynamic
	[ -x rssck-workload ] || workload=none
	printf '%-10s %-8s %5d %9d %8s %8d\n' "$compiler" "$way" $status "$(grep -cE '(warning|error): ' "$log")" \
		$workload $(($(date +%s) - started))
}

ways=$1 jobs=$2
cd /opt || exit 1
mkdir -p /logs
while read -r _ compiler archiver _; do
	for way in $ways; do
		one "$compiler" "$archiver" "$way" </dev/null
	done
done </rows
