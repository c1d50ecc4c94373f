// SPDX-License-Identifier: GPL-2.0-or-later
/* Verifiers of rindex entries and of lock tables. */
#include "../../libgfs/format/verify.h"

#include "t.h"

static struct gfs_geom g;

static struct gfs2_rindex rindex_of(uint64_t addr, uint32_t length,
				    uint32_t data)
{
	struct gfs2_rindex ri = { 0 };

	ri.ri_addr = cpu_to_be64(addr);
	ri.ri_length = cpu_to_be32(length);
	ri.ri_data0 = cpu_to_be64(addr + length);
	ri.ri_data = cpu_to_be32(data);
	ri.ri_bitbytes = cpu_to_be32(data / 4);
	return ri;
}

static const char *rindex_flaw(uint64_t addr, uint32_t length, uint32_t data)
{
	struct gfs2_rindex ri = rindex_of(addr, length, data);
	struct gfs_flaw flaw = gfs_verify_rindex(&g, &ri);

	return flaw.why ? flaw.field->name : "sane";
}

static void rindex_entries(void)
{
	struct gfs2_rindex ri;

	T_EQ(gfs_geom_init(&g, 4096), 0);
	T_STR(rindex_flaw(17, 1, 15872), "sane");
	T_STR(rindex_flaw(17, 1, 15876), "ri_length");
	T_STR(rindex_flaw(17, 2, 15872), "ri_length");
	T_STR(rindex_flaw(17, 2, 15876), "sane");
	T_STR(rindex_flaw(17, 2, 32160), "sane");
	T_STR(rindex_flaw(17, 2, 32164), "ri_length");
	T_STR(rindex_flaw(0, 1, 400), "ri_addr");
	T_STR(rindex_flaw(17, 0, 400), "ri_length");
	T_STR(rindex_flaw(17, 1, 0), "ri_length");
	T_STR(rindex_flaw(17, 1, 402), "ri_data");
	T_STR(rindex_flaw(UINT64_MAX, 1, 400), "ri_data0");
	T_STR(rindex_flaw(17, UINT32_MAX, UINT32_MAX - 3), "ri_length");
	ri = rindex_of(17, 1, 400);
	ri.ri_bitbytes = cpu_to_be32(400);
	T_STR(gfs_verify_rindex(&g, &ri).field->name, "ri_bitbytes");
	ri = rindex_of(17, 1, 400);
	ri.ri_data0 = cpu_to_be64(19);
	T_STR(gfs_verify_rindex(&g, &ri).field->name, "ri_data0");
	memset(ri.ri_reserved, 0xFF, sizeof(ri.ri_reserved));
	ri.ri_data0 = cpu_to_be64(18);
	T_OK(!gfs_verify_rindex(&g, &ri).why);
}

static void locktable(void)
{
	char bad = 'x';

	T_OK(!gfs_verify_locktable("cluster:fs", &bad));
	T_EQ(bad, 0);
	T_OK(!gfs_verify_locktable("a-b_9:Z", NULL));
	T_OK(!gfs_verify_locktable("12345678901234567890123456789012:"
				   "123456789012345678901234567890",
				   &bad));
	T_STR(gfs_verify_locktable("", &bad), "lock table is empty");
	T_STR(gfs_verify_locktable("a/b:c", &bad), "invalid character");
	T_EQ(bad, '/');
	T_STR(gfs_verify_locktable("a:b c", &bad), "invalid character");
	T_EQ(bad, ' ');
	T_STR(gfs_verify_locktable("abc", &bad), "missing colon");
	T_STR(gfs_verify_locktable("a:b:c", &bad),
	      "contains more than one colon");
	T_STR(gfs_verify_locktable(":fs", &bad), "cluster name is missing");
	T_STR(gfs_verify_locktable("a:", &bad), "file system name is missing");
	T_STR(gfs_verify_locktable("123456789012345678901234567890123:f", &bad),
	      "cluster name is too long");
	T_STR(gfs_verify_locktable("a:1234567890123456789012345678901", &bad),
	      "file system name is too long");
}

int main(void)
{
	rindex_entries();
	locktable();
	return t_done();
}
