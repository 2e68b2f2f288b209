// SPDX-License-Identifier: MIT
/* The style sheet and the script of the course, included unchanged from their files. */
extern const char course_css[], course_js[];

#define ASSET(name, file)                         \
	__asm__(".pushsection .rodata\n"          \
		".global " #name "\n" #name ":\n" \
		".incbin \"" file "\"\n"          \
		".byte 0\n"                       \
		".popsection\n")

ASSET(course_css, "harness/course/course.css");
ASSET(course_js, "harness/course/course.js");
