// SPDX-License-Identifier: GPL-2.0-or-later
/* The directory hash by its known values. */
#include "../../libgfs/format/hash.h"

#include "t.h"

int main(void)
{
	T_EQ(gfs_dir_hash(".", 1), 0x0ED4E242);
	T_EQ(gfs_dir_hash("..", 2), 0x9608161C);
	T_EQ(gfs_dir_hash("f", 1), 0x76D32BE0);
	T_EQ(gfs_dir_hash("journal0", 8), 0xFC7745EB);
	T_EQ(gfs_dir_hash("journal0 and more", 8), 0xFC7745EB);
	T_EQ(gfs_dir_hash("", 0), 0);

	T_EQ(gfs_dir_index(0xFC7745EB, 0), 0);
	T_EQ(gfs_dir_index(0xFC7745EB, 1), 1);
	T_EQ(gfs_dir_index(0xFC7745EB, 5), 0x1F);
	T_EQ(gfs_dir_index(0xFC7745EB, 8), 0xFC);
	T_EQ(gfs_dir_index(0xFC7745EB, 17), 0xFC7745EB >> 15);
	T_EQ(gfs_dir_index(0xFC7745EB, 32), 0xFC7745EB);
	return t_done();
}
