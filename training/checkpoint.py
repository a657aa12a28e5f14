"""Checkpoints: one file, written beside and moved into place, holding all that an exact resume needs."""

import json
import os
from pathlib import Path

import torch

from .errors import TrainingError

FILE = "checkpoint.pt"
LOG = "log.jsonl"
VERSION = 1


def save(folder: Path, state: dict, rank: int = 0) -> None:
    path = folder / (FILE if rank == 0 else f"rank-{rank}.pt")
    part = path.with_suffix(".part")
    with open(part, "wb") as file:
        torch.save({"version": VERSION, **state}, file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, path)


def load(folder: Path, rank: int = 0) -> dict | None:
    """None where there is none yet; `E_CHECKPOINT_BROKEN`, `E_CHECKPOINT_VERSION`."""
    path = folder / (FILE if rank == 0 else f"rank-{rank}.pt")
    if not path.is_file():
        return None
    try:
        state = torch.load(path, map_location="cpu", weights_only=True)
        version = state["version"]
    except Exception as error:
        why = f"{path} cannot be read ({type(error).__name__})."
        raise TrainingError("E_CHECKPOINT_BROKEN", why, "Delete it to start again, or use another --out.") from error
    if version != VERSION:
        raise TrainingError("E_CHECKPOINT_VERSION", f"{path} has version {version}, not {VERSION}.", "Use another --out.")
    return state


def cut_log(folder: Path, step: int) -> None:
    """Drops log lines after `step`: what a killed run wrote past its last checkpoint happens again."""
    path = folder / LOG
    if not path.is_file():
        return
    kept = []
    for line in path.read_text("utf-8").splitlines():
        try:
            if json.loads(line).get("step", 0) <= step:
                kept.append(line + "\n")
        except ValueError:
            break
    part = path.with_suffix(".part")
    part.write_text("".join(kept), "utf-8")
    os.replace(part, path)
