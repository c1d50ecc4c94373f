# SPDX-License-Identifier: GPL-2.0-or-later
# The kernel mounts what mkfs.gfs2 makes, and uses all of it.
load ../helpers
load uml

teardown() {
	uml_stop
}

# make NAME SIZE OPTION...: a volume, added to the list of images.
make() {
	local name=$1

	image "$2" "$name"
	shift 2
	"$mkfs" -q -O -p lock_nolock "$@" "$img"
	images+=("$img")
}

@test "every block size, stripes, hashed directories, all journals" {
	images=()
	make b512 40M -b 512 -j 2
	make b1024 60M -b 1024 -o sunit=65536,swidth=262144
	make b2048 60M -b 2048 -o root_inherit_jdata -c 3
	make b4096 64M -j 2 -t cluster:name
	make many 420M -j 23 -J 8
	run uml_run '
		for m; do
			set -e
			echo "$m: $(stat -f -c "%S %b %f %c %d" $m)"
			mkdir $m/dir
			dd if=/dev/urandom of=$m/dir/file bs=4096 count=500
			cp $m/dir/file $m/copy
			cmp $m/dir/file $m/copy
			ln $m/copy $m/link
			rm $m/dir/file
		done
		lsattr $3/copy
	' "${images[@]}"
	status_is 0
	has "--j----------- /mnt/c/copy"
	for img in "${images[@]}"; do
		peer_clean "$img"
	done
}

@test "a node can take the last journal" {
	images=()
	make last 100M -j 5 -J 8 -b 1024
	run uml_run -o hostdata=jid=4 'echo x >$1/file && cat $1/file' \
		"${images[@]}"
	status_is 0
	peer_clean "$img"
}

@test "the volume can be filled to its last block" {
	images=()
	make full 24M -b 4096
	run uml_run '
		cat /dev/zero >$1/file || :
		sync
		stat -f -c "free %f" $1
		rm $1/file
	' "${images[@]}"
	status_is 0
	has "No space left on device"
	[[ $output =~ free\ ([0-9]+) ]]
	[ "${BASH_REMATCH[1]}" -lt 100 ]
	peer_clean "$img"
}
