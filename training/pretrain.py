"""Pre-trains a model on token shards. Everything a run is comes from its arguments and the shards.

    python -m training.pretrain --shards data/compact --out checkpoints/run --size s --minutes 60
    python -m training.pretrain --shards data/compact --out /tmp/try --size tiny --steps 20     # seconds, on CPU
    torchrun --nproc_per_node 8 -m training.pretrain --shards data/paper --out checkpoints/big --size 1.8b --context 16384 --tokens 50e9

Runs unchanged on CPU, on a GPU and under torchrun. A run that was stopped (Ctrl-C, SIGTERM, a crash) goes on
from its last checkpoint when the same command is given again.
"""

import argparse
import os
import sys
from pathlib import Path

from .errors import TrainingError, run_command
from .sources import open_sources


def parse(argv: list[str] | None = None) -> argparse.Namespace:
    p = argparse.ArgumentParser(prog="python -m training.pretrain", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--shards", nargs="+", required=True, metavar="DIR[:WEIGHT]", help="folders of shards; weight 2 passes twice as often")
    p.add_argument("--out", required=True, type=Path, help="folder of the checkpoint and log; resumed if there is one")
    p.add_argument("--size", default="s", help="the one dial: tiny, xs, s, m, l, xl, 1.8b")
    p.add_argument("--init", type=Path, help="exported weights to start from")
    p.add_argument("--context", type=int, default=1024, help="tokens of a packed row")
    p.add_argument("--minutes", type=float, help="length of the run by the clock, evaluation included; the learning rate ends at 0")
    p.add_argument("--tokens", type=float, help="length of the run in tokens")
    p.add_argument("--steps", type=int, help="length of the run in steps")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--batch", type=int, help="tokens a step, over all processes (default: the size's)")
    p.add_argument("--micro", type=int, help="tokens of one forward pass (default 4096 on CPU, 65536 on a GPU)")
    p.add_argument("--optimizer", choices=("muon", "adamw"), default="muon")
    p.add_argument("--lr", type=float, help="peak of Muon's learning rate (default: the size's)")
    p.add_argument("--adam-lr", type=float, help="peak of AdamW's learning rate (default: the size's)")
    p.add_argument("--weight-decay", type=float, default=0.1)
    p.add_argument("--warmup", type=int, default=50, help="steps of rising learning rate")
    p.add_argument("--decay", type=float, default=0.6, help="last share of the run in which the learning rate falls to 0")
    p.add_argument("--clip", type=float, default=1.0, help="longest gradient; 0 = no clipping")
    p.add_argument("--eval-every", type=int, default=250, help="steps between evaluations; 0 = only at the end")
    p.add_argument("--eval-tokens", type=int, default=65536, help="validation tokens of an evaluation; -1 = all")
    p.add_argument("--save-every", type=float, default=5.0, help="minutes between checkpoints")
    p.add_argument("--precision", choices=("auto", "bf16", "fp32"), default="auto", help="auto: bf16 where the processor has it")
    p.add_argument("--attention", choices=("auto", "tiles", "dense"), default="auto", help="auto: tiles on CPU, dense on a GPU")
    p.add_argument("--compile", choices=("auto", "on", "off"), default="auto", help="auto: on where a C++ compiler or GPU is there, for runs over 3 minutes")
    p.add_argument("--threads", type=int, default=0, help="CPU threads; 0 = all")
    args = p.parse_args(argv)
    if args.minutes is None and args.tokens is None and args.steps is None:
        args.minutes = 30.0
    if args.context < 64 or args.context % 64:
        raise TrainingError("E_CONTEXT", f"--context {args.context} is not a multiple of 64.", "Use 1024 or 2048.", 2)
    return args


def main(argv: list[str] | None = None) -> int:
    args = parse(argv)
    shards, weights = open_sources(args.shards)
    # Threads that wait sleep: spinning ones cost more than they win as soon as anything else runs. Read when
    # the OpenMP library loads, so before torch; heavy imports wait for arguments and shards to be right anyway.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    from .run import Run

    return Run(args, shards, weights).train()


if __name__ == "__main__":
    run_command(lambda: main(sys.argv[1:]))
