// SPDX-License-Identifier: MIT
/* The style sheets and the scripts of the HTML page, included unchanged from their files. */
#include "private.h"

#define ASSET(name, file)                         \
	__asm__(".pushsection .rodata\n"          \
		".global " #name "\n" #name ":\n" \
		".incbin \"" file "\"\n"          \
		".byte 0\n"                       \
		".popsection\n")

ASSET(html_css, "harness/page/report.css");
ASSET(html_css_of_pictures, "harness/page/pictures.css");
ASSET(html_css_of_tables, "harness/page/tables.css");
ASSET(html_css_of_atlas, "harness/page/atlas.css");
ASSET(html_js, "harness/page/report.js");
ASSET(html_js_of_atlas, "harness/page/atlas.js");
