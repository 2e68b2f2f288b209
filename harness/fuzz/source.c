// SPDX-License-Identifier: MIT
/* Prints a program as the source of a case. */
#include "shrink.h"
#include <inttypes.h>
#include <stdio.h>

static unsigned processes_of(const struct program *program)
{
	unsigned most = 0;

	for (unsigned i = 0; i < program->nr; i++)
		if (verbs[program->acts[i].verb].effect == EFFECT_FORK &&
		    program->acts[i].to > most)
			most = program->acts[i].to;
	return most;
}

static void print_both(const struct finding *f, FILE *out)
{
	if (f->d.rule == RULE_KERNEL_LOG)
		fprintf(out, "the kernel log: %s", f->d.text);
	else
		fprintf(out, "%s was %" PRId64 " instead of %" PRId64 " (%s)", f->d.metric,
			f->d.counter, f->d.precise, f->d.text);
}

void finding_print_case(const struct program *program, const struct finding *f, const char *id,
			FILE *out)
{
	char text[ACT_TEXT];

	fputs("// SPDX-License-Identifier: MIT\n/*\n * Found by rssck fuzz: ", out);
	print_both(f, out);
	fputs(".\n */\n#include <rssck/case.h>\n\n", out);
	fprintf(out,
		"CASE(%s) {\n\t.claim = \"After each of these steps all numbers agree with each "
		"other and with the page tables\",\n\t.because = \"A random program has shown that ",
		id);
	print_both(f, out);
	fputs("\",\n\t.said_by = SAID_BY(\"proc_pid_status(5)\", \"proc_pid_smaps(5)\"),\n", out);
	if (processes_of(program))
		fprintf(out, "\t.processes = %u,\n", processes_of(program));
	fputs("\t.steps = STEPS(\n", out);
	for (unsigned i = 0; i < program->nr; i++) {
		struct act a = program->acts[i];
		unsigned process = a.process;

		a.process = 0;
		fprintf(out, "\t\tACT(%u, \"%s\")%s\n", process, act_print(&a, text),
			i + 1 < program->nr ? "," : "),");
	}
	fputs("};\n", out);
}
