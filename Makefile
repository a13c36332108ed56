# Everything a newcomer needs: `make up`, `make test`. Each target installs what is missing first.

.DEFAULT_GOAL := help
SHELL := /bin/sh

.PHONY: help bootstrap build up test test-kube test-deep check bench format clean

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

bootstrap: ## install the Debian packages that building and testing need
	@tools/bootstrap

build: bootstrap ## the release binary, at build/release/berth
	@tools/build release berth

up: build ## build and run what there is: the simulator, until the local fleet exists
	@build/release/berth simulate --seeds 20

test: bootstrap ## all tests on the dev build (ASan + UBSan); 20 minutes from nothing on 2 cores
	@tools/build dev
	@ctest --preset dev

test-kube: ## the integration tests on a real kube-apiserver and etcd, built once; 40 minutes with peers
	@tests/kube/run

check: bootstrap ## format, tidy, units and a smoke run of the simulator, in minutes
	@cmake --workflow --preset check

test-deep: bootstrap ## TSan, fuzzing, coverage and a thousand seeds; an hour or two
	@tests/deep/run

bench: bootstrap ## every benchmark of bench/, with its conditions
	@tools/build release
	@for program in build/release/bench/*_bench; do echo "== $$program"; $$program || exit 1; done

format: bootstrap ## format every C++ source
	@tools/tidy/format

clean: ## forget all builds
	@rm -rf build
