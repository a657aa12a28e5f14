"""Small made-up shards, for tests and measurements: each document has its own random function of small
numbers as prefix, each block a run of it. Learnable only by reading the prefix, as the real task is.

    python -m training.synthetic --out /tmp/shards --documents 2000
"""

import argparse
import json
import sys
from pathlib import Path

import numpy as np

from .errors import run_command
from .shards import FORMAT, VERSION, Document, write_shard

RULE, AS, ASK, SAY, END = range(5)
FIRST = 8


def make_document(rng: np.random.Generator, symbols: int, rules: int, blocks: int, chain: int) -> Document:
    """Prefix: `rules` pairs RULE a AS b, a permutation. Block: ASK a, then SAY and the chain a -> b -> c ... END."""
    names = rng.choice(symbols, rules, replace=False) + FIRST
    to = rng.permutation(names)
    prefix = [t for a, b in zip(names, to, strict=True) for t in (RULE, a, AS, b)]
    after = dict(zip(names.tolist(), to.tolist(), strict=True))
    lengths, tokens, loss = [len(prefix)], list(prefix), [0] * len(prefix)
    for _ in range(blocks):
        at = int(rng.choice(names))
        block = [ASK, at, SAY]
        for _ in range(int(rng.integers(2, chain + 1))):
            at = after[at]
            block.append(at)
        block.append(END)
        lengths.append(len(block))
        tokens.extend(block)
        loss.extend([0, 0, 0] + [1] * (len(block) - 3))
    return Document(np.array(lengths), np.array(tokens, np.uint16), np.array(loss, np.uint8))


def write_folder(out: Path, documents: int, seed: int = 1, vocabulary: int = 1600, rules: int = 40, blocks: int = 24, chain: int = 80, **meta) -> None:
    """A folder as `docs/shards.md` has it: nine tenths train, one tenth validation."""
    rng = np.random.default_rng(seed)
    made = [make_document(rng, vocabulary - FIRST, rules, blocks, chain) for _ in range(documents)]
    held = max(1, documents // 10)
    out.mkdir(parents=True, exist_ok=True)
    write_shard(out / "validation-00000.bin", made[:held])
    write_shard(out / "train-00000.bin", made[held:])
    about = {
        "format": FORMAT,
        "version": VERSION,
        "codec": "synthetic",
        "codecVersion": 1,
        "tokenizer": f"synthetic-{vocabulary}",
        "traceVersion": 1,
        "vocabularySize": vocabulary,
        "counts": {"train": len(made) - held, "validation": held},
        "seed": seed,
        "sources": ["training/synthetic.py"],
        "licences": ["MIT"],
    }
    (out / "meta.json").write_text(json.dumps(about | meta, indent=2) + "\n", "utf-8")
    (out / "tokenizer.json").write_text(json.dumps({"synthetic": vocabulary}) + "\n", "utf-8")


def main() -> int:
    p = argparse.ArgumentParser(prog="python -m training.synthetic", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--out", type=Path, required=True)
    p.add_argument("--documents", type=int, default=2000)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--vocabulary", type=int, default=1600)
    p.add_argument("--rules", type=int, default=40, help="entries of the prefix, four tokens each")
    p.add_argument("--blocks", type=int, default=24)
    p.add_argument("--chain", type=int, default=80, help="longest answer of a block")
    a = p.parse_args(sys.argv[1:])
    write_folder(a.out, a.documents, a.seed, a.vocabulary, a.rules, a.blocks, a.chain)
    return 0


if __name__ == "__main__":
    run_command(main)
