/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where command lines come from: a terminal, a pipe or a script. */
#ifndef DBG_PROMPT_H
#define DBG_PROMPT_H

#include "commands.h"

/*
 * Run commands from standard input until its end or quit: with a prompt,
 * history and completion on a terminal. Number of failed commands.
 */
int dbg_prompt(struct dbg *d) GFS_MUST;

/* Run the lines of a file ("-": standard input). Failed commands. */
int dbg_script(struct dbg *d, const char *path) GFS_MUST;

#endif
