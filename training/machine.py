"""What the run has to run on: device, processes, precision, attention form, whether compiling pays."""

import os
import shutil
from argparse import Namespace
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.distributed as dist


@dataclass(frozen=True)
class Machine:
    device: torch.device
    rank: int
    world: int
    threads: int
    dtype: torch.dtype
    attention: str
    compiled: bool
    micro: int


def find_machine(args: Namespace) -> Machine:
    """Joins the process group when started by torchrun."""
    world, rank, local = (int(os.environ.get(k, d)) for k, d in (("WORLD_SIZE", "1"), ("RANK", "0"), ("LOCAL_RANK", "0")))
    cuda = torch.cuda.is_available()
    device = torch.device("cuda", local) if cuda else torch.device("cpu")
    if cuda:
        torch.cuda.set_device(device)
    if world > 1:
        dist.init_process_group("nccl" if cuda else "gloo")
    if args.threads:
        torch.set_num_threads(args.threads)
    bf16 = args.precision == "bf16" or (args.precision == "auto" and (cuda or fast_bf16()))
    long = args.minutes is None or args.minutes > 3
    able = cuda or shutil.which("g++") is not None
    compiled = args.compile == "on" or (args.compile == "auto" and able and long and (args.steps is None or args.steps > 500))
    return Machine(
        device=device,
        rank=rank,
        world=world,
        threads=torch.get_num_threads(),
        dtype=torch.bfloat16 if bf16 else torch.float32,
        attention=args.attention if args.attention != "auto" else "dense" if cuda else "tiles",
        compiled=compiled,
        micro=args.micro or (65536 if cuda else 4096),
    )


def fast_bf16() -> bool:
    """True where the processor multiplies bfloat16 itself; elsewhere it is emulated, and slower than float32."""
    try:
        flags = Path("/proc/cpuinfo").read_text("utf-8")
    except OSError:
        return False
    return "avx512_bf16" in flags or "amx_bf16" in flags
