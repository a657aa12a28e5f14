"""A training run: set up from arguments or a checkpoint, step, evaluate, log, save, stop when told."""

import json
import shutil
import signal
import sys
import time
from argparse import Namespace
from pathlib import Path

import torch
import torch.distributed as dist

from . import checkpoint
from .engine import Score, loss_sum, make_engine, targets
from .errors import TrainingError
from .loader import Loader, Source
from .machine import Machine, find_machine
from .model import make_config, make_model, size_of
from .optim import factor, make_optimizers
from .shards import Shards

FIXED = ("size", "context", "seed", "optimizer", "batch", "shards")
"""Arguments that a resumed run must share with its checkpoint. Its length may change."""


def tokens_of(folder: Path) -> dict[tuple[str, str], int]:
    """The tokens of a `tokenizer.json`, by kind and text, with their ids in order: specials, bytes, words."""
    try:
        file = json.loads((folder / "tokenizer.json").read_text("utf-8"))
        names = [("special", s) for s in file["specials"]] + [("byte", str(b)) for b in range(256)] + [("word", w) for w in file["words"]]
    except Exception as error:
        raise TrainingError("E_SHARDS_VOCABULARY", f"No tokenizer of ours in {folder}.", "Build the shards with the model's tokenizer.json.") from error
    return {name: index for index, name in enumerate(names)}


def load_init(model: torch.nn.Module, folder: Path, shards: Path, meta: dict) -> None:
    """Exported weights into a fresh model of the same size. A token that the other tokenizer has too keeps its row."""
    from safetensors.torch import load_file

    try:
        about = json.loads((folder / "npdb.json").read_text("utf-8"))
        weights = load_file(folder / "model.safetensors")
    except Exception as error:
        raise TrainingError("E_MODEL_BROKEN", f"No exported model in {folder} ({type(error).__name__}).", "Name a folder made by training.export.") from error
    rows = weights["model.embed_tokens.weight"].float()
    if about.get("tokenizer") != meta["tokenizer"]:
        old, new = tokens_of(folder), tokens_of(shards)
        fresh = model.model.embed_tokens.weight.detach()
        rows = torch.stack([rows[old[token]] if token in old else fresh[index] for token, index in new.items()])
    try:
        weights["model.embed_tokens.weight"] = rows
        # Weights that did not look back go on as if they did, at first without any effect.
        fresh = {k: v for k, v in model.state_dict().items() if k.startswith("lookback.") and k not in weights}
        model.load_state_dict({k: v.float() for k, v in weights.items()} | {"lm_head.weight": rows} | fresh)
    except RuntimeError as error:
        raise TrainingError("E_MODEL_BROKEN", f"{folder} is not of this --size.", "Use the size it was trained with.") from error


