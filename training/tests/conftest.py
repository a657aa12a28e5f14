"""Shared fixtures: a small folder of made-up shards, made once."""

import os
from pathlib import Path

os.environ.setdefault("OMP_WAIT_POLICY", "passive")

import pytest  # noqa: E402
import torch  # noqa: E402

from ..synthetic import write_folder  # noqa: E402

torch.set_num_threads(1)


@pytest.fixture(scope="session")
def shards(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("shards")
    write_folder(folder, documents=40, vocabulary=96, rules=6, blocks=8, chain=8)
    return folder
