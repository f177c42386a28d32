# Sourced: the tools' versions and where they are kept. Everything fetched or built outside the clone lives in CAIRN_CACHE.
# shellcheck shell=bash disable=SC2034

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export CAIRN_CACHE=${CAIRN_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/cairn}

rust_version=$(sed -n 's/^channel = "\(.*\)"/\1/p' "$repository/rust-toolchain.toml")
wasm_target=wasm32-unknown-unknown
nextest_version=0.9.151
cargo_leptos_version=0.3.11
binaryen_version=132.0.0
# wasm-bindgen's command and crate speak one private format: both must be of the very same version
wasm_bindgen_version=$(awk '/^name = "wasm-bindgen"$/ { getline; gsub(/"/, "", $3); print $3 }' "$repository/Cargo.lock" 2> /dev/null || true)
wasm_bindgen_version=${wasm_bindgen_version:-0.2.130}

nextest_bin=$CAIRN_CACHE/tools/cargo-nextest-$nextest_version/bin
cargo_leptos_bin=$CAIRN_CACHE/tools/cargo-leptos-$cargo_leptos_version/bin
wasm_bindgen_bin=$CAIRN_CACHE/tools/wasm-bindgen-cli-$wasm_bindgen_version/bin
binaryen_bin=$CAIRN_CACHE/tools/binaryen-$binaryen_version/node_modules/.bin

model_folder=$CAIRN_CACHE/model/all-minilm-l6-v2-int8
onnxruntime_library=$model_folder/libonnxruntime.$([[ $(uname -s) == Darwin ]] && echo dylib || echo so)

llm_folder=$CAIRN_CACHE/llm/qwen2.5-coder-1.5b-instruct-q4_k_m
llm_server_version=2026.10.11549
