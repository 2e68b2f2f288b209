// SPDX-License-Identifier: MIT
/* rssck demo --plot: draws the recorded curves. */
#include "plot/plot.h"
#include "cmd/line/command.h"
#include "cmd/line/sink.h"
#include "demo.h"
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static void terminal_size(struct plot *p)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || size.ws_col < 40 || size.ws_row < 16)
		return;
	/* Leaves one line of the terminal free for the prompt. */
	p->width = size.ws_col - 1;
	p->height = size.ws_row - 1 < 40 ? size.ws_row - 1 : 40;
}

static int draw(const struct plot *p, const char *path)
{
	enum plot_format format = !path                               ? PLOT_TERMINAL
				  : strstr(strrchr(path, '.'), "svg") ? PLOT_SVG
								      : PLOT_PNG;
	struct sink sink;
	char why[512];

	if (sink_open(&sink, path, why, sizeof(why)))
		return trouble("%s", why);
	if (plot_curves(p, format, sink.out, why, sizeof(why))) {
		sink_drop(&sink);
		return trouble("%s", why);
	}
	if (sink_close(&sink, fflush(sink.out), why, sizeof(why)))
		return trouble("%s", why);
	return EXIT_HOLDS;
}

int demo_plot(const struct demo_options *o, const struct results *r, const char *kernel)
{
	char title[160], models[200];

	plot_models(&r->models, models, sizeof(models));
	if (!r->nr_curves)
		return trouble("no curve was recorded");
	/* A file gets only one curve: the case's curve, or else the staircase. */
	for (size_t i = o->plot_file ? r->nr_curves - 1 : 0; i < r->nr_curves; i++) {
		struct plot p = { .title = plot_title(kernel, &r->curves[i], title, sizeof(title)),
				  .subtitle = models,
				  .curve = &r->curves[i],
				  .page_size = r->page_size };
		int status;

		terminal_size(&p);
		if (o->plot_file)
			p.width = p.height = 0;
		status = draw(&p, o->plot_file);
		if (status != EXIT_HOLDS)
			return status;
	}
	return EXIT_HOLDS;
}
