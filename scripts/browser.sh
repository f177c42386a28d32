#!/usr/bin/env bash
# Makes sure of a Chromium and of the browser tests' packages. Prints the browser's path, for CHROMIUM.
set -euo pipefail
# shellcheck source=scripts/versions.sh
source "$(dirname "$0")/versions.sh"

find_chromium() {
  local candidate
  for candidate in ${CHROMIUM:+"$CHROMIUM"} chromium chromium-browser google-chrome google-chrome-stable \
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" /Applications/Chromium.app/Contents/MacOS/Chromium; do
    if command -v "$candidate"; then return; fi
  done
  return 1
}

if ! chromium=$(find_chromium); then
  as_root=()
  if [[ $(id -u) != 0 ]]; then as_root=(sudo -n); fi
  if ! command -v apt-get > /dev/null || ! ${as_root[@]+"${as_root[@]}"} true 2> /dev/null; then
    echo "Chromium is missing: install Chromium or Google Chrome, or name one in CHROMIUM, then run this again" >&2
    exit 1
  fi
  ${as_root[@]+"${as_root[@]}"} apt-get update -qq >&2
  ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium >&2
  chromium=$(find_chromium)
fi

if ! command -v npm > /dev/null; then
  echo "npm is missing: install Node.js 20 or newer with npm, then run this again" >&2
  exit 1
fi
cd "$repository/end2end"
# npm ci empties node_modules each time: only when the lock file has changed since
if ! cmp -s package-lock.json node_modules/.installed-lock.json; then
  npm ci --silent --no-audit --no-fund --ignore-scripts >&2
  cp package-lock.json node_modules/.installed-lock.json
fi
echo "$chromium"
