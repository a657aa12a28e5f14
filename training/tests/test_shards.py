"""Reading shards: what was written comes back, and what is broken is said to be, before any training."""

import json
import shutil
import struct

import numpy as np
import pytest

from ..errors import TrainingError
from ..shards import Document, open_shards, write_shard
from ..sources import open_sources


def document(*segments: list[int]) -> Document:
    tokens = [t for s in segments for t in s]
    return Document(np.array([len(s) for s in segments]), np.array(tokens, np.uint16), np.array([t % 2 for t in tokens], np.uint8))


def folder(tmp_path, documents, **meta):
    about = {"format": "npdb-shards", "version": 1, "codec": "c", "codecVersion": 1, "tokenizer": "t", "traceVersion": 1, "vocabularySize": 50}
    (tmp_path / "meta.json").write_text(json.dumps(about | meta))
    (tmp_path / "tokenizer.json").write_text("{}")
    write_shard(tmp_path / "train-00000.bin", documents)
    return tmp_path


def refused(call, code):
    with pytest.raises(TrainingError) as caught:
        call()
    assert caught.value.code == code
    assert caught.value.status == 3
    assert "\n" not in caught.value.line() and caught.value.hint
    return caught.value.message


def test_documents_come_back_as_written(tmp_path):
    made = [document([1, 2, 3], [4, 5]), document([], [7]), document([9], [8, 7], [6, 5, 4])]
    train = open_shards(folder(tmp_path, made)).splits["train"]
    assert len(train) == 3 and train.tokens == 5 + 1 + 6
    for got, wanted in zip(train, made):
        assert got.lengths.tolist() == wanted.lengths.tolist()
        assert got.tokens.tolist() == wanted.tokens.tolist()
        assert got.loss.tolist() == wanted.loss.tolist()


def test_the_layout_is_the_documented_one(tmp_path):
    write_shard(tmp_path / "x.bin", [document([258], [3, 4])])
    lengths, ids, flags = struct.pack("<II", 1, 2), struct.pack("<HHH", 258, 3, 4), bytes([0, 1, 0])
    assert (tmp_path / "x.bin").read_bytes() == b"NPDBTOK1" + struct.pack("<III", 1, 3, 2) + lengths + ids + flags


def test_several_files_are_one_split(tmp_path):
    folder(tmp_path, [document([1], [2])])
    write_shard(tmp_path / "train-00001.bin", [document([3], [4]), document([5], [6])])
    train = open_shards(tmp_path).splits["train"]
    assert [d.tokens[0] for d in (train[i] for i in range(3))] == [1, 3, 5]


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda b: b[:-1], "ends within document 1 of 2"),
        (lambda b: b[:14], "ends at document 0 of 2"),
        (lambda b: b[:10], "ends within its header"),
        (lambda b: b"", "does not begin with"),
        (lambda b: b"NPDBTOK2" + b[8:], "does not begin with"),
        (lambda b: b + b"x", "1 bytes after"),
        (lambda b: b[:20] + struct.pack("<I", 9) + b[24:], "do not add up"),
        (lambda b: b[:28] + struct.pack("<H", 50) + b[30:], "has token 50, the vocabulary ends at 49"),
    ],
)
def test_a_damaged_shard_is_refused(tmp_path, damage, says):
    path = folder(tmp_path, [document([1, 2, 3], [4, 5]), document([1], [2])]) / "train-00000.bin"
    path.write_bytes(damage(path.read_bytes()))
    assert says in refused(lambda: open_shards(tmp_path), "E_SHARDS_BROKEN")


def test_a_missing_folder_an_empty_one_and_an_empty_set(tmp_path):
    refused(lambda: open_shards(tmp_path / "none"), "E_SHARDS_MISSING")
    refused(lambda: open_shards(tmp_path), "E_SHARDS_MISSING")
    assert "no documents" in refused(lambda: open_shards(folder(tmp_path, [])), "E_SHARDS_MISSING")


def test_a_description_that_is_none(tmp_path):
    folder(tmp_path, [document([1], [2])])
    (tmp_path / "meta.json").write_text("{")
    refused(lambda: open_shards(tmp_path), "E_SHARDS_BROKEN")
    (tmp_path / "meta.json").write_text("{}")
    refused(lambda: open_shards(tmp_path), "E_SHARDS_BROKEN")


def test_another_version_is_refused(tmp_path):
    assert "version 2" in refused(lambda: open_shards(folder(tmp_path, [document([1], [2])], version=2)), "E_SHARDS_VERSION")


def test_folders_of_different_make_are_not_mixed(tmp_path, shards):
    other = tmp_path / "other"
    shutil.copytree(shards, other)
    meta = json.loads((other / "meta.json").read_text())
    (other / "meta.json").write_text(json.dumps(meta | {"tokenizer": "another"}))
    assert "tokenizer" in refused(lambda: open_sources([str(shards), str(other)]), "E_SHARDS_VOCABULARY")
    (other / "meta.json").write_text(json.dumps(meta | {"traceVersion": 2}))
    refused(lambda: open_sources([str(shards), str(other)]), "E_SHARDS_VERSION")


def test_weights_of_a_mixture(shards):
    opened, weights = open_sources([str(shards), f"{shards}:2.5"])
    assert weights == [1.0, 2.5] and [s.folder for s in opened] == [shards, shards]
