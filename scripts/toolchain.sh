#!/usr/bin/env bash
# Makes sure of a Rust toolchain that builds for wasm32, and prints its name for RUSTUP_TOOLCHAIN.
set -euo pipefail
# shellcheck source=scripts/versions.sh
source "$(dirname "$0")/versions.sh"

if ! command -v rustup > /dev/null; then
  echo "rustup is missing: install it from https://rustup.rs, then run this again" >&2
  exit 1
fi

is_complete() {
  local toolchain=$1 sysroot
  sysroot=$(rustup run "$toolchain" rustc --print sysroot 2> /dev/null) || return 1
  compgen -G "$sysroot/lib/rustlib/$wasm_target/lib/libcore-*.rlib" > /dev/null &&
    [[ $(rustup run "$toolchain" rustc --version) == "rustc $rust_version "* ]] &&
    rustup run "$toolchain" cargo clippy --version > /dev/null 2>&1 &&
    rustup run "$toolchain" cargo fmt --version > /dev/null 2>&1
}

for toolchain in "$rust_version" cairn-debian; do
  if is_complete "$toolchain"; then
    echo "$toolchain"
    exit 0
  fi
done

if rustup toolchain install "$rust_version" --profile minimal -c clippy -c rustfmt -t "$wasm_target" --no-self-update >&2; then
  echo "$rust_version"
  exit 0
fi

echo "rustup cannot fetch Rust $rust_version: trying Debian's packaged toolchain" >&2
"$repository/scripts/toolchain-debian.sh" >&2
if ! is_complete cairn-debian; then
  echo "Debian's packages do not hold a whole Rust $rust_version: let rustup reach its download server and run this again" >&2
  exit 1
fi
echo cairn-debian
