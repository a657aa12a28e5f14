"""Exports a checkpoint: weights once (float16 safetensors), and what reads them: config.json for transformers,
model.onnx for `src/model`, the tokenizer, and npdb.json that says what made them.

    python -m training.export --checkpoint checkpoints/run --out models/x
"""

import argparse
import hashlib
import json
import os
import shutil
import sys
from pathlib import Path

from .checkpoint import load
from .errors import TrainingError, run_command

FORMAT = "npdb-model"
VERSION = 1


def export(weights: dict, config: dict, about: dict, tokenizer: Path, out: Path) -> None:
    """`weights` by their transformers names, tied head left out; files are written beside and moved into place."""
    import onnx
    import torch
    from safetensors.torch import save_file

    from .graph import build_graph

    out.mkdir(parents=True, exist_ok=True)
    part = out / ".part"
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir()
    half = {k: v.detach().to(torch.float16).contiguous() for k, v in sorted(weights.items()) if k != "lm_head.weight"}
    for name, tensor in half.items():
        if not torch.isfinite(tensor).all():
            raise TrainingError("E_EXPORT", f"{name} does not fit float16.", "The run diverged: train again with a lower --lr.", 1)
    save_file(half, part / "model.safetensors", metadata={"format": "pt"})
    (part / "config.json").write_text(json.dumps(config, indent=2) + "\n", "utf-8")
    onnx.save(build_graph(config, part), part / "model.onnx")
    shutil.copyfile(tokenizer, part / "tokenizer.json")
    about = dict(about)
    digest = hashlib.sha256((part / "model.safetensors").read_bytes()).hexdigest()
    head = {
        "format": FORMAT,
        "version": VERSION,
        "name": about.pop("name", out.resolve().name),
        "vocabularySize": config["vocab_size"],
        "contextLength": config["max_position_embeddings"],
        "layers": config["num_hidden_layers"],
        "heads": config["num_attention_heads"],
        "headWidth": config["hidden_size"] // config["num_attention_heads"],
        "lookback": config.get("npdb_lookback", 0),
        "weightsSha256": digest,
    }
    (part / "npdb.json").write_text(json.dumps(head | about, indent=2) + "\n", "utf-8")
    # npdb.json last: it is what a loader looks for.
    for name in ("model.safetensors", "config.json", "model.onnx", "tokenizer.json", "npdb.json"):
        (part / name).chmod(0o644)
        os.replace(part / name, out / name)
    part.rmdir()


def plain_config(text: str) -> dict:
    """config.json as transformers writes it. With `npdb_lookback` it is a Llama only once embeddings look back (`model.py`)."""
    config = json.loads(text)
    config["architectures"] = ["Model" if config.get("npdb_lookback") else "LlamaForCausalLM"]
    config["torch_dtype"] = "float16"
    config["use_cache"] = True
    return {k: v for k, v in config.items() if not k.startswith("_")}


def main(argv: list[str]) -> int:
    p = argparse.ArgumentParser(prog="python -m training.export", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--checkpoint", type=Path, required=True, help="folder given to pretrain as --out")
    p.add_argument("--out", type=Path, required=True, help="folder of the exported model")
    args = p.parse_args(argv)
    state = load(args.checkpoint)
    if state is None:
        raise TrainingError("E_CHECKPOINT_MISSING", f"There is no checkpoint in {args.checkpoint}.", "Train first: python -m training.pretrain.")
    provenance = dict(state["provenance"])
    # What the shards were made of, but not the names of their files.
    provenance["shards"] = [shard | {"meta": {k: v for k, v in shard["meta"].items() if k != "files"}} for shard in provenance["shards"]]
    meta = provenance["shards"][0]["meta"]
    about = {k: meta.get(k) for k in ("codec", "codecVersion", "tokenizer", "traceVersion")}
    about["training"] = provenance | {k: state[k] for k in ("step", "tokens", "targets", "elapsed", "finished")}
    export(state["model"], plain_config(state["config"]), about, args.checkpoint / "tokenizer.json", args.out)
    size = sum(f.stat().st_size for f in args.out.iterdir())
    print(f"{args.out}: {provenance['parameters'] / 1e6:.2f}M parameters, {size / 1e6:.1f} MB, step {state['step']}")
    return 0


if __name__ == "__main__":
    run_command(lambda: main(sys.argv[1:]))
