"""The committed tiny model is what the exporter makes today; its reference is what PyTorch says today."""

import json
from pathlib import Path

import numpy as np
import onnx
import pytest

from . import fixture

FOLDER = Path(__file__).parents[2] / "test" / "fixtures" / "tiny-model"


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("models") / "tiny-model"
    fixture.make(folder)
    return folder


def test_weights_description_and_graph_are_the_same(made):
    assert (made / "model.safetensors").read_bytes() == (FOLDER / "model.safetensors").read_bytes()
    assert json.loads((made / "npdb.json").read_text()) == json.loads((FOLDER / "npdb.json").read_text())
    graphs = [onnx.load(f / "model.onnx", load_external_data=False).graph for f in (made, FOLDER)]
    assert graphs[0] == graphs[1]


def test_the_reference_is_the_same_to_a_ten_thousandth(made):
    new, old = (json.loads((f / "reference.json").read_text()) for f in (made, FOLDER))
    assert new.keys() == old.keys()
    for name in old:
        assert new[name]["ids"] == old[name]["ids"]
        assert np.abs(np.array(new[name]["logits"]) - np.array(old[name]["logits"])).max() < 2e-4


def test_the_weights_are_stored_once(made):
    graph = onnx.load(made / "model.onnx", load_external_data=False).graph
    external = [t for t in graph.initializer if t.external_data]
    assert {e.value for t in external for e in t.external_data if e.key == "location"} == {"model.safetensors"}
    assert (made / "model.onnx").stat().st_size < 20_000
