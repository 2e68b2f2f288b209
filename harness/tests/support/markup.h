// SPDX-License-Identifier: MIT
#ifndef RSSCK_MARKUP_H
#define RSSCK_MARKUP_H

/*
 * Reads the XML that a report may use: elements, attributes, text, CDATA, the predefined and the
 * numeric entities. Anything else is not well-formed and fails the test. Returns the number of
 * elements.
 */
unsigned markup_read(const char *text);

#endif
