# SPDX-License-Identifier: GPL-2.0
# `make help` lists the targets.

VERSION := 0.1.0

CC      ?= gcc
CXX     ?= g++
CLANG   ?= clang
BPFTOOL ?= $(firstword $(shell command -v bpftool) /usr/sbin/bpftool)
PREFIX  ?= /usr/local
CFLAGS  ?= -O2 -g
# The tests' own code takes longer to compile than to run: it is not optimised, and has only line numbers to debug with.
CXXFLAGS ?= -O0 -g1

comma := ,
SAN   ?=
BUILD ?= build$(if $(SAN),-$(subst $(comma),-,$(SAN)))
V     ?= 0
Q     := $(if $(filter 1,$(V)),,@)
say    = $(if $(filter 1,$(V)),,@printf '  %-8s %s\n' $(1) $(2))

# Further flags of the probes' compiler: -DNR_STACKS=2 leaves two slots for the stacks of all tasks.
BPF_FLAGS ?=

# The probes are built against this header. One that `bpftool btf dump file FILE format c` writes works as well.
VMLINUX_H ?= bpf/vmlinux.h
BPF_ARCH  := $(patsubst x86_64,x86,$(patsubst aarch64,arm64,$(shell uname -m)))

WARN      := -Wall -Wextra
SAN_FLAGS := $(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer)
DEPFLAGS   = -MMD -MP -MF $(@:.o=.d)
ALL_CFLAGS   = -std=gnu11 -D_GNU_SOURCE -iquote src -iquote . -DIOTRACE_VERSION='"$(VERSION)"' $(WARN) $(CFLAGS) $(SAN_FLAGS)
ALL_CXXFLAGS = -std=c++17 -D_GNU_SOURCE -iquote src -iquote . $(WARN) $(CXXFLAGS) $(SAN_FLAGS)
# LIBBPF=static links libbpf's archive, and wraps the functions that iotrace interposes (src/trace/bpf/start/interpose.h).
LIBBPF  ?= shared
LIBBPF_static := -Wl,--wrap=bpf_prog_load,--wrap=btf__load_vmlinux_btf -l:libbpf.a
LIBBPF_shared := -lbpf
LIBS          = $(LIBBPF_$(LIBBPF)) -lelf -lz -lseccomp -lcap -ljansson -lutf8proc -lgsl -lgslcblas $(LIBS_DW) -lm -pthread

# Each file's object is at the same place below $(BUILD)/obj.
objs = $(patsubst %,$(BUILD)/obj/%.o,$(basename $(1)))

