# The front door. Each goal sets up what it needs: Debian packages (packages.txt; no service of theirs is started), then
# CMake's preset of that name.
#   PREFIX, DESTDIR            make install
#   FUZZ_SECONDS, FUZZ_RUNS    make fuzz: for each harness; whichever ends first (FUZZ_RUNS=0: no limit)
#   FUZZ_ONLY                  make fuzz: one harness by name
#   BENCH_FILTER, BENCH_ARGS   make bench: a regular expression; more options of Google Benchmark
#   ALL=1                      make lint: every source
#   SKIP_PACKAGES=1            never call apt

PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60
FUZZ_RUNS ?= 0
FUZZ_ONLY ?=
BENCH_FILTER ?= .
BENCH_ARGS ?=

jobs := $(shell nproc 2>/dev/null || echo 2)
export CMAKE_BUILD_PARALLEL_LEVEL ?= $(jobs)
export CTEST_PARALLEL_LEVEL ?= $(jobs)
# Without these, ccache keeps no object that is compiled with precompiled headers.
export CCACHE_SLOPPINESS ?= pch_defines,time_macros

# $(call packages,groups): installs what is missing.
packages = $(if $(SKIP_PACKAGES),@:,@tools/packages.sh $(1))

# $(call run_tests,preset,variables): builds a preset and runs its tests; ctest's summary stands last.
run_tests = @cmake --preset $(1) && cmake --build --preset $(1) && $(2) tools/test.sh build/$(1) --preset $(1)

.DEFAULT_GOAL := help
.PHONY: help demo build test test-bindings js page bench soak fuzz lint format asan tsan deb packages install uninstall clean

help:  ## this list
	@echo "make GOAL:"
	@sed -n 's/^\([a-z-]*\):.*##  *\(.*\)/  \1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "%-16s%s\n", $$1, $$2 }'

demo: build  ## set up, build, and show what robotrules says about the files in demo/, and a crawl of sites on loopback
	@cmake --build build/release --target demo_site
	@demo/demo.sh build/release/bin/robotrules build/release/bin/demo_site

build:  ## the release command: build/release/bin/robotrules
	$(call packages,build)
	@cmake --workflow --preset release

test:  ## set up, build and run every test
	$(call packages,build test)
	$(call run_tests,dev)

test-bindings:  ## the tests of the bindings and of the page; what this machine lacks is listed at the end
	$(call packages,wasm)
	@tools/test_bindings.sh

js:  ## the npm package: build/js, ready for npm pack
	$(call packages,wasm)
	@bindings/js/build.sh build/js

page: js  ## the page for browsers: build/web/robotrules.html, one file
	@node web/tools/build.mjs build/js build/web/robotrules.html

bench:  ## the benchmarks: a table, and build/bench/results.json
	$(call packages,build bench)
	@cmake --workflow --preset bench
	build/bench/bin/robotrules_bench --benchmark_filter='$(BENCH_FILTER)' --benchmark_repetitions=3 \
	  --benchmark_enable_random_interleaving=true --benchmark_display_aggregates_only=true \
	  --benchmark_out=build/bench/results.json --benchmark_out_format=json $(BENCH_ARGS)

soak:  ## the long suites: ROBOTRULES_SOAK=1 on the tests, then both sanitizers and a long fuzz run
	$(call packages,build test proxy clang)
	$(call run_tests,dev,ROBOTRULES_SOAK=1)
	@$(MAKE) --no-print-directory asan tsan
	@$(MAKE) --no-print-directory fuzz FUZZ_RUNS=10000000 FUZZ_SECONDS=0

fuzz:  ## libFuzzer on each harness; findings land in fuzz/found/
	$(call packages,build clang)
	@cmake --workflow --preset fuzz
	@tools/fuzz.sh build/fuzz/bin '$(FUZZ_SECONDS)' '$(FUZZ_RUNS)' '$(FUZZ_ONLY)'

lint:  ## layout, text, and clang-tidy on what differs from main (ALL=1: on everything)
	$(call packages,build test bench clang lint)
	@tools/format.sh --check
	@tools/check_text.sh
	@tools/batches.sh
	@tools/lint.sh $(if $(ALL),all)

format:  ## lay out every source with clang-format
	$(call packages,lint)
	@tools/format.sh

asan:  ## the tests under AddressSanitizer and UndefinedBehaviorSanitizer
	$(call packages,build test clang)
	$(call run_tests,asan)

tsan:  ## the tests under ThreadSanitizer
	$(call packages,build test clang)
	$(call run_tests,tsan)

deb:  ## Debian packages: build/packages/*.deb
	$(call packages,build wasm packages)
	@packaging/deb.sh build/packages

packages:  ## the packages that this machine can make (npm, Python wheel, Debian): build/packages
	$(call packages,build wasm packages)
	@packaging/all.sh build/packages

install: build  ## library, headers, command, man pages, completions and units to DESTDIR/PREFIX; the page if make page built it
	DESTDIR='$(DESTDIR)' cmake --install build/release --prefix '$(PREFIX)'

uninstall:  ## remove the files of the last make install; databases and settings stay
	@tools/uninstall.sh build/release/install_manifest.txt '$(DESTDIR)'

clean:  ## remove what the presets built
	rm -rf build/dev build/asan build/tsan build/release build/bench build/fuzz build/tidy
