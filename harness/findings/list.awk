# SPDX-License-Identifier: MIT
#
# results/FINDINGS.md of results/findings/*/mail.txt: awk -f list.awk results/findings/*/mail.txt
# A mail's own header lines X-What, X-Where, X-Kernels and X-State are the row of the table.

function number(path) { sub("/mail.txt$", "", path); sub(".*/", "", path); return path + 0 }
function folder(path) { sub("/mail.txt$", "", path); sub(".*/", "", path); return path }
function group(where) {
	return where ~ /^kernel/ ? "Kernel" : where ~ /proc.rst|ABI/ ? "Documentation of the kernel" :
		where ~ /procps/ ? "procps" : "Manual pages"
}

# An address is one that can be written to, and a quote that begins ends: "Name (Team)" <name@example.org>.
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
	print "What is wrong, not only lagging, in a kernel, a tool or a document. Each finding is a folder of [findings](findings):"
	print "`mail.txt`, which a person can send, `repro.c`, which shows it without rssck (exit status 0 right, 1 wrong, 4 cannot"
	print "tell), and, where no fix is upstream, `fix.patch` against 7.3.4, which a person signs: all built and booted together, and"
	print "compared with the same kernel without, case by case and by the atlas: [patched.tsv](findings/patched.tsv). 36 and 39 are"
	print "documentation. Open and without a patch are 49, which 7.0 no longer has, and 53, of 6.6.y."
	print "[kernels.tsv](findings/kernels.tsv) says on which kernels each program says what; `make check-findings` compares. Kernel"
	print "functions are those of 7.3.4. What documents say, sentence by sentence and kernel by kernel, is in"
	print "[DOCUMENTS.md](DOCUMENTS.md).\n"
	print "To send first: 51, 47, 26, 40, 41 with 44, 37, 30, 27; to stable 54, 50, 48 and 53.\n"
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
