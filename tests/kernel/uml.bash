# SPDX-License-Identifier: GPL-2.0-or-later
# The real GFS2 driver as a process (user-mode-linux), for bats files.
#
#   uml_run [-o OPTS] [-t SECONDS] SCRIPT IMAGE...
#   uml_crash [-o OPTS] DELAY SCRIPT IMAGE...
#
# boot a kernel with the images as ubda, ubdb..., mounted on /mnt/a, /mnt/b...
# SCRIPT is shell text, run with these mount points as $1, $2... and in its
# environment SHARE, a folder it can write that is $UML_SHARE here, and K,
# the folder tests/kernel, and H, the folder of compiled helpers.
# uml_run returns the script's status, or 122 when the kernel complained in
# its log, 123 if a volume would not unmount, 124 on a hang or panic, 125 if
# a volume did not mount. uml_crash kills the guest DELAY seconds after the
# script has started, as a power cut would: what was written is in the image
# and the rest is lost. Both print the console; it is in $UML_SHARE/console.
#
# A file that uses this calls uml_stop in its teardown.

K=$ROOT/tests/kernel
UML_TIME=${UML_TIME:-120}
UML_MEM=${UML_MEM:-256M}
uml_pid=

# Kills what runs, the whole session: guest, its I/O thread, its processes.
uml_stop() {
	[ -n "$uml_pid" ] || return 0
	kill -KILL -- "-$uml_pid" 2>/dev/null || :
	wait "$uml_pid" 2>/dev/null || :
	uml_pid=
}

# uml_start OPTS SCRIPT IMAGE...: boots in the background.
uml_start() {
	local opts=$1 script=$2 disks='' letters=abcdefgh letter image
	local -a ubd=()

	shift 2
	for image; do
		letter=${letters:${#ubd[@]}:1}
		disks=$disks${disks:+,}$letter
		ubd+=("ubd${#ubd[@]}=$(realpath "$image")")
	done
	UML_SHARE=${BATS_TEST_TMPDIR:-$BATS_FILE_TMPDIR}/share
	mkdir -p "$UML_SHARE/uml"
	rm -f "$UML_SHARE/status"
	printf 'K=%s\nH=%s\n%s\n' "$K" "$BUILD/harness" "$script" \
		>"$UML_SHARE/job.sh"
	# bats listens on descriptor 3 until nobody has it open.
	LD_PRELOAD=$BUILD/harness/umlfp.so setsid linux.uml \
		mem="$UML_MEM" "${ubd[@]}" \
		root=/dev/root rootfstype=hostfs rootflags=/ ro \
		init="$K/init" uml_share="$UML_SHARE" uml_disks="$disks" \
		uml_opts="$opts" uml_dir="$UML_SHARE/uml/" \
		con=null con0=fd:0,fd:1 quiet \
		</dev/null >"$UML_SHARE/console" 2>&1 3>&- &
	uml_pid=$!
}

# uml_wait SECONDS: until the guest has ended; false when it had to be killed.
uml_wait() {
	local end=$((SECONDS + $1))

	while kill -0 "$uml_pid" 2>/dev/null; do
		if [ $SECONDS -ge "$end" ]; then
			echo "uml: killed after $1 s"
			uml_stop
			return 1
		fi
		sleep 0.05
	done
	uml_stop
}

uml_run() {
	local opts=acl,noatime limit=$UML_TIME rc=124

	while :; do
		case $1 in
		-o) opts=$2 ;;
		-t) limit=$2 ;;
		*) break ;;
		esac
		shift 2
	done
	uml_start "$opts" "$@"
	uml_wait "$limit" || :
	[ ! -e "$UML_SHARE/status" ] || rc=$(cat "$UML_SHARE/status")
	cat "$UML_SHARE/console"
	return "$rc"
}

# uml_crash: true when the guest was running the script until it was killed.
uml_crash() {
	local opts=acl,noatime delay end=$((SECONDS + 30)) rc=0

	if [ "$1" = -o ]; then
		opts=$2
		shift 2
	fi
	delay=$1
	shift
	uml_start "$opts" "$@"
	until grep -q '^uml: job starts' "$UML_SHARE/console"; do
		if [ $SECONDS -ge $end ] || ! kill -0 "$uml_pid" 2>/dev/null
		then
			uml_stop
			cat "$UML_SHARE/console"
			return 1
		fi
		sleep 0.02
	done
	sleep "$delay"
	kill -0 "$uml_pid" 2>/dev/null || rc=1
	uml_stop
	cat "$UML_SHARE/console"
	return $rc
}
