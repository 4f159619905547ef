#!/usr/bin/env bash
# One GPU: 20 steps of 64 answers of 8,192 tokens (about half an hour of an H200), and a
# record in benchmarks/results. --trl: then TRL's steps. --dry-run: no GPU needed.
#   examples/gpu/one_gpu.sh --out runs/one_gpu [--model FOLDER] [key=value ...]
set -euo pipefail
exec python "$(dirname "$0")/measure.py" "$@"
