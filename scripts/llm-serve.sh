#!/usr/bin/env bash
# Serves the small language model of scripts/llm.sh: scripts/llm-serve.sh PORT [PARALLEL [CONTEXT]]. Says its address once it answers
# and runs until it is told to stop. CONTEXT is shared by the PARALLEL calls: each has CONTEXT / PARALLEL tokens.
set -euo pipefail
port=${1:?usage: scripts/llm-serve.sh PORT [PARALLEL [CONTEXT]]} parallel=${2:-4} context=${3:-32768}
here=$(dirname "$0")
# shellcheck source=scripts/versions.sh
source "$here/versions.sh"
"$here/llm.sh"

# threads that wait for each other by spinning take a busy machine's cores from everybody else
export OMP_WAIT_POLICY=passive GOMP_SPINCOUNT=0
PYTHONPATH=$llm_folder/server exec python3 - "$llm_folder/model.gguf" "$port" "$parallel" "$context" << 'PYTHON'
import os, signal, sys, xllamacpp

model, port, parallel, context = sys.argv[1:]
params = xllamacpp.CommonParams()
params.model.path, params.hostnames, params.port = model, ["127.0.0.1"], int(port)
params.n_parallel, params.n_ctx, params.model_alias = int(parallel), int(context), {"qwen2.5-1.5b-instruct"}
threads = min(os.cpu_count() or 2, 8)
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
server = xllamacpp.Server(params)
print(f"http://127.0.0.1:{port}/v1", flush=True)
signal.sigwait({signal.SIGINT, signal.SIGTERM})
os._exit(0)
PYTHON
