# SPDX-License-Identifier: MIT
#
# rssck. The two main commands are `make deps check` and `make deps test`. `make help` lists all targets.

VERSION = 1.0.0

# `make O=DIR` and `make -f ../Makefile` build in another folder. The source folder may be read-only.
sources_in := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))
elsewhere := $(if $(O)$(filter-out .,$(sources_in)),$(filter-out $(realpath $(sources_in)),$(or \
	$(realpath $(or $(O),.)),new)))
ifneq ($(elsewhere),)
include $(sources_in)/harness/package/elsewhere.mk
else

PREFIX ?= /usr/local
prefix = $(PREFIX)
bindir = $(prefix)/bin
libexecdir = $(prefix)/libexec
mandir = $(prefix)/share/man
resultsdir = $(prefix)/share/rssck/results
completiondir = $(prefix)/share/bash-completion/completions
zshdir = $(prefix)/share/zsh/site-functions
fishdir = $(prefix)/share/fish/vendor_completions.d
schemadir = $(prefix)/share/rssck/schema
DESTDIR ?=

CC ?= cc
AR ?= ar
INSTALL ?= install
CLANG_FORMAT ?= clang-format
WERROR ?= -Werror
# For sanitized and fuzzed builds, which take longer to compile than to run. A stack trace needs only line numbers.
for_traces = -O2 -g1
CFLAGS ?= $(if $(SANITIZE),$(for_traces),-O2 -g)
ALL_CFLAGS = -std=gnu11 $(CFLAGS) -Wall -Wextra $(WERROR) -ffunction-sections -fdata-sections -pthread
ALL_CPPFLAGS = -D_GNU_SOURCE= -D_FILE_OFFSET_BITS=64 -Iinclude -iquote harness $(CPPFLAGS)

# The libraries are looked up when the first command needs them, because `make deps` may just have installed them.
# libarchive is linked statically if possible, because it would add ten libraries to each guest.
libarchive = $(if $(filter /%,$(shell $(CC) -print-file-name=libarchive.a)),-l:libarchive.a,-larchive)
LIBS = $(eval LIBS := $(shell pkg-config --libs cmocka jansson) $(libarchive))$(LIBS)

# `make V=1` prints the commands.
ifndef V
quiet = @printf '  %-5s %s\n' $(1) $@;
endif

# `make SANITIZE=1` builds in another folder, so that the two builds never mix. The workload is never sanitized,
# because its memory is what rssck measures, and a sanitizer maps additional memory.
ifdef SANITIZE
out = build-asan
rssck = build-asan/rssck
sanitizer = -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
else
out = build
rssck = rssck
sanitizer =
endif

# rssck-libproc2 is built only if libproc2 is installed. The case that needs it is skipped otherwise, with that
# reason.
libproc2 = $(eval libproc2 := $(shell pkg-config --exists libproc2 2>/dev/null && echo rssck-libproc2))$(libproc2)

# A single goal is built by all processors, unless -j is given. Several goals are built one after another.
ifeq ($(MAKELEVEL) $(word 2,$(filter-out deps deps-dev deps-vm,$(MAKECMDGOALS))),0 )
MAKEFLAGS += -j$(shell nproc)
endif

# `make -j deps check` builds nothing before deps is done.
ready = $(filter deps deps-dev deps-vm,$(MAKECMDGOALS))

# Sources are found by their folders, so a new file is built without a change here.
sources = $(sort $(shell find -H $(1) -name '*.c'))
engine_folders = base model source pagetable snapshot tool judge engine
front_folders = fuzz atlas report compare runs sheet grid matrix explain plot page course scan audit machine vm cmd

case_sources = $(call sources,cases)
agent_sources = $(filter-out %/main.c,$(call sources,harness/agent))
engine_sources = $(call sources,$(addprefix harness/,$(engine_folders)))
front_sources = $(filter-out harness/cmd/main.c,$(call sources,$(addprefix harness/,$(front_folders))))
test_sources = $(call sources,harness/tests)
test_support = $(filter harness/tests/support/%,$(test_sources))
test_programs = $(foreach source,$(test_sources),$(if $(filter test_%,$(notdir $(source))),$(source)))

