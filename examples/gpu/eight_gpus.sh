#!/usr/bin/env bash
# Eight GPUs of one machine (PROCESSES=2: two), a vLLM engine in each process. --dry-run: on the CPU.
#   examples/gpu/eight_gpus.sh --out runs/eight_gpus [--model FOLDER] [key=value ...]
set -euo pipefail
export TORCH_DISABLE_SHARE_RDZV_TCP_STORE=1  # see examples/torchrun.sh
exec python -m torch.distributed.run --standalone --nproc-per-node="${PROCESSES:-8}" \
  "$(dirname "$0")/measure.py" "$@"
