#!/usr/bin/env bash
# Links Debian's packaged Rust into rustup as `cairn-debian`, with a standard library for wasm32 built from its source.
set -euo pipefail
# shellcheck source=scripts/versions.sh
source "$(dirname "$0")/versions.sh"

if ! [[ -e /usr/lib/rustlib/src/rust/library/std && -x /usr/bin/cargo-clippy && -x /usr/bin/cargo-fmt ]] || ! command -v rust-lld > /dev/null; then
  if ! command -v apt-get > /dev/null || [[ $(id -u) != 0 ]]; then
    echo "no Debian packages to fall back to: needs apt-get and root" >&2
    exit 1
  fi
  apt-get update -qq
  apt-get install -y -qq rustc-web cargo-web rust-web-src rust-web-llvm rust-web-clippy rustfmt-web
fi

library=/usr/lib/rustlib/$wasm_target/lib
if ! compgen -G "$library/libcore-*.rlib" > /dev/null; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  mkdir -p "$work/src"
  : > "$work/src/lib.rs"
  printf '[package]\nname = "std-for-wasm"\nversion = "0.0.0"\nedition = "2021"\n' > "$work/Cargo.toml"
  # RUSTC_BOOTSTRAP: a stable compiler refuses -Z build-std without it
  (cd "$work" && env -u RUSTUP_TOOLCHAIN PATH=/usr/bin:/bin RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR="$work/target" \
    /usr/bin/cargo build --release --target "$wasm_target" -Z build-std=std,panic_abort,panic_unwind,proc_macro,test)
  mkdir -p "$library"
  cp "$work/target/$wasm_target/release/deps/"*.rlib "$library/"
  rm -f "$library"/libstd_for_wasm*
fi
rustup toolchain link cairn-debian /usr
