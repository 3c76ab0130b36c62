# Every target sets up what it needs by itself; a second run finds it done. Extra arguments: make test ARGS=test/gates
host_path := $(PATH)
export PATH := $(CURDIR)/node_modules/.bin:$(PATH)
ARGS ?=

# npm writes this file last, so it stands for a complete install.
installed := node_modules/.package-lock.json

.DEFAULT_GOAL := help
.PHONY: help dev test check format generate build bench

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "%-16s %s\n", $$1, $$2 }'

dev: $(installed) ## run a local control plane with the operator and a sample fleet
	@node src/cli/holdfast.ts dev $(ARGS)

test: $(installed) ## run all tests, then show the coverage of each folder
	@node tools/test.ts $(ARGS)

check: $(installed) ## run every gate: types, lint, format, layers, names, dead code, clones, rules, generated files
	@node tools/check.ts $(ARGS)

format: $(installed) ## rewrite the sources as the formatter wants them
	@biome format --write $(or $(ARGS),.)

generate: $(installed) ## write deploy/crds, deploy/rbac and docs/reference anew from src
	@node tools/generate.ts $(ARGS)

build: $(installed) ## bundle the programs into dist
	@node tools/build.ts $(ARGS)

bench: $(installed) ## measure
	@node bench/run.ts $(ARGS)

# Not `npm ci`: it wants every platform's optional packages in the lock, and a registry that lacks one of them makes
# a lock without it. This installs what the lock says, checks each digest and changes neither file.
# npm runs on the machine's own Node: the one in node_modules may be what is being replaced.
$(installed): package-lock.json
	@PATH='$(host_path)'; command -v npm >/dev/null || { echo 'npm is missing: install Node.js 20 or newer, which brings it.' >&2; exit 1; }
	@echo 'installing what package-lock.json names' >&2
	@PATH='$(host_path)' npm install --no-save --loglevel=error >/dev/null
	@case "$$(node --version)" in v24.*) ;; *) echo 'Node 24 could not be installed: the npm package "node" has none for this machine.' >&2; exit 1 ;; esac
	@touch $@
