// SPDX-License-Identifier: GPL-2.0-or-later
/* Cursors over dirents and xattr records, whatever the block holds. */
#include "../../libgfs/format/dirent.h"

#include "../../libgfs/base/error.h"
#include "t.h"

#include <stdlib.h>
#include <sys/stat.h>

#define BSIZE 512U
#define LEAF  104U

/* On the heap and no larger: a sanitizer sees every byte read too far. */
static char *new_block(void)
{
	char *block = calloc(1, BSIZE);

	if (!block)
		abort();
	return block;
}

static void put(char *block, uint32_t at, const char *name, uint32_t rec_len)
{
	const struct gfs_dirent_new n = {
		.name = name,
		.name_len = (uint32_t)strlen(name),
		.formal = 3,
		.addr = 20,
		.mode = S_IFDIR | 0755,
		.rec_len = rec_len,
	};

	gfs_dirent_fill(block + at, &n);
}

static void needs(void)
{
	T_EQ(gfs_dirent_need(1), 48);
	T_EQ(gfs_dirent_need(8), 48);
	T_EQ(gfs_dirent_need(9), 56);
	T_EQ(gfs_dirent_need(255), 296);
}

static void fill(void)
{
	/* Entry "." as mkfs writes it, format.md 4.2. */
	static const uint8_t want[48] = {
		0, 0,  0,    0,    0,    0,    0, 3,  0, 0, 0, 0, 0,   0,
		0, 20, 0x0E, 0xD4, 0xE2, 0x42, 0, 48, 0, 1, 0, 4, 0,   0,
		0, 0,  0,    0,    0,    0,    0, 0,  0, 0, 0, 0, '.',
	};
	char *block = new_block();

	memset(block, 0xEE, BSIZE);
	put(block, LEAF, ".", 48);
	T_OK(!memcmp(block + LEAF, want, sizeof(want)));
	T_EQ((uint8_t)block[LEAF + 48], 0xEE);
	free(block);
}

static void walk(void)
{
	struct gfs_dirent_iter it;
	struct gfs_dirent_view v;
	char *block = new_block();
	const char *why = NULL;

	put(block, LEAF, ".", 48);
	put(block, LEAF + 48, "..", 56);
	put(block, LEAF + 104, "a longer name", BSIZE - LEAF - 104);
	gfs_dirent_first(&it, block, BSIZE, LEAF);
	T_EQ(gfs_dirent_next(&it, &v, &why), 1);
	T_OK(v.name_len == 1 && v.name[0] == '.' && !v.sentinel);
	T_OK(v.offset == LEAF && v.rec_len == 48);
	T_EQ(be64_to_cpu(v.de->de_inum.no_addr), 20);
	T_EQ(gfs_dirent_next(&it, &v, &why), 1);
	T_EQ(gfs_dirent_next(&it, &v, &why), 1);
	T_OK(v.name_len == 13 && !memcmp(v.name, "a longer name", 13));
	T_EQ(gfs_dirent_next(&it, &v, &why), 0);
	T_EQ(gfs_dirent_next(&it, &v, &why), 0);
	free(block);
}

/* Result of the cursor after `set` bytes are written into a good block. */
static int first_result(uint32_t at, const void *bytes, size_t n,
			struct gfs_dirent_view *v)
{
	struct gfs_dirent_iter it;
	char *block = new_block();
	const char *why = NULL;
	int rc;

	put(block, LEAF, "name", BSIZE - LEAF);
	memcpy(block + LEAF + at, bytes, n);
	gfs_dirent_first(&it, block, BSIZE, LEAF);
	rc = gfs_dirent_next(&it, v, &why);
	if ((rc < 0) != (why != NULL))
		rc = -9999;
	free(block);
	return rc;
}

