#!/usr/bin/env bash
# The recipe of smollm.toml by several processes of one machine, a GPU each (without GPUs, on the CPU):
#   PROCESSES=4 examples/torchrun.sh model.path=FOLDER data.train=FILE data.eval=FILE --out runs/smollm
# When a process dies the others end and torchrun returns 1; the same command goes on from the last
# checkpoint, with as many processes as there are then. RESTARTS=3: torchrun does that up to 3 times.
#
# Several machines: on each of them, --out in a folder that all see,
#   torchrun --nnodes=2 --nproc-per-node=8 --rdzv-backend=c10d --rdzv-endpoint=FIRST_MACHINE:29500 \
#     -m microcoder_train examples/smollm.toml … --out runs/smollm
set -euo pipefail

# SIGTERM or Ctrl-C: seconds to finish an update and save; torchrun's own are 30.
export TORCH_ELASTIC_SHUTDOWN_TIMEOUT=${TORCH_ELASTIC_SHUTDOWN_TIMEOUT:-600}
# A store for every attempt; in a shared one the processes find the addresses of those before them.
export TORCH_DISABLE_SHARE_RDZV_TCP_STORE=1
exec torchrun --standalone --nproc-per-node="${PROCESSES:-2}" --max-restarts="${RESTARTS:-0}" \
  -m microcoder_train "$(dirname "$0")/smollm.toml" "$@"
