"""Runs: learning, exact resume, stopping, export, and errors at the command line."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch

from ..checkpoint import load
from ..errors import TrainingError
from ..export import main as export
from ..optim import factor, orthogonal
from ..pretrain import main as pretrain

ROOT = Path(__file__).parents[2]


def arguments(shards: Path, out: Path, *more: str) -> list[str]:
    fixed = ["--size", "tiny", "--context", "128", "--batch", "256", "--micro", "128", "--eval-every", "0", "--warmup", "2", "--threads", "1", "--compile", "off"]
    return ["--shards", str(shards), "--out", str(out), *fixed, *more]


def log(out: Path) -> list[dict]:
    return [json.loads(line) for line in (out / "log.jsonl").read_text().splitlines()]


def test_a_stopped_run_goes_on_to_the_same_weights_bit_for_bit(shards, tmp_path, monkeypatch):
    whole, halves = tmp_path / "whole", tmp_path / "halves"
    pretrain(arguments(shards, whole, "--steps", "14"))
    from .. import run

    with monkeypatch.context() as patch:
        plain = run.Run.one_step

        def stop_after_seven(self, done):
            if self.step == 6:
                os.kill(os.getpid(), signal.SIGTERM)
            return plain(self, done)

        patch.setattr(run.Run, "one_step", stop_after_seven)
        assert pretrain(arguments(shards, halves, "--steps", "14")) == 0
    assert load(halves)["step"] == 7
    torch.manual_seed(99)
    assert pretrain(arguments(shards, halves, "--steps", "14")) == 0
    a, b = load(whole), load(halves)
    assert a["step"] == b["step"] == 14 and a["tokens"] == b["tokens"]
    for name, weight in a["model"].items():
        assert torch.equal(weight, b["model"][name]), name
    assert a["loader"] == b["loader"]
    last = [{k: line[k] for k in ("loss", "lr")} for out in (whole, halves) for line in log(out) if line.get("loss") and line["step"] == 14]
    assert last[0] == last[1]


def test_it_learns_and_reports(shards, tmp_path):
    pretrain(arguments(shards, tmp_path, "--steps", "40", "--eval-every", "20", "--batch", "512"))
    lines = log(tmp_path)
    losses = [line["loss"] for line in lines if "loss" in line]
    evals = [line for line in lines if "eval_loss" in line]
    assert losses[-1] < losses[0] - 0.3
    assert [line["step"] for line in evals] == [20, 40]
    assert evals[1]["eval_loss"] < evals[0]["eval_loss"]
    assert 0 < evals[1]["eval_token_accuracy"] < 1 and evals[1]["eval_tokens"] > 0
    assert {"step", "tokens", "loss", "lr", "tokens_per_s", "elapsed_s"} <= set(lines[0])
    assert lines[-2]["lr"] < lines[1]["lr"] / 5


def test_a_killed_run_forgets_log_lines_after_its_checkpoint(shards, tmp_path):
    pretrain(arguments(shards, tmp_path, "--steps", "10"))
    with open(tmp_path / "log.jsonl", "a") as file:
        file.write('{"step": 20, "loss": 1}\n{"step": 3')
    pretrain(arguments(shards, tmp_path, "--steps", "20"))
    assert [line["step"] for line in log(tmp_path) if "loss" in line] == [10, 20]


def test_a_run_by_the_clock_ends_with_the_rate_decayed(shards, tmp_path):
    begun = time.monotonic()
    pretrain(arguments(shards, tmp_path, "--minutes", "0.05"))
    assert 2.9 < time.monotonic() - begun < 30
    state = load(tmp_path)
    assert state["finished"] and state["elapsed"] >= 3
    steps = state["step"]
    pretrain(arguments(shards, tmp_path, "--minutes", "0.05"))
    assert load(tmp_path)["step"] == steps


def test_sigterm_to_the_command_saves_and_exits_0(shards, tmp_path):
    command = [sys.executable, "-m", "training.pretrain", *arguments(shards, tmp_path, "--steps", "100000")]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) as process:
        for line in process.stderr:
            if "step 10" in line:
                process.send_signal(signal.SIGTERM)
                break
        rest = process.stderr.read()
        assert process.wait(30) == 0
    assert "the same command goes on" in rest
    assert load(tmp_path)["step"] >= 10


def test_another_seed_is_another_run(shards, tmp_path):
    pretrain(arguments(shards, tmp_path, "--steps", "1"))
    with pytest.raises(TrainingError) as caught:
        pretrain(arguments(shards, tmp_path, "--steps", "2", "--seed", "5"))
    assert caught.value.code == "E_CHECKPOINT_MISMATCH" and caught.value.status == 2
    (tmp_path / "checkpoint.pt").write_bytes(b"torn")
    with pytest.raises(TrainingError) as caught:
        pretrain(arguments(shards, tmp_path, "--steps", "2"))
    assert caught.value.code == "E_CHECKPOINT_BROKEN"


def test_an_exported_model_can_be_trained_on_and_read_as_transformers_reads_models(shards, tmp_path):
    from ..model import Model

    pretrain(arguments(shards, tmp_path / "run", "--steps", "3"))
    assert export(["--checkpoint", str(tmp_path / "run"), "--out", str(tmp_path / "model")]) == 0
    names = {"config.json", "model.safetensors", "model.onnx", "tokenizer.json", "npdb.json"}
    assert {p.name for p in (tmp_path / "model").iterdir()} == names
    about = json.loads((tmp_path / "model" / "npdb.json").read_text())
    assert (about["codec"], about["tokenizer"], about["traceVersion"]) == ("synthetic", "synthetic-96", 1)
    assert about["training"]["step"] == 3 and about["training"]["shards"][0]["meta"]["licences"] == ["MIT"]
    model = Model.from_pretrained(tmp_path / "model", dtype=torch.float32)
    for name, weight in load(tmp_path / "run")["model"].items():
        assert torch.equal(model.state_dict()[name], weight.half().float()), name
    pretrain(arguments(shards, tmp_path / "more", "--steps", "1", "--init", str(tmp_path / "model"), "--lr", "1e-9", "--adam-lr", "1e-9"))
    first = load(tmp_path / "more")["model"]["model.embed_tokens.weight"]
    assert torch.allclose(first, model.model.embed_tokens.weight, atol=1e-6)


def test_export_of_nothing(tmp_path):
    with pytest.raises(TrainingError) as caught:
        export(["--checkpoint", str(tmp_path), "--out", str(tmp_path / "x")])
    assert caught.value.code == "E_CHECKPOINT_MISSING"


def test_an_error_is_one_line_and_status_3(tmp_path):
    command = [sys.executable, "-m", "training.pretrain", "--shards", str(tmp_path / "none"), "--out", str(tmp_path / "out")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 3 and done.stdout == ""
    assert done.stderr.startswith("E_SHARDS_MISSING: ") and done.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_the_schedule_rises_stays_and_falls_to_nothing():
    assert factor(0, 0, 10, 0.5) == pytest.approx(0.1)
    assert factor(0.4, 100, 10, 0.5) == 1
    assert factor(0.75, 100, 10, 0.5) == pytest.approx(0.5)
    assert factor(1, 100, 10, 0.5) == 0


def test_muons_update_is_nearly_orthogonal():
    torch.manual_seed(0)
    for rows, columns in ((24, 24), (48, 24), (24, 48)):
        u, _, v = torch.linalg.svd(torch.randn(3, rows, columns), full_matrices=False)
        g = u @ torch.diag_embed(torch.linspace(0.02, 0.3, 24).expand(3, -1)) @ v
        assert torch.linalg.svdvals(g).max() < 0.31
        values = torch.linalg.svdvals(orthogonal(g).float())
        assert 0.5 < values.min() and values.max() < 1.4
