// SPDX-License-Identifier: GPL-2.0-or-later
/* A program's option table: parsing, --help and --version from it. */
#include "cli.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEY_HELP 'h'
#define KEY_VERSION 'V'
#define HELP_COLUMN 28

static const struct cli_option standard[] = {
	{ KEY_HELP, "help", NULL, "show this text" },
	{ KEY_VERSION, "version", NULL, "show the version" },
};

/* What getopt_long() needs, built from the table. */
struct parser {
	const struct cli_program *prog;
	char *shorts;
	struct option *longs;
};

static int usage_exit = GFS_EXIT_USAGE;

int cli_failed_exit(void)
{
	return usage_exit == FSCK_EXIT_USAGE ? FSCK_EXIT_FAILED :
					       GFS_EXIT_FAILED;
}

static bool is_end(const struct cli_option *o)
{
	return !o->key && !o->name;
}

static size_t count_options(const struct cli_program *prog)
{
	size_t n = 0;

	while (!is_end(&prog->options[n]))
		n++;
	return n;
}

/* A program may take -h or -V for itself. */
static bool has_key(const struct cli_program *prog, int key)
{
	for (const struct cli_option *o = prog->options; !is_end(o); o++)
		if (o->key == key)
			return true;
	return false;
}

static void add_option(struct parser *p, const struct cli_option *o, size_t *nl)
{
	size_t len = strlen(p->shorts);

	if (o->key < 256) {
		p->shorts[len++] = (char)o->key;
		if (o->arg)
			p->shorts[len] = ':';
	}
	if (o->name)
		p->longs[(*nl)++] = (struct option){
			.name = o->name,
			.has_arg = o->arg ? required_argument : no_argument,
			.val = o->key,
		};
}

static void parser_init(struct parser *p, const struct cli_program *prog)
{
	size_t n = count_options(prog) + GFS_ARRAY_SIZE(standard);
	size_t nl = 0;

	p->prog = prog;
	p->shorts = cli_alloc(2 * n + 2);
	p->longs = cli_alloc((n + 1) * sizeof(*p->longs));
	/* A leading colon tells a missing argument from an unknown option. */
	p->shorts[0] = ':';
	for (const struct cli_option *o = prog->options; !is_end(o); o++)
		add_option(p, o, &nl);
	for (size_t i = 0; i < GFS_ARRAY_SIZE(standard); i++)
		if (!has_key(prog, standard[i].key))
			add_option(p, &standard[i], &nl);
}

static void help_option(const struct cli_option *o)
{
	bool is_short = o->key < 256;
	int n;

	if (!o->name)
		n = printf("  -%c%s%s", o->key, o->arg ? " " : "",
			   o->arg ? o->arg : "");
	else if (is_short)
		n = printf("  -%c, --%s%s%s", o->key, o->name,
			   o->arg ? "=" : "", o->arg ? o->arg : "");
	else
		n = printf("      --%s%s%s", o->name, o->arg ? "=" : "",
			   o->arg ? o->arg : "");
	if (n + 2 > HELP_COLUMN) {
		printf("\n");
		n = 0;
	}
	printf("%*s%s\n", HELP_COLUMN - n, "", o->help);
}

static void help(const struct cli_program *prog)
{
	printf("Usage: %s [OPTIONS]%s%s\n%s\n\nOptions:\n", prog->name,
	       prog->operands ? " " : "", prog->operands ? prog->operands : "",
	       prog->summary);
	for (const struct cli_option *o = prog->options; !is_end(o); o++)
		help_option(o);
	for (size_t i = 0; i < GFS_ARRAY_SIZE(standard); i++)
		if (!has_key(prog, standard[i].key))
			help_option(&standard[i]);
	if (prog->notes)
		printf("\n%s\n", prog->notes);
}

void cli_usage_hint(const struct cli_program *prog)
{
	if (prog->usage_hint)
		fprintf(stderr, "%s\n", prog->usage_hint);
	else
		fprintf(stderr, "Try '%s --help'.\n", prog->name);
}

/* Say what getopt_long() disliked: c is its answer. */
static int complain(const struct cli_program *prog, int c, char **argv)
{
	const char *word = argv[optind - 1];
	char letter[3] = { '-', (char)optopt, 0 };
	bool is_long = !strncmp(word, "--", 2);

	if (!is_long && !isprint((unsigned char)optopt))
		snprintf(letter, sizeof(letter), "-?");
	if (c == ':')
		cli_error("option '%s' needs an argument",
			  is_long ? word : letter);
	else if (is_long && optopt)
		cli_error("option '%.*s' takes no argument",
			  (int)strcspn(word, "="), word);
	else
		cli_error("unknown or ambiguous option '%s'",
			  is_long ? word : letter);
	cli_usage_hint(prog);
	return -EINVAL;
}

/* Give one parsed option to its owner. */
static int dispatch(const struct cli_program *prog, int c,
		    int (*fn)(void *ctx, int key, const char *arg), void *ctx)
{
	int rc;

	if (c == KEY_HELP && !has_key(prog, KEY_HELP)) {
		help(prog);
		exit(cli_close_stdout() ? cli_failed_exit() : 0);
	}
	if (c == KEY_VERSION && !has_key(prog, KEY_VERSION)) {
		printf("%s %s\n", prog->name, cli_version());
		exit(cli_close_stdout() ? cli_failed_exit() : 0);
	}
	rc = fn(ctx, c, optarg);
	return rc > 0 ? -EINVAL : rc;
}

int cli_parse(const struct cli_program *prog, int argc, char **argv,
	      int (*fn)(void *ctx, int key, const char *arg), void *ctx)
{
	struct parser p;
	int rc = 0;
	int c;

	/* Widths and names in tables; numbers keep the C locale's form. */
	setlocale(LC_CTYPE, "");
	cli_set_program(prog->name);
	usage_exit = prog->usage_exit;
	parser_init(&p, prog);
	opterr = 0;
	optind = 0; /* glibc: forget an earlier parse */
	while (!rc) {
		c = getopt_long(argc, argv, p.shorts, p.longs, NULL);
		if (c == -1)
			break;
		if (c == '?' || c == ':')
			rc = complain(prog, c, argv);
		else
			rc = dispatch(prog, c, fn, ctx);
	}
	free(p.shorts);
	free(p.longs);
	return rc ? rc : optind;
}
