# Sourced by bash, after scripts/tools.sh and scripts/model.sh: what every build, test and run of this project has in its environment.
# shellcheck shell=bash
# shellcheck source=scripts/versions.sh
source "$(dirname "${BASH_SOURCE[0]}")/versions.sh"

RUSTUP_TOOLCHAIN=$("$repository/scripts/toolchain.sh")
export RUSTUP_TOOLCHAIN

# cargo-leptos takes wasm-bindgen and wasm-opt from PATH before anything else
for bin in "$binaryen_bin" "$wasm_bindgen_bin" "$cargo_leptos_bin" "$nextest_bin"; do
  if [[ -d $bin ]]; then PATH=$bin:$PATH; fi
done
unset bin
export PATH

export CAIRN_MODEL_DIR=${CAIRN_MODEL_DIR:-$model_folder}
export ORT_DYLIB_PATH=${ORT_DYLIB_PATH:-$onnxruntime_library}

export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$repository/target}
export CAIRN_PROGRAM=$CARGO_TARGET_DIR/release/cairn
# optional test data beside the clone
export CAIRN_SHARED_DATA=${CAIRN_SHARED_DATA:-$repository/../shared/data}
