#!/usr/bin/env bash
# Two machines of GPUs, judged on the CPUs of both by Ray. The same command on each of them, with
# --out in a folder that both see:
#   FIRST=HOST examples/gpu/two_nodes.sh --out /shared/two_nodes [--model FOLDER] [key=value ...]
# Before: `ray start --head` on the first, `ray start --address=FIRST:6379` on the other (docs/ray.md).
# --dry-run with NODES=1 PROCESSES=2: without GPUs, and without Ray where reward.engine=local is added.
set -euo pipefail
export TORCH_DISABLE_SHARE_RDZV_TCP_STORE=1  # see examples/torchrun.sh
exec python -m torch.distributed.run --nnodes="${NODES:-2}" --nproc-per-node="${PROCESSES:-8}" \
  --rdzv-backend=c10d --rdzv-endpoint="${FIRST:-localhost}:${PORT:-29500}" \
  "$(dirname "$0")/measure.py" reward.engine=ray "$@"
