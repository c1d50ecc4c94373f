#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# fill.sh DIR [SCALE]: one of everything that GFS2 can hold, in a fixed
# pattern. Runs in the guest, where a process costs 10 ms: loops use builtins.
set -eu
cd "$1"
scale=${2:-1}

# Sizes at the edges of a stuffed inode and of a block, every block size.
sizes() {
	local n bs i

	mkdir sizes
	seq 1 20000 >sizes/source
	for bs in 512 1024 2048 4096; do
		for i in -233 -232 -231 -1 0 1; do
			n=$((bs + i))
			dd if=sizes/source of=sizes/$n bs=$n count=1 status=none
		done
	done
	: >sizes/0
}

# Trees of height 1, 2, 3; holes at either end and in between.
large() {
	local i

	mkdir large sparse
	seq 1 $((300000 * scale)) >large/three
	seq 1 6000 >large/two
	dd if=large/three of=sparse/middle bs=4096 count=3 seek=900 status=none
	dd if=large/three of=sparse/far bs=512 count=1 seek=131072 status=none
	for i in 0 3 5 40 300; do
		dd if=large/two of=sparse/dots bs=1000 count=1 \
			seek=$i conv=notrunc status=none
	done
	truncate -s 20000000 sparse/far
	truncate -s 12345 sparse/empty
	# Past what can be read whole: only its metadata is compared.
	mkdir huge
	dd if=large/two of=huge/1T bs=4096 count=1 seek=268435455 status=none
}

# Directories: empty, wide enough for hashing at each block size, deep.
dirs() {
	local i path=deep name

	mkdir empty wide wider deep
	for ((i = 0; i < 200 * scale; i++)); do
		echo "$i" >"wide/file number $i"
	done
	name=$(printf '%0200d' 0)
	for ((i = 0; i < 300 * scale; i++)); do
		: >"wider/$name$i"
	done
	for ((i = 0; i < 300 * scale; i += 3)); do
		rm_list+=("wider/$name$i")
	done
	rm "${rm_list[@]}"
	for ((i = 0; i < 40; i++)); do
		path=$path/$i
	done
	mkdir -p $path
	echo bottom >$path/file
	printf 'x' >"wide/$(printf '%0255d' 7)"
	printf 'x' >"wide/ünï çödé \"quotes\" \$x"
}

links() {
	mkdir links
	echo one >links/a
	ln links/a links/b
	ln links/a wide/c
	ln -s a links/short
	ln -s "$(printf '%0250d' 5)" links/long
	ln -s /nowhere links/dangling
	mkfifo links/fifo
	mknod links/null c 1 3
	mknod links/loop b 7 300
	chmod 4750 links/b
	chown 1000:70000 links/b
	chmod 1777 empty
}

# Inline, one block, several blocks, indirect; ACLs are xattrs of their own.
xattrs() {
	local i big

	mkdir xattrs
	echo x >xattrs/small
	echo x >xattrs/many
	echo x >xattrs/big
	big=$(printf '%060000d' 1)
	touch xattrs/biggest
	setfattr -n user.small -v value xattrs/small
	setfattr -n trusted.only -v root xattrs/small
	setfattr -n user.empty xattrs/small
	for i in 1 2 3 4 5 6 7 8 9; do
		setfattr -n user.number$i -v "${big:0:i * 300}" xattrs/many
	done
	setfattr -n user.big -v "${big:0:24000}" xattrs/big
	# Too much for a block of 512: one block must hold all pointers.
	setfattr -n user.biggest -v "$big" xattrs/biggest 2>&- || :
	setfattr -n user.also -v "${big:0:5000}" xattrs/big
	setfattr -n user.gone -v "${big:0:20000}" xattrs/small
	setfattr -x user.gone xattrs/small
	mkdir xattrs/acl
	setfacl -m u:1000:rw,g:100:r,u:2000:r xattrs/small
	setfacl -d -m u:1000:rwx,g:100:rx xattrs/acl
	echo x >xattrs/acl/inherits
	mkdir xattrs/acl/dir
}

# Data that goes through the journal, some of it like a log header.
jdata() {
	mkdir jdata
	chattr +j jdata
	cp large/two jdata/two
	printf '\x01\x16\x19\x70\x00\x00\x00\x08%05000d' 5 >jdata/magic
	cp jdata/magic sizes/magic
	: >jdata/later
	chattr +j large/two
	cat large/two >>large/two.new
	chattr +i xattrs/big
	chattr +a links/a
}

rm_list=()
sizes
large
dirs
links
xattrs
jdata