# Without libdw, which reads debug information, no lines of code are told; without libiberty, names are as in the symbols.
has_library = $(shell echo 'int main(void) { return 0; }' | $(CC) -include $(1) -x c - $(2) -o /dev/null 2>/dev/null && echo 1)
ifndef LIBDW
LIBDW     := $(call has_library,elfutils/libdwfl.h,-ldw)
LIBIBERTY := $(call has_library,libiberty/demangle.h,-liberty)
endif
LIBS_DW  = $(if $(filter 1,$(LIBDW)),-ldw $(if $(filter 1,$(LIBIBERTY)),-liberty))
WITHOUT_DW := src/cli/without_libdw.c src/trace/bpf/stacks/without_libdw.c
WITH_DW    := $(filter-out $(WITHOUT_DW),src/cli/symbolize.c $(wildcard src/stacks/*.c src/trace/bpf/stacks/*.c))

ALL_SOURCES := $(wildcard src/*/*.c src/*/*/*.c src/*/*/*/*.c)
OBJS      := $(call objs,$(filter-out $(if $(filter 1,$(LIBDW)),$(WITHOUT_DW),$(WITH_DW)),$(ALL_SOURCES)))
BPF_OBJS  := $(call objs,$(wildcard src/trace/bpf/*.c src/trace/bpf/*/*.c))
# The unit tests have a main() and a stand-in for the eBPF collector of their own.
UNIT_OBJS := $(filter-out $(call objs,src/cli/main.c src/trace/bpf/collector_bpf.c),$(OBJS))
UNIT_TEST_OBJS := $(call objs,$(patsubst %,tests/lib/%.cpp,run_tests files pattern pipes process ledger) \
	$(filter-out $(if $(filter 1,$(LIBDW)),,tests/unit/test_stacks.cpp tests/unit/test_python.cpp),$(sort $(wildcard tests/unit/*.cpp))))
E2E_TEST_OBJS  := $(call objs,$(sort $(wildcard tests/lib/*.cpp tests/e2e/*.cpp)))

WORKLOADS := $(basename $(wildcard workloads/*.c workloads/*.cpp))

.DELETE_ON_ERROR:
.PHONY: bench-server who experiments promises oracle coverage check-repeat all help deps check-deps demo check check-kernels kernel-cost unit e2e fuzz fuzzers bench bench-programs lint format hooks install uninstall clean workloads objects FORCE

all: $(BUILD)/iotrace workloads ##build build iotrace and the workloads (the default)

# A target's group is the word after ##.
help: ##build list the targets
	@awk -F ':.*##' '/^[a-z_.-]+[a-z0-9]*:.*##/ { split($$2, word, " "); \
			lines[word[1]] = lines[word[1]] sprintf("  %-22s %s\n", $$1, substr($$2, length(word[1]) + 2)) } \
		END { split("build test measure develop", group, " "); \
			for (i = 1; i in group; i++) printf "%s:\n%s", group[i], lines[group[i]] }' $(firstword $(MAKEFILE_LIST))
	@echo 'variables:'
	@echo '  of all:   V=1 (verbose)  BUILD=dir  SAN=address,undefined  LIBBPF=static  VMLINUX_H=path  DESTDIR=  PREFIX=$(PREFIX)'
	@echo "  of check: CASES='attach:*,*kill*'  DURATIONS=1 (the slowest cases)  JOBS=1 (nothing side by side)"

deps: ##build install what building and running needs
	$(Q)tests/tools/deps.sh build

check-deps: ##test install what the tests need besides
	$(Q)tests/tools/deps.sh build check oracle

# What is made after deps is made by a second make, which sees what deps has installed.
demo: deps ##build the main job: profile endl_loop beside newline_loop
	$(Q)$(MAKE) --no-print-directory -j$$(nproc) all
	$(Q)tests/tools/demo.sh $(BUILD)/iotrace

export CASES JOBS
check: check-deps ##test run all tests, or the end-to-end tests that match CASES='pattern' with both backends
	$(Q)BUILD=$(BUILD) MAKE=$(MAKE) tests/tools/run.sh $(if $(filter 1,$(DURATIONS)),--durations)

unit: $(BUILD)/tests/unit workloads ##test build and run the unit tests (that match CASES) alone (no privileges needed)
	$(Q)$(BUILD)/tests/unit $${CASES:+"$$CASES"}

e2e: $(BUILD)/tests/e2e all ##test build and run the end-to-end tests (that match CASES) alone, with eBPF (root)
	$(Q)IOTRACE=$(abspath $(BUILD)/iotrace) $(BUILD)/tests/e2e $${CASES:+"$$CASES"}

oracle: ##test count real programs, or CMD='any command', with iotrace and strace at once, and compare (root)
	$(Q)tests/tools/deps.sh build check $(if $(CMD),,oracle)
	$(Q)$(MAKE) --no-print-directory -j$$(nproc) all $(BUILD)/tests/e2e
	$(Q)IOTRACE=$(abspath $(BUILD)/iotrace) CMD='$(subst ','\'',$(CMD))' tests/tools/oracle.sh $(BUILD)/tests/e2e

# gcc has exec functions write the process's counts first, and tests would see these writes: no-builtin turns that off.
coverage: COVERAGE := -O0 -g1 --coverage -fno-builtin-execl -fno-builtin-execv -fno-builtin-execvp
coverage: ##test count the lines that the unit and end-to-end tests (that match CASES) run, by room (root)
	$(Q)tests/tools/deps.sh build check
	$(Q)$(MAKE) --no-print-directory -j$$(nproc) BUILD=$(BUILD)/coverage CFLAGS='$(COVERAGE)' LDFLAGS=--coverage \
		all $(BUILD)/coverage/tests/unit $(BUILD)/coverage/tests/e2e
	$(Q)status=0; tests/tools/coverage.py $(BUILD)/coverage || status=$$?; \
		$(if $(CASES),,tests/tools/fill_page.py tests/README.md coverage <$(BUILD)/coverage/coverage.md || status=$$?;) exit $$status

LOAD   ?= 0
COPIES ?= 1
check-repeat: check-deps ##test run the end-to-end tests (that match CASES) N=20 times, beside LOAD=0 busy loops, COPIES=1 side by side
	$(Q)$(MAKE) --no-print-directory -j$$(nproc) all $(BUILD)/tests/e2e
	$(Q)IOTRACE=$(abspath $(BUILD)/iotrace) tests/tools/repeat.py --times $(or $(N),20) --load $(LOAD) --copies $(COPIES) \
		--log $(BUILD)/check-repeat.log $(BUILD)/tests/e2e $${CASES:+"$$CASES"}

KERNEL_ARGS = $(addprefix --sources ,$(SOURCES)) $(KERNELS)

# Packages that the checks need are installed where that can be done. Without one, the test is skipped, and says why.
check-kernels: ##test run the checks on other kernels too, in an emulator (x86; KERNELS= images; SOURCES= more package lists)
	$(Q)tests/tools/deps.sh build kernels || echo 'check-kernels: going on with what is there'
	$(Q)$(MAKE) --no-print-directory all
	$(Q)python3 -B tests/kernels/kernels.py --build $(BUILD) --table $(BUILD)/kernels.md $(KERNEL_ARGS)
	$(Q)$(if $(KERNELS),,tests/tools/fill_page.py tests/kernels/README.md kernels <$(BUILD)/kernels.md)

kernel-cost: ##measure count the instructions that the probes take on other kernels (as check-kernels)
	$(Q)tests/tools/deps.sh build kernels
	$(Q)$(MAKE) --no-print-directory all bench-programs
	$(Q)python3 -B tests/kernels/cost.py --build $(BUILD) --table $(BUILD)/kernel-cost.md $(KERNEL_ARGS)
	$(Q)$(if $(KERNELS),,tests/tools/fill_page.py tests/kernels/README.md cost <$(BUILD)/kernel-cost.md)

# ---- the probes ----

# The probes include <vmlinux.h>, which is the one chosen above.
$(BUILD)/bpf/include/vmlinux.h: $(VMLINUX_H)
	$(Q)mkdir -p $(@D)
	$(Q)cp $< $@

# src/trace/bpf/load/probes.h says what each is for.
PROBES := $(patsubst %,$(BUILD)/bpf/%.bpf.o,iotrace default groups pre_6_4)
$(BUILD)/bpf/default.bpf.o: BPF_DEFINES = -DDEFAULT_OBJECT
$(BUILD)/bpf/groups.bpf.o: BPF_DEFINES = -DDEFAULT_OBJECT -DWITH_GROUPS
$(BUILD)/bpf/pre_6_4.bpf.o: BPF_DEFINES = -DWITHOUT_CASTS

# bpftool drops what only debuggers need.
$(PROBES): bpf/iotrace.bpf.c $(BUILD)/bpf/include/vmlinux.h
	$(call say,CLANG,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CLANG) -g -O2 -mcpu=v3 -target bpf -D__TARGET_ARCH_$(BPF_ARCH) $(WARN) -Wno-unused-parameter \
		-Wno-missing-declarations -I$(BUILD)/bpf/include -iquote bpf \
		$(BPF_DEFINES) $(BPF_FLAGS) -MMD -MP -MT $@ -MF $(@:.o=.d) -c $< -o $@.whole
	$(Q)$(BPFTOOL) gen object $@ $@.whole
	$(Q)rm $@.whole

$(BUILD)/bpf/%.skel.h: $(BUILD)/bpf/%.bpf.o
	$(call say,SKEL,$@)
	$(Q)$(BPFTOOL) gen skeleton $< name $*_bpf > $@

# ---- iotrace ----

$(BPF_OBJS): $(PROBES:.bpf.o=.skel.h)
$(BPF_OBJS): ALL_CFLAGS += -I$(BUILD)/bpf

$(BUILD)/obj/src/report/schema.o: src/report/schema.json
$(BUILD)/obj/src/report/gnuplot.o: src/report/picture.gp

$(BUILD)/obj/src/%.o: src/%.c Makefile
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(DEPFLAGS) -c $< -o $@

$(BUILD)/iotrace: $(OBJS)
	$(call say,LINK,$@)
	$(Q)$(CC) $(SAN_FLAGS) $(LDFLAGS) $^ $(LIBS) -o $@

# The end-to-end tests of a static libbpf run this program.
$(BUILD)/iotrace-static: LIBBPF = static
$(BUILD)/iotrace-static: $(OBJS)
	$(call say,LINK,$@)
	$(Q)$(CC) $(SAN_FLAGS) $(LDFLAGS) $^ $(LIBS) -o $@

# What iotrace is where libdw is missing, for the tests.
$(BUILD)/iotrace-without-libdw: LIBS_DW =
$(BUILD)/iotrace-without-libdw: $(call objs,$(filter-out $(WITH_DW),$(ALL_SOURCES)))
	$(call say,LINK,$@)
	$(Q)$(CC) $(SAN_FLAGS) $(LDFLAGS) $^ $(LIBS) -o $@

# ---- the workloads, in place ----

workloads: $(WORKLOADS)

workloads/%: workloads/%.c Makefile
	$(call say,CC,$@)
	$(Q)mkdir -p $(BUILD)/workloads
	$(Q)$(CC) -std=gnu11 -D_GNU_SOURCE -O2 -g $(WARN) -pthread -MMD -MP -MF $(BUILD)/$@.d $< -o $@

workloads/%: workloads/%.cpp Makefile
	$(call say,CXX,$@)
	$(Q)mkdir -p $(BUILD)/workloads
	$(Q)$(CXX) -std=c++17 -D_GNU_SOURCE -O2 -g $(WARN) -pthread -MMD -MP -MF $(BUILD)/$@.d $< -o $@

# ---- the tests ----

# Objects of the tests that look into the skeleton.
SKEL_TEST_OBJS := $(call objs,tests/unit/test_programs.cpp tests/unit/test_btf_subset.cpp tests/e2e/refusals.cpp)
$(SKEL_TEST_OBJS): $(BUILD)/bpf/iotrace.skel.h
$(SKEL_TEST_OBJS): ALL_CXXFLAGS += -I$(BUILD)/bpf

# Most of the time that a test takes to compile is Catch2's, which is compiled once: the first of a test's headers is a stub
# beside which the compiler finds the result. The files that Catch2 itself is compiled in do without.
CATCH_STUB := $(BUILD)/obj/tests/catch.hpp
CATCH_TEST_OBJS := $(filter-out $(call objs,tests/lib/run_tests.cpp tests/lib/iotrace.cpp),$(UNIT_TEST_OBJS) $(E2E_TEST_OBJS))
$(CATCH_TEST_OBJS): $(CATCH_STUB).gch
$(CATCH_TEST_OBJS): CATCH := -include $(CATCH_STUB)

$(CATCH_STUB).gch: tests/lib/precompiled.hpp Makefile
	$(call say,CXX,$@)
	$(Q)mkdir -p $(@D)
	$(Q)echo '#include "lib/precompiled.hpp"' >$(CATCH_STUB)
	$(Q)$(CXX) $(ALL_CXXFLAGS) -iquote tests -MMD -MP -MF $(CATCH_STUB).d -MT $@ -x c++-header $(CATCH_STUB) -o $@

$(BUILD)/obj/tests/%.o: tests/%.cpp Makefile
	$(call say,CXX,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CXX) $(ALL_CXXFLAGS) -iquote tests $(CATCH) $(DEPFLAGS) -c $< -o $@

$(BUILD)/tests/unit: $(UNIT_TEST_OBJS) $(UNIT_OBJS)
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CXX) $(SAN_FLAGS) $(LDFLAGS) $^ $(CATCH_LIBS) $(LIBS) -lutil -pthread -o $@

# Unit tests of which everything runs under ASan and UBSan.
$(BUILD)/tests/unit-sanitized: FORCE
	$(Q)$(MAKE) --no-print-directory BUILD=$(BUILD)/sanitized SAN=address,undefined CFLAGS='-O1 -g1' $(BUILD)/sanitized/tests/unit
	$(Q)mkdir -p $(@D)
	$(Q)ln -sf ../sanitized/tests/unit $@

$(BUILD)/tests/e2e: $(E2E_TEST_OBJS) | $(BUILD)/iotrace-static $(BUILD)/iotrace-without-libdw
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CXX) $(SAN_FLAGS) $(LDFLAGS) $^ $(CATCH_LIBS) -lbpf -lutil -pthread -o $@

# Catch2 3.x is a library, 2.x a header.
CATCH_LIBS = $(shell pkg-config --libs catch2 2>/dev/null | grep -o -- '-lCatch2')

# ---- the published experiments, and whether promises are true ----

experiments: ##measure run the published experiments, with N=1 times their lines, and write a page (root; RUNS=)
	$(Q)tests/tools/deps.sh build experiments
	$(Q)$(MAKE) --no-print-directory -j$$(nproc) all
	$(Q)python3 -B tests/experiments/experiments.py --build $(BUILD) --scale $(or $(N),1) $(if $(RUNS),--runs $(RUNS))
	$(Q)$(if $(N)$(RUNS),,tests/tools/fill_page.py tests/experiments/README.md summary <$(BUILD)/experiments-summary.md)
	$(Q)$(if $(N)$(RUNS),,cp $(BUILD)/experiments.svg tests/experiments/experiments.svg)

promises: ##measure hold what iotrace promises against what mending gains (root; PROMISES_ARGS=)
	$(Q)tests/tools/deps.sh build check promises
	$(Q)$(MAKE) --no-print-directory -j$$(nproc) all
	$(Q)python3 -B tests/promises/promises.py --build $(BUILD) $(PROMISES_ARGS)
	$(Q)$(if $(PROMISES_ARGS),,cp $(BUILD)/promises.md tests/promises/results.md)

# ---- the benchmark ----

BENCH_PROGRAMS := $(patsubst tests/%.c,$(BUILD)/%,$(filter-out %.bpf.c %/starting.c,$(wildcard tests/bench/*.c))) \
	$(BUILD)/bench/starting.so

# Tools that iotrace is compared with are installed where that can be done. Those that are missing are named.
bench: ##measure measure what tracing costs, beside other tools (root; QUICK=1, BENCH_ARGS=)
	$(Q)tests/tools/deps.sh build bench || echo 'bench: going on with what is there'
	$(Q)$(MAKE) --no-print-directory all bench-programs
	$(Q)$(if $(QUICK)$(BENCH_ARGS),,$(MAKE) --no-print-directory $(BUILD)/reference-cost.json || echo 'bench: going on without the instructions')
	$(Q)python3 tests/bench/bench.py --build $(BUILD) $(if $(filter 1,$(QUICK)),--quick) $(BENCH_ARGS)
	$(Q)$(if $(QUICK)$(BENCH_ARGS),,tests/tools/fill_page.py tests/bench/README.md "$$(cat $(BUILD)/bench-machine)" 'make bench' <$(BUILD)/bench-page.md)
	$(Q)$(if $(QUICK)$(BENCH_ARGS),,tests/tools/fill_page.py README.md cost <$(BUILD)/bench-summary.md)

# The instructions on this kernel, which any machine can boot, can be compared from machine to machine.
REFERENCE_SERIES := 6.12
$(BUILD)/reference-cost.json: $(BUILD)/iotrace $(BUILD)/bench/pair
	$(Q)tests/tools/deps.sh build kernels
	$(Q)python3 -B tests/kernels/cost.py --build $(BUILD) --series $(REFERENCE_SERIES) --json $@

bench-programs: $(BENCH_PROGRAMS)

.SECONDARY: $(BUILD)/bench/pair.bpf.o $(BUILD)/bench/pair.skel.h

$(BUILD)/bench/%.bpf.o: tests/bench/%.bpf.c $(BUILD)/bpf/include/vmlinux.h
	$(call say,CLANG,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CLANG) -g -O2 -mcpu=v3 -target bpf -D__TARGET_ARCH_$(BPF_ARCH) $(WARN) -Wno-unused-parameter \
		-Wno-missing-declarations -I$(BUILD)/bpf/include -c $< -o $@

$(BUILD)/bench/%.skel.h: $(BUILD)/bench/%.bpf.o
	$(call say,SKEL,$@)
	$(Q)$(BPFTOOL) gen skeleton $< name $*_bpf > $@

$(BUILD)/bench/pair: $(BUILD)/bench/pair.skel.h
$(BUILD)/bench/%: tests/bench/%.c tests/bench/bench.h Makefile
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -std=gnu11 -D_GNU_SOURCE -O2 $(WARN) -pthread -I$(@D) $< -lbpf -lelf -lz -o $@

$(BUILD)/bench/%.so: tests/bench/%.c tests/bench/bench.h Makefile
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -std=gnu11 -D_GNU_SOURCE -O2 $(WARN) -Wno-missing-declarations -shared -fPIC $< -o $@

# ---- the fuzzers: each is a program tests/fuzz/NAME.cpp, with words of its input's language in tests/fuzz/NAME.dict ----

FUZZ_SECONDS ?= 60
FUZZERS := $(patsubst tests/fuzz/%.cpp,%,$(sort $(wildcard tests/fuzz/*.cpp)))
SEEDS_capture := tests/fixtures/captures
SEEDS_comparison := tests/fixtures/comparisons
SEEDS_strace_parse := tests/fixtures/strace
SEEDS_code := $(BUILD)/fuzz/seeds

fuzz: ##test run each fuzzer for FUZZ_SECONDS, under ASan and UBSan (clang)
	$(Q)$(MAKE) --no-print-directory BUILD=$(BUILD)/fuzz CC=$(CLANG) CXX=$(CLANG)++ \
		SAN=fuzzer-no-link,address,undefined fuzzers
	$(Q)set -e; $(foreach name,$(FUZZERS),mkdir -p $(BUILD)/fuzz/corpus/$(name); \
		echo "== fuzzing $(name) for $(FUZZ_SECONDS) s"; \
		$(BUILD)/fuzz/fuzz_$(name) -max_total_time=$(FUZZ_SECONDS) -timeout=20 -verbosity=0 -print_final_stats=1 \
			-close_fd_mask=1 -artifact_prefix=$(BUILD)/fuzz/ $(addprefix -dict=,$(wildcard tests/fuzz/$(name).dict)) \
			$(BUILD)/fuzz/corpus/$(name) $(SEEDS_$(name));)

fuzzers: $(FUZZERS:%=$(BUILD)/fuzz_%) $(BUILD)/seeds/lines

$(BUILD)/seeds/lines: tests/fixtures/stacks/lines.c
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -g -Os -pthread -o $@ $<

# A fuzzer links this library, and so takes only the objects that it needs, and none that need the probes.
$(BUILD)/unit.a: $(UNIT_OBJS)
	$(Q)rm -f $@
	$(Q)$(AR) rcs $@ $^

$(BUILD)/fuzz_%: $(BUILD)/obj/tests/fuzz/%.o $(BUILD)/unit.a
	$(call say,LINK,$@)
	$(Q)$(CXX) -fsanitize=fuzzer $(SAN_FLAGS) $(LDFLAGS) $^ $(LIBS) -o $@

# ---- the rest ----

bench-server: all ##measure what attaching costs nginx under load (root; nginx-light, apache2-utils)
	$(Q)tests/tools/deps.sh build server
	$(Q)python3 tests/bench/server.py --iotrace $(BUILD)/iotrace --table $(BUILD)/server.md
	$(Q)tests/tools/fill_page.py tests/bench/README.md server <$(BUILD)/server.md

who: all ##measure tell in the README who makes the calls of a build, a server and two services (root; as bench-server, and redis)
	$(Q)tests/tools/deps.sh build server
	$(Q)tests/tools/isolate.py unshare --net tests/tools/who.sh $(BUILD)/iotrace $(MAKE) >$(BUILD)/who.md
	$(Q)tests/tools/fill_page.py README.md who <$(BUILD)/who.md

# lint learns from these objects which file of src/ uses which.
objects: $(OBJS)

lint: ##develop check formatting, static analysis, scripts
	$(Q)BUILD=$(BUILD) MAKE=$(MAKE) CLANG_FORMAT=$(or $(CLANG_FORMAT),clang-format) tests/tools/lint.sh

format: ##develop format the sources in place
	$(Q)clang-format -i $$(git ls-files '*.c' '*.h' '*.cpp' '*.hpp')

# Hooks run on the machine of whoever develops, so that no other target installs them.
hooks: ##develop have git check messages and formatting of commits in this clone
	git config core.hooksPath .githooks

compile_commands.json: FORCE ##develop write the compiler's commands for editors, by building all anew (bear)
	$(Q)tests/tools/deps.sh build check develop
	$(Q)bear --output $@ -- $(MAKE) --no-print-directory -B -j$$(nproc) BUILD=$(BUILD)/commands all \
		$(BUILD)/commands/tests/unit $(BUILD)/commands/tests/e2e

install: $(BUILD)/iotrace ##build install under DESTDIR and PREFIX
	install -D -m 755 $(BUILD)/iotrace $(DESTDIR)$(PREFIX)/bin/iotrace
	install -D -m 644 src/iotrace.1 $(DESTDIR)$(PREFIX)/share/man/man1/iotrace.1

uninstall: ##build remove what install has put there
	rm -f $(DESTDIR)$(PREFIX)/bin/iotrace $(DESTDIR)$(PREFIX)/share/man/man1/iotrace.1

clean: ##build remove what was built
	rm -rf $(BUILD) $(WORKLOADS)

-include $(OBJS:.o=.d) $(PROBES:.o=.d) $(wildcard $(CATCH_STUB).d $(BUILD)/obj/tests/*/*.d $(BUILD)/workloads/*.d)
