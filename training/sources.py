"""The folders a run reads, checked to be of one make. Light: a wrong folder is found before PyTorch is loaded."""

from .errors import TrainingError
from .shards import Shards, open_shards


def open_sources(names: list[str]) -> tuple[list[Shards], list[float]]:
    """`DIR` or `DIR:WEIGHT`; all folders must be of one tokenizer, codec and trace version."""
    shards, weights = [], []
    for name in names:
        folder, colon, weight = name.rpartition(":")
        try:
            value = float(weight) if colon else 1.0
        except ValueError:
            folder, colon, value = name, "", 1.0
        shards.append(open_shards(folder if colon else name))
        weights.append(value)
    for key in ("vocabularySize", "tokenizer", "codec", "codecVersion", "traceVersion"):
        values = [s.meta.get(key) for s in shards]
        if any(v != values[0] for v in values):
            code = "E_SHARDS_VOCABULARY" if key in ("vocabularySize", "tokenizer") else "E_SHARDS_VERSION"
            raise TrainingError(code, f"{shards[0].folder} and another folder differ in {key}: {values}.", "Build both with one tokenizer and version.")
    if sum(len(s.splits["train"]) for s in shards) == 0:
        raise TrainingError("E_SHARDS_MISSING", "The shards have no training documents.", "Build the shards again with `npdb dataset`.")
    return shards, weights
