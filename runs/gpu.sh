#!/usr/bin/env bash
# The same for the larger size on a GPU (bf16, compiled; PyTorch finds the device). The data is built beforehand:
#
#   runs/gpu.sh 0 --data-only          on any machine, once
#   runs/gpu.sh MINUTES [--seed N]     where the GPU is
set -euo pipefail
cd "$(dirname "$0")/.."
minutes=${1:?"usage: runs/gpu.sh MINUTES [--data-only]"}
shift
[ "$minutes" = 0 ] && minutes=1
exec node scripts/recipe.mjs --minutes "$minutes" --size l --model models/large --programs 400000 --batch 262144 "$@"
