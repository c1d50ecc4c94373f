// SPDX-License-Identifier: GPL-2.0-or-later
/* Scripts, and the prompt with history and completion. */
#include "prompt.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROMPT "debugfs: "

static int run_lines(struct dbg *d, FILE *in, const char *name)
{
	unsigned long number = 0;
	char *line = NULL;
	size_t size = 0;
	int failed = 0;

	while (!d->quit && getline(&line, &size, in) >= 0) {
		number++;
		if (!dbg_run_line(d, line))
			continue;
		cli_error("%s:%lu: the command failed", name, number);
		failed++;
	}
	if (ferror(in)) {
		cli_error("%s: %s", name, strerror(errno));
		failed++;
	}
	free(line);
	return failed;
}

int dbg_script(struct dbg *d, const char *path)
{
	FILE *in;
	int failed;

	if (!strcmp(path, "-"))
		return run_lines(d, stdin, "standard input");
	in = fopen(path, "r");
	if (!in) {
		cli_error("%s: %s", path, strerror(errno));
		return 1;
	}
	failed = run_lines(d, in, path);
	fclose(in);
	return failed;
}

#ifdef HAVE_LIBEDIT
#include <histedit.h>

static char *prompt_text(EditLine *el)
{
	static char text[] = PROMPT;

	(void)el;
	return text;
}

/* Insert what all commands that begin like the word have in common. */
static unsigned char complete(EditLine *el, int ch)
{
	const LineInfo *li = el_line(el);
	size_t len = (size_t)(li->cursor - li->buffer);
	const char *match = NULL;
	size_t common = 0;
	char rest[64];

	(void)ch;
	if (memchr(li->buffer, ' ', len))
		return CC_ERROR;
	for (const struct dbg_command *c = dbg_commands; c->name; c++) {
		size_t n = 0;

		if (strncmp(c->name, li->buffer, len))
			continue;
		if (!match) {
			match = c->name;
			common = strlen(match);
		}
		while (n < common && match[n] == c->name[n])
			n++;
		common = n;
	}
	if (!match || common <= len)
		return CC_ERROR;
	snprintf(rest, sizeof(rest), "%.*s%s", (int)(common - len),
		 match + len, match[common] ? "" : " ");
	return el_insertstr(el, rest) ? CC_ERROR : CC_REFRESH;
}

static void set_up(EditLine *el)
{
	el_set(el, EL_PROMPT, prompt_text);
	el_set(el, EL_EDITOR, "emacs");
	el_set(el, EL_ADDFN, "dbg-complete", "complete a command", complete);
	el_set(el, EL_BIND, "^I", "dbg-complete", NULL);
	el_set(el, EL_SIGNAL, 1);
}

static int prompt(struct dbg *d)
{
	EditLine *el = el_init("debugfs.gfs2", stdin, stdout, stderr);
	History *hist = el ? history_init() : NULL;
	const char *line;
	HistEvent ev;
	int failed = 0;
	int n;

	if (!hist)
		return run_lines(d, stdin, "standard input");
	history(hist, &ev, H_SETSIZE, 500);
	set_up(el);
	el_set(el, EL_HIST, history, hist);
	while (!d->quit && (line = el_gets(el, &n)) && n > 0) {
		if (line[strspn(line, " \t\n")])
			history(hist, &ev, H_ENTER, line);
		failed += dbg_run_line(d, line) != 0;
	}
	history_end(hist);
	el_end(el);
	return failed;
}
#else
static int prompt(struct dbg *d)
{
	char *line = NULL;
	size_t size = 0;
	int failed = 0;

	while (!d->quit) {
		fputs(PROMPT, stdout);
		fflush(stdout);
		if (getline(&line, &size, stdin) < 0)
			break;
		failed += dbg_run_line(d, line) != 0;
	}
	free(line);
	return failed;
}
#endif

int dbg_prompt(struct dbg *d)
{
	if (!isatty(STDIN_FILENO))
		return run_lines(d, stdin, "standard input");
	return prompt(d);
}
