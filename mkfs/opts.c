// SPDX-License-Identifier: GPL-2.0-or-later
/* Options of mkfs.gfs2, one row each, and the rules between them. */
#include "opts.h"

#include "../libgfs/base/cli.h"
#include "../libgfs/format/verify.h"
#include "plan.h"

#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <uuid/uuid.h>

static const struct cli_option options[] = {
	{ 'b', NULL, "BYTES", "block size, 512 to the page size" },
	{ 'c', NULL, "MB", "size of each quota change file, 1 to 64" },
	{ 'D', NULL, NULL, "print what is decided on the way" },
	{ 'J', NULL, "MB", "size of each journal, 8 to 1024" },
	{ 'j', NULL, "NUMBER", "journals: one for each node (1)" },
	{ 'K', NULL, NULL, "do not discard the device's blocks" },
	{ 'O', NULL, NULL, "do not ask for confirmation" },
	{ 'o', NULL, "LIST", "extended options, KEY[=VALUE],...; see -o help" },
	{ 'p', NULL, "PROTOCOL", "lock_dlm (default) or lock_nolock" },
	{ 'q', NULL, NULL, "print errors only" },
	{ 'r', NULL, "MB", "size of resource groups, 32 to 2048 (256)" },
	{ 't', NULL, "CLUSTER:FS", "lock table" },
	{ 'U', NULL, "UUID", "uuid, or random (default), or clear" },
	{ 0 },
};

static const struct cli_program program = {
	.name = "mkfs.gfs2",
	.summary = "Make a GFS2 filesystem on a device or in a file.",
	.operands = "DEVICE [SIZE]",
	.options = options,
	.notes = "SIZE is in filesystem blocks; suffixes k, m, g, t make it "
		 "bytes.\nExit status: 0 made, 1 failed, 255 refused.",
	.usage_exit = MKFS_EXIT_REFUSED,
	.usage_hint = "Please use '-h' for help.",
};

/* Options that are a number and nothing else. */
static const struct number_option {
	int key;
	size_t offset; /* of the value in struct mkfs_opts */
	struct mkfs_number number;
} numbers[] = {
	{ 'b', offsetof(struct mkfs_opts, bsize),
	  { "-b", 1, UINT32_MAX, "Block size must be a power of two between "
				 "512 and the page size" } },
	{ 'c', offsetof(struct mkfs_opts, quota_mb),
	  { "-c", 1, 64, "Bad quota change size" } },
	{ 'J', offsetof(struct mkfs_opts, journal_mb),
	  { "-J", MKFS_JOURNAL_MIN_MB, MKFS_JOURNAL_MAX_MB,
	    "Bad journal size" } },
	{ 'j', offsetof(struct mkfs_opts, journals),
	  { "-j", 1, UINT32_MAX / 4 - 4, "No journals specified" } },
	{ 'r', offsetof(struct mkfs_opts, rgrp_mb),
	  { "-r", MKFS_RGRP_MIN_MB, MKFS_RGRP_MAX_MB,
	    "Bad resource group size" } },
};

int mkfs_opts_number(const struct mkfs_number *n, const char *text,
		     uint64_t *value)
{
	int rc = cli_parse_u64(text, n->min, n->max, value);

	if (rc == -ERANGE)
		cli_error("%s: %s", n->refusal, text);
	else if (rc)
		cli_error("%s: not a number: '%s'", n->what, text);
	return rc;
}

static int set_number(struct mkfs_opts *o, const struct number_option *n,
		      const char *text)
{
	uint64_t *value = (uint64_t *)(void *)((char *)o + n->offset);

	if (text[0] == '-' && isdigit((unsigned char)text[1])) {
		if (n->key == 'j')
			cli_error("Number of journals cannot be negative: %s",
				  text);
		else
			cli_error("%s: %s", n->number.refusal, text);
		return -ERANGE;
	}
	return mkfs_opts_number(&n->number, text, value);
}

