#!/usr/bin/env bash
# Runs one step of the build in the project's environment and says how long it took: scripts/step.sh LABEL COMMAND...
set -euo pipefail
label=$1
shift
cd "$(dirname "$0")/.."
# shellcheck source=scripts/env.sh
source scripts/env.sh

echo "== $label"
status=0
"$@" || status=$?
line="== $label: $SECONDS s$([[ $status == 0 ]] || echo ", failed")"
echo "$line"
if [[ -n ${CAIRN_STEP_LOG:-} ]]; then echo "$line" >> "$CAIRN_STEP_LOG"; fi
exit "$status"
