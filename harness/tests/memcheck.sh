#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Runs one check under valgrind. Only the observer runs in valgrind; the workload is a separate program, and runs
# natively.
set -u

# Valgrind's status is rssck's own (0: no case failed, 4: no case could run here) unless there was an error or a leak.
valgrind --quiet --leak-check=full --show-leak-kinds=all --errors-for-leak-kinds=all --error-exitcode=99 \
	--trace-children=no --child-silent-after-fork=yes ./rssck check --limit=60 ${CASES:-}
status=$?

case $status in
0 | 4) echo 'memcheck: no error and no leak in rssck check' ;;
99) echo 'memcheck: valgrind found errors or leaks, above' >&2 ;;
*) echo "memcheck: rssck check ended with $status under valgrind" >&2 ;;
esac
[ "$status" = 4 ] && exit 0
exit $status
