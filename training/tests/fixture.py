"""Makes test/fixtures/tiny-model: a random model, exported, and what PyTorch says it predicts.

    python -m training.tests.fixture test/fixtures/tiny-model

The TypeScript tests compare onnxruntime with `reference.json`; a Python test makes the folder again and
compares it with the committed one.
"""

import json
import sys
import tempfile
from pathlib import Path

import torch

from ..export import export, plain_config
from ..model import Model, Size, make_config, make_model

VOCABULARY, CONTEXT, SEED = 64, 64, 3
ABOUT = {
    "codec": "compact",
    "codecVersion": 1,
    "tokenizer": "tiny-test",
    "traceVersion": 1,
    "training": {"note": "random weights, seed 3; for tests only", "licence": "MIT"},
}


def sequences() -> dict[str, list[int]]:
    """`b` and `c` branch off `a` after 18 ids, `d` after 24."""
    random = torch.Generator().manual_seed(SEED)
    ids = lambda n: torch.randint(0, VOCABULARY, (n,), generator=random).tolist()  # noqa: E731
    a = ids(40)
    return {"a": a, "b": a[:18] + ids(14), "c": a[:18] + ids(9), "d": a[:24] + ids(3)}


def make(out: Path) -> None:
    torch.manual_seed(SEED)
    model = make_model(make_config(Size(hidden=32, layers=2, heads=2, ffn=64, batch=0), VOCABULARY, CONTEXT))
    with torch.no_grad():
        for p in model.parameters():
            # Nothing left at a neutral value that could hide a mistake, and logits of a realistic spread.
            p.copy_(torch.randn_like(p) * 0.3 + 1 if p.ndim == 1 else torch.randn_like(p) * 0.25)
    with tempfile.NamedTemporaryFile("w", suffix=".json") as tokenizer:
        json.dump({"note": "no tokenizer: ids only"}, tokenizer)
        tokenizer.flush()
        export(model.state_dict(), plain_config(model.config.to_json_string()), ABOUT, Path(tokenizer.name), out)
    (out / "reference.json").write_text(json.dumps(reference(out)) + "\n", "utf-8")


def reference(folder: Path) -> dict:
    """By sequence: ids, and the logits after each id from the 10th on, by the exported weights in float32."""
    model = Model.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager").eval()
    out = {}
    for name, ids in sequences().items():
        with torch.no_grad():
            logits = model(torch.tensor([ids])).logits[0]
        out[name] = {"ids": ids, "first": 10, "logits": [[round(x, 4) for x in row] for row in logits[10:].tolist()]}
    return out


if __name__ == "__main__":
    make(Path(sys.argv[1]))
