#!/usr/bin/env bash
# One GPU, at most ten minutes: 20 steps, then TRL's where it is installed. --dry-run: no GPU needed.
#   examples/gpu/one_gpu.sh --out runs/one_gpu [--model FOLDER] [key=value ...]
set -euo pipefail
exec python "$(dirname "$0")/measure.py" "$@"