static int set_proto(struct mkfs_opts *o, const char *text)
{
	if (strcmp(text, "lock_dlm") && strcmp(text, "lock_nolock")) {
		cli_error("Invalid lock protocol: %s", text);
		return -EINVAL;
	}
	o->proto = text;
	return 0;
}

static int set_table(struct mkfs_opts *o, const char *text)
{
	const char *why;
	char bad = 0;

	if (!*text) {
		cli_error("Lock table is empty.");
		return -EINVAL;
	}
	why = gfs_verify_locktable(text, &bad);
	if (why) {
		if (isprint((unsigned char)bad))
			cli_error("Invalid lock table: %s '%c'", why, bad);
		else
			cli_error("Invalid lock table: %s", why);
		return -EINVAL;
	}
	o->table = text;
	return 0;
}

static int set_uuid(struct mkfs_opts *o, const char *text)
{
	if (!strcmp(text, "random")) {
		uuid_generate(o->uuid);
		return 0;
	}
	if (!strcmp(text, "clear")) {
		uuid_clear(o->uuid);
		return 0;
	}
	if (uuid_parse(text, o->uuid)) {
		cli_error("Failed to parse UUID option: '%s'", text);
		return -EINVAL;
	}
	return 0;
}

static int set_option(void *ctx, int key, const char *arg)
{
	struct mkfs_opts *o = ctx;

	for (size_t i = 0; i < GFS_ARRAY_SIZE(numbers); i++)
		if (numbers[i].key == key)
			return set_number(o, &numbers[i], arg);
	switch (key) {
	case 'D': o->debug = true; return 0;
	case 'K': o->discard = false; return 0;
	case 'O': o->ask = false; return 0;
	case 'o': return mkfs_opts_extended(o, arg);
	case 'p': return set_proto(o, arg);
	case 'q': o->quiet = true; return 0;
	case 't': return set_table(o, arg);
	case 'U': return set_uuid(o, arg);
	}
	return -EINVAL;
}

static int set_operands(struct mkfs_opts *o, int n, char **operands)
{
	/* Old wrappers pass the filesystem's type. */
	if (n && !strcmp(operands[0], "gfs2")) {
		operands++;
		n--;
	}
	if (!n) {
		cli_error("No device specified. Use -h for help");
		return -EINVAL;
	}
	o->device = operands[0];
	if (n == 1)
		return 0;
	if (n > 2 || !isdigit((unsigned char)operands[1][0])) {
		cli_error("More than one device specified (try -h for help)");
		return -EINVAL;
	}
	o->size = operands[1];
	return 0;
}

/* Rules between options. */
static int check_together(const struct mkfs_opts *o)
{
	if (!strcmp(o->proto, "lock_dlm") && !*o->table) {
		cli_error("No lock table specified.");
		return -EINVAL;
	}
	if (!o->sunit != !o->swidth) {
		cli_error("Stripe unit and stripe width must be specified "
			  "together");
		return -EINVAL;
	}
	return 0;
}

int mkfs_opts_parse(struct mkfs_opts *o, int argc, char **argv)
{
	int first;
	int rc;

	*o = (struct mkfs_opts){
		.journals = 1,
		.rgrp_mb = MKFS_RGRP_MB,
		.quota_mb = 1,
		.proto = "lock_dlm",
		.table = "",
		.format = GFS2_FORMAT_FS_MAX,
		.align = true,
		.ask = true,
		.discard = true,
	};
	uuid_generate(o->uuid);
	first = cli_parse(&program, argc, argv, set_option, o);
	if (first < 0)
		return first;
	rc = set_operands(o, argc - first, argv + first);
	return rc ? rc : check_together(o);
}

void mkfs_opts_fini(struct mkfs_opts *o)
{
	free(o->sunit);
	free(o->swidth);
	o->sunit = NULL;
	o->swidth = NULL;
}
