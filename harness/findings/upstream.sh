#!/bin/sh
# SPDX-License-Identifier: MIT
# Lists upstream changes of the numbers since the last time, from the changelogs of Debian's newest kernels.
set -eu

usage()
{
	cat <<'END'
usage: upstream.sh [--all | --record]

Reads the changelogs that Debian's newest linux packages carry (5.10.y to 7.3.y) and prints the changes whose title
names a number or a mark that rssck reads, of the versions that results/findings/upstream.tsv does not have yet:
each may fix a finding, or belong in HISTORY. A title is followed by where rssck has it already: HISTORY, finding 45.

  --all     those of all versions
  --record  write into upstream.tsv which versions were read

The mirror is the one that this machine's apt uses. Exit: 0 nothing new, 1 something new, 2 no changelog could be had.
END
}

all='' record=''
case ${1:-} in
-h | --help) usage; exit 0 ;;
--all) all=1 ;;
--record) record=1 ;;
'') ;;
*) usage >&2; exit 2 ;;
esac
here=$(cd "$(dirname "$0")" && pwd)
seen=results/findings/upstream.tsv
apt=${XDG_CACHE_HOME:-${HOME:-}/.cache}/rssck/apt-upstream
# shellcheck source=harness/apt-mirror.sh
. "$here/../apt-mirror.sh"

main=$(apt_mirror Debian)
security=$(apt_mirror Debian-Security)
[ -n "$main" ] || { echo "upstream: this machine's apt knows no Debian mirror: run apt-get update" >&2; exit 2; }
apt_private "$apt" amd64 || { echo 'upstream: no archive keys: install debian-archive-keyring' >&2; exit 2; }
keys=$(apt_keys)
for suite in bullseye-security bookworm-security trixie-security trixie-backports sid; do
	case $suite in *-security) uri=${security:-${main%/}-security} ;; *) uri=$main ;; esac
	printf 'deb [arch=amd64 signed-by=%s] %s %s main\n' "$keys" "$uri" "$suite"
done >"$apt/sources.list"
apt-get -q -c "$apt/apt.conf" update >"$apt/update.log" 2>&1 || sed -n 's/^[EW]: /upstream: apt: /p' "$apt/update.log" >&2

part=$(mktemp -d)
trap 'rm -rf "$part"' EXIT INT TERM

# Lists the newest available version of each series (6.1, 6.12, 7.3 ...).
apt-cache -c "$apt/apt.conf" madison linux-libc-dev | awk -F ' *[|] *' '{ gsub(" ", "", $2); print $2 }' | sort -V |
	awk '{ split($0, v, "[.]"); newest[v[1] "." v[2] + 0] = $0 } END { for (series in newest) print newest[series] }' |
	sort -V >"$part/versions"

while read -r version; do
	(cd "$part" && apt-get -q -c "$apt/apt.conf" download "linux-libc-dev=$version") >>"$part/log" 2>&1 || continue
	dpkg-deb --fsys-tarfile "$part"/*.deb | tar -xO --wildcards './usr/share/doc/linux-libc-dev/changelog*.gz' |
		gzip -dc | awk -f "$here/upstream.awk" >>"$part/titles"
	rm "$part"/*.deb
	echo "${version%%-*}" >>"$part/read"
done <"$part/versions"
[ -s "$part/read" ] || { echo "upstream: cannot fetch a changelog: $(tail -n 1 "$part/log")" >&2; exit 2; }

# newest: prints the newest version of each series that the changelogs name, including older series
newest()
{
	cut -f 1 "$part/titles" | sort -V | awk '{ split($0, v, "[.]"); newest[v[1] "." v[2]] = $0 } END { for (s in newest) print newest[s] }'
}

if [ -n "$record" ]; then
	{ sed '/^read	/d' "$seen"; { newest; cat "$part/read"; } | sort -uV | sed 's/^/read	/'; } >"$part/new" &&
		cat "$part/new" >"$seen"
	exit 0
fi

# one_line LABEL FILE: prints "LABEL<TAB>TEXT", where TEXT is the file in one line, with its strings joined and its
# quotes unescaped
one_line()
{
	printf '%s\t' "$1"
	tr '\n\t' '  ' <"$2" | sed 's/"  *"//g; s/\\"/"/g; s/  */ /g'
	echo
}

one_line HISTORY include/rssck/history.def >"$part/known"
for mail in results/findings/*/mail.txt; do
	number=${mail#results/findings/}
	one_line "finding ${number%%-*}" "$mail"
done >>"$part/known"

# A version is known if the same version, or a newer one of its series, was read.
sort -u "$part/titles" | sort -t '	' -k 1,1V | awk -F '\t' -v all="$all" '
	function series(v) { split(v, part, "[.]"); return part[1] "." part[2] }
	function last(v) { split(v, part, "[.]"); return part[3] + 0 }
	function where(title,  i) { for (i = 1; i <= nr; i++) if (index(text[i], title)) return "  (" label[i] ")"; return "" }
	FILENAME ~ /known$/ { label[++nr] = $1; text[nr] = $2; next }
	FILENAME != "-" { if ($1 == "read") newest[series($2)] = last($2); next }
	all || !(series($1) in newest) || last($1) > newest[series($1)] {
		printf "%-9s %s%s\n", $1, $2, where($2); new++ }
	END { exit new > 0 && !all }' "$part/known" "$seen" -
