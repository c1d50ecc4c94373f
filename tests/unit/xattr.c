// SPDX-License-Identifier: GPL-2.0-or-later
/* Extended attributes built by hand in all three shapes, sound and broken. */
#include "t.h"

#include "../../libgfs/fs/xattr.h"
#include "lib/volume.h"

#include <stdlib.h>
#include <sys/stat.h>

enum { BS = 512, BLOCKS = 1000, DI = 200, EA = 300, ED = 400, JBSIZE = 488 };

static struct volume v;
static uint64_t block[BS / 8];

static struct gfs_inode *inode(uint64_t eattr, uint32_t flags)
{
	struct gfs2_dinode *di = volume_dinode(&v, block, DI, S_IFREG | 0600);
	struct gfs_inode *ip;

	di->di_eattr = cpu_to_be64(eattr);
	di->di_flags = cpu_to_be32(flags);
	volume_write(&v, DI, block);
	if (gfs_inode_get(v.fs, DI, &ip)) {
		printf("Bail out! inode: %s\n", v.err.text);
		exit(1);
	}
	return ip;
}

static void begin_ea(void)
{
	memset(block, 0, sizeof(block));
	put_header(block, GFS2_METATYPE_EA);
}

struct record {
	uint32_t at, rec_len, data_len;
	uint8_t type, flags, num_ptrs;
	const char *name;
};

/* A record at its place in `block`; the value of a stuffed one is its name. */
static void put_record(const struct record *r)
{
	struct gfs2_ea_header *ea = (struct gfs2_ea_header *)
		((char *)block + r->at);
	size_t n = strlen(r->name);

	*ea = (struct gfs2_ea_header){
		.ea_rec_len = cpu_to_be32(r->rec_len),
		.ea_data_len = cpu_to_be32(r->data_len),
		.ea_name_len = (uint8_t)n,
		.ea_type = r->type,
		.ea_flags = r->flags,
		.ea_num_ptrs = r->num_ptrs,
	};
	memcpy(ea + 1, r->name, n);
	if (!r->num_ptrs)
		memcpy((char *)(ea + 1) + n, r->name,
		       r->data_len < n ? r->data_len : n);
}

/* "name=length name=length", "!" for an error. */
static const char *list(struct gfs_inode *ip)
{
	static char text[2000];
	struct gfs_xattr_iter *it;
	struct gfs_xattr x;
	int rc;

	text[0] = '\0';
	if (gfs_xattr_open(&it, ip)) {
		gfs_inode_put(ip);
		return "no cursor";
	}
	while ((rc = gfs_xattr_next(it, &x)) != 0 && strlen(text) < 1000) {
		char one[300];

		snprintf(one, sizeof(one), "%s%s=%zu", text[0] ? " " : "",
			 rc < 0 ? "!" : x.name, rc < 0 ? (size_t)0 : x.len);
		strcat(text, one);
	}
	gfs_xattr_close(it);
	gfs_inode_put(ip);
	return text;
}

static void test_stuffed(void)
{
	struct gfs_xattr_iter *it;
	struct gfs_xattr x;
	struct gfs_inode *ip;

	T_STR(list(inode(0, 0)), "");
	begin_ea();
	put_record(&(struct record){ 24, 48, 3, 1, 0, 0, "abc" });
	put_record(&(struct record){ 72, 40, 0, 4, 0, 0, "t" });
	put_record(&(struct record){ 112, 40, 9, 0, 0, 1, "gone" });
	put_record(&(struct record){ 152, 40, 2, 2, 0, 0, "posix" });
	put_record(&(struct record){ 192, 320, 4, 3, 1, 0, "selinux" });
	volume_write(&v, EA, block);
	T_STR(list(inode(EA, 0)),
	      "user.abc=3 trusted.t=0 system.posix=2 security.selinux=4");
	ip = inode(EA, 0);
	T_EQ(gfs_xattr_open(&it, ip), 0);
	T_EQ(gfs_xattr_next(it, &x), 1);
	T_EQ(x.type, GFS2_EATYPE_USR);
	T_OK(x.len == 3 && !memcmp(x.value, "abc", 3));
	gfs_xattr_close(it);
	gfs_inode_put(ip);
}