static void refused(void)
{
	struct gfs_dirent_view v;

	T_EQ(first_result(20, "\x01\x98", 2, &v), 1);
	T_EQ(first_result(20, "\0\0", 2, &v), -GFS_ECORRUPT);
	T_EQ(first_result(20, "\0\x20", 2, &v), -GFS_ECORRUPT);
	T_EQ(first_result(20, "\0\x28", 2, &v), -GFS_ECORRUPT);
	T_EQ(first_result(20, "\0\x34", 2, &v), -GFS_ECORRUPT);
	T_EQ(first_result(20, "\x01\xA0", 2, &v), -GFS_ECORRUPT);
	T_EQ(first_result(20, "\xFF\xF8", 2, &v), -GFS_ECORRUPT);
	T_EQ(first_result(22, "\0\0", 2, &v), -GFS_ECORRUPT);
	T_EQ(first_result(22, "\x01\0", 2, &v), -GFS_ECORRUPT);
	T_EQ(first_result(22, "\0\xFF", 2, &v), 1);
	T_EQ(first_result(20, "\0\x30\0\x09", 4, &v), -GFS_ECORRUPT);
	/* A sentinel: no inode, any name length. */
	T_EQ(first_result(7, "\0", 1, &v), 1);
	T_OK(v.sentinel && v.name_len == 4);
	T_EQ(first_result(7, "\0\0\0\0\0\0\0\0\x14\0\0\0\0\x01\x98\xFF\xFF", 17,
			  &v),
	     1);
	T_OK(v.sentinel && v.name_len == 0);
	T_EQ(first_result(15, "\0", 1, &v), 1);
	T_OK(v.sentinel);
}

#define EA 24U

static void put_ea(char *block, uint32_t at, const struct gfs2_ea_header *ea,
		   const char *name)
{
	memcpy(block + at, ea, sizeof(*ea));
	memcpy(block + at + sizeof(*ea), name, ea->ea_name_len);
}

static struct gfs2_ea_header ea_of(uint32_t rec_len, uint32_t data_len,
				   uint8_t num_ptrs, uint8_t flags)
{
	struct gfs2_ea_header ea = { .ea_name_len = 4, .ea_type = 1 };

	ea.ea_rec_len = cpu_to_be32(rec_len);
	ea.ea_data_len = cpu_to_be32(data_len);
	ea.ea_num_ptrs = num_ptrs;
	ea.ea_flags = flags;
	return ea;
}

static void ea_walk(void)
{
	struct gfs2_ea_header ea = ea_of(32, 5, 0, 0);
	struct gfs_ea_iter it;
	struct gfs_ea_view v;
	char *block = new_block();
	const char *why = NULL;

	put_ea(block, EA, &ea, "name");
	memcpy(block + EA + 20, "value", 5);
	ea = ea_of(BSIZE - EA - 32, 489, 2, GFS2_EAFLAG_LAST);
	put_ea(block, EA + 32, &ea, "long");
	gfs_ea_first(&it, block, BSIZE);
	T_EQ(gfs_ea_next(&it, &v, &why), 1);
	T_OK(!memcmp(v.name, "name", 4) && !memcmp(v.value, "value", 5));
	T_OK(!v.ptrs && v.data_len == 5 && v.name_len == 4 && !v.unused);
	T_EQ(gfs_ea_next(&it, &v, &why), 1);
	T_OK(!v.value && v.ptrs == block + EA + 32 + 24 && v.num_ptrs == 2);
	T_EQ(gfs_ea_next(&it, &v, &why), 0);
	free(block);
}

static int ea_result(const struct gfs2_ea_header *ea, unsigned int count)
{
	struct gfs_ea_iter it;
	struct gfs_ea_view v;
	char *block = new_block();
	const char *why = NULL;
	int rc = 1;

	put_ea(block, EA, ea, "name");
	gfs_ea_first(&it, block, BSIZE);
	while (rc > 0 && count--)
		rc = gfs_ea_next(&it, &v, &why);
	if ((rc < 0) != (why != NULL))
		rc = -9999;
	free(block);
	return rc;
}

static int ea_one(uint32_t rec_len, uint32_t data_len, uint8_t num_ptrs)
{
	struct gfs2_ea_header ea =
		ea_of(rec_len, data_len, num_ptrs, GFS2_EAFLAG_LAST);

	return ea_result(&ea, 1);
}

