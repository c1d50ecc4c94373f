# SPDX-License-Identifier: GPL-2.0-or-later
# The whole build. A directory is a program or a layer and its *.c are its
# sources, so that adding a file needs no edit here.
#
#   make [all]        library and programs in build/bin
#   make check        unit, command line, kernel and interop tests
#   make check-asan   the same under AddressSanitizer and UBSan
#   make check-clang  the same built by clang
#   make lint bench demo install clean
#   V=1 shows commands; CC=clang works; BUILD=dir builds elsewhere

VERSION := 0.1.0
BUILD   ?= build
PREFIX  ?= /usr/local
SBINDIR ?= $(PREFIX)/sbin
BINDIR  ?= $(PREFIX)/bin
MANDIR  ?= $(PREFIX)/share/man
CC      ?= cc
V       ?= 0
WERROR  ?=
OPT     ?= -O2 -D_FORTIFY_SOURCE=2 -fstack-protector-strong
SAN     ?=

define \n


endef

Q0 = @
Q := $(Q$(V))
ifeq ($(V),0)
say = @printf '  %-4s %s\n' $(1) $(2)
endif

PKGCONFIG ?= pkg-config
have = $(shell $(PKGCONFIG) --exists $(1) && echo yes)
pkg_cflags = $(shell $(PKGCONFIG) --cflags $(1))
pkg_libs = $(shell $(PKGCONFIG) --libs $(1))

need := blkid uuid zlib
want := jansson smartcols
LIBS := $(call pkg_libs,$(need)) -lpthread
DEFS := -DGFS_VERSION='"$(VERSION)"'
ifeq ($(call have,jansson),yes)
DEFS += -DHAVE_JANSSON
LIBS += $(call pkg_libs,jansson)
else
$(info note: libjansson not found: JSON strings are quoted by hand)
endif
ifeq ($(call have,smartcols),yes)
DEFS += -DHAVE_SMARTCOLS
LIBS += $(call pkg_libs,smartcols)
else
$(info note: libsmartcols not found: tables are printed unaligned)
endif
ifeq ($(call have,libarchive),yes)
DEFS_archive := -DHAVE_ARCHIVE
LIBS_archive := $(call pkg_libs,libarchive)
else
$(info note: libarchive not found: rgstat reads plain and gzip files only)
endif
ifeq ($(call have,libedit),yes)
DEFS_debugfs += -DHAVE_LIBEDIT $(call pkg_cflags,libedit)
LIBS_debugfs += $(call pkg_libs,libedit)
else
$(info note: libedit not found: debugfs.gfs2 has a plain prompt)
endif

WARN := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes \
	-Wmissing-prototypes -Wold-style-definition -Wpointer-arith \
	-Wcast-qual -Wwrite-strings -Wundef -Wvla -Wformat=2 \
	-Wimplicit-fallthrough -Wconversion -Wno-sign-conversion
CFLAGS   ?= -g $(OPT)
ALL_CFLAGS = -std=c11 -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 $(DEFS) $(WARN) \
	$(WERROR) $(CFLAGS) $(SAN) -MMD -MP
ALL_LDFLAGS = $(LDFLAGS) $(SAN)
HARNESS_CFLAGS = -std=c11 -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -O2 -g $(WARN) \
	$(WERROR)

lib_src  := $(wildcard libgfs/*/*.c)
tune_src := $(wildcard mkfs/tune*.c mkfs/resize.c)
unit_src := $(wildcard tests/unit/*.c)

mkfs.gfs2_src    := $(filter-out $(tune_src),$(wildcard mkfs/*.c))
fsck.gfs2_src    := $(wildcard fsck/*.c)
debugfs.gfs2_src := $(wildcard debugfs/*.c)
rgstat_src       := $(wildcard rgstat/*.c rgstat/*/*.c)

