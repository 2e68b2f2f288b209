# SPDX-License-Identifier: MIT
#
# awk -v command=check -v name="what help says of it" -f manual.awk rssck.1: the page rssck-check(1), of what rssck.1
# says of that command: its lines of the synopsis, its section, its exit statuses, its examples.

function dashes(text) { gsub(/-/, "\\-", text); return text }

/^\.TH / {
	print ".\\\" Made from rssck.1."
	printf ".TH RSSCK-%s 1 \"\" \"rssck @VERSION@\" \"User Commands\"\n", toupper(command)
	printf ".SH NAME\nrssck\\-%s \\- %s\n.SH SYNOPSIS\n", command, dashes(name)
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

part == "EXAMPLES" && /^\.TP/ { held = $0; next }
part == "EXAMPLES" && /^\.B/ { entry = ($0 ~ "rssck " command "( |$)"); if (entry && !examples++) print ".SH EXAMPLES"; if (entry) print held }
part == "EXAMPLES" && entry { print; next }

END {
	print ".SH EXIT STATUS\n.BR rssck (1)\nhas the exit statuses of all commands."
	print ".SH SEE ALSO\n.BR rssck (1),\n.BR rssck\\-metrics (7)"
	if (command ~ /^(check|vm|compare|report)$/) print ".BR rssck\\-results (5)"
	if (command ~ /^(scan|compare|explain|list|run|fuzz)$/) printf ".BR rssck\\-%s (5)\n", command
}
