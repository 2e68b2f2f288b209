#!/bin/sh
# SPDX-License-Identifier: MIT
# kselftest.sh DESTDIR: installs rssck as a collection of the kernel's selftests, as `make -C tools/testing/selftests
# install` does with one of its folders. Each group of cases is a program, so each group is a test with its own time
# limit.
set -eu

destdir=$1
[ -n "$destdir" ] || { echo 'kselftest: name a folder, e.g. make kselftest DESTDIR=/tmp/kselftest' >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
to=$destdir/rssck
mkdir -p "$to"

list=$destdir/kselftest-list.txt
others=$(grep -v '^rssck:' "$list" 2>/dev/null || :)
cp rssck rssck-workload rssck-worker "$to"
cp "$here/kselftest/config" "$here/kselftest/settings" "$to"
groups=$(./rssck list | sed -n 's,^\([a-z0-9_]*\)/.*,\1,p' | sort -u)
for group in $groups; do
	cat >"$to/$group.sh" <<-END
	#!/bin/sh
	# SPDX-License-Identifier: MIT
	cd "\$(dirname "\$0")" && exec ./rssck check --format=ktap $group
	END
	chmod 755 "$to/$group.sh"
done
{
	[ -z "$others" ] || printf '%s\n' "$others"
	for group in $groups; do
		echo "rssck:$group.sh"
	done
} >"$list"
echo "kselftest: $(echo "$groups" | wc -l) tests in $to; run_kselftest.sh and kselftest/ are the kernel's own:" \
	"make -C tools/testing/selftests install, or copy them beside"
