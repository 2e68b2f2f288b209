# SPDX-License-Identifier: MIT
#
# awk -v rssck=./rssck -f manual.awk rssck.1: prints rssck(1), with each line `.\" OPTIONS check` replaced by the
# options of that command. With -v command=check it prints the page rssck-check(1) from the parts of rssck.1 about
# that command: its lines of the synopsis, its section, and its examples.

function dashes(text) { gsub(/-/, "\\-", text); return text }

function run(arguments,    line, all, call) {
	call = rssck " help " arguments
	while ((call | getline line) > 0) all = all line "\n"
	if (close(call)) exit 1
	return all
}

function name_of(command,    nr, lines, i) {
	nr = split(run("--complete -- ''"), lines, "\n")
	for (i = 1; i <= nr; i++)
		if (index(lines[i], command "\t") == 1) return substr(lines[i], length(command) + 2)
}

/^\.\\" OPTIONS / { if (!command || $3 == command) printf "%s", run("--manual " $3); next }
!command { print; next }

/^\.TH / {
	print ".\\\" Made from rssck.1."
	printf ".TH RSSCK-%s 1 \"\" \"rssck @VERSION@\" \"User Commands\"\n", toupper(command)
	printf ".SH NAME\nrssck\\-%s \\- %s\n.SH SYNOPSIS\n", command, dashes(name_of(command))
	next
}
/^\.S[HS] / { part = ($1 == ".SS") ? "COMMAND" : $0; sub(/^\.SH /, "", part); of = $2; here = 0; entry = "" }
/^\.SS / { if (of == command) print ".SH DESCRIPTION"; next }
/^\.SH / { next }

part == "SYNOPSIS" && /^\.br/ { next }
part == "SYNOPSIS" && /^\.B rssck/ {
	here = ($3 == command)
	if (here && any++) print ".br"
}
part == "SYNOPSIS" && here { print; next }

part == "COMMAND" && of == command { print; next }

part == "EXAMPLES" && /^\.TP/ { opening = $0; next }
part == "EXAMPLES" && /^\.B/ { entry = ($0 ~ "rssck " command "( |$)"); if (entry && !examples++) print ".SH EXAMPLES"; if (entry) print opening }
part == "EXAMPLES" && entry { print; next }

END {
	if (!command) exit
	print ".SH SEE ALSO\n.BR rssck (1),\n.BR rssck\\-metrics (7)"
	if (command ~ /^(check|vm|compare|report)$/) print ".BR rssck\\-results (5)"
	if (command ~ /^(scan|compare|explain|list|run|fuzz|atlas)$/) printf ".BR rssck\\-%s (5)\n", command
}