/* 1000 bytes: three blocks of up to 488, at places out of order. */
static void put_big(void)
{
	static const uint64_t at[] = { ED + 5, ED, ED + 9 };

	for (uint32_t i = 0; i < 3; i++) {
		memset(block, 'a' + (int)i, sizeof(block));
		put_header(block, GFS2_METATYPE_ED);
		volume_write(&v, at[i], block);
	}
	begin_ea();
	put_record(&(struct record){ 24, 488, 1000, 1, 1, 3, "big" });
	for (uint32_t i = 0; i < 3; i++)
		put64(block, 24 + 24 + 8 * i, at[i]);
	volume_write(&v, EA, block);
}

static void test_unstuffed(void)
{
	struct gfs_xattr_iter *it;
	struct gfs_xattr x;
	struct gfs_inode *ip;
	const char *value;

	put_big();
	ip = inode(EA, 0);
	T_EQ(gfs_xattr_open(&it, ip), 0);
	T_EQ(gfs_xattr_next(it, &x), 1);
	T_STR(x.name, "user.big");
	T_EQ(x.len, 1000);
	value = x.value;
	T_OK(value[0] == 'a' && value[JBSIZE - 1] == 'a');
	T_OK(value[JBSIZE] == 'b' && value[2 * JBSIZE - 1] == 'b');
	T_OK(value[2 * JBSIZE] == 'c' && value[999] == 'c');
	T_EQ(gfs_xattr_next(it, &x), 0);
	T_EQ(gfs_xattr_next(it, &x), 0);
	gfs_xattr_close(it);
	gfs_inode_put(ip);
}

static void test_indirect(void)
{
	begin_ea();
	put_record(&(struct record){ 24, 488, 1, 1, 1, 0, "second" });
	volume_write(&v, EA + 1, block);
	memset(block, 0, sizeof(block));
	put_header(block, GFS2_METATYPE_IN);
	put64(block, 24, EA);
	put64(block, 32, EA + 1);
	put64(block, 48, EA); /* behind the end of the list */
	volume_write(&v, EA + 2, block);
	T_STR(list(inode(EA + 2, GFS2_DIF_EA_INDIRECT)),
	      "user.big=1000 user.second=1");

	/* A list that is full to its last slot. */
	volume_read(&v, EA + 2, block);
	for (uint32_t i = 0; i < 61; i++)
		put64(block, 24 + 8 * i, EA + 1);
	volume_write(&v, EA + 2, block);
	T_EQ(strlen(list(inode(EA + 2, GFS2_DIF_EA_INDIRECT))),
	     61 * strlen("user.second=1 ") - 1);
}

static void test_damage(void)
{
	static const char *const after = "!=0 user.second=1";

	/* A lost value block, a bad EA block: what follows can be had. */
	put_big();
	volume_read(&v, EA, block);
	put64(block, 24 + 24 + 8, DI);
	volume_write(&v, EA, block);
	volume_read(&v, EA + 2, block);
	memset((char *)block + 24, 0, BS - 24);
	put64(block, 24, EA);
	put64(block, 32, EA + 1);
	volume_write(&v, EA + 2, block);
	T_STR(list(inode(EA + 2, GFS2_DIF_EA_INDIRECT)), after);
	T_EQ(v.err.blk, DI);
	put_big();
	volume_read(&v, EA, block);
	put64(block, 24 + 24, BLOCKS);
	volume_write(&v, EA, block);
	T_STR(list(inode(EA + 2, GFS2_DIF_EA_INDIRECT)), after);
	T_EQ(v.err.code, -GFS_EOUTSIDE);
	begin_ea();
	put_record(&(struct record){ 24, 0, 1, 1, 1, 0, "x" });
	volume_write(&v, EA, block);
	T_STR(list(inode(EA + 2, GFS2_DIF_EA_INDIRECT)), after);
	T_EQ(v.err.blk, EA);
	volume_write(&v, EA, memset(block, 0, sizeof(block)));
	T_STR(list(inode(EA + 2, GFS2_DIF_EA_INDIRECT)), after);
	T_STR(list(inode(EA, GFS2_DIF_EA_INDIRECT)), "no cursor");
	T_STR(list(inode(BLOCKS + 1, 0)), "!=0");
}

int main(void)
{
	if (!volume_bare(&v, BS, BLOCKS))
		return 1;
	test_stuffed();
	test_unstuffed();
	test_indirect();
	test_damage();
	volume_close(&v);
	return t_done();
}
