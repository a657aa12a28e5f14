#!/usr/bin/env bash
# From a fresh clone to better weights of models/small, on the CPU: data by seed, training for MINUTES from the committed
# weights, evaluation; the better weights are kept. Stopped, the same command goes on.
#
#   runs/cpu.sh MINUTES [--seed N] [--size s]
set -euo pipefail
cd "$(dirname "$0")/.."
minutes=${1:?"usage: runs/cpu.sh MINUTES [--seed N]"}
shift
exec node scripts/recipe.mjs --minutes "$minutes" "$@"