static void ea_refused(void)
{
	const uint32_t all = BSIZE - EA;
	struct gfs2_ea_header ea = ea_of(all, 70000, 9, GFS2_EAFLAG_LAST);

	T_EQ(ea_one(all, 468, 0), 1);
	T_EQ(ea_one(all, 469, 0), -GFS_ECORRUPT);
	T_EQ(ea_one(all, UINT32_MAX, 0), -GFS_ECORRUPT);
	T_EQ(ea_one(all, 488, 1), 1);
	T_EQ(ea_one(all, 489, 1), -GFS_ECORRUPT);
	T_EQ(ea_one(all, 488, 58), 1);
	T_EQ(ea_one(all, 488, 59), -GFS_ECORRUPT);
	T_EQ(ea_one(0, 1, 0), -GFS_ECORRUPT);
	T_EQ(ea_one(8, 1, 0), -GFS_ECORRUPT);
	T_EQ(ea_one(36, 1, 0), -GFS_ECORRUPT);
	T_EQ(ea_one(all + 8, 1, 0), -GFS_ECORRUPT);
	T_EQ(ea_one(UINT32_MAX - 7, 1, 0), -GFS_ECORRUPT);

	/* An unused record: its other fields are stale. */
	T_EQ(ea_result(&ea, 1), -GFS_ECORRUPT);
	ea.ea_type = GFS2_EATYPE_UNUSED;
	T_EQ(ea_result(&ea, 1), 1);
	T_EQ(ea_result(&ea, 2), 0);
	/* The mark of the last record: missing, or early. */
	ea.ea_flags = 0;
	T_EQ(ea_result(&ea, 1), 1);
	T_EQ(ea_result(&ea, 2), -GFS_ECORRUPT);
	ea.ea_flags = GFS2_EAFLAG_LAST;
	ea.ea_rec_len = cpu_to_be32(32);
	T_EQ(ea_result(&ea, 1), 1);
	T_EQ(ea_result(&ea, 2), -GFS_ECORRUPT);

	T_STR(gfs_ea_prefix(1), "user.");
	T_STR(gfs_ea_prefix(2), "system.");
	T_STR(gfs_ea_prefix(3), "security.");
	T_STR(gfs_ea_prefix(4), "trusted.");
	T_OK(!gfs_ea_prefix(0) && !gfs_ea_prefix(5));
}

/* Everything a view names lies inside the block; walks end. */
static bool inside(const char *block, const char *at, uint64_t len)
{
	return !at || (at >= block && len <= BSIZE &&
		       (uint64_t)(at - block) <= BSIZE - len);
}

static bool random_block(char *block)
{
	struct gfs_dirent_iter it;
	struct gfs_dirent_view d;
	struct gfs_ea_iter ei;
	struct gfs_ea_view e;
	const char *why;
	unsigned int steps = 0;
	bool ok = true;

	gfs_dirent_first(&it, block, BSIZE, LEAF);
	while (gfs_dirent_next(&it, &d, &why) > 0 && ++steps < 100)
		ok = ok && inside(block, d.name, d.name_len);
	gfs_ea_first(&ei, block, BSIZE);
	while (gfs_ea_next(&ei, &e, &why) > 0 && ++steps < 200) {
		if (e.unused)
			continue;
		ok = ok && inside(block, e.name, e.name_len) &&
		     inside(block, e.value, e.data_len) &&
		     inside(block, e.ptrs, 8ULL * e.num_ptrs);
	}
	return ok && steps < 100;
}

static void fuzz(void)
{
	char *block = new_block();
	bool ok = true;

	srandom(7);
	for (unsigned int round = 0; round < 20000; round++) {
		/* Small numbers, so that chains go on for a while. */
		for (unsigned int i = 0; i < BSIZE; i++)
			block[i] = (char)(random() % 4 ? 0 : random() % 100);
		for (unsigned int i = LEAF; i < BSIZE; i += 8) {
			block[i + 20 < BSIZE ? i + 20 : i] = 0;
			if (i + 21 < BSIZE)
				block[i + 21] = (char)(8 * (random() % 12));
		}
		ok = ok && random_block(block);
	}
	T_NAMED(ok, "random blocks: views inside, walks end");
	free(block);
}

int main(void)
{
	needs();
	fill();
	walk();
	refused();
	ea_walk();
	ea_refused();
	fuzz();
	return t_done();
}
