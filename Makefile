# Everything a newcomer needs: `make up`, `make test`. Each target installs what is missing first.

.DEFAULT_GOAL := help
SHELL := /bin/sh

# Of everything that runs in clusters; said once, in deploy/image.
IMAGE_NAME ?= $(shell deploy/image/name)

.PHONY: help bootstrap build up package images push deploy undeploy test test-kube test-deep check bench format clean

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

bootstrap: ## install the Debian packages that building and testing need
	@tools/bootstrap

build: bootstrap ## the release binary, at build/release/berth
	@tools/build release berth

up: build ## build, then run a fleet on this machine to play with: a hub, clusters, scores, a placement
	@build/release/berth up

package: build ## the Debian package, at build/release/berth_VERSION_ARCHITECTURE.deb
	@cd build/release && cpack

images: build ## the container image, with Docker; IMAGE_NAME says how it is called
	@rm -rf build/image && deploy/image/stage build/image/root build/release/berth
	@docker build --tag "$(IMAGE_NAME)" --file deploy/image/Dockerfile build/image

push: ## brings it to where clusters can get it
	@docker push "$(IMAGE_NAME)"

deploy: ## the score agent as an add-on on the hub of kubectl's context; IMAGE_NAME says which image
	@deploy/addon/deploy up

undeploy: ## takes it away again, scores included
	@deploy/addon/deploy down

test: bootstrap ## all tests on the dev build (ASan + UBSan); half an hour from nothing on 2 cores
	@tools/tidy/format --check
	@tools/build dev tidy && build/dev/tools/tidy/tidy .
	@tools/build dev checks
	@ctest --preset check --parallel 2
	@tools/build dev
	@ctest --preset dev --parallel 2 --label-exclude check

test-kube: ## the integration tests on a real kube-apiserver and etcd, which are built once
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