objects = $(patsubst %.c,$(1)/obj/%.o,$(2))
# The objects of both programs, and those of the observer only.
shared_objects = $(call objects,$(1),$(case_sources) $(agent_sources) $(engine_sources))
front_objects = $(call objects,$(1),$(front_sources))

# Programs in each folder need the workload in the same folder, because rssck looks for it there.
beside = $(rssck) $(out)/rssck-workload $(out)/tests/rssck-workload $(out)/tests/rssck-workload-test
tests = $(addprefix $(out)/tests/,$(notdir $(test_programs:.c=)))
# SHARE=3: a third of a list, another third each day.
day := $(shell date +%j)
share = $(if $(SHARE),$(shell printf '%s\n' $(1) | awk -v day=$(day) '(NR + day) % $(SHARE) == 0'),$(1))

.PHONY: all deps deps-vm check check-compat check-acts check-lines check-limits check-kills check-machine report test test-browser test-vm memcheck helgrind bench kernels
.PHONY: check-kernels check-configs check-regimes record record-atlas install
.PHONY: fuzz-readers uninstall format format-check
.PHONY: clean new-case help
.DELETE_ON_ERROR:
.SECONDARY:

all: $(rssck) rssck-workload rssck-worker $(libproc2) build/arrows build/prose ## build ./rssck and ./rssck-workload (the default)

deps: ## install what is missing, with the system's package manager
	@sh harness/deps.sh

# One after another, because a system's package manager runs only once at a time.
deps-vm: | $(filter deps,$(MAKECMDGOALS)) ## like deps, and QEMU for rssck vm
	@sh harness/deps.sh vm

.PHONY: deps-dev
deps-dev: | $(filter deps deps-vm,$(MAKECMDGOALS)) ## like deps-vm, and programs for developers: valgrind, clang-format, gnuplot, clang, mmdebstrap
	@sh harness/deps.sh dev

check: all ## check the running kernel: the main job
	./rssck check

.PHONY: test-programs
test-programs: $(call share,$(tests)) $(beside) build/act/rssck build/act/rssck-workload ## build what make test runs [SANITIZE=1 SHARE=3]

test: test-programs ## test rssck itself [SANITIZE=1: with address and UB sanitizers; SHARE=3: a third of the tests]
	@RSSCK=./$(rssck) sh harness/tests/run.sh $(call share,$(tests))
	@RSSCK=./$(rssck) KILLS=3 CASES="shmem file cgroup" sh harness/tests/kills.sh

check-limits: all ## run check under the limits that shells and containers set [LIMITS=nproc CASES='*']
	@sh harness/tests/limits.sh $(LIMITS)

check-compat: all ## run check and scan on 32-bit processes of this 64-bit kernel [CASES="fork tools"]
	@$(MAKE) cross ARCH=i386
	@mkdir -p build/compat && cp -f rssck build/cross/i386/rssck-work* build/compat
	build/compat/rssck check $(CASES)

check-acts: build/act/rssck build/act/rssck-workload ## check that no case passes with an act left out [CASES="file thp" ACTS_VERBOSE=1]
	@build/act/rssck check --quiet $(CASES)

check-lines: all build/still/rssck build/still/rssck-workload ## check that a case fails if a line of meminfo, vmstat or memory.stat does not change [KERNEL=7.2 LINES="memory.stat.*"]
	@$(if $(LINES),LINES="$(LINES)") sh harness/tests/still.sh $(KERNEL)

check-machine: all ## check rssck machine at rest and under ten loads, here and on fetched kernels [KERNELS="host 6.1" ARCH=arm64 MIB=64]
	@$(if $(ARCH),RSSCK_ARCHITECTURE=$(ARCH)) sh harness/tests/machine.sh $(KERNELS)

check-kills: all ## check that a killed rssck check leaves nothing behind [KILLS=100]
	@KILLS=$(or $(KILLS),100) sh harness/tests/kills.sh

