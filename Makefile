# The front door. `make help` lists every target.
.DEFAULT_GOAL := help
SHELL := /bin/bash

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

.PHONY: run
run: ## build everything, seed an empty data folder (LARGE=1: with much more), start the shop and the payment sandbox
	@scripts/run $(if $(LARGE),--large)

.PHONY: test
test: ## format, lints, Rust tests, web tests and a Chromium journey
	@scripts/test

.PHONY: test-full
test-full: ## make test, and the long crash and race proofs
	@JANGBU_PROOFS=full scripts/test

.PHONY: upgrade
upgrade: ## two programs on one shop: OLD=COMMIT (or the last that wrote older events) beside this one, under orders
	@scripts/upgrade $(OLD)

.PHONY: lint
lint: ## format and lints only
	@scripts/test lint

.PHONY: bench
bench: ## measure what docs/benchmarks.md says and write it anew (an idle machine, half an hour with the build)
	@scripts/bench

.PHONY: bench-quick
bench-quick: ## the same on a small scale, two minutes after the build; only printed
	@scripts/bench quick

.PHONY: bench-shop
bench-shop: ## what the shop's calls cost over HTTP: CPU of server and Postgres, statements (a release build, an idle machine)
	@scripts/web && cargo build --quiet --release --workspace --bin jangbu
	@node scripts/bench-shop.mjs "$${CARGO_TARGET_DIR:-$$PWD/target}/release/jangbu"

.PHONY: bench-large
bench-large: ## bench-shop with copied products and orders (PRODUCTS=100000 ORDERS=100000 unless given; an hour at ORDERS=1000000)
	@PRODUCTS=$${PRODUCTS:-100000} ORDERS=$${ORDERS:-100000} $(MAKE) --no-print-directory bench-shop

.PHONY: web
web: ## install the web packages and build the web app
	@scripts/web

.PHONY: pictures
pictures: ## redraw the product pictures (needs npm's three beside the script)
	@cd web/scripts/pictures && npm install --no-save --no-audit --no-fund three@0.187.0 playwright-core@1.65.1 && node render.mjs && rm -rf node_modules

.PHONY: portraits
portraits: ## take the README's pictures anew (make run or cargo build first)
	@cd web && npm run --silent portraits

.PHONY: shots
shots: ## picture every page as everybody on three screens into web/shots/, and check each (make run or cargo build first)
	@cd web && npm run --silent shots

.PHONY: lighthouse
lighthouse: ## rate home, list and product of a release build on a desk and a phone (an idle machine)
	@scripts/web && cargo build --quiet --release -p api --bin jangbu
	@bin="$${CARGO_TARGET_DIR:-$$PWD/target}/release/jangbu"; cd web && JANGBU_BIN="$$bin" npm run --silent lighthouse

.PHONY: openapi
openapi: ## rewrite web/openapi.json, the words for statuses and the TypeScript types from the server's own document
	@UPDATE_OPENAPI=1 cargo test -p api --test it http::documents && cd web && npm run gen-api

.PHONY: clean-data
clean-data: ## delete the demo shop's data folder
	rm -rf data
