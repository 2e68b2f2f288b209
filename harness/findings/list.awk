# SPDX-License-Identifier: MIT
#
# Makes results/FINDINGS.md from the mails: awk -f list.awk results/findings/*/mail.txt
# The header lines X-What, X-Where, X-Kernels and X-State of a mail are its row of the table.

function number(path) { sub("/mail.txt$", "", path); sub(".*/", "", path); return path + 0 }
function folder(path) { sub("/mail.txt$", "", path); sub(".*/", "", path); return path }
function group(where) {
	if (where ~ /^kernel/)
		return "Kernel"
	if (where ~ /proc.rst|ABI/)
		return "Documentation of the kernel"
	return where ~ /procps/ ? "procps" : "Manual pages"
}

# Prints an error for each address to which no mail can be sent. A quote must be closed: "Name (Team)" <name@example.org>.
function check_addresses(who, text,  part, i, n) {
	gsub(/"[^"]*"/, "", text)
	n = split(text, part, ",")
	for (i = 1; i <= n; i++)
		if (part[i] !~ /^ *([A-Za-z. -]* *<[^ <>@]+@[^ <>@]+>|[^ <>@]+@[^ <>@]+) *$/) {
			printf "list.awk: finding %d: no address: %s\n", who, part[i] >"/dev/stderr"
			wrong = 1
		}
}

FNR == 1 { n = number(FILENAME); order[++nr] = n; of[n] = folder(FILENAME); head = 1; last = "" }
head && /^$/ { head = 0; next }
head && /^[A-Za-z-]+: / { last = $1; sub(":", "", last); value = $0; sub("^[^ ]* ", "", value); field[n, last] = value; next }
head { value = $0; sub("^ ", "", value); field[n, last] = field[n, last] " " value; next }
{ text[n] = text[n] $0 "\n" }

END {
	print "<!-- Made by `make findings` from results/findings/*/mail.txt. -->"
	print "# Findings\n"
	print "Each finding is an error in a kernel, a tool or a document that is more than a lag. Each is a folder of"
	print "[findings](findings): `mail.txt` can be sent by a person; `repro.c` shows the error without rssck (exit status 0 right,"
	print "1 wrong, 4 cannot tell); `fix.patch`, if no fix is upstream, applies to 7.3.4 and must be signed by a person. All"
	print "patches but those of 60, 61, 63, 70 and 71 were built and booted together. The patched kernel was compared with the same kernel"
	print "without them, case by case and by the atlas: [patched.tsv](findings/patched.tsv). The patches of 36 and 39 change"
	print "documentation. 49 (fixed in 7.0), 53 (6.6.y), 55, 57 and 58 have neither a fix there nor a patch."
	print "[kernels.tsv](findings/kernels.tsv) lists the result of each program on each kernel; `make check-findings` compares."
	print "Kernel functions are those of 7.3.4."
	print "[DOCUMENTS.md](DOCUMENTS.md) lists sentences of documents, and the kernels on which each is true.\n"
	print "To send first: 60, 51, 47, 26, 40, 41 with 44, 37, 30, 27; to stable 54, 50, 48 and 53.\n"
	print "| # | what | where | kernels | state |"
	print "| --- | --- | --- | --- | --- |"
	for (i = 1; i <= nr; i++) {
		n = order[i]
		if (field[n, "To"] != "")
			check_addresses(n, field[n, "To"])
		if (field[n, "Cc"] != "")
			check_addresses(n, field[n, "Cc"])
		printf "| [%d](#%d) | %s | %s | %s | %s |\n", n, n, field[n, "X-What"], field[n, "X-Where"],
			field[n, "X-Kernels"], field[n, "X-State"]
	}
	split("Kernel|Documentation of the kernel|procps|Manual pages", groups, "|")
	for (g = 1; g <= 4; g++) {
		printf "\n## %s\n", groups[g]
		for (i = 1; i <= nr; i++) {
			n = order[i]
			if (group(field[n, "X-Where"]) != groups[g])
				continue
			printf "\n<a id=\"%d\"></a>\n### %d. %s\n[findings/%s](findings/%s)\n\n%s", n, n,
				field[n, "Subject"], of[n], of[n], text[n]
		}
	}
	exit wrong
}
