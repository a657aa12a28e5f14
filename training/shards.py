"""Token shards: the binary format of `docs/shards.md`, read and written.

A shard is a sequence of documents; a document is a shared prefix (segment 0) and independent blocks
(segments 1..). Everything that could be wrong with a file is found on opening, before any training.
"""

import json
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .errors import TrainingError

MAGIC = b"NPDBTOK1"
FORMAT = "npdb-shards"
VERSION = 1
SPLITS = ("train", "validation")
REBUILD = "Build the shards again with `npdb dataset`."


@dataclass(frozen=True)
class Document:
    """`lengths[0]` is the shared prefix's (may be 0); `tokens` [n] uint16 and `loss` [n] uint8 follow the segments."""

    lengths: np.ndarray
    tokens: np.ndarray
    loss: np.ndarray


@dataclass(frozen=True)
class Split:
    """All documents of one split of one folder: per document, where its parts lie in its file."""

    files: tuple[np.ndarray, ...]
    file: np.ndarray
    offset: np.ndarray
    n: np.ndarray
    m: np.ndarray

    def __len__(self) -> int:
        return len(self.n)

    def lengths(self, index: int) -> np.ndarray:
        data, at = self.files[self.file[index]], int(self.offset[index])
        return data[at : at + 4 * int(self.m[index])].view("<u4").astype(np.int64)

    def __getitem__(self, index: int) -> Document:
        data, at = self.files[self.file[index]], int(self.offset[index])
        n, m = int(self.n[index]), int(self.m[index])
        text = at + 4 * m
        return Document(
            lengths=data[at:text].view("<u4").astype(np.int64),
            tokens=data[text : text + 2 * n].view("<u2"),
            loss=data[text + 2 * n : text + 3 * n],
        )

    @property
    def tokens(self) -> int:
        return int(self.n.sum())


@dataclass(frozen=True)
class Shards:
    folder: Path
    meta: dict
    splits: dict[str, Split]


def open_shards(folder: str | Path) -> Shards:
    """Opens a folder of shards, checked: `E_SHARDS_MISSING`, `E_SHARDS_VERSION`, `E_SHARDS_BROKEN`."""
    folder = Path(folder)
    meta = read_meta(folder)
    splits = {name: open_split(folder, name, int(meta["vocabularySize"])) for name in SPLITS}
    if len(splits["train"]) == 0 and len(splits["validation"]) == 0:
        raise TrainingError("E_SHARDS_MISSING", f"{folder} has no documents.", REBUILD)
    return Shards(folder, meta, splits)


def read_meta(folder: Path) -> dict:
    path = folder / "meta.json"
    if not path.is_file():
        raise TrainingError("E_SHARDS_MISSING", f"There is no {path}.", "Make shards with `npdb dataset`, or name another folder.")
    try:
        meta = json.loads(path.read_text("utf-8"))
        found = (meta["format"], meta["version"])
        int(meta["vocabularySize"]), str(meta["tokenizer"]), str(meta["codec"])
    except (ValueError, KeyError, TypeError) as error:
        raise TrainingError("E_SHARDS_BROKEN", f"{path} is not a shards description ({error!r}).", REBUILD) from error
    if found != (FORMAT, VERSION):
        raise TrainingError(
            "E_SHARDS_VERSION", f"{path} has format {found[0]!r} version {found[1]!r}; this code reads {FORMAT!r} version {VERSION}.", REBUILD
        )
    return meta


def open_split(folder: Path, name: str, vocabulary: int) -> Split:
    files, where = [], []
    for number, path in enumerate(sorted(folder.glob(f"{name}-*.bin"))):
        data = np.memmap(path, dtype=np.uint8, mode="r") if path.stat().st_size else np.zeros(0, np.uint8)
        where.extend((number, *place) for place in scan(path, data, vocabulary))
        files.append(data)
    columns = np.array(where, dtype=np.int64).reshape(-1, 4).T
    return Split(tuple(files), *columns)


def scan(path: Path, data: np.ndarray, vocabulary: int) -> Iterable[tuple[int, int, int]]:
    """(offset of the lengths, n, m) of each document; throws where the file does not add up."""

    def broken(why: str) -> TrainingError:
        return TrainingError("E_SHARDS_BROKEN", f"{path}: {why}.", REBUILD)

    if bytes(data[:8]) != MAGIC:
        raise broken(f"does not begin with {MAGIC.decode()}")
    if len(data) < 12:
        raise broken("ends within its header")
    (count,) = struct.unpack_from("<I", data, 8)
    at, places = 12, []
    for index in range(count):
        if at + 8 > len(data):
            raise broken(f"ends at document {index} of {count}")
        n, m = struct.unpack_from("<II", data, at)
        at += 8
        end = at + 4 * m + 3 * n
        if end > len(data):
            raise broken(f"ends within document {index} of {count}")
        if m == 0 or int(data[at : at + 4 * m].view("<u4").sum(dtype=np.int64)) != n:
            raise broken(f"the segments of document {index} do not add up to its {n} tokens")
        tokens = data[at + 4 * m : at + 4 * m + 2 * n].view("<u2")
        if n and int(tokens.max()) >= vocabulary:
            raise broken(f"document {index} has token {int(tokens.max())}, the vocabulary ends at {vocabulary - 1}")
        places.append((at, n, m))
        at = end
    if at != len(data):
        raise broken(f"has {len(data) - at} bytes after its last document")
    return places


def write_shard(path: Path, documents: Sequence[Document]) -> None:
    """The same bytes for the same documents; the writer of the dataset room has the same layout."""
    with open(path, "wb") as file:
        file.write(MAGIC + struct.pack("<I", len(documents)))
        for document in documents:
            file.write(struct.pack("<II", len(document.tokens), len(document.lengths)))
            file.write(np.asarray(document.lengths, "<u4").tobytes())
            file.write(np.asarray(document.tokens, "<u2").tobytes())
            file.write(np.asarray(document.loss, np.uint8).tobytes())
