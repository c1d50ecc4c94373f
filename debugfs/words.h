/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a command line is taken apart: words, quotes, numbers, subscripts. */
#ifndef DBG_WORDS_H
#define DBG_WORDS_H

#include "../libgfs/base/base.h"

/*
 * Split line in place into words at blanks. 'single quotes' are literal; in
 * "double quotes" and outside a backslash takes the next character as it is,
 * \xNN stands for a byte (not NUL). A # where a word could begin starts a
 * comment. Returns the number of words, -EINVAL (open quote, bad \x) or
 * -E2BIG (more than max).
 */
int dbg_words(char *line, char **words, int max) GFS_MUST;

/*
 * Join "rg 3" to one word and drop the word "block" in front of a number, so
 * that addresses of two words are arguments like any other. Works in place on
 * words of dbg_words(); returns the new number of words.
 */
int dbg_join_addresses(char **words, int n);

/*
 * A whole word as a number: decimal or 0x hexadecimal, in angle brackets or
 * not. -EINVAL, -ERANGE.
 */
int dbg_number(const char *text, uint64_t *value) GFS_MUST;

/*
 * Is text "name[N]" with nothing behind? *n is set. N as in dbg_number().
 */
bool dbg_subscript(const char *text, const char *name, uint64_t *n);

/* Does text begin with "N."? *n and *rest (behind the point) are set. */
bool dbg_record_prefix(const char *text, uint64_t *n, const char **rest);

#endif
