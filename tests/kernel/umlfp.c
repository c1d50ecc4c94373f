// SPDX-License-Identifier: GPL-2.0-or-later
// Preloaded into user-mode-linux: makes it run on hosts with a larger CPU
// state than it knows.
//
// UML 6.1 keeps a guest's extended state (NT_X86_XSTATE) in a buffer of
// 2.7 KiB. With AMX the host's state has 11 KiB; reading a part of it works,
// but the host refuses to set a part (EFAULT), and UML's guest dies before
// its init has run. The buffer holds all that UML's guests use (x87, SSE,
// AVX, AVX-512, PKRU, at fixed offsets), so the refused request is done
// again with the rest of the state taken from the traced process.

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/types.h>
#include <sys/uio.h>

typedef long (*ptrace_fn)(enum __ptrace_request, ...);

/* The exported symbol that takes the place of libc's. */
long ptrace(enum __ptrace_request request, ...);

static ptrace_fn libc_ptrace(void)
{
	static ptrace_fn fn;

	if (!fn) {
		void *sym = dlsym(RTLD_NEXT, "ptrace");

		memcpy(&fn, &sym, sizeof(fn));
	}
	return fn;
}

static long set_wide(pid_t pid, void *type, const struct iovec *part)
{
	static char state[1 << 16];
	struct iovec all = { state, sizeof(state) };
	long rc;

	rc = libc_ptrace()(PTRACE_GETREGSET, pid, type, &all);
	if (rc)
		return rc;
	if (part->iov_len > all.iov_len) {
		errno = EFAULT;
		return -1;
	}
	memcpy(state, part->iov_base, part->iov_len);
	return libc_ptrace()(PTRACE_SETREGSET, pid, type, &all);
}

long ptrace(enum __ptrace_request request, ...)
{
	static int is_short;
	va_list ap;
	pid_t pid;
	void *addr, *data;
	long rc;

	va_start(ap, request);
	pid = va_arg(ap, pid_t);
	addr = va_arg(ap, void *);
	data = va_arg(ap, void *);
	va_end(ap);

	if (request != PTRACE_SETREGSET || addr != (void *)NT_X86_XSTATE)
		return libc_ptrace()(request, pid, addr, data);
	if (is_short)
		return set_wide(pid, addr, data);
	rc = libc_ptrace()(request, pid, addr, data);
	if (rc == 0 || errno != EFAULT)
		return rc;
	is_short = 1;
	return set_wide(pid, addr, data);
}
