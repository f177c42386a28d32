#!/usr/bin/env bash
# Makes sure of the build tools, each at the version this project is built with: cargo-nextest, wasm-bindgen, wasm-opt and cargo-leptos.
# `scripts/tools.sh build` leaves out what only tests need.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=scripts/versions.sh
source "$here/versions.sh"

for needed in cargo npm; do
  if ! command -v "$needed" > /dev/null; then
    echo "$needed is missing: install $([[ $needed == npm ]] && echo 'Node.js 20 or newer with npm' || echo 'Rust through rustup'), then run this again" >&2
    exit 1
  fi
done

# is_there FOLDER VERSION COMMAND...: the command, from FOLDER or else from PATH, says it is of VERSION
is_there() {
  local folder=$1 version=$2
  shift 2
  PATH=$folder:$PATH "$@" 2> /dev/null | grep -wF -- "$version" > /dev/null
}

# install_crate NAME VERSION BIN_FOLDER FLAG...
install_crate() {
  local name=$1 version=$2 folder=${3%/bin} fresh
  shift 3
  fresh=$work_folder/$name
  mkdir -p "$fresh"
  echo "installing $name $version into $folder" >&2
  if ! binstall "$name" "$version" "$fresh"; then
    # Some of these ask for whole-program optimisation on one core, half an hour of it; a build tool needs none.
    # Built from / so that this project's cargo settings stay out of it.
    (cd / && RUSTUP_TOOLCHAIN=$toolchain CARGO_TARGET_DIR=$work_folder/target \
      CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 \
      CARGO_PROFILE_RELEASE_OPT_LEVEL=0 CARGO_PROFILE_RELEASE_DEBUG=false \
      cargo install --quiet "$name" --version "=$version" --root "$fresh" "$@" >&2)
  fi
  rm -rf "$folder"
  mv "$fresh" "$folder"
}

binstall() {
  local name=$1 version=$2 folder=$3
  command -v cargo-binstall > /dev/null &&
    cargo binstall --no-confirm --disable-strategies compile --version "=$version" --root "$folder" "$name" >&2
}

toolchain=$("$here/toolchain.sh")
# beside the tools, so that a finished one is moved into its place in one go
work_folder=$CAIRN_CACHE/tools/.build-$$
trap 'rm -rf "$work_folder"' EXIT

if [[ ${1:-} != build ]] && ! is_there "$nextest_bin" "$nextest_version" cargo-nextest nextest --version; then
  install_crate cargo-nextest "$nextest_version" "$nextest_bin" --locked --no-default-features --features default-no-update
fi
# without --locked: the crate's lock file may name a version that has since been withdrawn
if ! is_there "$wasm_bindgen_bin" "$wasm_bindgen_version" wasm-bindgen --version; then
  install_crate wasm-bindgen-cli "$wasm_bindgen_version" "$wasm_bindgen_bin"
fi
if ! is_there "$binaryen_bin" "${binaryen_version%%.*}" wasm-opt --version; then
  echo "installing binaryen $binaryen_version (wasm-opt)" >&2
  npm install --silent --no-save --no-package-lock --ignore-scripts --prefix "${binaryen_bin%/node_modules/.bin}" "binaryen@$binaryen_version" >&2
fi
if ! is_there "$cargo_leptos_bin" "$cargo_leptos_version" cargo-leptos leptos --version; then
  install_crate cargo-leptos "$cargo_leptos_version" "$cargo_leptos_bin" --locked --features no_downloads
fi