programs := $(foreach p,mkfs.gfs2 fsck.gfs2 debugfs.gfs2 rgstat,$(if $($(p)_src),$(p)))
bins     := $(programs:%=$(BUILD)/bin/%)
units    := $(unit_src:tests/unit/%.c=$(BUILD)/unit/%)
lib      := $(BUILD)/libgfs.a
unit_lib := $(BUILD)/unit.a
unit_lib_src := $(wildcard tests/unit/lib/*.c)
test_progs := $(patsubst tests/prog/%.c,$(BUILD)/test/%,$(wildcard tests/prog/*.c))
harness  := $(BUILD)/harness/umlfp.so \
	$(patsubst tests/kernel/%.c,$(BUILD)/harness/%,\
	$(filter-out %/umlfp.c,$(wildcard tests/kernel/*.c))) \
	$(BUILD)/harness/measure
obj       = $(1:%.c=$(BUILD)/obj/%.o)
all_obj  := $(call obj,$(lib_src) $(foreach p,$(programs),$($(p)_src)) $(unit_src) \
	$(unit_lib_src) $(wildcard tests/prog/*.c))

.PHONY: all units harness test-progs check check-asan check-clang lint bench \
	demo install clean
.SECONDARY:
.DELETE_ON_ERROR:

all: $(bins)
units: $(units)
harness: $(harness)
test-progs: $(test_progs)

$(BUILD)/obj/debugfs/%.o: DEFS += $(DEFS_debugfs)
$(BUILD)/obj/rgstat/%.o: DEFS += $(DEFS_archive)

$(BUILD)/obj/%.o: %.c Makefile
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -c -o $@ $<

$(lib): $(call obj,$(lib_src))
	$(call say,AR,$@)
	@mkdir -p $(@D)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

.SECONDEXPANSION:
$(BUILD)/bin/debugfs.gfs2: LIBS += $(LIBS_debugfs)
$(BUILD)/bin/rgstat: LIBS += $(LIBS_archive)
$(BUILD)/bin/%: $$(call obj,$$($$*_src)) $(lib)
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)

# What unit tests share, or want to have compiled apart from themselves.
$(unit_lib): $(call obj,$(unit_lib_src))
	$(call say,AR,$@)
	@mkdir -p $(@D)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(BUILD)/unit/%: $(BUILD)/obj/tests/unit/%.o $(unit_lib) $(lib)
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)

# Programs on the library that only tests use.
$(BUILD)/test/%: $(BUILD)/obj/tests/prog/%.o $(lib)
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)

# Helpers of the kernel tests: part of the harness, never sanitized.
$(BUILD)/harness/%.so: tests/kernel/%.c
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(HARNESS_CFLAGS) -fPIC -shared -o $@ $<

$(BUILD)/harness/%: tests/kernel/%.c
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(HARNESS_CFLAGS) -o $@ $<

$(BUILD)/harness/%: tests/bench/%.c
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(HARNESS_CFLAGS) -o $@ $<

# TESTS="tests/cli/mkfs.bats ..." runs some of them.
bats  := $(sort $(wildcard $(addprefix tests/,cli/*.bats fsck/*.bats \
	interop/*.bats kernel/*.bats)))
TESTS ?= $(units) $(bats)
JOBS  ?= 2

check: WERROR := -Werror
check: $(bins) $(units) $(harness) $(test_progs)
	@BUILD=$(abspath $(BUILD)) prove -j$(JOBS) --exec tests/run $(TESTS)

SAN_FLAGS := -fsanitize=address,undefined -fno-sanitize-recover=all

# Fewer kills: the kernel is the same, only fsck is slower.
check-asan:
	@KILL_ROUNDS=$(or $(KILL_ROUNDS),4) $(MAKE) BUILD=$(BUILD)-asan OPT=-O1 SAN="$(SAN_FLAGS)" check

check-clang:
	@$(MAKE) BUILD=$(BUILD)-clang CC=clang check

lint: WERROR := -Werror
lint: export LINT_FLAGS = $(ALL_CFLAGS) $(DEFS_debugfs)
lint: $(bins) $(units) $(test_progs)
	@$(MAKE) BUILD=$(BUILD)-clang CC=clang WERROR=-Werror all units \
		harness test-progs
	@BUILD=$(abspath $(BUILD)) prove -j$(JOBS) --exec tests/run \
		$(sort $(filter-out %/lib.sh,$(wildcard tests/lint/*.sh)))

bench: $(bins) $(harness)
	@BUILD=$(abspath $(BUILD)) tests/bench/run

demo: $(bins) $(harness)
	@BUILD=$(abspath $(BUILD)) tests/demo.sh

# mkfs -t and fsck -t look for their helpers in PATH.
install: $(bins)
	install -d $(DESTDIR)$(SBINDIR) $(DESTDIR)$(BINDIR)
	$(foreach p,$(filter %.gfs2,$(programs)),\
		install -m 755 $(BUILD)/bin/$(p) $(DESTDIR)$(SBINDIR)/$(p)$(\n))
	$(foreach p,$(filter-out %.gfs2,$(programs)),\
		install -m 755 $(BUILD)/bin/$(p) $(DESTDIR)$(BINDIR)/$(p)$(\n))
	$(foreach m,$(wildcard man/*.[158]),\
		install -D -m 644 $(m) \
		$(DESTDIR)$(MANDIR)/man$(subst .,,$(suffix $(m)))/$(notdir $(m))$(\n))

clean:
	rm -rf $(BUILD) $(BUILD)-asan $(BUILD)-clang

-include $(all_obj:.o=.d)