test-browser: $(out)/tests/test_page_browser $(out)/tests/test_course_browser ## test the HTML pages in a real browser, if one is installed
	@$< && $(out)/tests/test_course_browser

# Tests that only start rssck and read its output are left out: valgrind would see only the test itself.
from_outside = $(addprefix $(out)/tests/test_,cmd_at_once cmd_contract cmd_early cmd_inherited cmd_promises cmd_readme cmd_run \
	cmd_schema cmd_tools cmd_wrong page_browser course_browser house_arrows house_prose)

# This test is also left out: it runs the loader to list a program's libraries, and that fails under valgrind.
from_outside += $(out)/tests/test_vm_carry

valgrind_tests = $(call share,$(filter-out $(from_outside),$(tests)))

memcheck: all $(valgrind_tests) $(beside) ## run the tests and one check under valgrind, then the threaded workload under helgrind [SHARE=10: a tenth of the tests]
	@VALGRIND=1 RSSCK=./$(rssck) sh harness/tests/run.sh $(valgrind_tests)
	@sh harness/tests/memcheck.sh
	@$(MAKE) --no-print-directory helgrind

helgrind: all build/rssck-workload-dynamic ## find data races in the threaded workload
	@sh harness/tests/helgrind.sh build/rssck-workload-dynamic

# The fuzzed readers and their drivers. clang compiles them a second time, and only this target needs clang.
FUZZ_CC ?= clang
# Unlike gcc, clang warns about members that a row of a table omits.
fuzz_flags = $(for_traces) -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
fuzzed_sources = $(agent_sources) $(engine_sources) $(filter-out harness/cmd/%,$(front_sources))

