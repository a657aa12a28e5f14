"""One forward pass over a batch, in the way that is fastest where it runs; the loss and what is counted with it."""

from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F

from . import attention
from .model import hidden_states, logits_at
from .packing import Batch, allowed


@dataclass(frozen=True)
class Engine:
    """`forward` is the model's body, compiled or not; `dtype` what matrix products are done in."""

    model: torch.nn.Module
    forward: object
    device: torch.device
    dtype: torch.dtype
    tiles: bool

    def logits(self, batch: Batch, index: torch.Tensor) -> torch.Tensor:
        """Logits [len(index), vocabulary], float32, at the flat positions `index` of the batch."""
        as_tensor = lambda x: torch.from_numpy(x).to(self.device)  # noqa: E731
        mask = None
        if self.tiles:
            attention.use(attention.plan(batch, self.dtype, self.device))
        else:
            mask = as_tensor(allowed(batch))[:, None]
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.dtype == torch.bfloat16):
            hidden = self.forward(as_tensor(batch.ids), as_tensor(batch.previous), as_tensor(batch.position), mask)
            return logits_at(self.model, hidden, index).float()


def make_engine(model, device: torch.device, dtype: torch.dtype, compiled: bool, tiles: bool) -> Engine:
    def forward(ids, previous, position, mask):
        return hidden_states(model, ids, previous, position, mask)

    return Engine(model, torch.compile(forward) if compiled else forward, device, dtype, tiles)


ANSWER = 1
"""Target of an answer's token. 2: of a token copied from the source, learnt but not judged."""


def targets(batch: Batch, answers: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """(flat positions whose logits predict a target, the target ids): always the token right after."""
    target = batch.target.reshape(-1)
    flat = np.nonzero(target == ANSWER if answers else target)[0]
    return flat - 1, batch.ids.reshape(-1)[flat]


def loss_sum(engine: Engine, batch: Batch) -> torch.Tensor:
    """Summed cross-entropy in nats over the batch's targets."""
    index, wanted = (torch.from_numpy(x).to(engine.device) for x in targets(batch))
    return F.cross_entropy(engine.logits(batch, index), wanted, reduction="sum")


@dataclass
class Score:
    """`loss` nats a target; `token` share of targets that are the likeliest token; `block` share of blocks all right."""

    nats: float = 0.0
    targets: int = 0
    right: int = 0
    blocks: int = 0
    exact: int = 0

    def add(self, engine: Engine, batch: Batch) -> None:
        index, wanted = targets(batch, answers=True)
        if len(index) == 0:
            return
        logits = engine.logits(batch, torch.from_numpy(index).to(engine.device)).detach()
        aim = torch.from_numpy(wanted).to(engine.device)
        self.nats += float(F.cross_entropy(logits, aim, reduction="sum"))
        right = (logits.argmax(-1) == aim).cpu().numpy()
        rows = batch.ids.shape[1]
        flat = index + 1
        block = flat // rows * rows + batch.segment_start.reshape(-1)[flat]
        wrong = np.unique(block[~right])
        self.targets += len(index)
        self.right += int(right.sum())
        self.blocks += len(np.unique(block))
        self.exact += len(np.unique(block)) - len(wrong)

    def figures(self) -> dict:
        n = max(1, self.targets)
        return {
            "eval_loss": round(self.nats / n, 5),
            "eval_token_accuracy": round(self.right / n, 5),
            "eval_block_accuracy": round(self.exact / max(1, self.blocks), 5),
        }
