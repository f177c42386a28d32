# make run     build everything and serve the demo catalogue on http://127.0.0.1:3000
# make test    everything CI checks
# make lint    formatting and clippy
# make dev     rebuild and reload on every change
# make setup   only install what building and testing need; it goes into CAIRN_CACHE (~/.cache/cairn)

SHELL := bash
STEP := scripts/step.sh

# One profile and one selection of packages for tests, browser tests and `make run`: cargo unites the features of what is
# selected together, so another selection would build many crates a second time. Tests count too, which is why the server
# is built along with one of app's tests: naming it has the features of all dev-dependencies united as for the test run.
PACKAGES := --workspace --exclude frontend --release
A_TEST := $(firstword $(sort $(basename $(notdir $(wildcard app/tests/*.rs)))))
SERVER := $(PACKAGES) --bin cairn $(if $(A_TEST),--test $(A_TEST))

# cargo-leptos builds the frontend in a target folder of its own, `front`, and clippy shares it.

.NOTPARALLEL:
.PHONY: run test lint dev setup setup-build format clippy rust-tests frontend server browser-tests

run: setup-build frontend server
	source scripts/env.sh && exec "$$CAIRN_PROGRAM" serve

test: setup lint rust-tests frontend server browser-tests

lint: setup-build format clippy

dev: setup-build
	source scripts/env.sh && exec cargo leptos watch -- serve

setup: setup-build
	$(STEP) "test tools" scripts/tools.sh
	$(STEP) "browser" scripts/browser.sh
	$(STEP) "small language model" scripts/llm.sh

setup-build:
	$(STEP) "build tools" scripts/tools.sh build
	$(STEP) "embedding model" scripts/model.sh

format:
	$(STEP) "format" cargo fmt --check

clippy:
	$(STEP) "clippy" cargo clippy $(PACKAGES) --all-targets -- -D warnings
	$(STEP) "clippy for the browser" bash -c 'cargo clippy --target-dir "$$CARGO_TARGET_DIR/front" --package frontend --lib \
	  --no-default-features --target wasm32-unknown-unknown --profile wasm-release -- -D warnings'

rust-tests:
	$(STEP) "rust tests" cargo nextest run $(PACKAGES)

frontend:
	$(STEP) "frontend" cargo leptos build --release --frontend-only

server:
	$(STEP) "server" cargo build $(SERVER)

browser-tests:
	$(STEP) "browser tests" npm --prefix end2end test