class Run:
    def __init__(self, args: Namespace, shards: list[Shards], weights: list[float]):
        self.args = args
        self.machine: Machine = find_machine(args)
        self.size = size_of(args.size)
        self.shards, self.weights = shards, weights
        self.meta = self.shards[0].meta
        self.batch = args.batch or self.size.batch
        # Tiles do not care where a row ends: one long row a pass leaves the least padding.
        micro = max(args.context, self.machine.micro // args.context * args.context)
        self.width = micro if self.machine.attention == "tiles" else args.context
        self.rows = micro // self.width
        self.micro_steps = max(1, round(self.batch / (micro * self.machine.world)))
        self.step = self.tokens = self.target_count = 0
        self.elapsed = 0.0
        self.stopping = False
        self.identity = {k: str(getattr(args, k)) for k in FIXED} | {"world": self.machine.world, "tokenizer": self.meta["tokenizer"]}
        torch.manual_seed(args.seed)
        self.model = make_model(make_config(self.size, int(self.meta["vocabularySize"]), args.context), self.machine.attention)
        if args.init:
            load_init(self.model, args.init, Path(self.shards[0].folder), self.meta)
        self.model.to(self.machine.device)
        lr, adam_lr = args.lr or self.size.lr, args.adam_lr or self.size.adam_lr
        self.optimizers = make_optimizers(self.model, args.optimizer, lr, adam_lr, args.weight_decay)
        m = self.machine
        self.loader = Loader([self.source(i, "train") for i in range(len(self.shards))], self.weights, self.width, args.seed, m.rank)
        self.engine = make_engine(self.model, m.device, m.dtype, m.compiled, m.attention == "tiles")

    def source(self, number: int, split: str) -> Source:
        m, train = self.machine, split == "train"
        place = (m.rank, m.world) if train else (0, 1)
        return Source(self.shards[number].splits[split], number, self.args.context, self.args.seed, *place, shuffle=train)

    # -- the loop ---------------------------------------------------------------------------------

    def train(self) -> int:
        args, m = self.args, self.machine
        if m.rank == 0:
            self.prepare_folder()
        self.resume()
        for name in (signal.SIGINT, signal.SIGTERM):
            signal.signal(name, self.stop)
        self.say(self.about())
        begun = time.monotonic() - self.elapsed
        saved, said, window = time.monotonic(), 0.0, (time.monotonic(), self.tokens)
        while (done := self.done()) < 1.0 and not self.stopped():
            loss, lr = self.one_step(done)
            self.elapsed = time.monotonic() - begun
            now = time.monotonic()
            if self.step % 10 == 0 or self.done() >= 1.0:
                speed = (self.tokens - window[1]) / max(now - window[0], 1e-9)
                window = (now, self.tokens)
                line = {"step": self.step, "tokens": self.tokens, "loss": round(loss, 5), "lr": lr, "tokens_per_s": round(speed), "elapsed_s": round(self.elapsed, 1)}
                self.log(line)
                if now - said > 1:
                    self.progress(line)
                    said = now
            if args.eval_every and self.step % args.eval_every == 0 and self.done() < 1.0:
                self.evaluate(args.eval_tokens)
                self.elapsed = time.monotonic() - begun
                window = (time.monotonic(), self.tokens)
            if now - saved > 60 * args.save_every:
                self.save()
                saved = time.monotonic()
        finished = self.done() >= 1.0
        if finished:
            self.evaluate(args.eval_tokens)
        self.save(finished)
        self.say(f"{'done' if finished else 'stopped; the same command goes on'}: step {self.step}, {self.tokens / 1e6:.2f}M tokens, {self.elapsed / 60:.1f} min")
        if m.world > 1:
            dist.destroy_process_group()
        return 0

    def done(self) -> float:
        """How much of the run is over, 0..1, by whichever limit is nearest."""
        a = self.args
        parts = [self.step / a.steps if a.steps else 0, self.tokens / a.tokens if a.tokens else 0, self.elapsed / (60 * a.minutes) if a.minutes else 0]
        if self.machine.world > 1:
            # Clocks differ between processes; all must take the same number of steps.
            shared = torch.tensor(max(parts), device=self.machine.device, dtype=torch.float64)
            dist.broadcast(shared, 0)
            return float(shared)
        return max(parts)

    def one_step(self, done: float) -> tuple[float, float]:
        """Returns nats a target (this process's) and the first optimizer's learning rate."""
        share = factor(done, self.step, self.args.warmup, self.args.decay)
        for optimizer in self.optimizers:
            for group in optimizer.param_groups:
                group["lr"] = group["peak"] * share
        batches = [self.loader.rows(self.rows) for _ in range(self.micro_steps)]
        counts = torch.tensor([sum(len(targets(b)[0]) for b in batches), sum(b.tokens for b in batches)], dtype=torch.int64)
        mine = int(counts[0])
        if self.machine.world > 1:
            counts = counts.to(self.machine.device)
            dist.all_reduce(counts)
        total, tokens = int(counts[0]), int(counts[1])
        nats = 0.0
        for batch in batches:
            loss = loss_sum(self.engine, batch)
            (loss / max(1, total)).backward()
            nats += float(loss.detach())
        parameters = list(self.model.parameters())
        if self.machine.world > 1:
            for p in parameters:
                dist.all_reduce(p.grad)
        if self.args.clip:
            torch.nn.utils.clip_grad_norm_(parameters, self.args.clip, foreach=True)
        for optimizer in self.optimizers:
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
        self.step += 1
        self.tokens += tokens
        self.target_count += total
        return nats / max(1, mine), self.optimizers[0].param_groups[0]["lr"]

    def evaluate(self, limit: int) -> None:
        """On the validation split, always the same rows. Only the first process; the others wait at the next step."""
        if self.machine.rank != 0 or sum(len(s.splits["validation"]) for s in self.shards) == 0:
            return
        score, seen = Score(), 0
        loader = Loader([self.source(i, "validation") for i in range(len(self.shards))], self.weights, self.width, 0)
        while limit < 0 or seen < limit:
            batch = loader.rows(self.rows)
            if batch is None:
                break
            seen += batch.tokens
            score.add(self.engine, batch)
        line = {"step": self.step, "tokens": self.tokens, **score.figures(), "eval_tokens": seen, "elapsed_s": round(self.elapsed, 1)}
        self.log(line)
        self.progress(line)

    # -- stopping, saving, resuming ---------------------------------------------------------------

    def stop(self, *_) -> None:
        self.stopping = True

    def stopped(self) -> bool:
        """True on all processes as soon as one was told to stop."""
        if self.machine.world > 1:
            flag = torch.tensor(int(self.stopping), device=self.machine.device)
            dist.all_reduce(flag, dist.ReduceOp.MAX)
            return bool(flag)
        return self.stopping

    def save(self, finished: bool = False) -> None:
        own = {"loader": self.loader.state(), "torch_rng": torch.get_rng_state()}
        if self.machine.rank != 0:
            return checkpoint.save(self.args.out, own | {"step": self.step}, self.machine.rank)
        checkpoint.save(
            self.args.out,
            own
            | {
                "identity": self.identity,
                "model": self.model.state_dict(),
                "config": self.model.config.to_json_string(),
                "optimizers": [o.state_dict() for o in self.optimizers],
                "step": self.step,
                "tokens": self.tokens,
                "targets": self.target_count,
                "elapsed": self.elapsed,
                "finished": finished,
                "provenance": self.provenance(),
            },
        )

    def resume(self) -> None:
        state = checkpoint.load(self.args.out)
        if state is None:
            return
        for key, value in self.identity.items():
            if state["identity"].get(key) != value:
                why = f"{self.args.out} holds a run with {key} {state['identity'].get(key)}, not {value}."
                raise TrainingError("E_CHECKPOINT_MISMATCH", why, "Give the same arguments, or use another --out.", 2)
        own = state if self.machine.rank == 0 else checkpoint.load(self.args.out, self.machine.rank)
        if own is None or own["step"] != state["step"]:
            raise TrainingError("E_CHECKPOINT_BROKEN", f"Process {self.machine.rank} has no checkpoint of step {state['step']}.", "Use another --out.")
        self.model.load_state_dict(state["model"])
        for optimizer, saved in zip(self.optimizers, state["optimizers"], strict=True):
            optimizer.load_state_dict(saved)
        self.loader.restore(own["loader"])
        torch.set_rng_state(own["torch_rng"])
        self.step, self.tokens, self.target_count, self.elapsed = state["step"], state["tokens"], state["targets"], state["elapsed"]
        if self.machine.rank == 0:
            checkpoint.cut_log(self.args.out, self.step)

    def prepare_folder(self) -> None:
        """The tokenizer goes where the weights go."""
        self.args.out.mkdir(parents=True, exist_ok=True)
        source = self.shards[0].folder / "tokenizer.json"
        if not source.is_file():
            raise TrainingError("E_SHARDS_MISSING", f"There is no {source}.", "Build the shards again with `npdb dataset`.")
        shutil.copyfile(source, self.args.out / "tokenizer.json")

    # -- telling ----------------------------------------------------------------------------------

    def provenance(self) -> dict:
        a = self.args
        return {
            "arguments": {k: v if isinstance(v, int | float | list | None) else str(v) for k, v in vars(a).items()},
            "shards": [{"folder": s.folder.name, "weight": w, "meta": s.meta} for s, w in zip(self.shards, self.weights, strict=True)],
            "parameters": sum(p.numel() for p in self.model.parameters()),
            "batch": self.batch,
            "torch": str(torch.__version__),
            "device": str(self.machine.device),
            "precision": str(self.machine.dtype),
        }

    def about(self) -> str:
        m, train = self.machine, sum(s.splits["train"].tokens for s in self.shards)
        dropped = sum(s.dropped for s in self.loader.sources)
        return (
            f"{sum(p.numel() for p in self.model.parameters()) / 1e6:.2f}M parameters, {train / 1e6:.2f}M training tokens, "
            f"{dropped} blocks too long for a row; {m.device}, {m.threads} threads, {m.dtype}, {m.attention}, compile {'on' if m.compiled else 'off'}, "
            f"{self.micro_steps * self.rows * self.width * m.world} tokens a step" + (f"; going on at step {self.step}" if self.step else "")
        )

    def say(self, text: str) -> None:
        if self.machine.rank == 0:
            print(text, file=sys.stderr, flush=True)

    def progress(self, line: dict) -> None:
        shown = " ".join(f"{k} {v:.4g}" if isinstance(v, float) else f"{k} {v}" for k, v in line.items())
        self.say(f"{100 * min(1.0, self.done_local()):5.1f}% {shown}")

    def done_local(self) -> float:
        a = self.args
        return max(self.step / a.steps if a.steps else 0, self.tokens / a.tokens if a.tokens else 0, self.elapsed / (60 * a.minutes) if a.minutes else 0)

    def log(self, line: dict) -> None:
        if self.machine.rank == 0:
            with open(self.args.out / checkpoint.LOG, "a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