build-fuzz/obj/%.o: %.c Makefile | $(ready)
	@mkdir -p $(@D)
	$(call quiet,CC)$(FUZZ_CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(fuzz_flags) $(FLAGS) -MMD -MP -c -o $@ $<

build-fuzz/libreaders.a: $(call objects,build-fuzz,$(fuzzed_sources))
	@rm -f $@
	$(call quiet,AR)$(AR) rcs $@ $^

# A few cases, for reports that name cases.
build-fuzz/readers: $(call objects,build-fuzz,$(call sources,harness/tests/readers cases/counters)) build-fuzz/libreaders.a
	$(call quiet,LINK)$(FUZZ_CC) $(ALL_CFLAGS) -fsanitize=fuzzer,address,undefined $(LDFLAGS) \
		-Wl,--wrap=ioctl -o $@ $^ $(LIBS)

fuzz-readers: ## feed made-up input to all readers [SECONDS=2 | RUNS=100000] [READERS="smaps maps"]
	@echo 'int LLVMFuzzerTestOneInput(void); int LLVMFuzzerTestOneInput(void) { return 0; }' | \
		$(FUZZ_CC) -fsanitize=fuzzer,address,undefined -x c -o /dev/null - 2>/dev/null || { \
		echo 'fuzz-readers: $(FUZZ_CC) cannot build fuzzers here; install clang and its runtime' \
			'(Debian: clang libclang-rt-dev)' >&2; exit 2; }
	@$(MAKE) --no-print-directory build-fuzz/readers
	@sh harness/tests/readers/readers.sh build-fuzz/readers $(READERS)

# The benchmarks have a folder of their own, so that their objects are not linked into rssck.
build/bench/%: harness/bench/%.c Makefile | $(ready)
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -o $@ $<

bench: all build/bench/target build/bench/bare ## compare the speed of scan with the kernel's own walks, smem, ps_mem and page-types [BENCH="totals census"]
	@sh harness/bench/bench.sh $(BENCH)

.PHONY: findings check-findings check-upstream
findings: ## make results/FINDINGS.md from the mails of results/findings
	@awk -f harness/findings/list.awk results/findings/*/mail.txt >results/FINDINGS.md

check-findings: all ## run the program of each finding on all kernels, and compare the result with the claim [KERNELS="6.1 7.2"]
	@sh harness/findings/check.sh $(KERNELS)

check-upstream: ## list upstream's changes of the numbers since the changelogs were last read
	@sh harness/findings/upstream.sh

.PHONY: check-fresh check-compilers
check-fresh: ## run both commands of the README in minimal Debian systems [SUITES="sid" USERS="user" CLANG=""]
	@sh harness/fresh/check-fresh.sh

check-compilers: ## build with gcc 12 to 16 and clang, in five ways, without a warning [COMPILERS="gcc-16" WAYS="O3 LTO"]
	@sh harness/fresh/check-compilers.sh

kernels: ## fetch kernels of many versions into the cache [KERNELS="6.1 7.2" ARCH=arm64]
	$(if $(ARCH),RSSCK_ARCHITECTURE=$(ARCH)) sh harness/vm/kernels.sh fetch $(KERNELS)

check-configs check-regimes: all ## run check under many conditions: CPUs, memory, THP, swap, ... [CONFIGS="cpus-8 rt"]
	sh harness/vm/check-kernels.sh --configs $(CONFIGS) $(REGIMES)

test-vm: all ## test virtual machines that end before their check does
	sh harness/tests/vm_ends.sh

check-kernels: all ## check all fetched kernels in virtual machines, and write results/ (results/machines/ for another machine) [KERNELS="6.1 7.2" ARCH=arm64]
	$(if $(ARCH),RSSCK_ARCHITECTURE=$(ARCH) RESULTS=results/machines) sh harness/vm/check-kernels.sh $(KERNELS)

record-atlas: all ## record the effect of each operation on each kind of memory on all kernels, in results/atlas/ [KERNELS="6.1 7.2"]
	sh harness/vm/grids.sh $(KERNELS)

record: all ## check the running kernel and keep the result in results/
	@mkdir -p results
	./rssck check --format=json --output=results/$$(uname -r).json

.PHONY: course
course: all ## record the lessons on the fetched kernels, and make results/course.html from all records [KERNELS="6.1 7.2" ARCH=arm64]
	$(if $(ARCH),RSSCK_ARCHITECTURE=$(ARCH)) sh harness/course/record.sh $(KERNELS)
	./rssck report --course results/course/*.json

report: all ## make the reports from the recorded runs: results/README.md, report.html, course.html, atlas.html, ATLAS.md, HISTORY.md, ...
	./rssck report results/*.json
	./rssck report --html results/*.json
	./rssck report --history results/*.json
	./rssck report --documents results/*.json
	./rssck report --format=atlas-markdown results/atlas/*.json
	./rssck report --atlas results/atlas/*.json
	./rssck report --course results/course/*.json
	./rssck report --output=results/MACHINES.md results/6.12.118+deb13-cloud-amd64.json results/machines/*.json

# The program is renamed into its place, so that a check that runs meanwhile never sees an incomplete program.
rssck: $(call shared_objects,build) $(call front_objects,build) build/obj/harness/cmd/main.o
	$(call quiet,LINK)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o build/$@.new $^ $(LIBS)
	@mv -f build/$@.new $@

build-asan/rssck: $(call shared_objects,build-asan) $(call front_objects,build-asan) \
		build-asan/obj/harness/cmd/main.o
	$(call quiet,LINK)$(CC) $(ALL_CFLAGS) $(sanitizer) $(LDFLAGS) -o $@ $^ $(LIBS)

# The workload is small, and static if the compiler can link so: it has few mappings, and its counts include no
# library's pages.
workload_objects = $(call objects,build,$(case_sources) $(agent_sources) harness/agent/runtime/main.c)
static = $(eval static := $(shell echo 'int main(void) { return 0; }' | \
	$(CC) -static -x c -o /dev/null - 2>/dev/null && echo -static))$(static)

rssck-workload: $(workload_objects) build/libengine.a
	$(call quiet,LINK)$(CC) $(ALL_CFLAGS) $(static) $(LDFLAGS) -Wl,--gc-sections -o build/$@.new $^
	@mv -f build/$@.new $@

# The workload of rssck fuzz and rssck atlas only. It maps little, because all its mappings are read after each step.
rssck-worker: $(call objects,build,cases/fuzz/worker.c cases/atlas/worker.c $(agent_sources) harness/agent/runtime/main.c) build/libengine.a
	$(call quiet,LINK)$(CC) $(ALL_CFLAGS) $(static) $(LDFLAGS) -Wl,--gc-sections -o build/$@.new $^
	@mv -f build/$@.new $@

rssck-libproc2: build/obj/harness/libproc2/main.o
	$(call quiet,LINK)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o build/$@.new $^ $(shell pkg-config --libs libproc2)
	@mv -f build/$@.new $@

# For helgrind, which sees a program's locks only if a shared library implements them.
build/rssck-workload-dynamic: $(workload_objects) build/libengine.a
	$(call quiet,LINK)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -Wl,--gc-sections -o $@ $^

build/rssck-workload build-asan/rssck-workload: rssck-workload
	@mkdir -p $(@D)
	@ln -sf ../rssck-workload $@

build/tests/rssck-workload build-asan/tests/rssck-workload: rssck-workload
	@mkdir -p $(@D)
	@ln -sf ../../rssck-workload $@

# The workload whose steps crash, hang and give up, for the tests of the engine.
build/rssck-workload-test: $(workload_objects) build/obj/harness/tests/workload/misbehaving.o build/libengine.a
	$(call quiet,LINK)$(CC) $(ALL_CFLAGS) $(static) $(LDFLAGS) -Wl,--gc-sections -o $@ $^

build/tests/rssck-workload-test build-asan/tests/rssck-workload-test: build/rssck-workload-test
	@mkdir -p $(@D)
	@ln -sf ../../build/rssck-workload-test $@

# The linker wraps X if an object refers to __real_X.
wrapping = $$(nm -u $(1) | sed -n 's/.* __real_/-Wl,--wrap=/p')

# $(call proof,FOLDER,OBSERVER,WORKLOAD): both programs, wrapped by these objects.
define proof
build/$(1)/rssck: $$(call shared_objects,build) $$(call front_objects,build) build/obj/harness/cmd/main.o \
		build/obj/harness/tests/$(1)/$(2).o
	@mkdir -p $$(@D)
	$$(call quiet,LINK)$$(CC) $$(ALL_CFLAGS) $$(LDFLAGS) $$(call wrapping,build/obj/harness/tests/$(1)/$(2).o) -o $$@ $$^ $$(LIBS)

build/$(1)/rssck-workload: $$(workload_objects) build/obj/harness/tests/$(1)/$(3).o build/libengine.a
	@mkdir -p $$(@D)
	$$(call quiet,LINK)$$(CC) $$(ALL_CFLAGS) $$(static) $$(LDFLAGS) $$(call wrapping,build/obj/harness/tests/$(1)/$(3).o) -Wl,--gc-sections -o $$@ $$^
endef

# The programs of make check-acts (harness/tests/act) and make check-lines (harness/tests/still).
$(eval $(call proof,act,observer,workload))
$(eval $(call proof,still,still,still))

build/libengine.a: $(call objects,build,$(engine_sources))
	@rm -f $@
	$(call quiet,AR)$(AR) rcs $@ $^

# A test program gets only the objects that it uses. Cases are linked completely, because nothing refers to them.
$(out)/librssck.a: $(call objects,$(out),$(test_support) $(agent_sources) $(engine_sources) $(front_sources))
	@rm -f $@
	$(call quiet,AR)$(AR) rcs $@ $^

# All test programs are in one folder, whatever folder their sources are in.
define test_program
$$(out)/tests/$(notdir $(1:.c=)): $$(call objects,$$(out),$(1) $$(case_sources)) $$(out)/librssck.a
	@mkdir -p $$(@D)
	$$(call quiet,LINK)$$(CC) $$(ALL_CFLAGS) $$(sanitizer) $$(LDFLAGS) -o $$@ $$^ $$(LIBS)
endef
$(foreach test,$(test_programs),$(eval $(call test_program,$(test))))

ids = $(patsubst include/rssck/%,build/ids/%,$(wildcard include/rssck/*.def))

# The folder is part of the prerequisite's name, so that a case's __FILE__ is its path in the repository.
build/obj/%.o: %.c Makefile | $(ready) $(ids)
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(FLAGS) -MMD -MP -c -o $@ $<
	@$(ids_alone)

build-asan/obj/%.o: %.c Makefile | $(ready) $(ids)
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(sanitizer) $(FLAGS) -MMD -MP -c -o $@ $<
	@$(ids_alone)

# Most files use only the ids in the tables of include/rssck, so a row with a changed text does not compile them
# again. A file that includes a table itself depends on the whole table.
ids_alone = grep -q '^.include <rssck/[a-z]*\.def>' $< || sed -i 's,include/rssck/\([a-z]*\)\.def,build/ids/\1.def,g' $(@:.o=.d)

build/ids/%.def: include/rssck/%.def
	@mkdir -p $(@D)
	@sed -n 's/^\([A-Z_]*\)(\([A-Z0-9_]*\).*/\1 \2/p' $< >$@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

# The style sheets and scripts of the HTML pages are included in the program unchanged.
build/obj/harness/page/assets.o build-asan/obj/harness/page/assets.o: $(wildcard harness/page/*.css harness/page/*.js)
build/obj/harness/course/assets.o build-asan/obj/harness/course/assets.o: $(wildcard harness/course/*.css harness/course/*.js)

%/harness/cmd/commands.o: FLAGS = -DRSSCK_VERSION='"$(VERSION)"'

# Checks the order of the folders.
arrow_objects = $(call shared_objects,build) $(call front_objects,build) build/obj/harness/cmd/main.o
build/arrows: harness/arrows.sh $(arrow_objects) $(wildcard include/rssck/*)
	$(call quiet,CHECK)sh harness/arrows.sh $(arrow_objects)
	@touch $@

# Code must not compare our own wording.
build/prose: harness/prose.sh $(call sources,harness) $(call sources,cases)
	$(call quiet,CHECK)sh harness/prose.sh
	@touch $@

# The date of a page is the date of the last change to its sources.
dated = sed -e '/^\.TH /s/""/"$(shell date -u -r $(1) +%Y-%m-%d)"/' -e 's/@VERSION@/$(VERSION)/'

# A page for each command, made from its part of rssck.1, and a page for each JSON format, made from its schema.
commands = $(filter-out help_itself,$(shell sed -n '/ commands\[\] = {/,/}/s/[	 ]*&command_\([a-z_]*\),\( NULL,\)*/\1 /gp' harness/cmd/table.c))
command_pages = $(commands:%=build/rssck-%.1)
format_pages = $(patsubst harness/schema/%-1.schema.json,build/%.5,$(wildcard harness/schema/*.schema.json))

$(command_pages) build/rssck.1: build/rssck%.1: harness/cmd/rssck.1 harness/cmd/manual.awk rssck Makefile
	awk -v rssck=./rssck -v command=$(*:-%=%) -f harness/cmd/manual.awk $< >$@.new
	$(call dated,$<) $@.new >$@
	@rm -f $@.new

build/schema-manual: build/obj/harness/schema/manual.o
	$(call quiet,LINK)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $$(pkg-config --libs jansson)

$(format_pages): build/%.5: harness/schema/%-1.schema.json build/schema-manual Makefile
	build/schema-manual $< | $(call dated,$<) >$@

.PHONY: manual
manual: build/rssck.1 build/rssck-metrics.7 $(command_pages) $(format_pages) ## the manual pages, in build/

# rssck makes this page from its built-in tables and the recorded runs.
build/rssck-metrics.7: rssck $(wildcard results/*.json) Makefile
	./rssck explain --manual --results=results >$@.new
	$(call dated,include/rssck/metrics.def) $@.new >$@
	@rm -f $@.new

folders = $(bindir) $(libexecdir)/rssck $(mandir)/man1 $(mandir)/man5 $(mandir)/man7 $(resultsdir)/atlas $(completiondir) \
	$(zshdir) $(fishdir) $(schemadir)
folders_list = $(prefix)/share/rssck/folders

install: all manual ## install below PREFIX (/usr/local), or below DESTDIR/PREFIX
	@sh harness/package/folders.sh make '$(DESTDIR)' $(folders_list) $(folders)
	$(INSTALL) -m 755 rssck $(DESTDIR)$(bindir)/rssck
	$(INSTALL) -m 755 rssck-workload rssck-worker $(libproc2) $(DESTDIR)$(libexecdir)/rssck
	$(INSTALL) -m 644 build/rssck.1 $(command_pages) $(DESTDIR)$(mandir)/man1
	$(INSTALL) -m 644 $(format_pages) $(DESTDIR)$(mandir)/man5
	$(INSTALL) -m 644 build/rssck-metrics.7 $(DESTDIR)$(mandir)/man7/rssck-metrics.7
	$(INSTALL) -m 644 results/*.json $(DESTDIR)$(resultsdir)
	$(INSTALL) -m 644 results/atlas/*.json $(DESTDIR)$(resultsdir)/atlas
	$(INSTALL) -m 644 harness/cmd/completion.bash $(DESTDIR)$(completiondir)/rssck
	$(INSTALL) -m 644 harness/cmd/completion.zsh $(DESTDIR)$(zshdir)/_rssck
	$(INSTALL) -m 644 harness/cmd/completion.fish $(DESTDIR)$(fishdir)/rssck.fish
	$(INSTALL) -m 644 harness/schema/*.schema.json $(DESTDIR)$(schemadir)

uninstall: ## remove the installed files
	rm -f $(DESTDIR)$(bindir)/rssck $(DESTDIR)$(libexecdir)/rssck/rssck-workload
	rm -f $(DESTDIR)$(libexecdir)/rssck/rssck-worker $(DESTDIR)$(libexecdir)/rssck/rssck-libproc2
	rm -f $(addprefix $(DESTDIR)$(mandir)/man1/,rssck.1 $(notdir $(command_pages)))
	rm -f $(addprefix $(DESTDIR)$(mandir)/man5/,$(notdir $(format_pages))) $(DESTDIR)$(mandir)/man7/rssck-metrics.7
	rm -f $(DESTDIR)$(completiondir)/rssck $(DESTDIR)$(resultsdir)/*.json $(DESTDIR)$(resultsdir)/atlas/*.json
	rm -f $(DESTDIR)$(zshdir)/_rssck $(DESTDIR)$(fishdir)/rssck.fish $(DESTDIR)$(schemadir)/*.schema.json
	@sh harness/package/folders.sh remove '$(DESTDIR)' $(folders_list)

formatted = $(sort $(shell find -H cases harness include -name '*.[ch]'))

format format-check: is-formatter-here

.PHONY: is-formatter-here
is-formatter-here:
	@command -v $(CLANG_FORMAT) >/dev/null || { echo '$(CLANG_FORMAT) is not installed (make deps-dev)' >&2; exit 1; }
	@[ -n '$(firstword $(formatted))' ] || { echo 'there is no C file below cases, harness and include' >&2; exit 1; }

format: ## run clang-format on every C file
	$(CLANG_FORMAT) -i $(formatted)

format-check: ## fail if clang-format would change a file
	@$(CLANG_FORMAT) --dry-run --Werror $(formatted)

clean: ## remove everything built
	rm -rf build build-asan build-fuzz rssck rssck-workload rssck-worker rssck-libproc2

include harness/package/package.mk

new-case: ## write a documented skeleton of a case: NAME=file/append
	@sh harness/new-case.sh '$(NAME)'

help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile harness/package/package.mk

-include $(shell find build build-asan build-fuzz -name '*.d' 2>/dev/null)
endif
